#include "report/pop/WriteSteps.hpp"

#include "base/Check.hpp"
#include "report/pop/TileBlocks.hpp"

#include <algorithm>

namespace popscope {
namespace {

void writeStepOnIpu(RowInserter &q, std::uint64_t step, std::uint64_t ipu, const StepOnIpu &s) {
  const Cycles times[] = {s.allFromMin,    s.allFromMax,    s.allToMin,    s.allToMax,
                          s.activeFromMin, s.activeFromMax, s.activeToMin, s.activeToMax};
  const Cycles base = *std::min_element(std::begin(times), std::end(times));
  const auto known = [](bool is, Cycles value) { return is ? std::optional(value) : std::nullopt; };
  const bool all = s.detail == TimeDetail::EveryTile, some = all || s.detail == TimeDetail::Longest;
  // The times that are recorded if only the longest tile is known: allToMax, activeFromMin and activeToMax.
  static constexpr bool kOfLongest[] = {false, false, false, true, true, false, false, true};
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
  writeRows(file, id, run, record, {}, pack(file, record));
}

void StepWriter::writeAgain(PopFile &file, std::uint64_t id, std::uint64_t run,
                            const std::shared_ptr<const StepRecord> &record, Cycles later) {
  Again &latest = again_[record->program];
  if (latest.record != record) {
    latest.packed = pack(file, *record);
    latest.record = record;
  }
  writeRows(file, id, run, *record, later, latest.packed);
}

StepWriter::Packed StepWriter::pack(PopFile &file, const StepRecord &record) {
  POPSCOPE_CHECK(record.program < programTypes_.size(), "a step of program {} of {}", record.program,
                 programTypes_.size());
  Packed packed;
  packed.slots = slots_.write(file, record, tiles_);
  if (!record.cyclesByTile.empty()) {
    POPSCOPE_CHECK(record.cyclesByTile.size() == tiles_, "cycles on {} of {} tiles", record.cyclesByTile.size(),
                   tiles_);
    packed.cycles = packTiles(record.cyclesByTile);
  }
  return packed;
}

void StepWriter::writeRows(PopFile &file, std::uint64_t id, std::uint64_t run, const StepRecord &record, Cycles later,
                           const Packed &packed) {
  if (!into_)
    into_.emplace(file);
  RowInserter &steps = into_->steps;
  (steps << id << run).borrowed(programTypes_[record.program]) << record.program;
  if (const auto cs = programComputeSets_[record.program]; cs < 0)
    steps.null();
  else
    steps << static_cast<std::uint64_t>(cs);
  (steps << record.threadCycles << packed.slots).run();
  if (!packed.cycles.empty())
    (into_->tiles << id).borrowedBlob(packed.cycles).run();
  for (std::uint64_t ipu = 0; ipu < record.ipus.size(); ++ipu)
    writeStepOnIpu(into_->ipus, id, ipu, laterBy(record.ipus[ipu], later));
  writeTypes(id, record);
}

void StepWriter::writeTypes(std::uint64_t id, const StepRecord &record) {
  std::uint64_t position = 0;
  for (const auto &v : record.vertexTypes) {
    (into_->types << id << position++ << v.vertexType << v.instances << v.cycles).run();
    TypeTotal &total = runTypes_[v.vertexType];
    total.instances += v.instances;
    if (v.cycles)
      total.cycles = total.cycles.value_or(Cycles()) + *v.cycles;
  }
}

void StepWriter::writeRunTypes(PopFile &file, std::uint64_t run) const {
  Query q(file, "INSERT OR REPLACE INTO run_vertex_types (run, vertex_type, instances, cycles) VALUES (?, ?, ?, ?)");
  for (const auto &[type, total] : runTypes_)
    (q << run << type << total.instances << total.cycles).run();
}

void StepWriter::forget() {
  runTypes_.clear();
  again_.clear();
  slots_.forget();
}

} // namespace popscope
