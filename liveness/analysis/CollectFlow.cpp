#include "liveness/analysis/CollectFlow.hpp"

#include "base/Check.hpp"

#include <algorithm>

namespace popscope {
namespace {

using BlockIds = std::vector<std::uint32_t>;

// Builds blocks and edges in one walk over the step tree. `pending_` holds the blocks that lead to the next step.
// `open_` is the block that the next step joins, if nothing branches before that step.
class FlowBuilder {
public:
  FlowBuilder(const StepProgram &program, const FunctionOrder &order) : program_(program), order_(order) {
    out_.steps.resize(program.steps.size());
    for (std::uint32_t s = 0; s < out_.steps.size(); ++s)
      out_.steps[s] = {kNoBlock, kAlone | s};
  }

  RawFlow build() {
    out_.root = nextBlock();
    walkRegion(program_.root.index(), kTree);
    link(takeExits(), out_.root);
    for (function_ = 0; function_ < program_.functions.size(); ++function_) {
      out_.exitOf.push_back(addBlock(0, 0));
      out_.entryOf.push_back(nextBlock());
      walkRegion(program_.functions.raw()[function_].root.index(), kTree);
      link(takeExits(), out_.exitOf.back());
    }
    return std::move(out_);
  }

private:
  using Kind = FlowRegion::Kind;
  static constexpr std::uint32_t kAlone = 1U << 31U; // set for a step without a source
  static constexpr FlowRegion kTree{0,        0, kNoBlock, kNoBlock,   kNoBlock, kNoBlock,
                                    kNoBlock, 1, 0,        Kind::Tree, true,     false};

  [[nodiscard]] std::uint32_t nextBlock() const { return static_cast<std::uint32_t>(out_.blocks.size()); }

  std::uint32_t addBlock(std::uint32_t begin, std::uint32_t end) {
    out_.blocks.push_back({begin, end});
    out_.echoOf.push_back(kNoBlock);
    out_.jumpOf.push_back(kNoBlock);
    out_.functionOf.push_back(function_);
    return nextBlock() - 1;
  }
  void link(const BlockIds &from, std::uint32_t to) {
    for (const std::uint32_t block : from)
      out_.edges.emplace_back(block, to);
  }
  void append(std::uint32_t step) {
    if (open_ == kNoBlock) {
      open_ = addBlock(step, step);
      link(std::exchange(pending_, {}), open_);
      if (!level_.empty() && endOf(level_.back().step) == step)
        jumps_.emplace_back(open_, level_.size() - 1);
    }
    FlowBlock &block = out_.blocks[open_];
    POPSCOPE_CHECK(block.end == step, "step {} does not follow step {} in its block", step, block.end);
    block.end = step + 1;
    const Step &info = program_.steps.raw()[step];
    const bool odd = (info.kind == StepKind::Repeat && !repeatsOnce(program_, info)) ||
                     (info.kind == StepKind::Call && info.numAccesses != 0);
    out_.steps[step].run = odd ? kNoBlock : run_;
    if (info.source.valid())
      out_.steps[step].source = info.source.index();
  }
  std::uint32_t closeBlock() { return std::exchange(open_, kNoBlock); }

