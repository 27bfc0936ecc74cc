// ProgramTiles: what each program is on single tiles, as rows of its profile: code, bytes, cycles, messages. They are
// made when they are asked for, some programs at a time on all threads: of all programs together they take as much
// memory as the lowered program.
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
  /// What the input refers to must outlive this. Linear in steps, n log n in the messages of an exchange.
  explicit ProgramTiles(const CollectInput &input);
  /// As CompilationRows::programTiles. Linear in rows by tile, and in those of control code once more for each parent
  /// above it.
  void each(const CompilationRows::Prepare &prepare) const;
  [[nodiscard]] std::vector<MessageSizesRecord> messageSizes() const { return received_.sizes(); }
  /// Steps that execute the same schedule share its code, which stands at the first of them. By step: that one; -1 =
  /// the step's own, or none.
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
