// Compares the analysis of random programs, built through the public API, with three independent results: paths of the
// program tree, an interpreted run, and the dense solution over steps. POPSCOPE_LIVENESS_PROGRAMS sets the number of
// programs (500; 10,000 in the slow test).
#include "graph/api/Estimates.hpp"
#include "graph/api/GraphAccess.hpp"
#include "graph/lowering/Lower.hpp"
#include "liveness/analysis/AnalyseLiveness.hpp"
#include "liveness/check/CheckLayout.hpp"
#include "liveness/explain/PlaceUndefs.hpp"
#include "tests/property/liveness/PathOracle.hpp"
#include "tests/property/liveness/RandomGraphs.hpp"
#include "tests/property/liveness/StepInterpreter.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

using namespace popscope;
using namespace popscope::testing;

namespace {

constexpr std::uint32_t kProgramsOfGraph = 20;

std::uint32_t numPrograms() {
  const char *const asked = std::getenv("POPSCOPE_LIVENESS_PROGRAMS");
  return asked == nullptr ? 500 : static_cast<std::uint32_t>(std::strtoul(asked, nullptr, 10));
}

struct Lowered {
  std::vector<ProgramPtr> programs;
  StepProgram steps;
};

template <class Use> void forEachProgram(std::uint32_t count, const Use &use) {
  std::unique_ptr<RandomGraph> random;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i % kProgramsOfGraph == 0)
      random = std::make_unique<RandomGraph>(i + 1);
    Lowered l;
    for (const auto &program : random->programs())
      l.programs.push_back(nodeOf(program));
    const GraphIr &ir = irOf(random->graph());
    l.steps = lower(ir, l.programs, estimateVertices(random->graph()), CostModel(ir.machine), {});
    use(i, ir, l);
  }
}

struct Agreement {
  std::uint64_t answers = 0, live = 0, made = 0, wrong = 0; // made: answers for variables that the compiler added
  std::string first;
};

Agreement compare(const PathOracle &oracle, const StepProgram &steps) {
  const LiveRanges ranges = analyseLiveness(steps);
  std::map<std::string, StepIndex> points;
  for (std::size_t s = 0; s < steps.steps.size(); ++s)
    if (steps.steps.raw()[s].kind == StepKind::Sync && !steps.names[steps.steps.raw()[s].name].empty())
      points.emplace(steps.names[steps.steps.raw()[s].name], steps.steps.idAt(s));
  Agreement a;
  for (const auto &[name, live] : oracle.liveAt()) {
    const auto point = points.find(name);
    if (point == points.end()) {
      ++a.wrong;
      a.first = "point " + name + " was not lowered";
      continue;
    }
    for (std::size_t v = 0; v < steps.vars.size(); ++v) {
      const StepVar &var = steps.vars.raw()[v];
      if (var.graphVar < 0 && (var.constant || isSystemCategory(var.category)))
        continue;
      // A variable that the compiler adds for one program of the tree is filled by that program before it is read, so
      // it is never live outside.
      const bool expected = var.graphVar >= 0 && live[static_cast<std::size_t>(var.graphVar)];
      ++a.answers;
      a.live += expected;
      a.made += var.graphVar < 0;
      bool agrees = ranges.contains(ranges.live[steps.vars.idAt(v)], point->second) == expected;
      // between sources, all homes behave alike
      for (std::uint32_t h = var.firstHome; h < var.firstHome + var.numHomes; ++h)
        agrees = agrees && ranges.contains(ranges.liveOf(steps.vars.idAt(v), HomeId(h)), point->second) == expected;
      if (agrees)
        continue;
      ++a.wrong;
      if (a.first.empty())
        a.first = steps.names[var.name] + (expected ? " is called dead at " : " is called live at ") + name;
    }
  }
  return a;
}

