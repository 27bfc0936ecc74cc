#include "liveness/analysis/CollectFlow.hpp"

#include "base/Check.hpp"

#include <algorithm>

namespace popscope {
namespace {

using BlockIds = std::vector<std::uint32_t>;
constexpr std::uint32_t kNone = FlowGraph::kNone;

// Walks the tree once. `pending_` holds the blocks that lead to whatever comes next; `open_` is the block that the next
// step joins when nothing branches in between.
class FlowBuilder {
public:
  FlowBuilder(const StepProgram &program, const FunctionOrder &order) : program_(program), order_(order) {}

  RawFlow build() {
    out_.root = nextBlock();
    walkLevel(program_.root.index());
    link(takeExits(), out_.root);
    for (function_ = 0; function_ < program_.functions.size(); ++function_) {
      out_.exitOf.push_back(addBlock(0, 0));
      out_.entryOf.push_back(nextBlock());
      walkLevel(program_.functions.raw()[function_].root.index());
      link(takeExits(), out_.exitOf.back());
    }
    return std::move(out_);
  }

private:
  [[nodiscard]] std::uint32_t nextBlock() const { return static_cast<std::uint32_t>(out_.blocks.size()); }

  std::uint32_t addBlock(std::uint32_t begin, std::uint32_t end) {
    out_.blocks.push_back({begin, end});
    out_.echoOf.push_back(kNone);
    out_.jumpOf.push_back(kNone);
    out_.functionOf.push_back(function_);
    return nextBlock() - 1;
  }
  void link(const BlockIds &from, std::uint32_t to) {
    for (const std::uint32_t block : from)
      out_.edges.emplace_back(block, to);
  }
  void append(std::uint32_t step) {
    if (open_ == kNone) {
      open_ = addBlock(step, step);
      link(std::exchange(pending_, {}), open_);
      if (!level_.empty() && endOf(level_.back().step) == step)
        jumps_.emplace_back(open_, level_.size() - 1);
    }
    FlowBlock &block = out_.blocks[open_];
    POPSCOPE_CHECK(block.end == step, "step {} does not follow step {} in its block", step, block.end);
    block.end = step + 1;
  }
  std::uint32_t closeBlock() { return std::exchange(open_, kNone); }

  // What leads onwards from here; afterwards nothing does.
  BlockIds takeExits() {
    if (open_ != kNone)
      pending_.push_back(closeBlock());
    return std::exchange(pending_, {});
  }

  [[nodiscard]] std::vector<std::uint32_t> children(std::uint32_t step) const {
    std::vector<std::uint32_t> out;
    const auto &steps = program_.steps.raw();
    for (std::uint32_t c = step + 1; c < steps[step].end; c = steps[c].end)
      out.push_back(c);
    return out;
  }

  // A level is a run of steps between which control passes in order: a program, an arm, a loop's body. Sequences inside
  // it belong to it.
  void walkLevel(std::uint32_t step) {
    const std::vector<FlowControl> outer = std::exchange(level_, {});
    const auto outerJumps = std::exchange(jumps_, {});
    walk(step);
    const auto base = static_cast<std::uint32_t>(out_.controls.size());
    for (FlowControl &control : level_)
      control.plainFrom += base;
    out_.controls.insert(out_.controls.end(), level_.begin(), level_.end());
    for (const auto &[block, control] : jumps_)
      out_.jumpOf[block] = base + static_cast<std::uint32_t>(control);
    level_ = outer;
    jumps_ = outerJumps;
  }

  // Notes one control step of this level: plain when its walk met nothing that stops or leaves it.
  template <class Walk> void walkControl(std::uint32_t step, Walk walkInside) {
    const std::uint64_t before = obstacles_;
    walkInside();
    const auto at = static_cast<std::uint32_t>(level_.size());
    const std::uint32_t from = at == 0 ? 0 : level_.back().plainFrom;
    level_.push_back({step, obstacles_ == before ? from : at + 1, 0});
  }

