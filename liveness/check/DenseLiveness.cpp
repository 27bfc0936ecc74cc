#include "liveness/check/DenseLiveness.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace popscope {
namespace {

using Nodes = std::set<std::size_t>;
using Bits = std::vector<bool>;

// Successors of every node, built from what follows each subtree. Nodes: the steps; then for each step the place where
// a Repeat comes round again (used by Repeats only); then each function's return.
class Successors {
public:
  /// `calledFrom`: the Calls to which functions return.
  Successors(const StepProgram &program, const Nodes &calledFrom)
      : program_(program), calledFrom_(calledFrom), numSteps_(program.steps.size()),
        of_(2 * numSteps_ + program.functions.size()) {
    flow(program.root.index(), {program.root.index()});
    for (std::size_t f = 0; f < program.functions.size(); ++f)
      flow(program.functions.raw()[f].root.index(), {returnOf(f)});
  }
  [[nodiscard]] const std::vector<Nodes> &all() const { return of_; }
  [[nodiscard]] std::size_t stepOf(std::size_t node) const { // numSteps for returns
    return node < numSteps_ ? node : node < 2 * numSteps_ ? node - numSteps_ : numSteps_;
  }

private:
  [[nodiscard]] std::size_t returnOf(std::size_t function) const { return 2 * numSteps_ + function; }

  [[nodiscard]] std::vector<std::size_t> childrenOf(std::size_t step) const {
    std::vector<std::size_t> out;
    const auto &steps = program_.steps.raw();
    for (std::size_t c = step + 1; c < steps[step].end; c = steps[c].end)
      out.push_back(c);
    return out;
  }
  // Flows through `parts` in order, then to `next`. Returns where it starts.
  Nodes chain(const std::vector<std::size_t> &parts, Nodes next) {
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      flow(*part, next);
      next = {*part};
    }
    return next;
  }

  void flow(std::size_t step, const Nodes &next) {
    const Step &s = program_.steps.raw()[step];
    const auto children = childrenOf(step);
    switch (s.kind) {
    case StepKind::Abort:
    case StepKind::ErrorProgram: return;
    case StepKind::If: return choose(step, children, next, children.size() < 2);
    case StepKind::Switch: {
      const SwitchStep &payload = program_.switches.at(s.payload);
      const bool noDefault = !payload.engineSwitch && children.size() <= payload.labels.size();
      return choose(step, children, next, noDefault || children.empty());
    }
    case StepKind::Repeat: return repeat(step, children, next);
    case StepKind::RepeatWhile: return repeatWhile(step, children, next);
    case StepKind::Call: {
      const std::size_t function = program_.calls.at(s.payload).function.index();
      of_[step] = {program_.functions.raw()[function].root.index()};
      if (calledFrom_.count(step) != 0)
        of_[returnOf(function)].insert(next.begin(), next.end());
      return;
    }
    default: of_[step] = chain(children, next);
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
  const Nodes &calledFrom_;
  std::size_t numSteps_;
  std::vector<Nodes> of_;
};

struct Effects {
  std::vector<Bits> use, kill, access; // [step][variable]
  Bits everRead;
};

// Grows a covered prefix until no range extends it.
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

struct WrittenBySource {
  std::vector<ElementRange> ranges;
  std::size_t last = 0;
};
struct Span {
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
    for (const auto &[key, written] : written_)
      if (coverEverything(written.ranges, program_.vars[key.second].elements))
        effects_.kill[written.last][key.second.index()] = true;
    for (const auto &[key, ranges] : undefined_)
      if (coverEverything(ranges, program_.vars[key.second].elements))
        effects_.kill[key.first][key.second.index()] = true;
    for (const auto &[key, span] : spans_)
      for (std::size_t s = span.first; s <= span.last; ++s)
        effects_.access[s][key.second.index()] = true;
    return std::move(effects_);
  }

private:
  // Steps without a source are their own: numbered above all sources.
  [[nodiscard]] std::size_t writerOf(std::size_t step) const {
    const SourceId source = program_.steps.raw()[step].source;
    return source.valid() ? source.index() : program_.sources.size() + step;
  }
  void add(std::size_t step, const Access &access) {
    const auto key = std::make_pair(writerOf(step), access.var);
    const auto ranges = rangesOf(program_, access);
    spans_.emplace(key, Span{step, step}).first->second.last = step;
    switch (access.kind) {
    case AccessKind::Read:
      effects_.use[step][access.var.index()] = true;
      effects_.everRead[access.var.index()] = true;
      break;
    case AccessKind::Write: {
      WrittenBySource &written = written_[key];
      written.ranges.insert(written.ranges.end(), ranges.begin(), ranges.end());
      written.last = step;
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
  std::map<std::pair<std::size_t, VarId>, WrittenBySource> written_;
  std::map<std::pair<std::size_t, VarId>, Span> spans_;
  std::map<std::pair<std::size_t, VarId>, std::vector<ElementRange>> undefined_;
};

std::vector<bool> nodesFrom(std::size_t start, const std::vector<Nodes> &successors) {
  std::vector<bool> seen(successors.size(), false);
  std::vector<std::size_t> todo{start};
  while (!todo.empty()) {
    const std::size_t node = todo.back();
    todo.pop_back();
    if (seen[node])
      continue;
    seen[node] = true;
    todo.insert(todo.end(), successors[node].begin(), successors[node].end());
  }
  return seen;
}

// Calls that can be reached when functions return to reached calls only: from none to all of them, round by round.
Nodes reachedCalls(const StepProgram &program) {
  for (Nodes calls;;) {
    const std::vector<bool> reached = nodesFrom(program.root.index(), Successors(program, calls).all());
    Nodes found;
    for (std::size_t s = 0; s < program.steps.size(); ++s)
      if (reached[s] && program.steps.raw()[s].kind == StepKind::Call)
        found.insert(s);
    if (found == calls)
      return calls;
    calls = std::move(found);
  }
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

} // namespace

DenseLiveness solveDenseLiveness(const StepProgram &program) {
  const std::size_t numSteps = program.steps.size(), numVars = program.vars.size();
  const Bits none(numVars, false);
  DenseLiveness out{std::vector<Bits>(numSteps, none), {}, std::vector<bool>(numSteps, false), none};
  if (numSteps == 0)
    return out;
  const Nodes calls = reachedCalls(program);
  const Successors flow(program, calls);
  Effects effects = EffectCollector(program).collect();
  const std::vector<bool> reached = nodesFrom(program.root.index(), flow.all());
  std::vector<Bits> in(flow.all().size(), none), after = in;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t node = in.size(); node-- > 0;) {
      if (!reached[node])
        continue;
      for (const std::size_t next : flow.all()[node])
        changed |= addInto(after[node], in[next]);
      const std::size_t step = flow.stepOf(node);
      for (std::size_t v = 0; v < numVars; ++v) {
        const bool passes = step == numSteps || !effects.kill[step][v];
        const bool live = (step < numSteps && effects.use[step][v]) || (after[node][v] && passes);
        changed |= live && !in[node][v];
        in[node][v] = live;
      }
    }
  }
  for (std::size_t node = 0; node < in.size(); ++node) {
    const std::size_t step = flow.stepOf(node);
    if (step == numSteps || !reached[node])
      continue;
    out.reachable[step] = true;
    addInto(out.live[step], in[node]);
    addInto(out.live[step], after[node]);
  }
  out.occupied = out.live;
  for (std::size_t s = 0; s < numSteps; ++s)
    addInto(out.occupied[s], effects.access[s]);
  out.everRead = effects.everRead;
  return out;
}

} // namespace popscope