// Returns the number of messages that one step of a source writes and a later step of the same source both reads and
// writes (InOut on another tile).
std::uint64_t filledThenUpdated(const StepProgram &steps) {
  std::uint64_t count = 0;
  std::map<std::pair<SourceId, VarId>, StepIndex> filled;
  for (std::size_t s = 0; s < steps.steps.size(); ++s) {
    const Step &step = steps.steps.raw()[s];
    const auto does = [&](VarId var, AccessKind kind) {
      for (std::uint32_t a = step.firstAccess; a < step.firstAccess + step.numAccesses; ++a)
        if (steps.accesses[a].var == var && steps.accesses[a].kind == kind)
          return true;
      return false;
    };
    for (std::uint32_t a = step.firstAccess; step.source.valid() && a < step.firstAccess + step.numAccesses; ++a) {
      const Access &access = steps.accesses[a];
      if (access.kind != AccessKind::Write || steps.vars[access.var].graphVar >= 0)
        continue;
      const auto [at, isNew] = filled.emplace(std::make_pair(step.source, access.var), steps.steps.idAt(s));
      count += !isNew && at->second < steps.steps.idAt(s) && does(access.var, AccessKind::Read);
    }
  }
  return count;
}

// Returns the number of compute sets that run together with copies.
std::uint64_t mergedSets(const StepProgram &steps) {
  std::set<std::uint32_t> sets; // by source
  for (const Step &step : steps.steps) {
    std::uint32_t last = 0;
    for (std::uint32_t a = step.firstAccess; a < step.firstAccess + step.numAccesses; ++a)
      last = std::max<std::uint32_t>(last, steps.accesses[a].member);
    for (std::uint32_t m = 0; last > 0 && m <= last; ++m)
      if (steps.sources[SourceId(step.source.index() + m)].computeSet.valid())
        sets.insert(step.source.index() + m);
  }
  return sets.size();
}

std::vector<std::pair<VarId, StepIndex>> allCandidates(const StepProgram &steps) {
  const LiveRanges ranges = analyseLiveness(steps);
  const ExplainContext context(steps);
  VariableExplorer explorer(context.flow);
  std::vector<std::pair<VarId, StepIndex>> out;
  for (std::size_t v = 0; v < steps.vars.size(); ++v) {
    const VarId var = steps.vars.idAt(v);
    for (const UndefCandidate &c : undefCandidates(context, ranges, var, groupElements(context, var, explorer)))
      out.emplace_back(c.var, c.before);
  }
  return out;
}

bool isGraphWrite(const StepProgram &p, const Access &a) {
  return a.kind == AccessKind::Write && a.numRanges > 0 && p.vars[a.var].graphVar >= 0;
}

