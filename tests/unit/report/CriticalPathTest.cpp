// Compares the critical path, slack and waits with a reference that records what each tile did in each cycle. To see
// whether the end of the run moves, the reference repeats the run with one cycle more at one place.
#include "report/answers/CriticalPath.hpp"
#include "report/answers/BalanceTrial.hpp"
#include "report/pop/PopFile.hpp"
#include "report/pva/MakeReport.hpp"

#include <doctest/doctest.h>
#include <map>
#include <random>

using namespace popscope;

namespace {

constexpr unsigned kCounters = 100, kRelease = 101; // in addition to the causes

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

/// One cycle: its kind, and the program that worked in it (0 = none).
using Cycle = std::pair<unsigned, std::size_t>;

/// The clocks, and for each tile what kept it busy in each cycle from the start of the run. A barrier gives all its
/// tiles the past of the tile that came last, because that past kept them waiting.
struct Twin {
  const Program &program;
  std::vector<std::uint64_t> clock;
  std::vector<std::vector<Cycle>> done; // one entry per cycle of the clock
  std::map<unsigned, std::uint64_t> work, waits;
  std::map<std::size_t, std::uint64_t> waitsFor;         // by program
  std::size_t id = 0;                                    // the program that is executing
  std::vector<std::map<std::size_t, std::uint64_t>> own; // per tile: compute work since its barrier, by program
  std::map<std::size_t, std::size_t> latest;             // when a program was last executed
  std::size_t executions = 0;

  explicit Twin(const Program &p) : program(p), clock(p.tiles()), done(p.tiles()), own(p.tiles()) {}

