#include "report/pop/WriteSteps.hpp"

#include "base/Check.hpp"
#include "report/pop/Schema.hpp"
#include "report/pop/TileBlocks.hpp"

#include <algorithm>

namespace popscope {
namespace {

void writeStepOnIpu(PopFile &file, std::uint64_t step, std::uint64_t ipu, const StepOnIpu &s) {
  const std::uint64_t times[] = {s.allFromMin,    s.allFromMax,    s.allToMin,    s.allToMax,
                                 s.activeFromMin, s.activeFromMax, s.activeToMin, s.activeToMax};
  const std::uint64_t base = *std::min_element(std::begin(times), std::end(times));
  const auto known = [](bool is, std::uint64_t value) { return is ? std::optional(value) : std::nullopt; };
  const bool all = s.detail == TimeDetail::EveryTile, some = all || s.detail == TimeDetail::Longest;
  // The entry of the first active tile and the exit of the last one.
  static constexpr bool kOfLongest[] = {false, false, false, false, true, false, false, true};
  Query q(file, insertStatement("steps_by_ipu"));
  q << step << ipu << known(s.detail != TimeDetail::Nothing, s.cycles) << s.activeTiles
    << known(all || s.detail == TimeDetail::Duration, s.busyCycles) << known(some, base);
  for (std::size_t i = 0; i < std::size(times); ++i)
    q << known(all || (some && kOfLongest[i]), times[i] - base);
  (q << s.dataIn << s.dataOut << s.maxTileData).run();
}

} // namespace

void StepWriter::begin(std::vector<std::string> programTypes, std::vector<std::int64_t> programComputeSets,
                       std::size_t tiles) {
  programTypes_ = std::move(programTypes);
  programComputeSets_ = std::move(programComputeSets);
  tiles_ = tiles;
}

void StepWriter::write(PopFile &file, std::uint64_t id, std::uint64_t run, const StepRecord &record) {
  POPSCOPE_CHECK(record.program < programTypes_.size(), "a step of program {} of {}", record.program,
                 programTypes_.size());
  const auto slots = slots_.write(file, record, tiles_);
  {
    Query q(file, insertStatement("steps"));
    q << id << run << programTypes_[record.program] << record.program;
    if (const auto cs = programComputeSets_[record.program]; cs < 0)
      q.null();
    else
      q << cs;
    (q << record.threadCycles << slots).run();
  }
  if (!record.cyclesByTile.empty()) {
    POPSCOPE_CHECK(record.cyclesByTile.size() == tiles_, "cycles on {} of {} tiles", record.cyclesByTile.size(),
                   tiles_);
    Query q(file, insertStatement("steps_by_tile"));
    (q << id).borrowedBlob(packTiles(record.cyclesByTile)).run();
  }
  for (std::uint64_t ipu = 0; ipu < record.ipus.size(); ++ipu)
    writeStepOnIpu(file, id, ipu, record.ipus[ipu]);
  writeTypes(file, id, record);
}

void StepWriter::writeTypes(PopFile &file, std::uint64_t id, const StepRecord &record) {
  Query q(file, insertStatement("step_vertex_types"));
  std::uint64_t position = 0;
  for (const auto &v : record.vertexTypes) {
    (q << id << position++ << v.vertexType << v.instances << v.cycles).run();
    TypeTotal &total = runTypes_[v.vertexType];
    total.instances += v.instances;
    if (v.cycles)
      total.cycles = total.cycles.value_or(0) + *v.cycles;
  }
}

void StepWriter::writeRunTypes(PopFile &file, std::uint64_t run) const {
  Query q(file, "INSERT OR REPLACE INTO run_vertex_types (run, vertex_type, instances, cycles) VALUES (?, ?, ?, ?)");
  for (const auto &[type, total] : runTypes_)
    (q << run << type << total.instances << total.cycles).run();
}

void StepWriter::forget() {
  runTypes_.clear();
  slots_.forget();
}

} // namespace popscope
