#include "liveness/check/DenseLiveness.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace popscope {
namespace {

using Nodes = std::set<std::size_t>;
using Bits = std::vector<bool>;

// The successors of every node. Node numbers: first the steps; then one node per step for the second visit of a Repeat
// (used by Repeats only); then one node per function for its return. The successors of a Call are the nodes after the
// call; callee() returns its function.
class Successors {
public:
  explicit Successors(const StepProgram &program)
      : program_(program), numSteps_(program.steps.size()), of_(2 * numSteps_ + program.functions.size()),
        owner_(of_.size(), program.functions.size()) {
    flow(program.root.index(), {program.root.index()});
    for (std::size_t f = 0; f < program.functions.size(); ++f) {
      const std::size_t root = entryOf(f), end = program.steps.raw()[root].end;
      flow(root, {returnOf(f)});
      owner_[returnOf(f)] = f;
      for (std::size_t s = root; s < end; ++s)
        owner_[s] = owner_[numSteps_ + s] = f;
    }
  }
  [[nodiscard]] const std::vector<Nodes> &all() const { return of_; }
  /// Returns the function that contains the node, or the number of functions for the root's nodes.
  [[nodiscard]] std::size_t owner(std::size_t node) const { return owner_[node]; }
  [[nodiscard]] std::size_t returnOf(std::size_t function) const { return 2 * numSteps_ + function; }
  [[nodiscard]] std::size_t entryOf(std::size_t function) const {
    return program_.functions.raw()[function].root.index();
  }
  /// Returns the function that a Call calls, or the number of functions for other nodes.
  [[nodiscard]] std::size_t callee(std::size_t node) const {
    const bool calls = node < numSteps_ && program_.steps.raw()[node].kind == StepKind::Call;
    return calls ? program_.calls.at(program_.steps.raw()[node].payload).function.index() : program_.functions.size();
  }
  [[nodiscard]] std::size_t stepOf(std::size_t node) const { // numSteps for returns
    return node < numSteps_ ? node : node < 2 * numSteps_ ? node - numSteps_ : numSteps_;
  }

private:
  [[nodiscard]] std::vector<std::size_t> childrenOf(std::size_t step) const {
    std::vector<std::size_t> out;
    const auto &steps = program_.steps.raw();
    for (std::size_t c = step + 1; c < steps[step].end; c = steps[c].end)
      out.push_back(c);
    return out;
  }
  // Connects `parts` in order, then `next`. Returns the nodes at which the chain starts.
  Nodes chain(const std::vector<std::size_t> &parts, Nodes next) {
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      flow(*part, next);
      next = {*part};
    }
    return next;
  }

  // Connects the step and its subtree to `next`.
  void flow(std::size_t step, const Nodes &next) {
    const Step &s = program_.steps.raw()[step];
    const auto children = childrenOf(step);
    switch (stepKindRow(s.kind).flow) {
    case StepFlow::Stop: return;
    case StepFlow::Branch: {
      if (s.kind == StepKind::If)
        return choose(step, children, next, false); // an If has two children
      const SwitchStep &payload = program_.switches.at(s.payload);
      const bool noDefault = !payload.engineSwitch && children.size() <= payload.labels.size();
      return choose(step, children, next, noDefault || children.empty());
    }
    case StepFlow::Repeat: return repeat(step, children, next);
    case StepFlow::While: return repeatWhile(step, children, next);
    case StepFlow::Call: of_[step] = next; return;
    case StepFlow::Straight: of_[step] = chain(children, next);
    }
  }
  void choose(std::size_t step, const std::vector<std::size_t> &arms, const Nodes &next, bool orNone) {
    for (const std::size_t arm : arms) {
      flow(arm, next);
      of_[step].insert(arm);
    }
    if (orNone)
      of_[step].insert(next.begin(), next.end());
  }
  void repeat(std::size_t step, const std::vector<std::size_t> &body, const Nodes &next) {
    if (program_.repeats.at(program_.steps.raw()[step].payload).count == 1) { // docs/LIVENESS.md, Control flow
      of_[step] = chain(body, next);
      return;
    }
    const std::size_t again = numSteps_ + step;
    const Nodes start = chain(body, {again});
    const bool runs = program_.repeats.at(program_.steps.raw()[step].payload).count > 0 && !body.empty();
    of_[step] = runs ? start : next;
    if (!body.empty())
      of_[again] = start;
    of_[again].insert(next.begin(), next.end());
  }
  void repeatWhile(std::size_t step, std::vector<std::size_t> parts, const Nodes &next) {
    of_[step] = parts.empty() ? next : Nodes{parts.front()};
    if (parts.empty())
      return;
    const std::size_t first = parts.front();
    Nodes afterTest = next;
    if (parts.size() > 1) {
      flow(parts.back(), {first});
      afterTest.insert(parts.back());
      parts.pop_back();
    } else {
      afterTest.insert(first);
    }
    chain(parts, afterTest);
  }