  void label(std::size_t tile, unsigned what, std::uint64_t cycles) {
    done[tile].insert(done[tile].end(), cycles, {what, what < kCounters ? id : 0});
  }
  void count(const Cycle &waited) {
    ++waits[waited.first];
    if (waited.second != 0)
      ++waitsFor[waited.second];
  }
  /// Lets `tile` wait until the clock of `last`, for what kept `last` busy in each of these cycles. On the same IPU,
  /// compute is blamed on programs in which `last` worked longer, the latest first.
  void waitFor(std::size_t tile, std::size_t last, const std::vector<Cycle> &past) {
    const bool near = tile / program.tilesPerIpu == last / program.tilesPerIpu;
    std::uint64_t compute = 0;
    std::size_t before = 0; // the program of the latest cycle of compute
    while (done[tile].size() < past.size()) {
      const Cycle cycle = past[done[tile].size()];
      done[tile].push_back(cycle);
      if (near && cycle.first == static_cast<unsigned>(StepCause::Compute)) {
        ++waits[cycle.first];
        ++compute;
        before = cycle.second;
      } else {
        count(cycle);
      }
    }
    std::vector<std::pair<std::size_t, std::size_t>> order;
    for (const auto &[which, when] : latest)
      order.emplace_back(when, which);
    std::sort(order.rbegin(), order.rend());
    for (const auto &[when, which] : order)
      for (std::uint64_t excess = own[last][which]; compute != 0 && excess > own[tile][which]; --excess, --compute)
        ++waitsFor[which];
    waitsFor[before] += compute;
  }
  void compute(const Step &step, const std::vector<std::uint64_t> &busy) {
    for (std::size_t t = 0; t < clock.size(); ++t) {
      clock[t] += busy[t];
      label(t, static_cast<unsigned>(step.cause), busy[t]);
      work[static_cast<unsigned>(step.cause)] += busy[t];
      own[t][id] += busy[t];
    }
    latest[id] = ++executions;
  }
  void exchange(const Step &step, const std::vector<std::uint64_t> &busy, std::size_t first, std::size_t end) {
    const auto cause = static_cast<unsigned>(step.cause);
    std::uint64_t longest = 0;
    std::size_t last = end;
    for (std::size_t t = first; t < end; ++t)
      if (busy[t] != 0) {
        if (last == end || clock[t] > clock[last])
          last = t;
        longest = std::max(longest, busy[t]);
      }
    if (last == end)
      return;
    const std::uint64_t begin = clock[last];
    const std::vector<Cycle> past = done[last];
    for (std::size_t t = first; t < end; ++t) {
      if (busy[t] == 0)
        continue;
      waitFor(t, last, past);
      label(t, cause, longest);
      work[cause] += busy[t];
      waits[cause] += longest - busy[t];
      waitsFor[id] += longest - busy[t];
      clock[t] = begin + longest;
    }
  }
  /// `signal`: the kind of the time of its signals.
  void barrier(const Barrier &barrier, unsigned signal, std::size_t first, std::size_t end) {
    std::size_t last = first;
    for (std::size_t t = first; t < end; ++t)
      if (clock[t] + barrier.to[t] > clock[last] + barrier.to[last])
        last = t;
    const std::uint64_t controller = clock[last] + barrier.to[last];
    const std::vector<Cycle> past = done[last];
    for (std::size_t t = first; t < end; ++t) {
      waitFor(t, last, past);
      const std::uint64_t released = controller - done[t].size() + barrier.from[t];
      waits[signal] += released;
      if (signal < kCounters)
        waitsFor[id] += released;
      done[t] = past;
      label(t, signal, barrier.to[last] + barrier.from[t]);
      clock[t] = controller + barrier.from[t];
    }
    for (std::size_t t = first; t < end; ++t)
      own[t].clear();
  }
  /// Executes a step; `longer` cycles are added to that execution on that tile.
  void pass(std::size_t at, std::size_t longerAt, std::size_t longerTile, std::uint64_t longer) {
    const Step &step = program.steps[program.run[at]];
    id = program.run[at] + 1;
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
        const unsigned signal = step.cause == StepCause::HostWait ? static_cast<unsigned>(step.cause) : kRelease;
        each(b.acrossIpus, [&](std::size_t f, std::size_t e) { barrier(b, signal, f, e); });
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
    const std::vector<Cycle> past = done[last];
    for (std::size_t t = 0; t < clock.size(); ++t)
      waitFor(t, last, past);
  }
};

std::uint64_t lengthWith(const Program &p, std::size_t at, std::size_t tile, std::uint64_t longer) {
  Twin twin(p);
  for (std::size_t s = 0; s < p.run.size(); ++s)
    twin.pass(s, at, tile, longer);
  return twin.end();
}

/// Returns the length of the run if all tiles have the same work in one of its programs: the mean, rounded up.
std::uint64_t balancedLength(Program p, std::size_t program) {
  std::vector<std::uint64_t> &busy = p.steps[program].busy;
  std::uint64_t sum = 0;
  for (const std::uint64_t cycles : busy)
    sum += cycles;
  busy.assign(busy.size(), (sum + busy.size() - 1) / busy.size());
  return lengthWith(p, static_cast<std::size_t>(-1), 0, 0);
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

/// `barriersOfTen`: the number of barriers in ten steps.
Program randomProgram(RandomNumbers &random, std::size_t executions, unsigned barriersOfTen,
                      std::uint64_t mostSignal = 5) {
  Program p;
  p.tilesPerIpu = 1 + random.below(4);
  p.ipus = 1 + random.below(2);
  for (const auto &[name, across] : {std::pair("internal", false), std::pair("external", true),
                                     std::pair("host request", true), std::pair("host answer", true)}) {
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
      if (random.below(4) == 0) {
        step.cause = StepCause::HostWait;
        step.barriers.front() = random.below(2) == 0 ? "host request" : "host answer";
      }
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
  RunReplay replay(report, programs, 0);
  const CriticalPath path = findCriticalPath(replay);
  REQUIRE(path.whyNot == "");
  BalanceTrial trial;
  trial.add(std::move(replay), path);
  for (std::size_t i = 0; i < p.steps.size(); ++i)
    if (p.steps[i].kind != Step::Kind::Barriers) {
      const std::uint64_t balanced = balancedLength(p, i), saved = twin.end() > balanced ? twin.end() - balanced : 0;
      CHECK(trial.saved(i + 1) == saved);
      CHECK(trial.most(i + 1) >= saved);
    }
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
  CHECK(twin.waitsFor[0] == 0);
  for (const auto &[id, cycles] : twin.waitsFor)
    CHECK((cycles == 0 ? path.waitsFor.count(id) : path.waitsFor.at(id)) == cycles);
  twin.waitsFor.erase(0);
  for (const auto &[id, cycles] : path.waitsFor)
    CHECK(twin.waitsFor[id] == cycles);
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
  const std::uint64_t longer = twin.end() + 1; // larger than any slack
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

  TEST_CASE("steps that overlap and end together let no tile wait, and balance of one of them saves nothing") {
    Program p;
    p.tilesPerIpu = 4;
    p.ipus = 1;
    p.barriers["internal"] = {false, {1, 2, 3, 4}, {2, 2, 2, 2}};
    Step a, b, barrier;
    a.busy = {1, 3, 1, 3};
    b.busy = {3, 1, 3, 1};
    barrier.kind = Step::Kind::Barriers;
    barrier.cause = StepCause::Barrier;
    barrier.barriers = {"internal"};
    barrier.busy.assign(4, 0);
    p.steps = {a, b, barrier};
    p.run = {0, 1, 2, 0, 1, 2};
    checkAgainstTwin(p, true);
    const std::uint64_t length = lengthWith(p, static_cast<std::size_t>(-1), 0, 0);
    const pva::Report report = pva::makeReport(profileOf(p, length));
    StepPrograms programs;
    RunReplay replay(report, programs, 0);
    const CriticalPath path = findCriticalPath(replay);
    CHECK(path.waitsFor.empty());
    CHECK(path.released == 2 * 4 * (4 + 2)); // the signal of tile 3 comes last
    BalanceTrial trial;
    trial.add(std::move(replay), path);
    CHECK(trial.saved(1) == 0);
    CHECK(trial.saved(2) == 0);
  }

  TEST_CASE("a balanced step that a late tile begins late is not blamed") {
    Program p;
    p.tilesPerIpu = 3;
    p.ipus = 1;
    p.barriers["internal"] = {false, {1, 1, 1}, {1, 1, 1}};
    Step late, after, barrier;
    late.busy = {10, 60, 10};
    after.busy = {20, 20, 20};
    barrier.kind = Step::Kind::Barriers;
    barrier.cause = StepCause::Barrier;
    barrier.barriers = {"internal"};
    barrier.busy.assign(3, 0);
    p.steps = {late, after, barrier};
    p.run = {0, 1, 2};
    checkAgainstTwin(p, true);
    const pva::Report report = pva::makeReport(profileOf(p, lengthWith(p, static_cast<std::size_t>(-1), 0, 0)));
    StepPrograms programs;
    const CriticalPath path = findCriticalPath(RunReplay(report, programs, 0));
    CHECK(path.waitsFor == std::map<std::size_t, std::uint64_t>{{1, 2 * 50}});
  }

  TEST_CASE("an IPU without work waits for the compute sets of the other one, across their barriers") {
    Program p;
    p.tilesPerIpu = 2;
    p.ipus = 2;
    p.barriers["internal"] = {false, {1, 1, 1, 1}, {1, 1, 1, 1}};
    p.barriers["external"] = {true, {5, 5, 5, 5}, {5, 5, 5, 5}};
    const auto barrier = [](const char *name) {
      Step step;
      step.kind = Step::Kind::Barriers;
      step.cause = StepCause::Barrier;
      step.barriers = {name};
      step.busy.assign(4, 0);
      return step;
    };
    Step a, b;
    a.busy = {100, 40, 0, 0};
    b.busy = {10, 70, 0, 0};
    p.steps = {a, b, barrier("internal"), barrier("external")};
    p.run = {0, 2, 1, 3};
    checkAgainstTwin(p, true);
    const std::uint64_t length = lengthWith(p, static_cast<std::size_t>(-1), 0, 0);
    CHECK(length == 100 + 2 + 70 + 10);
    const pva::Report report = pva::makeReport(profileOf(p, length));
    StepPrograms programs;
    const CriticalPath path = findCriticalPath(RunReplay(report, programs, 0));
    // Tile 1 waits 60 cycles for tile 0 in a, and tile 0 waits 60 for tile 1 in b. IPU 1 passes its barrier at once.
    // Both its tiles wait 100 - 2 cycles for a, 2 for the signals of IPU 0's barrier, and 70 for b.
    CHECK(path.waitsFor == std::map<std::size_t, std::uint64_t>{{1, 60 + 2 * 98}, {2, 60 + 2 * 70}});
    CHECK(path.waits.at(StepCause::Compute) == 60 + 2 * 98 + 60 + 2 * 70);
    CHECK(path.released == 4 * 2 + 2 * 2 + 4 * 10);
  }

  TEST_CASE("a long way without a barrier of all tiles") {
    for (unsigned seed = 0; seed < 80; ++seed) { // more steps than are in memory at the same time
      CAPTURE(seed);
      RandomNumbers random(1000 + seed);
      checkAgainstTwin(randomProgram(random, 100 + random.below(400), seed % 2, seed % 4 == 1 ? 200 : 5), false);
    }
    RandomNumbers random(7);
    checkAgainstTwin(randomProgram(random, 140, 0), true);
  }
}
