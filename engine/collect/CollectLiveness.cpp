#include "engine/collect/Collect.hpp"
#include "engine/collect/VariableNames.hpp"

#include <algorithm>
#include <map>

namespace popscope {
namespace {

// Bytes per step and IPU of what is live and not always live, by difference arrays over the intervals.
std::vector<std::vector<std::uint64_t>> liveBytesByIpu(const CollectInput &input) {
  const StepProgram &program = input.program;
  const std::size_t ipus = input.machine.numIpus;
  std::vector<std::vector<std::int64_t>> delta(ipus, std::vector<std::int64_t>(program.steps.size() + 1, 0));
  std::vector<std::uint64_t> bytes(ipus);
  for (std::size_t i = 0; i < program.vars.size(); ++i) {
    const VarId var = program.vars.idAt(i);
    const LiveClass &live = input.ranges.classes[input.ranges.live[var].index()];
    if (input.ranges.always[var] || live.numIntervals == 0)
      continue;
    std::fill(bytes.begin(), bytes.end(), 0);
    for (std::uint32_t h = 0; h < program.vars[var].numHomes; ++h) {
      const HomeId home(program.vars[var].firstHome + h);
      bytes[input.machine.ipuOf(program.homes[home].tile).index()] += program.homeBytes(home);
    }
    for (std::uint32_t k = 0; k < live.numIntervals; ++k) {
      const StepInterval &interval = input.ranges.intervals[live.firstInterval + k];
      for (std::size_t ipu = 0; ipu < ipus; ++ipu) {
        delta[ipu][interval.begin.index()] += static_cast<std::int64_t>(bytes[ipu]);
        delta[ipu][interval.end.index()] -= static_cast<std::int64_t>(bytes[ipu]);
      }
    }
  }
  std::vector<std::vector<std::uint64_t>> result(program.steps.size(), std::vector<std::uint64_t>(ipus));
  for (std::size_t ipu = 0; ipu < ipus; ++ipu) {
    std::int64_t now = 0;
    for (std::size_t s = 0; s < program.steps.size(); ++s) {
      now += delta[ipu][s];
      result[s][ipu] = static_cast<std::uint64_t>(now);
    }
  }
  return result;
}

// Variables that are ever live, in order of VarId; returns old id -> record id.
std::vector<std::int64_t> collectVariables(const CollectInput &input, CompilationRecord &record) {
  const StepProgram &program = input.program;
  std::vector<std::int64_t> ids(program.vars.size(), -1);
  VariableNames names(program, record.variableNames);
  for (std::size_t i = 0; i < program.vars.size(); ++i) {
    const VarId id = program.vars.idAt(i);
    const StepVar &var = program.vars[id];
    const bool everLive = input.ranges.classes[input.ranges.live[id].index()].numIntervals != 0;
    if (var.numHomes == 0 || (!input.ranges.always[id] && !everLive && !input.loweredVariables))
      continue;
    LiveVariableRecord v;
    v.name = names.of(var);
    v.alwaysLive = input.ranges.always[id];
    v.liveClass = input.ranges.live[id].index();
    v.category = var.category;
    for (std::uint32_t h = 0; h < var.numHomes; ++h) {
      const HomeId home(var.firstHome + h);
      const std::uint64_t bytes = program.homeBytes(home);
      v.bytes += bytes;
      v.bytesByTile.emplace_back(program.homes[home].tile.index(), bytes);
    }
    ids[i] = static_cast<std::int64_t>(record.variables.size());
    record.variables.push_back(std::move(v));
  }
  return ids;
}

// Code and system data appear as one variable per category, under the category's key.
void collectPseudoVariables(const CollectInput &input, CompilationRecord &record) {
  std::map<StorageCategory, TileValues> byCategory;
  for (const Allocation &a : input.layout.allocations) {
    if (a.owner == OwnerKind::Home)
      continue;
    TileValues &rows = byCategory[a.category];
    if (!rows.empty() && rows.back().first == a.tile.index())
      rows.back().second += a.bytes;
    else
      rows.emplace_back(a.tile.index(), a.bytes);
  }
  for (auto &entry : byCategory) {
    LiveVariableRecord v;
    v.name = record.variableNames.intern(storageCategoryKey(entry.first));
    v.category = entry.first;
    v.alwaysLive = true;
    v.bytesByTile = std::move(entry.second);
    for (const auto &row : v.bytesByTile)
      v.bytes += row.second;
    if (v.bytes != 0)
      record.variables.push_back(std::move(v));
  }
}

} // namespace

std::vector<std::int64_t> collectLiveness(const CollectInput &input, CompilationRecord &record) {
  const StepProgram &program = input.program;
  std::vector<std::int64_t> ids = collectVariables(input, record);
  for (LoweredVariableRecord &v : record.loweredVariables)
    if (v.variable >= 0)
      v.variable = ids[static_cast<std::size_t>(v.variable)];
  collectPseudoVariables(input, record);
  for (const LiveClass &live : input.ranges.classes) {
    LivenessClassRecord out;
    for (std::uint32_t k = 0; k < live.numIntervals; ++k) {
      const StepInterval &interval = input.ranges.intervals[live.firstInterval + k];
      out.intervals.emplace_back(interval.begin.index(), interval.end.index());
    }
    record.livenessClasses.push_back(std::move(out));
  }
  const auto byIpu = liveBytesByIpu(input);
  for (const LiveVariableRecord &v : record.variables)
    if (v.alwaysLive)
      record.alwaysLiveBytes += v.bytes;
  std::uint64_t peak = 0;
  for (std::uint32_t s = 0; s < program.steps.size(); ++s) {
    if (!record.programs[s].livenessPoint)
      continue;
    const std::uint64_t bytes = input.ranges.liveBytes[s].count();
    peak = std::max(peak, bytes);
    record.livenessSteps.push_back({s, bytes, byIpu[s]});
  }
  record.maxLiveBytes = record.alwaysLiveBytes + peak;
  return ids;
}

} // namespace popscope