// Planted faults of lowering. Each function returns whether the program had a place for the fault.
bool dropElement(StepProgram &p, std::uint32_t which) {
  std::vector<std::uint32_t> writes;
  for (std::uint32_t a = 0; a < p.accesses.size(); ++a)
    if (isGraphWrite(p, p.accesses[a]))
      writes.push_back(a);
  if (writes.empty())
    return false;
  const Access &access = p.accesses[writes[which % writes.size()]];
  ElementRange &range = p.ranges[access.firstRange + access.numRanges - 1];
  range.end = range.end - 1;
  return true;
}
bool mergeComputeSets(StepProgram &p, std::uint32_t which) {
  std::vector<std::uint32_t> borders; // the first steps of sources that directly follow another source, points excluded
  SourceId before;
  for (std::uint32_t s = 0; s < p.steps.size(); ++s) {
    const Step &step = p.steps.raw()[s];
    if (step.kind == StepKind::Sync)
      continue;
    if (step.source.valid() && before.valid() && step.source != before)
      borders.push_back(s);
    before = step.source;
  }
  if (borders.empty())
    return false;
  const std::uint32_t at = borders[which % borders.size()];
  const SourceId second = p.steps.raw()[at].source;
  std::uint32_t previous = at - 1;
  while (p.steps.raw()[previous].kind == StepKind::Sync)
    --previous;
  for (Step &step : p.steps)
    if (step.source == second)
      step.source = p.steps.raw()[previous].source;
  return true;
}
/// Plants a fault: the writes of merged copies count together, as if one copy had done them all.
bool forgetMembers(StepProgram &p, std::uint32_t which) {
  std::vector<SourceId> merged;
  for (const Step &step : p.steps)
    for (std::uint32_t a = step.firstAccess; a < step.firstAccess + step.numAccesses; ++a)
      if (p.accesses[a].member > 0 && (merged.empty() || merged.back() != step.source))
        merged.push_back(step.source);
  if (merged.empty())
    return false;
  for (const Step &step : p.steps)
    for (std::uint32_t a = step.firstAccess; a < step.firstAccess + step.numAccesses; ++a)
      if (step.source == merged[which % merged.size()])
        p.accesses[a].member = 0;
  return true;
}
bool loseRemoteWrite(StepProgram &p, std::uint32_t which) {
  std::vector<std::uint32_t> writes;
  for (const Step &step : p.steps)
    for (std::uint32_t a = step.firstAccess; a < step.firstAccess + step.numAccesses; ++a)
      if (step.kind == StepKind::DoExchange && isGraphWrite(p, p.accesses[a]))
        writes.push_back(a);
  if (writes.empty())
    return false;
  p.accesses[writes[which % writes.size()]].numRanges = 0;
  return true;
}

} // namespace

