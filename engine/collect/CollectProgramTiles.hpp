// ProgramTiles: computes the rows of the profile that describe each program on each tile. The rows contain bytes of
// code, bytes sent and received, cycles, and data about messages. The rows of all programs would take as much memory as
// the lowered program, so the function each() computes the rows of only some programs at a time. each() uses all
// threads.
#pragma once
#include "engine/collect/Collect.hpp"
#include "engine/collect/CollectTraffic.hpp"
#include "engine/collect/ReceivedMessages.hpp"
#include "instrument/machine/CounterTimes.hpp"
#include "target-models/costs/CostModel.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

class ProgramTiles {
public:
  /// Prepares the rows. The tables of the input must outlive this object. Cost: linear in steps, plus n log n for the n
  /// messages of each exchange.
  explicit ProgramTiles(const CollectInput &input);
  /// Emits the rows (see CompilationRows::programTiles). Cost: linear in the size of all rows. In addition, the control
  /// code of a step is added up once for every program that contains the step.
  void each(const CompilationRows::Prepare &prepare) const;
  [[nodiscard]] std::vector<MessageSizesRecord> messageSizes() const { return received_.sizes(); }
  /// Returns, for each step, the step whose exchange code this step executes, or -1 for a step with its own code or
  /// without exchange code. If several steps of one kind share a payload, all of them execute the code of the first of
  /// these steps.
  [[nodiscard]] const std::vector<std::int64_t> &codeOwners() const { return codeOwners_; }

private:
  void collect(StepIndex s, ProgramTilesRecord &record) const;
  void collectControlCode(StepIndex s, ProgramTilesRecord &record) const;
  void collectExchange(StepIndex s, ProgramTilesRecord &record) const;
  void collectStreamCopy(StepIndex s, ProgramTilesRecord &record) const;
  void collectCounters(StepIndex s, ProgramTilesRecord &record) const;
  void collectLinks(const ExchangeStep &exchange, const std::vector<TileMessage> &messages,
                    ProgramTilesRecord &record) const;

  const StepProgram &program_;
  std::uint32_t tilesPerIpu_, ipusPerReplica_;
  Threads threads_;
  CounterTimes counters_;
  ReceivedMessages received_;
  TrafficCollector traffic_;
  std::vector<std::int64_t> codeOwners_;
};

} // namespace popscope
