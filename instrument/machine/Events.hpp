// The events that the machine emits. instrument/counters receives these events.
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

/// The kinds of time that a tile spends in a step.
enum class TimeKind : std::uint8_t { Compute, Exchange, GlobalExchange, HostExchange, Sync, ControlFlow };

/// The first (Begin) or the second (End) event of a recorded Block. Any other event has the value None. The block lasts
/// from the end of the first event to the beginning of the second event. The two events contain no work of the program;
/// the cycles of the two events are the cost of recording.
enum class BlockEdge : std::uint8_t { None, Begin, End };

constexpr std::uint64_t kNoChild = ~std::uint64_t(0); // value of `taken` for a Switch that executed no child
/// The result of a loop or conditional. `taken` is the number of iterations, or the index of the executed child.
struct ControlFlowResult {
  Cycles cycles;
  std::uint64_t taken = 0;
};

/// One executed step. The event of a loop or conditional (ControlFlow) follows the events of its children and has no
/// work. Spans are valid only during the call of EventSink::step(). Each span has one entry per tile, except `types`.
/// `counters`, `dataIn` and `dataOut` may also be empty.
struct StepEvent {
  StepIndex step;
  TimeKind kind = TimeKind::Compute;
  BlockEdge edge = BlockEdge::None;
  Cycles origin;                      // cycles since the start of the run; begin, end and start count from `origin`
  std::span<const Cycles> begin, end; // clock at which each tile enters and leaves the step
  // Work: a tile works for `busy` cycles from `start` on. If `busy` is 0, the tile takes no part in the step. Only an
  // exchange or a host copy may have idle cycles before or after the busy cycles. The rules of exchanges also hold for
  // host copies. In an exchange, all tiles with work on the same IPU start together and end together. In a global
  // exchange, all tiles with work, on all IPUs, start together and end together. The reason is that the cycle in which
  // a word is sent determines the receiver of this word.
  std::span<const Cycles> start, busy;
  std::span<const Cycles> counters;       // cycles of reading counters after the work; empty = no counter was read
  std::span<const Bytes> dataIn, dataOut; // empty = the step moves no data
  std::optional<Cycles> threadCycles;     // for an OnTileExecute: see StepRecord
  /// The loads of the worker slots, for an OnTileExecute. Executions that share one object have the same loads. The
  /// pointer is null if the loads are unknown.
  std::shared_ptr<const SlotCycles> slots;
  using TypeCycles = VertexTypeSum;
  std::span<const TypeCycles> types;
  std::optional<ControlFlowResult> controlFlow; // for a ControlFlow event
  /// The work and the times above, except the origin. If two events of a step have the same pattern object, the events
  /// differ only in their origin. The pointer is null if the machine does not report the pattern. In this case,
  /// listeners cannot reuse results.
  std::shared_ptr<const StepPattern> pattern;
};

class EventSink {
public:
  virtual ~EventSink() = default;
  virtual void beginRun(std::uint32_t program, const std::string &name) = 0;
  virtual void step(const StepEvent &event) = 0;
  /// Ends the run. `clocks` has one entry per tile; every tile began the run at clock 0.
  virtual void endRun(std::span<const Cycles> clocks) = 0;
};

} // namespace popscope
