// Typed events of the machine. instrument/counters listens; the machine knows none of its listeners.
#pragma once
#include "base/Ids.hpp"
#include "graph/steps/StepProgram.hpp"
#include "instrument/machine/StepPattern.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace popscope {

/// The kinds of a tile's time in a step.
enum class TimeKind : std::uint8_t { Compute, Exchange, GlobalExchange, HostExchange, Sync, ControlFlow };

/// The two events of a recorded Block, which have no work. The block lasts from the end of the first to the beginning
/// of the second; the time inside the events is the cost of recording.
enum class BlockEdge : std::uint8_t { None, Begin, End };

constexpr std::uint64_t kNoChild = ~std::uint64_t(0); // a Switch without a matching label and without a default
/// The result of a loop or conditional. `taken`: iterations, or the index of the child.
struct ControlFlowResult {
  Cycles cycles;
  std::uint64_t taken = 0;
};

/// One executed step. A loop or conditional (ControlFlow) comes after its children and has no work. Spans have one
/// entry per tile and are valid during the call only.
struct StepEvent {
  StepIndex step;
  TimeKind kind = TimeKind::Compute;
  BlockEdge edge = BlockEdge::None;
  Cycles origin;                      // cycles since the start of the run, from which begin, end and start count
  std::span<const Cycles> begin, end; // tile clock at which the tile enters and leaves the step
  // Work: `busy` cycles from `start` on; 0 = the tile takes no part. Only an exchange may have other cycles before or
  // after its busy cycles. Its tiles start and end together, because a word's receiver is determined by the cycle in
  // which it is sent.
  std::span<const Cycles> start, busy;
  std::span<const Cycles> counters;       // cycles of reading counters, after the work; empty = nothing was read
  std::span<const Bytes> dataIn, dataOut; // empty if the step moves no data
  std::optional<Cycles> threadCycles;     // OnTileExecute: see RunTotals
  std::shared_ptr<const SlotCycles>
      slots; // OnTileExecute: the same object for executions with the same cost; null = not known
  using TypeCycles = VertexTypeSum;
  std::span<const TypeCycles> types;
  std::optional<ControlFlowResult> controlFlow; // for ControlFlow
  /// All of the above except the origin: the same object for executions of a step that do not differ in it. Null: the
  /// machine does not report it, and listeners need not keep results.
  std::shared_ptr<const StepPattern> pattern;
};

class EventSink {
public:
  virtual ~EventSink() = default;
  virtual void beginRun(std::uint32_t program, const std::string &name) = 0;
  virtual void step(const StepEvent &event) = 0;
  /// Ends the run. `clocks`: every tile's clock; the run began at clock 0 on every tile.
  virtual void endRun(std::span<const Cycles> clocks) = 0;
};

} // namespace popscope
