// Typed events of the machine. instrument/counters listens; the machine never knows who does.
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

/// Where a tile's time in a step goes.
enum class TimeKind : std::uint8_t { Compute, Exchange, GlobalExchange, HostExchange, Sync, ControlFlow };

/// An executed Block that is recorded: two events, without work. The block lasts from the end of the first to the begin
/// of the second; what lies in the events is the cost of recording.
enum class BlockEdge : std::uint8_t { None, Begin, End };

constexpr std::uint64_t kNoChild = ~std::uint64_t(0); // a Switch that no label fitted and that has no default
/// What a loop or conditional did. `taken`: iterations, or the child.
struct ControlFlowResult {
  Cycles cycles;
  std::uint64_t taken = 0;
};

/// One executed step. A loop or conditional (ControlFlow) comes after its children; it has no work. Spans have one
/// entry per tile and are valid during the call only.
struct StepEvent {
  StepIndex step;
  TimeKind kind = TimeKind::Compute;
  BlockEdge edge = BlockEdge::None;
  Cycles origin;                      // since the start of the run: what begin, end and start count from
  std::span<const Cycles> begin, end; // tile clock when the tile enters and leaves the step
  // Work: `busy` cycles from `start` on; 0 = the tile takes no part. Only an exchange may have cycles before or behind
  // them: its tiles start and end together, because nothing but time says which word belongs to whom.
  std::span<const Cycles> start, busy;
  std::span<const Cycles> counters;       // of reading counters, after the work; empty = nothing was read
  std::span<const Bytes> dataIn, dataOut; // empty where nothing moves
  std::optional<Cycles> threadCycles;     // OnTileExecute: see RunTotals
  std::shared_ptr<const SlotCycles>
      slots; // OnTileExecute; the same object for executions that cost the same; null = not known
  using TypeCycles = VertexTypeSum;
  std::span<const TypeCycles> types;
  std::optional<ControlFlowResult> controlFlow; // of ControlFlow
  /// All of the above but the origin: the same object for executions of a step that do not differ in it; null = this
  /// is not told, and nothing need be kept for a next time.
  std::shared_ptr<const StepPattern> pattern;
};

class EventSink {
public:
  virtual ~EventSink() = default;
  virtual void beginRun(std::uint32_t program, const std::string &name) = 0;
  virtual void step(const StepEvent &event) = 0;
  /// `clocks`: every tile's clock at the end of the run; the run began at clock 0 on every tile.
  virtual void endRun(std::span<const Cycles> clocks) = 0;
};

} // namespace popscope