TEST_SUITE("liveness.oracle") {
  TEST_CASE("the analysis agrees with the paths of the program tree on every variable at every point") {
    std::uint64_t answers = 0, live = 0, made = 0;
    forEachProgram(numPrograms(), [&](std::uint32_t i, const GraphIr &ir, const Lowered &l) {
      const Agreement a = compare(PathOracle(ir, l.programs), l.steps);
      if (a.wrong != 0)
        FAIL_CHECK("program " << i << ": " << a.wrong << " of " << a.answers << " wrong; " << a.first);
      answers += a.answers;
      live += a.live;
      made += a.made;
    });
    MESSAGE(numPrograms() << " programs, " << answers << " answers, " << live << " of them live, " << made
                          << " about variables that the compiler added");
    CHECK(answers > 50 * numPrograms()); // the generator produces enough cases
    CHECK(live > (answers - made) / 10);
    CHECK(live < answers - made - (answers - made) / 10);
    CHECK(made > 20 * numPrograms());
  }

  TEST_CASE("the analysis equals the dense solution at every step of every variable, those that the compiler adds "
            "among them") {
    std::uint64_t filled = 0, wrong = 0, merged = 0;
    forEachProgram(numPrograms(), [&](std::uint32_t i, const GraphIr &, const Lowered &l) {
      const std::vector<std::string> findings = checkLiveness(l.steps, analyseLiveness(l.steps));
      if (!findings.empty() && ++wrong <= 20)
        FAIL_CHECK("program " << i << ": " << findings.size() << " findings; " << findings.front());
      filled += filledThenUpdated(l.steps);
      merged += mergedSets(l.steps);
    });
    CHECK(wrong == 0);
    MESSAGE(filled << " buffers that an exchange fills for a vertex that reads and writes them");
    CHECK(filled > numPrograms() / 2);
    MESSAGE(merged << " compute sets that run together with copies");
    CHECK(merged > numPrograms() / 10);
  }

  TEST_CASE("nothing that a run reads was ever called dead") {
    std::uint64_t steps = 0, elements = 0;
    forEachProgram(numPrograms(), [&](std::uint32_t i, const GraphIr &, const Lowered &l) {
      const InterpreterFindings found = interpretSteps(l.steps, analyseLiveness(l.steps), i + 1);
      for (const std::string &wrong : found.wrong)
        FAIL_CHECK("program " << i << ": " << wrong);
      steps += found.stepsRun;
      elements += found.elementsRead;
    });
    MESSAGE(steps << " steps run, " << elements << " bytes read");
    CHECK(elements > 500 * numPrograms());
  }

  TEST_CASE("no run needs what an advised WriteUndef throws away") {
    std::uint64_t undefs = 0;
    forEachProgram(numPrograms(), [&](std::uint32_t i, const GraphIr &, const Lowered &l) {
      const std::vector<std::pair<VarId, StepIndex>> advised = allCandidates(l.steps);
      undefs += advised.size();
      LiveRanges everything = analyseLiveness(l.steps); // this part only examines discarded values
      std::fill(everything.live.begin(), everything.live.end(), LiveClassId(1));
      std::fill(everything.occupied.begin(), everything.occupied.end(), LiveClassId(1));
      std::fill(everything.split.begin(), everything.split.end(), std::uint8_t(0));
      for (const std::string &wrong : interpretSteps(l.steps, everything, i + 1, advised).wrong)
        FAIL_CHECK("program " << i << ": " << wrong);
    });
    MESSAGE(undefs << " placements");
    CHECK(undefs > numPrograms() / 10);
  }

  TEST_CASE("the oracle and the run notice planted faults") {
    using Fault = bool (*)(StepProgram &, std::uint32_t);
    const std::pair<std::string, Fault> faults[] = {{"a dropped element", dropElement},
                                                    {"two compute sets merged", mergeComputeSets},
                                                    {"a remote write lost", loseRemoteWrite},
                                                    {"what merged copies wrote", forgetMembers}};
    for (const auto &[name, fault] : faults) {
      std::uint32_t planted = 0, noticed = 0;
      forEachProgram(200, [&, plant = fault](std::uint32_t i, const GraphIr &ir, const Lowered &l) {
        const PathOracle oracle(ir, l.programs);
        for (std::uint32_t which = 0; which < 4; ++which) {
          StepProgram broken = l.steps;
          if (!plant(broken, which * 7 + i))
            continue;
          ++planted;
          noticed += compare(oracle, broken).wrong != 0;
        }
      });
      MESSAGE(name << ": planted " << planted << ", noticed " << noticed); // most faults change no life at a point
      CHECK(planted > 50);
      CHECK(noticed > planted / 50);
    }
    std::uint32_t noticed = 0;
    forEachProgram(100, [&](std::uint32_t i, const GraphIr &, const Lowered &l) {
      LiveRanges ranges = analyseLiveness(l.steps);
      ranges.live.raw()[i % ranges.live.size()] = LiveClassId(0); // one variable is marked as dead
      noticed += !interpretSteps(l.steps, ranges, i + 1).wrong.empty();
    });
    CHECK(noticed > 10);
    std::uint32_t planted = 0;
    noticed = 0;
    forEachProgram(numPrograms(), [&](std::uint32_t i, const GraphIr &, const Lowered &l) { // a home gets no memory
      LiveRanges ranges = analyseLiveness(l.steps);
      if (ranges.homeLives.empty())
        return;
      ++planted;
      HomeLife &life = ranges.homeLives[i % ranges.homeLives.size()];
      life.live = life.occupied = LiveClassId(0);
      noticed += !interpretSteps(l.steps, ranges, i + 1).wrong.empty();
    });
    MESSAGE("homes without a place: planted " << planted << ", noticed " << noticed);
    CHECK(planted > numPrograms() / 10);
    CHECK(noticed > planted / 4);
    noticed = 0;
    forEachProgram(100, [&](std::uint32_t i, const GraphIr &, const Lowered &l) { // a harmful WriteUndef
      const auto var = VarId(i % static_cast<std::uint32_t>(l.steps.vars.size()));
      const StepIndex step(i % static_cast<std::uint32_t>(l.steps.steps.size()));
      noticed += !interpretSteps(l.steps, analyseLiveness(l.steps), i + 1, {{var, step}}).wrong.empty();
    });
    CHECK(noticed > 10);
  }
}
