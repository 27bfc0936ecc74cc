// Control-flow graph over basic blocks of the structured StepProgram.
//
//   Sequence        children in order          If / Switch   header -> each child -> next (see below)
//   Repeat n > 0    header -> body -> echo -> body | next     (the echo block visits the header's step again)
//   Repeat 0        header -> next             RepeatWhile   header -> cond -> body -> cond, cond -> next
//   Call            -> the function's entry; comes back to the step after this very call (FlowCall), so that a path
//   that
//                      enters by one call never leaves by another. Only calls that are reached count.
//   Abort, ErrorProgram end; the root's end leads to its start, because the engine may run any program again.
//
// A Switch without a default child, and an If without a false child, may also go straight on. The engine's Switch
// always takes one of its children.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "liveness/analysis/OrderFunctions.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

/// Steps [begin, end) that run one after the other. Function exits and returns to callers are empty blocks.
struct FlowBlock {
  std::uint32_t begin = 0, end = 0;
  friend bool operator==(const FlowBlock &, const FlowBlock &) = default;
};

/// A control step of a level (a program, an arm, a loop's body): If, Switch, Repeat, RepeatWhile, Call. Controls of one
/// level stand together, in order. `plainFrom`: the first control of the level from which on, up to this one, whatever
/// is live behind and not touched inside, nor in functions called there, is live throughout; this one's index + 1 when
/// it is not so itself (aborts, Repeats of 0 and calls that never come back inside). `firstCall`: the number of
/// FlowGraph::calls before its step.
struct FlowControl {
  std::uint32_t step, plainFrom, firstCall;
};

/// A Call: the last step of `block`. `back`: the empty block where it comes back; kNone when the function never does.
struct FlowCall {
  std::uint32_t step, block, back, function;
};

/// A function that is called. What its callers need and the function, with all that it calls, does not touch is live at
/// the steps `through` of its body, and across the calls `throughCalls` in it.
struct FlowFunction {
  std::uint32_t entry = 0, exit = 0;       // blocks; exit is empty, and kNone when it is never reached
  std::vector<StepInterval> through;       // normalised
  std::vector<std::uint32_t> throughCalls; // in FlowGraph::calls
};

/// A tree (the root's or a function's), an arm, a loop's condition or body: steps [begin, end) that run in order, but
/// for the controls among them. `regular`: nothing inside stops or leaves it, and its loops have one body and at most
/// one condition.
struct FlowRegion {
  enum class Kind : std::uint8_t { Tree, Arm, RepeatBody, WhileCondition, WhileBody };
  std::uint32_t begin, end;
  std::uint32_t parent;              // the region that its control step lies in; kNone = a tree
  std::uint32_t control, controlEnd; // the control's steps, with all its regions; kNone = a tree
  std::uint32_t before, last;        // of the same control: the region before this one, or kNone, and the last one
  std::uint32_t together;            // regions of the same control. Arms lie side by side, from behind its step on
  std::uint32_t depth;               // 0 = a tree
  Kind kind;
  bool regular;
  bool straightOn; // arms: control may pass without entering any
};

/// What one step is to liveness. `run`: steps of one run lie in one region, and whatever is live behind one of them and
/// not touched before another is live at all steps in between; kNone where the step cannot be reached, is a Repeat,
/// which is visited twice, or a Call that accesses variables. `source`: the same for steps of one source, and for no
/// others.
struct FlowStep {
  std::uint32_t run, source;
};

/// Calls [begin, end) of FlowGraph::calls.
struct CallRange {
  std::uint32_t begin, end;
};

/// Only blocks that can be reached from the root's start are kept.
struct FlowGraph {
  static constexpr std::uint32_t kNone = ~std::uint32_t(0);
  std::vector<FlowBlock> blocks;
  std::vector<std::uint32_t> firstPred, preds; // predecessors of block b: preds[firstPred[b] .. firstPred[b + 1])
  std::vector<std::uint32_t> blockOf;          // by step; kNone where the step cannot be reached
  std::vector<FlowStep> steps;                 // by step
  std::vector<FlowRegion> regions;             // in the order in which they begin
  std::vector<std::uint32_t> regionOfRun;
  std::vector<std::uint32_t> echoOf; // by block: the second visit of its last step, or kNone
  std::vector<FlowControl> controls;
  std::vector<std::uint32_t> jumpOf;     // by block: the control right before it in its level, or kNone
  std::vector<FlowCall> calls;           // ascending steps
  std::vector<std::uint32_t> callOf;     // by block: the call that comes back there, or kNone
  std::vector<std::uint32_t> functionOf; // by block; kNone = the root's
  std::vector<FlowFunction> functions;
  std::vector<std::uint32_t> firstSite, sites; // calls of function f: sites[firstSite[f] .. firstSite[f + 1])
  FunctionOrder order;
  std::uint32_t reachableSteps = 0;
};

/// No block, function, call or region of a flow graph.
inline constexpr std::uint32_t kNoBlock = FlowGraph::kNone;

/// Linear in steps. Throws InternalError when a Call names no function or a function calls itself.
FlowGraph buildFlowGraph(const StepProgram &program);

} // namespace popscope