  const StepProgram &program_;
  std::size_t numSteps_;
  std::vector<Nodes> of_;
  std::vector<std::size_t> owner_;
};

struct Effects {
  std::vector<Bits> use, kill, access; // [step][variable]
  Bits everRead;
};

// Returns whether the ranges cover all elements: grows a covered prefix until no range extends it.
bool coverEverything(const std::vector<ElementRange> &ranges, std::uint64_t elements) {
  std::uint64_t reached = 0;
  for (bool grew = true; grew;) {
    grew = false;
    for (const ElementRange &r : ranges)
      if (r.begin <= reached && reached < r.end) {
        reached = r.end;
        grew = true;
      }
  }
  return reached >= elements;
}

std::vector<ElementRange> rangesOf(const StepProgram &program, const Access &access) {
  return {program.ranges.begin() + access.firstRange, program.ranges.begin() + access.firstRange + access.numRanges};
}

// The accesses of one source to one variable so far.
struct DoneBySource {
  std::vector<ElementRange> written;
  std::size_t firstRead = ~std::size_t(0); // a step
  bool killed = false;
};
// Two steps, both inclusive.
struct FirstLast {
  std::size_t first, last;
};

class EffectCollector {
public:
  explicit EffectCollector(const StepProgram &program) : program_(program) {
    const Bits none(program.vars.size(), false);
    effects_.use = effects_.kill = effects_.access = std::vector<Bits>(program.steps.size(), none);
    effects_.everRead = none;
  }
  Effects collect() {
    for (std::size_t s = 0; s < program_.steps.size(); ++s)
      for (std::size_t a = 0; a < program_.steps.raw()[s].numAccesses; ++a)
        add(s, program_.accesses[program_.steps.raw()[s].firstAccess + a]);
    for (const auto &[key, ranges] : undefined_)
      if (coverEverything(ranges, program_.vars[key.second].elements))
        effects_.kill[key.first][key.second.index()] = true;
    for (const auto &[key, span] : spans_)
      for (std::size_t s = span.first; s <= span.last; ++s)
        effects_.access[s][key.second.index()] = true;
    return std::move(effects_);
  }

private:
  // Returns the number of the writer: the number of the source. For a step without a source, returns a unique number
  // above the numbers of all sources. `member` distinguishes merged copies.
  [[nodiscard]] std::size_t writerOf(std::size_t step, std::uint16_t member) const {
    const SourceId source = program_.steps.raw()[step].source;
    return source.valid() ? source.index() + std::size_t(member) : program_.sources.size() + step;
  }
  void add(std::size_t step, const Access &access) {
    const auto key = std::make_pair(writerOf(step, access.member), access.var);
    const auto ranges = rangesOf(program_, access);
    if (access.kind != AccessKind::Undef) // an Undef needs no memory
      spans_.emplace(std::make_pair(writerOf(step, 0), access.var), FirstLast{step, step}).first->second.last = step;
    switch (access.kind) {
    case AccessKind::Read:
      done_[key].firstRead = std::min(done_[key].firstRead, step);
      effects_.use[step][access.var.index()] = true;
      effects_.everRead[access.var.index()] = true;
      break;
    case AccessKind::Write: {
      DoneBySource &done = done_[key];
      done.written.insert(done.written.end(), ranges.begin(), ranges.end());
      // Kills at the first step by which all elements are written, but never if an earlier step of the source has read
      // the old contents.
      if (!done.killed && done.firstRead >= step && coverEverything(done.written, program_.vars[access.var].elements))
        effects_.kill[step][access.var.index()] = done.killed = true;
      break;
    }
    case AccessKind::Undef: {
      auto &undefined = undefined_[std::make_pair(step, access.var)];
      undefined.insert(undefined.end(), ranges.begin(), ranges.end());
      break;
    }
    }
  }

