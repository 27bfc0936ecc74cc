// The critical path, slack and what tiles waited for, against a twin that keeps what each tile did in each cycle and
// runs everything again, one cycle longer at one place, to see whether the run's end moves.
#include "report/answers/CriticalPath.hpp"
#include "report/pop/PopFile.hpp"
#include "report/pva/MakeReport.hpp"

#include <doctest/doctest.h>
#include <map>
#include <random>

using namespace popscope;

namespace {

constexpr unsigned kCounters = 100, kRelease = 101; // beside the causes

struct Barrier {
  bool acrossIpus = false;
  std::vector<std::uint64_t> to, from;
};

struct Step {
  enum class Kind : std::uint8_t { Work, Exchange, Across, Barriers } kind = Kind::Work;
  StepCause cause = StepCause::Compute;
  std::vector<std::string> barriers;
  std::vector<std::uint64_t> busy, counters;
};

struct Program {
  std::size_t tilesPerIpu = 0, ipus = 0;
  std::map<std::string, Barrier> barriers;
  std::vector<Step> steps;      // by program
  std::vector<std::size_t> run; // which programs are executed
  [[nodiscard]] std::size_t tiles() const { return tilesPerIpu * ipus; }
};

/// Clocks, and of each tile the labels of its latest cycles since it was released.
struct Twin {
  const Program &program;
  std::vector<std::uint64_t> clock;
  std::vector<std::vector<unsigned>> done;
  std::map<unsigned, std::uint64_t> work, waits;

  explicit Twin(const Program &p) : program(p), clock(p.tiles()), done(p.tiles()) {}

  void label(std::size_t tile, unsigned what, std::uint64_t cycles) {
    done[tile].insert(done[tile].end(), cycles, what);
  }
  /// What `tile` waits for, a cycle each: the latest that `last` did. What it did before it was released is the
  /// release.
  [[nodiscard]] std::vector<unsigned> waitedFor(std::size_t last, std::uint64_t cycles) const {
    const auto &all = done[last];
    std::vector<unsigned> labels(cycles, kRelease);
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(cycles, all.size()); ++i)
      labels[cycles - 1 - i] = all[all.size() - 1 - i];
    return labels;
  }
  void compute(const Step &step, const std::vector<std::uint64_t> &busy) {
    for (std::size_t t = 0; t < clock.size(); ++t) {
      clock[t] += busy[t];
      label(t, static_cast<unsigned>(step.cause), busy[t]);
      work[static_cast<unsigned>(step.cause)] += busy[t];
    }
  }
  void exchange(const Step &step, const std::vector<std::uint64_t> &busy, std::size_t first, std::size_t end) {
    const auto cause = static_cast<unsigned>(step.cause);
    std::uint64_t begin = 0, longest = 0;
    std::size_t last = end;
    for (std::size_t t = first; t < end; ++t)
      if (busy[t] != 0) {
        if (last == end || clock[t] > clock[last])
          last = t;
        longest = std::max(longest, busy[t]);
      }
    if (last == end)
      return;
    begin = clock[last];
    std::vector<std::vector<unsigned>> seen(end);
    for (std::size_t t = first; t < end; ++t)
      if (busy[t] != 0 && t != last)
        seen[t] = waitedFor(last, begin - clock[t]);
    for (std::size_t t = first; t < end; ++t) {
      if (busy[t] == 0)
        continue;
      for (const unsigned what : seen[t]) {
        ++waits[what];
        done[t].push_back(what);
      }
      label(t, cause, longest);
      work[cause] += busy[t];
      waits[cause] += longest - busy[t];
      clock[t] = begin + longest;
    }
  }
  void barrier(const Barrier &barrier, std::size_t first, std::size_t end) {
    std::size_t last = first;
    for (std::size_t t = first; t < end; ++t)
      if (clock[t] + barrier.to[t] > clock[last] + barrier.to[last])
        last = t;
    const std::uint64_t controller = clock[last] + barrier.to[last];
    for (std::size_t t = first; t < end; ++t)
      for (const unsigned what : waitedFor(last, controller - barrier.to[t] - clock[t]))
        ++waits[what];
    for (std::size_t t = first; t < end; ++t) {
      waits[kRelease] += barrier.to[t] + barrier.from[t];
      clock[t] = controller + barrier.from[t];
      done[t].clear();
    }
  }
  /// `longer`: of that execution, on that tile, that many cycles.
  void pass(std::size_t at, std::size_t longerAt, std::size_t longerTile, std::uint64_t longer) {
    const Step &step = program.steps[program.run[at]];
    std::vector<std::uint64_t> busy = step.busy;
    if (at == longerAt)
      busy[longerTile] += longer;
    const auto each = [&](bool across, const auto &body) {
      const std::size_t width = across ? clock.size() : program.tilesPerIpu;
      for (std::size_t first = 0; first < clock.size(); first += width)
        body(first, first + width);
    };
    switch (step.kind) {
    case Step::Kind::Work: compute(step, busy); break;
    case Step::Kind::Exchange:
    case Step::Kind::Across:
      each(step.kind == Step::Kind::Across, [&](std::size_t f, std::size_t e) { exchange(step, busy, f, e); });
      break;
    case Step::Kind::Barriers:
      for (const std::string &name : step.barriers) {
        const Barrier &b = program.barriers.at(name);
        each(b.acrossIpus, [&](std::size_t f, std::size_t e) { barrier(b, f, e); });
      }
    }
    for (std::size_t t = 0; t < step.counters.size(); ++t) {
      clock[t] += step.counters[t];
      label(t, kCounters, step.counters[t]);
      work[kCounters] += step.counters[t];
    }
  }
  std::uint64_t end() const { return *std::max_element(clock.begin(), clock.end()); }
  void finish() {
    const auto last = static_cast<std::size_t>(std::max_element(clock.begin(), clock.end()) - clock.begin());
    for (std::size_t t = 0; t < clock.size(); ++t)
      for (const unsigned what : waitedFor(last, clock[last] - clock[t]))
        ++waits[what];
  }
};