  void walk(std::uint32_t step) {
    append(step);
    switch (program_.steps.raw()[step].kind) {
    case StepKind::If:
    case StepKind::Switch: return walkControl(step, [&] { walkBranch(step); });
    case StepKind::Repeat: return walkControl(step, [&] { walkRepeat(step); });
    case StepKind::RepeatWhile: return walkControl(step, [&] { walkWhile(step); });
    case StepKind::Call: return walkControl(step, [&] { walkCall(step); });
    case StepKind::Abort:
    case StepKind::ErrorProgram:
      ++obstacles_;
      closeBlock();
      return;
    default:
      for (const std::uint32_t child : children(step))
        walk(child);
    }
  }

  void walkBranch(std::uint32_t step) {
    const std::uint32_t header = closeBlock();
    const auto arms = children(step);
    BlockIds exits;
    for (const std::uint32_t arm : arms) {
      pending_ = {header};
      walkLevel(arm);
      const BlockIds armExits = takeExits();
      exits.insert(exits.end(), armExits.begin(), armExits.end());
    }
    if (mayGoStraightOn(program_, program_.steps.raw()[step], arms.size()))
      exits.push_back(header);
    pending_ = std::move(exits);
  }

  void walkRepeat(std::uint32_t step) {
    const std::uint32_t header = closeBlock();
    const bool runs = program_.repeats.at(program_.steps.raw()[step].payload).count > 0;
    const auto body = children(step);
    if (body.empty()) {
      pending_ = {header};
      return;
    }
    if (runs)
      pending_ = {header};
    else
      ++obstacles_;
    const std::uint32_t first = nextBlock();
    for (const std::uint32_t child : body)
      walkLevel(child);
    const BlockIds exits = takeExits();
    if (!runs) { // the body's blocks have no way in and are dropped
      pending_ = {header};
      return;
    }
    const std::uint32_t echo = addBlock(step, step + 1);
    out_.echoOf[header] = echo;
    link(exits, echo);
    out_.edges.emplace_back(echo, first);
    pending_ = {echo};
  }

  // All children but the last are the condition; it ends with the WhileTest. The last is the body.
  void walkWhile(std::uint32_t step) {
    pending_ = {closeBlock()};
    const auto parts = children(step);
    if (parts.empty())
      return;
    const std::uint32_t condition = nextBlock();
    const std::size_t numCondition = std::max<std::size_t>(parts.size() - 1, 1);
    for (std::size_t i = 0; i < numCondition; ++i)
      walkLevel(parts[i]);
    const BlockIds tested = takeExits();
    if (parts.size() > numCondition) {
      pending_ = tested;
      walkLevel(parts.back());
      link(takeExits(), condition);
    } else {
      link(tested, condition);
    }
    pending_ = tested;
  }

  void walkCall(std::uint32_t step) {
    const FunctionId function = program_.calls.at(program_.steps.raw()[step].payload).function;
    const std::uint32_t block = closeBlock(), back = addBlock(0, 0);
    if (!order_.returns[function.index()])
      ++obstacles_;
    out_.calls.push_back({step, block, back, function.index()});
    pending_ = {back};
  }

  [[nodiscard]] std::uint32_t endOf(std::uint32_t step) const { return program_.steps.raw()[step].end; }

  const StepProgram &program_;
  const FunctionOrder &order_;
  RawFlow out_;
  BlockIds pending_;
  std::vector<FlowControl> level_;                          // control steps of this level so far; plainFrom within it
  std::vector<std::pair<std::uint32_t, std::size_t>> jumps_; // blocks of this level that follow a control step
  std::uint64_t obstacles_ = 0;                             // steps met that liveness does not simply pass
  std::uint32_t open_ = kNone;
  std::uint32_t function_ = kNone;                          // whose steps these are; kNone = the root's
};

} // namespace

RawFlow collectFlow(const StepProgram &program, const FunctionOrder &order) { return FlowBuilder(program, order).build(); }

} // namespace popscope