  const StepProgram &program_;
  Effects effects_;
  std::map<std::pair<std::size_t, VarId>, DoneBySource> done_;
  std::map<std::pair<std::size_t, VarId>, FirstLast> spans_;
  std::map<std::pair<std::size_t, VarId>, std::vector<ElementRange>> undefined_;
};

// Marks the nodes that control can reach from the root's start. A Call reaches its function and, if the function
// returns, the nodes after the call.
std::vector<bool> reachedNodes(const StepProgram &program, const Successors &flow) {
  std::vector<bool> reached(flow.all().size(), false);
  reached[program.root.index()] = true;
  for (bool changed = true; changed;) {
    changed = false;
    const auto reach = [&](std::size_t node) {
      changed = changed || !reached[node];
      reached[node] = true;
    };
    for (std::size_t node = 0; node < reached.size(); ++node) {
      if (!reached[node])
        continue;
      const std::size_t callee = flow.callee(node);
      if (callee < program.functions.size())
        reach(flow.entryOf(callee));
      if (callee == program.functions.size() || reached[flow.returnOf(callee)])
        for (const std::size_t next : flow.all()[node])
          reach(next);
    }
  }
  return reached;
}

bool addInto(Bits &to, const Bits &from) {
  bool changed = false;
  for (std::size_t v = 0; v < to.size(); ++v)
    if (from[v] && !to[v]) {
      to[v] = true;
      changed = true;
    }
  return changed;
}

// Solves homes within the steps of one source, step by step and element by element. `before` and `behind` contain, as
// [step][variable], the live-in and live-out variables.
class HomeSolver {
public:
  HomeSolver(const StepProgram &program, const std::vector<Bits> &before, const std::vector<Bits> &behind,
             DenseLiveness &out)
      : program_(program), before_(before), behind_(behind), out_(out) {}

  void solve() {
    for (std::size_t s = 0; s < program_.steps.size(); ++s)
      for (std::size_t h = 0; h < program_.homes.size(); ++h)
        out_.homeOccupied[s][h] = out_.occupied[s][program_.homes.raw()[h].var.index()];
    std::map<std::size_t, std::vector<std::size_t>> stepsOf; // per source
    for (std::size_t s = 0; s < program_.steps.size(); ++s)
      if (const SourceId source = program_.steps.raw()[s].source; source.valid())
        stepsOf[source.index()].push_back(s);
    for (const auto &[source, steps] : stepsOf)
      solveSource(steps);
  }

private:
  using Elements = std::set<std::uint64_t>; // elements of the variable
  // The accesses of one copy or compute set to the home, and the step by which these accesses have written the whole
  // home.
  struct Doer {
    Elements written;
    std::size_t firstRead = ~std::size_t(0), complete = ~std::size_t(0);
  };

  void solveSource(const std::vector<std::size_t> &steps) {
    std::set<std::size_t> vars, undefined;
    for (const std::size_t s : steps)
      eachAccess(s, [&](const Access &a) {
        vars.insert(a.var.index());
        if (a.kind == AccessKind::Undef)
          undefined.insert(a.var.index());
      });
    for (const std::size_t v : vars) // the source changes nothing for the other variables
      if (const StepVar &var = program_.vars.raw()[v]; undefined.count(v) == 0)
        for (std::size_t h = var.firstHome; h < var.firstHome + std::size_t(var.numHomes); ++h)
          solveHome(h, v, steps.front(), steps.back());
  }

