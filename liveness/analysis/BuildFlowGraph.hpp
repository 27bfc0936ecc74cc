// Control-flow graph over the basic blocks of a structured StepProgram.
//
//   Sequence        children in order          If / Switch   header -> each child -> next (see below)
//   Repeat n > 1    header -> body -> echo -> body | next     (the echo block visits the header's step again)
//   Repeat 1        as a Sequence              RepeatWhile   header -> cond -> body -> cond, cond -> next
//   Repeat 0        header -> next
//   Call            -> the function's entry; returns to the step after this call (FlowCall), so that a path that
//                      enters by one call never leaves by another call. Unreachable calls have no edges.
//   Abort and ErrorProgram lead to no block. The root's end leads to its start, because the engine may run any program
//   again.
//
// An If has two children and enters one of them. Control may skip all children of a Switch without a default child. The
// exception is the Switch with which the engine selects a program (`engineSwitch`): if this Switch has children,
// control always enters one of them.
#pragma once
#include "base/Grouped.hpp"
#include "graph/steps/StepProgram.hpp"
#include "liveness/analysis/OrderFunctions.hpp"
#include "liveness/data/LiveRanges.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace popscope {

/// A basic block: the steps [begin, end), which run one after the other. The exit of a function and the place to which
/// a call returns are empty blocks.
struct FlowBlock {
  std::uint32_t begin = 0, end = 0;
  friend bool operator==(const FlowBlock &, const FlowBlock &) = default;
};

/// A control step: If, Switch, RepeatWhile, Call, or a Repeat with a number of iterations other than 1. The level of a
/// control step is the innermost region (FlowRegion) around this step. FlowGraph::controls lists the controls of one
/// level contiguously and in order.
///
/// The plain sequence of this control consists of consecutive controls of one level and ends with this control.
/// `plainFrom` is the index in FlowGraph::controls of the first control of the plain sequence. Suppose that a variable
/// is live after this control. If neither the controls of the sequence nor the functions that these controls call touch
/// the variable, the variable is live in the whole sequence. `plainFrom` is this control's index + 1 if the sequence is
/// empty. The sequence is empty in these cases:
/// - this control contains an Abort or an ErrorProgram;
/// - this control is a call that never returns, or contains such a call;
/// - this control is a Repeat of 0 iterations with a body, or contains such a Repeat.
///
/// `firstCall` is the number of FlowGraph::calls before the control's step.
struct FlowControl {
  std::uint32_t step, plainFrom, firstCall;
};

/// A Call step, which is the last step of `block`. `back` is the empty block to which the call returns, or kNone if the
/// function never returns.
struct FlowCall {
  std::uint32_t step, block, back, function;
};

/// A function of the program. The members `through` and `throughCalls` apply to a variable that neither the function
/// nor its callees touch. Suppose that such a variable is live-out at a call of the function. Then the variable is live
/// at the steps `through` of the body, and across the calls `throughCalls` in the body.
struct FlowFunction {
  std::uint32_t entry = 0, exit = 0;       // blocks, or kNone if no path reaches them; `exit` is an empty block
  std::vector<StepInterval> through;       // sorted; no two intervals overlap or touch
  std::vector<std::uint32_t> throughCalls; // indices in FlowGraph::calls
};

/// A part of the program with steps [begin, end). A region is one of the following:
/// - the whole tree of the root or of a function;
/// - an arm of an If or Switch;
/// - the body of a Repeat with a number of iterations other than 1;
/// - the condition or the body of a RepeatWhile.
///
/// The steps of a region run in order, except where a control step inside the region changes the order. A region is
/// `regular` if the region contains no step that stops the program, no call that never returns, and no Repeat of 0
/// iterations that has a body. In addition, each Repeat inside must have at most one body, and each RepeatWhile inside
/// that has children must have one condition and one body.
struct FlowRegion {
  enum class Kind : std::uint8_t { Tree, Arm, RepeatBody, WhileCondition, WhileBody };
  std::uint32_t begin, end;
  std::uint32_t parent;              // the region that contains this region's control step; kNone for a tree
  std::uint32_t control, controlEnd; // steps [control, controlEnd): the control with all its regions; kNone for a tree
  std::uint32_t before, last;        // `before`: the previous region of the same control, or kNone; `last`: the last
                                     // region of the same control, or kNone for a tree
  std::uint32_t together;            // number of regions of this region's control, 1 for a tree. The first arm of
                                     // an If or Switch begins at step `control` + 1
  std::uint32_t depth;               // 0 for a tree
  Kind kind;
  bool regular;
  bool straightOn; // for an arm: control may skip all arms of the If or Switch
};

/// The data of one step that liveness needs.
///
/// `run` is the index of the sequence of steps to which the step belongs. All steps of a sequence lie in one region. A
/// variable that is live after a step of the sequence stays live until the next step that touches this variable, or
/// until the end of the sequence. `run` is kNone in three cases: the step cannot be reached, is a Repeat with a number
/// of iterations other than 1, or is a Call that accesses variables. All steps of one source have the same value of
/// `source`, and steps of different sources have different values. Each step without a source has a value that no other
/// step has.
struct FlowStep {
  std::uint32_t run, source;
};

/// A half-open range of indices in FlowGraph::calls.
struct CallRange {
  std::uint32_t begin, end;
};

/// The control-flow graph. The graph contains only the blocks that can be reached from the start of the root.
struct FlowGraph {
  static constexpr std::uint32_t kNone = ~std::uint32_t(0);
  std::vector<FlowBlock> blocks;
  Grouped<std::uint32_t> preds;       // per block: its predecessors, ascending and without duplicates
  std::vector<std::uint32_t> blockOf; // per step: its block; kNone if the step cannot be reached
  std::vector<FlowStep> steps;        // per step
  std::vector<FlowRegion> regions;    // regions, sorted by their begin
  std::vector<std::uint32_t> regionOfRun;
  std::vector<std::uint32_t> echoOf; // per block: the block that visits the last step of this block a second time, or
                                     // kNone
  std::vector<FlowControl> controls;
  std::vector<std::uint32_t> jumpOf;     // per block: the control directly before the block in the same level, or kNone
  std::vector<FlowCall> calls;           // sorted by step
  std::vector<std::uint32_t> callOf;     // per block: the call that returns to this block, or kNone
  std::vector<std::uint32_t> functionOf; // per block: its function; kNone in the root's tree
  std::vector<FlowFunction> functions;
  Grouped<std::uint32_t> sites; // per function: its calls, ascending
  FunctionOrder order;
  std::uint32_t reachableSteps = 0;
  /// Returns the number of calls before the step. At least the first `known` calls must be before the step.
  [[nodiscard]] std::uint32_t callsBefore(std::uint32_t step, std::uint32_t known = 0) const {
    return static_cast<std::uint32_t>(
        std::ranges::lower_bound(calls.begin() + known, calls.end(), step, {}, &FlowCall::step) - calls.begin());
  }
};

/// The index that means "none" for blocks, controls, functions, calls, regions and sequences of steps of a flow graph.
inline constexpr std::uint32_t kNoBlock = FlowGraph::kNone;

/// Builds the control-flow graph of `program`. Cost: O(n log n) for n steps. Throws InternalError if a Call inside a
/// function names no function, or if a function calls itself, directly or indirectly.
FlowGraph buildFlowGraph(const StepProgram &program);

} // namespace popscope