std::uint64_t lengthWith(const Program &p, std::size_t at, std::size_t tile, std::uint64_t longer) {
  Twin twin(p);
  for (std::size_t s = 0; s < p.run.size(); ++s)
    twin.pass(s, at, tile, longer);
  return twin.end();
}

class RandomNumbers {
public:
  explicit RandomNumbers(unsigned seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }
  std::vector<std::uint64_t> numbers(std::size_t n, std::uint64_t most, unsigned zerosOfTen) {
    std::vector<std::uint64_t> all(n);
    for (std::uint64_t &x : all)
      x = below(10) < zerosOfTen ? 0 : 1 + below(most);
    return all;
  }

private:
  std::mt19937_64 engine_;
};

/// `barriersOfTen`: how often a step is a barrier.
Program randomProgram(RandomNumbers &random, std::size_t executions, unsigned barriersOfTen,
                      std::uint64_t mostSignal = 5) {
  Program p;
  p.tilesPerIpu = 1 + random.below(4);
  p.ipus = 1 + random.below(2);
  for (const auto &[name, across] : {std::pair("internal", false), std::pair("external", true)}) {
    Barrier &b = p.barriers[name];
    b.acrossIpus = across;
    b.to = random.numbers(p.tiles(), mostSignal, 2);
    b.from = random.numbers(p.tiles(), mostSignal, 2);
  }
  for (std::size_t i = 0; i < 6; ++i) {
    Step step;
    const bool barrier = random.below(10) < barriersOfTen;
    const auto kind = random.below(4);
    if (barrier) {
      step.kind = Step::Kind::Barriers;
      step.cause = StepCause::Barrier;
      step.barriers = {random.below(2) == 0 ? "internal" : "external"};
      if (random.below(3) == 0)
        step.barriers.emplace_back(random.below(2) == 0 ? "internal" : "external");
      step.busy.assign(p.tiles(), 0);
    } else {
      step.kind = kind < 2 ? Step::Kind::Work : kind == 2 ? Step::Kind::Exchange : Step::Kind::Across;
      step.cause = kind < 2 ? StepCause::Compute : kind == 2 ? StepCause::Exchange : StepCause::GlobalExchange;
      step.busy = random.numbers(p.tiles(), 9, static_cast<unsigned>(random.below(8)));
    }
    if (random.below(3) == 0)
      step.counters = random.numbers(p.tiles(), 3, 3);
    p.steps.push_back(std::move(step));
  }
  for (std::size_t i = 0; i < executions; ++i)
    p.run.push_back(random.below(p.steps.size()));
  return p;
}

TileValues sparse(const std::vector<std::uint64_t> &values) {
  TileValues all;
  for (std::uint32_t t = 0; t < values.size(); ++t)
    if (values[t] != 0)
      all.emplace_back(t, values[t]);
  return all;
}

std::shared_ptr<PopFile> profileOf(const Program &p, std::uint64_t length) {
  CompilationRecord r;
  r.poplarVersion = "0";
  r.target = {"IPU_MODEL", "ipu2", p.ipus, p.tilesPerIpu, 1, Bytes(1024), 1e9, 6, {}, {}};
  r.programs.resize(p.steps.size() + 1);
  r.programTiles.resize(r.programs.size());
  r.programs[0].type = "Sequence";
  r.controlPrograms = {0};
  r.tiles.resize(p.tiles());
  for (const auto &[name, barrier] : p.barriers)
    r.syncDelays.push_back(
        {name, barrier.acrossIpus, {barrier.to.begin(), barrier.to.end()}, {barrier.from.begin(), barrier.from.end()}});
  for (std::size_t i = 0; i < p.steps.size(); ++i) {
    const Step &step = p.steps[i];
    ProgramRecord &program = r.programs[i + 1];
    program.parent = 0;
    switch (step.kind) {
    case Step::Kind::Work:
      program.type = "OnTileExecute";
      program.computeSet = static_cast<std::int64_t>(r.computeSets.size());
      r.computeSets.push_back({});
      break;
    case Step::Kind::Exchange: program.type = "DoExchange"; break;
    case Step::Kind::Across: program.type = "GlobalExchange"; break;
    case Step::Kind::Barriers: program.type = "Sync"; program.barriers = step.barriers;
    }
    r.programTiles[i + 1].counterCycles = sparse(step.counters);
  }
  PopWriter writer("");
  writer.compilation(r);
  writer.beginRun({"run", 0, 0, 0});
  for (const std::size_t which : p.run) {
    StepRecord s;
    s.program = static_cast<std::uint32_t>(which + 1);
    if (p.steps[which].kind != Step::Kind::Barriers)
      s.cyclesByTile.assign(p.steps[which].busy.begin(), p.steps[which].busy.end());
    s.ipus.resize(p.ipus);
    writer.step(s);
  }
  RunTotals totals;
  totals.totalCycles = Cycles(length);
  writer.endRun(totals, 0);
  writer.finish();
  return writer.file();
}