  // Solves one home within the steps [first, last] of one source: collects reads, kills and touches per step, then
  // walks backwards as liveness does. Cost: one set operation for each element of each access.
  void solveHome(std::size_t home, std::size_t var, std::size_t first, std::size_t last) {
    Elements mine;
    const StepVar &info = program_.vars.raw()[var];
    for (std::size_t i = info.firstPiece; i < info.firstPiece + std::size_t(info.numPieces); ++i)
      if (const Piece &piece = program_.pieces[i]; piece.home.index() == home)
        for (std::uint64_t e = piece.elements.begin; e < piece.elements.end; ++e)
          mine.insert(e);
    std::map<std::size_t, Doer> doers; // per member
    std::vector<bool> reads(last + 1 - first, false), kills = reads, touches = reads;
    for (std::size_t s = first; s <= last; ++s)
      eachAccess(s, [&](const Access &a) {
        if (a.var.index() != var)
          return;
        Elements here;
        for (const ElementRange &r : rangesOf(program_, a))
          for (std::uint64_t e = r.begin; e < r.end; ++e)
            if (mine.count(e) != 0)
              here.insert(e);
        if (here.empty())
          return;
        touches[s - first] = true;
        Doer &doer = doers[a.member];
        if (a.kind == AccessKind::Read) {
          reads[s - first] = true;
          doer.firstRead = std::min(doer.firstRead, s);
          return;
        }
        doer.written.insert(here.begin(), here.end());
        if (doer.written == mine)
          doer.complete = std::min(doer.complete, s);
      });
    for (const auto &[member, doer] : doers)
      if (doer.complete <= last && doer.complete <= doer.firstRead)
        kills[doer.complete - first] = true;
    // Walks backwards. The home keeps a value for its own reads, and for steps after the source.
    const auto firstTouch = std::find(touches.begin(), touches.end(), true) - touches.begin();
    const auto lastTouch = touches.rend() - std::find(touches.rbegin(), touches.rend(), true) - 1;
    bool needed = behind_[last][var];
    for (std::size_t s = last + 1; s-- > first;) {
      const auto at = static_cast<std::ptrdiff_t>(s - first);
      const bool neededBehind = needed;
      needed = (needed && !kills[s - first]) || reads[s - first];
      const bool valueOfBefore = at <= firstTouch; // a variable that is not live-in has no old value
      const bool neededBefore = needed && (!valueOfBefore || before_[first][var]);
      out_.homeOccupied[s][home] = neededBefore || (neededBehind && (at >= firstTouch || before_[first][var])) ||
                                   (firstTouch <= at && at <= lastTouch);
    }
  }

  template <class Use> void eachAccess(std::size_t step, const Use &use) const {
    const Step &s = program_.steps.raw()[step];
    for (std::uint32_t a = s.firstAccess; a < s.firstAccess + s.numAccesses; ++a)
      use(program_.accesses[a]);
  }

  const StepProgram &program_;
  const std::vector<Bits> &before_, &behind_;
  DenseLiveness &out_;
};

} // namespace

