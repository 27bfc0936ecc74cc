#include "instrument/machine/CounterTimes.hpp"

#include "graph/steps/BlockTiles.hpp"

#include <map>
#include <utility>

namespace popscope {

/// Collects rows by step kind and payload. Executions of steps with the same payload share the row.
class CounterTimes::Collector {
public:
  Collector(const StepProgram &program, const CostModel &costs, CounterTimes &times)
      : program_(program), costs_(costs), times_(times) {}
  void run() {
    addCounters();
    if (program_.blockProfile.recordsPerTile != 0)
      addRecords(costs_.counterRead(1, costs_.machine().instrument.blockEdgeInstr));
    if (rowOfPayload_.empty())
      return;
    times_.rowOf_ = IdVector<StepIndex, std::uint32_t>(program_.steps.size(), 0);
    for (std::uint32_t s = 0; s < times_.rowOf_.size(); ++s)
      if (const auto found =
              rowOfPayload_.find({program_.steps[StepIndex(s)].kind, program_.steps[StepIndex(s)].payload});
          found != rowOfPayload_.end())
        times_.rowOf_[StepIndex(s)] = found->second;
  }

private:
  void add(StepKind kind, std::uint32_t payload, TileId tile, Cycles cycles, std::uint64_t stores) {
    const auto [at, isNew] =
        rowOfPayload_.try_emplace({kind, payload}, static_cast<std::uint32_t>(times_.times_.size()));
    if (isNew)
      times_.times_.emplace_back();
    times_.times_[at->second].push_back({tile, cycles, stores});
  }
  void addCounters() {
    const std::uint32_t counterBytes = costs_.machine().instrument.counterBytes;
    for (const StepStorage &row : program_.storage) {
      if (row.category != StorageCategory::InstrumentationResults || counterBytes == 0 || row.instructions == 0)
        continue; // this storage is a buffer of blocks, which no separate code fills
      const Step &step = program_.steps[row.step];
      const std::uint64_t counters = row.bytes / Bytes32(counterBytes);
      add(step.kind, step.payload, row.tile, costs_.counterRead(counters, row.instructions), counters);
    }
  }
  /// Adds the cost of recording. A Block records its beginning or its end. For a phase of a host copy, beginning and
  /// end are both recorded after the phase, because the phase's tiles have no time before the phase.
  void addRecords(Cycles edge) {
    const auto tiles = blockTiles(program_);
    for (std::uint32_t i = 0; i < tiles.size(); ++i)
      for (const TileId tile : tiles[i])
        add(StepKind::Block, i, tile, edge, 1);
    for (std::uint32_t i = 0; program_.blockProfile.streamCopies && i < program_.streamCopies.size(); ++i) {
      const StreamCopyStep &copy = program_.streamCopies[i];
      for (const StepKind kind : {StepKind::StreamCopyBegin, StepKind::StreamCopyMid, StepKind::StreamCopyEnd})
        for (std::uint32_t t = copy.firstTile; t < copy.firstTile + copy.numTiles; ++t)
          add(kind, i, program_.hostTiles[t].tile, 2 * edge, 2);
    }
  }

  const StepProgram &program_;
  const CostModel &costs_;
  CounterTimes &times_;
  std::map<std::pair<StepKind, std::uint32_t>, std::uint32_t> rowOfPayload_;
};

CounterTimes::CounterTimes(const StepProgram &program, const CostModel &costs) : times_(1) {
  Collector(program, costs, *this).run();
}

} // namespace popscope