void checkAgainstTwin(const Program &p, bool slackToo) {
  constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  Twin twin(p);
  for (std::size_t s = 0; s < p.run.size(); ++s)
    twin.pass(s, kNowhere, 0, 0);
  twin.finish();
  const pva::Report report = pva::makeReport(profileOf(p, twin.end()));
  StepPrograms programs;
  const RunReplay replay(report, programs, 0);
  const CriticalPath path = findCriticalPath(replay);
  REQUIRE(path.whyNot == "");
  std::map<unsigned, std::uint64_t> work, waits;
  for (const auto &[cause, cycles] : path.work)
    work[static_cast<unsigned>(cause)] = cycles;
  for (const auto &[cause, cycles] : path.waits)
    waits[static_cast<unsigned>(cause)] = cycles;
  work[kCounters] = path.counters;
  waits[kCounters] = path.waitedForCounters;
  waits[kRelease] = path.released;
  for (unsigned what = 0; what <= kRelease; ++what) {
    CAPTURE(what);
    CHECK(work[what] == twin.work[what]);
    CHECK(waits[what] == twin.waits[what]);
  }
  std::uint64_t onPath = 0, onTiles = 0;
  for (const auto &[id, sums] : path.byProgram) {
    onPath += sums.cycles;
    std::uint64_t ofTiles = 0;
    for (const auto &[tile, cycles] : sums.byTile)
      ofTiles += cycles;
    CHECK(ofTiles == sums.cycles);
  }
  for (const std::uint64_t cycles : path.cyclesOfTile)
    onTiles += cycles;
  CHECK(onPath == twin.end());
  CHECK(onTiles == twin.end());
  for (const std::size_t which : p.run) {
    const Step &step = p.steps[which];
    if (step.kind == Step::Kind::Barriers && (p.ipus == 1 || p.barriers.at(step.barriers.back()).acrossIpus)) {
      REQUIRE(path.slack.count(which + 1) == 1);
      CHECK(path.slack.at(which + 1) == 0); // the path passes it
    }
  }
  if (!slackToo)
    return;
  const std::uint64_t longer = twin.end() + 1; // more than any slack
  std::map<std::size_t, std::uint64_t> slack;  // by program
  std::vector<std::optional<std::uint64_t>> ofTile(p.tiles());
  for (std::size_t s = 0; s < p.run.size(); ++s)
    for (std::size_t t = 0; t < p.tiles(); ++t) {
      if (p.steps[p.run[s]].busy[t] == 0)
        continue;
      const std::uint64_t left = longer - (lengthWith(p, s, t, longer) - twin.end());
      const std::size_t id = p.run[s] + 1;
      slack[id] = slack.count(id) == 0 ? left : std::min(slack[id], left);
      ofTile[t] = std::min(ofTile[t].value_or(left), left);
    }
  for (const auto &entry : slack) { // CAPTURE is a lambda, and clang 14 takes no binding into one
    const std::size_t id = entry.first;
    const std::uint64_t left = entry.second;
    CAPTURE(id);
    REQUIRE(path.slack.count(id) == 1);
    CHECK(path.slack.at(id) == left);
  }
  for (std::size_t t = 0; t < p.tiles(); ++t)
    CHECK(path.slackOfTile[t] == ofTile[t]);
}

} // namespace

TEST_SUITE("report.critical path") {
  TEST_CASE("path, waits and slack of random runs are those of a twin that looks at each cycle") {
    for (unsigned seed = 0; seed < 150; ++seed) {
      CAPTURE(seed);
      RandomNumbers random(seed);
      checkAgainstTwin(randomProgram(random, random.below(40), static_cast<unsigned>(random.below(6))), true);
    }
  }

  TEST_CASE("a long way without a barrier of all tiles") {
    for (unsigned seed = 0; seed < 80; ++seed) { // more steps than are in memory at a time
      CAPTURE(seed);
      RandomNumbers random(1000 + seed);
      checkAgainstTwin(randomProgram(random, 100 + random.below(400), seed % 2, seed % 4 == 1 ? 200 : 5), false);
    }
    RandomNumbers random(7);
    checkAgainstTwin(randomProgram(random, 140, 0), true);
  }
}