// Solves liveness as a fixed point over nodes, with two bits per node and variable, in four phases.
//
// 1. `in` and `after` are the first bit, before and after the node's step: the value is read before the function
// returns. `clean` and `cleanAfter` are the second bit: the value reaches the end of the function without a kill. A
// value lives across a Call only if the second bit is set at the start of the called function.
//
// 2. `needed`: the variables that are live-out at one or more calls of a function, for any reason.
//
// 3. A variable is live at a node in two cases: the first bit is set, or the second bit is set and `needed` of the
// node's function contains the variable.
//
// 4. HomeSolver derives the homes from the variables that are live-in and live-out at each step.
//
// Invariant: bits are only ever set and never cleared, so both loops end. The reference implementation shares no code
// with liveness/analysis.
DenseLiveness solveDenseLiveness(const StepProgram &program) {
  const std::size_t numSteps = program.steps.size(), numVars = program.vars.size();
  const Bits none(numVars, false);
  DenseLiveness out{std::vector<Bits>(numSteps, none),
                    {},
                    std::vector<bool>(numSteps, false),
                    none,
                    std::vector<Bits>(numSteps, Bits(program.homes.size(), false))};
  if (numSteps == 0)
    return out;
  const Successors flow(program);
  Effects effects = EffectCollector(program).collect();
  const std::vector<bool> reached = reachedNodes(program, flow);
  // `in`: the value is read before the function returns. `clean`: the value reaches the end of the function without a
  // kill.
  const std::size_t numNodes = flow.all().size(), numFunctions = program.functions.size();
  std::vector<Bits> in(numNodes, none), after = in, clean = in, cleanAfter = in;
  for (std::size_t f = 0; f < numFunctions; ++f)
    clean[flow.returnOf(f)] = Bits(numVars, true);
  const auto addThrough = [&](Bits &to, const Bits &from, const Bits &mask) {
    bool changed = false;
    for (std::size_t v = 0; v < numVars; ++v)
      if (from[v] && mask[v] && !to[v])
        to[v] = changed = true;
    return changed;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t node = numNodes; node-- > 0;) {
      if (!reached[node])
        continue;
      const std::size_t callee = flow.callee(node), step = flow.stepOf(node);
      const Bits passes = callee < numFunctions ? clean[flow.entryOf(callee)] : Bits(numVars, true);
      if (callee < numFunctions)
        changed |= addInto(after[node], in[flow.entryOf(callee)]);
      for (const std::size_t next : flow.all()[node]) {
        changed |= addThrough(after[node], in[next], passes);
        changed |= addThrough(cleanAfter[node], clean[next], passes);
      }
      if (step == numSteps)
        continue;
      Bits kept = effects.kill[step];
      kept.flip();
      changed |= addInto(in[node], effects.use[step]);
      changed |= addThrough(in[node], after[node], kept);
      changed |= addThrough(clean[node], cleanAfter[node], kept);
    }
  }
  // A variable is live at a function's end if the variable is live-out at one or more calls of the function, for any
  // reason.
  std::vector<Bits> needed(numFunctions + 1, none);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t node = 0; node < numSteps; ++node)
      if (const std::size_t callee = flow.callee(node); reached[node] && callee < numFunctions)
        for (const std::size_t next : flow.all()[node]) {
          changed |= addInto(needed[callee], in[next]);
          changed |= addThrough(needed[callee], clean[next], needed[flow.owner(node)]);
        }
  }
  for (std::size_t node = 0; node < numNodes; ++node) {
    const std::size_t step = flow.stepOf(node);
    if (step == numSteps || !reached[node])
      continue;
    out.reachable[step] = true;
    addInto(out.live[step], in[node]);
    addInto(out.live[step], after[node]);
    addThrough(out.live[step], clean[node], needed[flow.owner(node)]);
    addThrough(out.live[step], cleanAfter[node], needed[flow.owner(node)]);
  }
  out.occupied = out.live;
  for (std::size_t s = 0; s < numSteps; ++s)
    addInto(out.occupied[s], effects.access[s]);
  out.everRead = effects.everRead;
  std::vector<Bits> before(numSteps, none), behind = before;
  for (std::size_t s = 0; s < numSteps; ++s)
    if (reached[s]) {
      addInto(before[s], in[s]);
      addThrough(before[s], clean[s], needed[flow.owner(s)]);
      addInto(behind[s], after[s]);
      addThrough(behind[s], cleanAfter[s], needed[flow.owner(s)]);
    }
  HomeSolver(program, before, behind, out).solve();
  return out;
}

} // namespace popscope