  // Returns the blocks that lead to the next step, and clears their list.
  BlockIds takeExits() {
    if (open_ != kNoBlock)
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

  // Walks the steps of a region. Sequences in the region belong to the same region, so that its controls form one
  // level.
  std::uint32_t walkRegion(std::uint32_t step, FlowRegion region) {
    std::vector<FlowControl> outer = std::exchange(level_, {});
    auto outerJumps = std::exchange(jumps_, {});
    const std::uint64_t before = oddities_;
    region.begin = step;
    region.end = endOf(step);
    const auto id = static_cast<std::uint32_t>(out_.regions.size());
    out_.regions.push_back(region);
    const std::uint32_t outerRegion = std::exchange(region_, id);
    startRun();
    walk(step);
    region_ = outerRegion;
    out_.regions[id].regular = oddities_ == before;
    const auto base = static_cast<std::uint32_t>(out_.controls.size());
    for (FlowControl &control : level_)
      control.plainFrom += base;
    out_.controls.insert(out_.controls.end(), level_.begin(), level_.end());
    for (const auto &[block, control] : jumps_)
      out_.jumpOf[block] = base + static_cast<std::uint32_t>(control);
    level_ = std::move(outer);
    jumps_ = std::move(outerJumps);
    return id;
  }
  void startRun() {
    run_ = static_cast<std::uint32_t>(out_.regionOfRun.size());
    out_.regionOfRun.push_back(region_);
  }
  // Makes the next region of a control. The caller makes the regions of a control in order.
  [[nodiscard]] FlowRegion inside(std::uint32_t control, Kind kind, bool straightOn = false) const {
    FlowRegion region = kTree;
    region.parent = region_;
    region.control = control;
    region.controlEnd = endOf(control);
    region.depth = out_.regions[region_].depth + 1;
    region.kind = kind;
    region.straightOn = straightOn;
    return region;
  }
  void joinRegions(const BlockIds &regions) {
    for (std::size_t i = 0; i < regions.size(); ++i) {
      out_.regions[regions[i]].before = i == 0 ? kNoBlock : regions[i - 1];
      out_.regions[regions[i]].last = regions.back();
      out_.regions[regions[i]].together = static_cast<std::uint32_t>(regions.size());
    }
  }

  // Records one control step of this level. The step is plain if nothing in its subtree stops or leaves the subtree.
  template <class Walk> void walkControl(std::uint32_t step, Walk walkInside) {
    const std::uint64_t before = obstacles_, callsBefore = calls_;
    const std::uint32_t run = run_;
    calls_ += program_.steps.raw()[step].kind == StepKind::Call ? 1 : 0;
    walkInside();
    const auto at = static_cast<std::uint32_t>(level_.size());
    const std::uint32_t from = at == 0 ? 0 : level_.back().plainFrom;
    const bool plain = obstacles_ == before;
    level_.push_back({step, plain ? from : at + 1, 0});
    // a variable that is live across a call is also live in the function, so the steps around a call do not form one
    // sequence
    if (plain && calls_ == callsBefore)
      run_ = run;
    else
      startRun();
  }

  // Walks one step and its subtree by kind. Controls record themselves in their level, and aborts end the block. For
  // other steps, walks the children in order.
  void walk(std::uint32_t step) {
    append(step);
    const Step &info = program_.steps.raw()[step];
    switch (repeatsOnce(program_, info) ? StepFlow::Straight : stepKindRow(info.kind).flow) {
    case StepFlow::Branch: return walkControl(step, [&] { walkBranch(step); });
    case StepFlow::Repeat: return walkControl(step, [&] { walkRepeat(step); });
    case StepFlow::While: return walkControl(step, [&] { walkWhile(step); });
    case StepFlow::Call: return walkControl(step, [&] { walkCall(step); });
    case StepFlow::Stop:
      addObstacle();
      closeBlock();
      return;
    case StepFlow::Straight:
      for (std::uint32_t c = step + 1, end = endOf(step); c < end; c = endOf(c))
        walk(c);
    }
  }

  void walkBranch(std::uint32_t step) {
    const std::uint32_t header = closeBlock();
    const auto arms = children(step);
    const bool straightOn = mayGoStraightOn(program_, program_.steps.raw()[step], arms.size());
    BlockIds exits, regions;
    for (const std::uint32_t arm : arms) {
      pending_ = {header};
      regions.push_back(walkRegion(arm, inside(step, Kind::Arm, straightOn)));
      const BlockIds armExits = takeExits();
      exits.insert(exits.end(), armExits.begin(), armExits.end());
    }
    joinRegions(regions);
    if (straightOn)
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
      addObstacle();
    oddities_ += body.size() == 1 ? 0 : 1;
    const std::uint32_t first = nextBlock();
    BlockIds regions;
    for (const std::uint32_t child : body)
      regions.push_back(walkRegion(child, inside(step, Kind::RepeatBody)));
    joinRegions(regions);
    const BlockIds exits = takeExits();
    if (!runs) { // the blocks of the body get no predecessor and are dropped
      pending_ = {header};
      return;
    }
    const std::uint32_t echo = addBlock(step, step + 1);
    out_.echoOf[header] = echo;
    link(exits, echo);
    out_.edges.emplace_back(echo, first);
    pending_ = {echo};
  }

  // The last child is the body, unless it is the only child. The other children are the condition, which ends with the
  // WhileTest.
  void walkWhile(std::uint32_t step) {
    pending_ = {closeBlock()};
    const auto parts = children(step);
    if (parts.empty())
      return;
    const std::uint32_t condition = nextBlock();
    const std::size_t numCondition = std::max<std::size_t>(parts.size() - 1, 1);
    oddities_ += parts.size() == 2 ? 0 : 1;
    BlockIds regions;
    for (std::size_t i = 0; i < numCondition; ++i)
      regions.push_back(walkRegion(parts[i], inside(step, Kind::WhileCondition)));
    const BlockIds tested = takeExits();
    if (parts.size() > numCondition) {
      pending_ = tested;
      regions.push_back(walkRegion(parts.back(), inside(step, Kind::WhileBody)));
      link(takeExits(), condition);
    } else {
      link(tested, condition);
    }
    joinRegions(regions);
    pending_ = tested;
  }

  void walkCall(std::uint32_t step) {
    const FunctionId function = program_.calls.at(program_.steps.raw()[step].payload).function;
    const std::uint32_t block = closeBlock(), back = addBlock(0, 0);
    if (!order_.returns[function.index()])
      addObstacle();
    out_.calls.push_back({step, block, back, function.index()});
    pending_ = {back};
  }

  [[nodiscard]] std::uint32_t endOf(std::uint32_t step) const { return program_.steps.raw()[step].end; }
  void addObstacle() {
    ++obstacles_;
    ++oddities_;
  }

  const StepProgram &program_;
  const FunctionOrder &order_;
  RawFlow out_;
  BlockIds pending_;
  std::vector<FlowControl> level_;                           // control steps of this level so far; plainFrom counts
                                                             // within the level
  std::vector<std::pair<std::uint32_t, std::size_t>> jumps_; // blocks of this level that follow a control step
  std::uint64_t obstacles_ = 0;                              // number of aborts, Repeats of 0 and other steps so far
                                                             // that end a plain sequence
  std::uint64_t oddities_ = 0;                               // number of obstacles and of loops of unusual form
  std::uint32_t region_ = kNoBlock, run_ = kNoBlock;
  std::uint64_t calls_ = 0; // number of Call steps so far
  std::uint32_t open_ = kNoBlock;
  std::uint32_t function_ = kNoBlock; // the function whose steps are walked; kNoBlock for the root
};

} // namespace

RawFlow collectFlow(const StepProgram &program, const FunctionOrder &order) {
  return FlowBuilder(program, order).build();
}

} // namespace popscope
