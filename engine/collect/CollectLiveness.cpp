#include "engine/collect/Collect.hpp"

#include <algorithm>

namespace popscope {
namespace {

// Returns the live bytes per step and IPU, without always-live bytes. Sums up the changes at the ends of intervals.
// Cost: linear in steps times IPUs, in homes, in each variable's intervals times IPUs, and in the intervals of homes
// that differ from their variable.
std::vector<std::vector<Bytes>> liveBytesByIpu(const CollectInput &input) {
  const StepProgram &program = input.program;
  const std::size_t ipus = input.machine.numIpus;
  std::vector<std::vector<std::int64_t>> delta(ipus, std::vector<std::int64_t>(program.steps.size() + 1, 0));
  std::vector<std::int64_t> bytes(ipus);
  const auto addAt = [&](LiveClassId id, std::size_t ipu, std::int64_t some) {
    for (const StepInterval &i : input.ranges.intervalsOf(id)) {
      delta[ipu][i.begin.index()] += some;
      delta[ipu][i.end.index()] -= some;
    }
  };
  for (std::size_t i = 0; i < program.vars.size(); ++i) {
    const VarId var = program.vars.idAt(i);
    const LiveClassId whole = input.ranges.live[var];
    if (input.ranges.always[var] || input.ranges.intervalsOf(whole).empty())
      continue;
    std::fill(bytes.begin(), bytes.end(), 0);
    for (std::uint32_t h = 0; h < program.vars[var].numHomes; ++h) {
      const HomeId home(program.vars[var].firstHome + h);
      const auto ofHome = static_cast<std::int64_t>(program.homeBytes(home).count());
      const std::size_t ipu = input.machine.ipuOf(program.homes[home].tile).index();
      if (const LiveClassId live = input.ranges.liveOf(var, home); live == whole)
        bytes[ipu] += ofHome;
      else
        addAt(live, ipu, ofHome);
    }
    for (std::size_t ipu = 0; ipu < ipus; ++ipu)
      addAt(whole, ipu, bytes[ipu]);
  }
  std::vector<std::vector<Bytes>> result(program.steps.size(), std::vector<Bytes>(ipus));
  for (std::size_t ipu = 0; ipu < ipus; ++ipu) {
    std::int64_t now = 0;
    for (std::size_t s = 0; s < program.steps.size(); ++s) {
      now += delta[ipu][s];
      result[s][ipu] = Bytes(now);
    }
  }
  return result;
}

} // namespace

void collectLiveness(const CollectInput &input, CompilationRecord &record) {
  const StepProgram &program = input.program;
  for (std::uint32_t c = 0; c < input.ranges.classes.size(); ++c) {
    LivenessClassRecord out;
    for (const StepInterval &interval : input.ranges.intervalsOf(LiveClassId(c)))
      out.intervals.emplace_back(interval.begin.index(), interval.end.index());
    record.livenessClasses.push_back(std::move(out));
  }
  const auto byIpu = liveBytesByIpu(input);
  Bytes peak;
  for (std::uint32_t s = 0; s < program.steps.size(); ++s) {
    if (!record.programs[s].livenessPoint)
      continue;
    const Bytes bytes = input.ranges.liveBytes[s];
    peak = std::max(peak, bytes);
    record.livenessSteps.push_back({s, bytes, byIpu[s]});
  }
  record.maxLiveBytes = record.alwaysLiveBytes + peak;
}

} // namespace popscope
