#include "report/answers/LossAnswer.hpp"

#include "report/answers/Ranking.hpp"
#include "report/answers/StepTimes.hpp"

#include <algorithm>

namespace popscope {
namespace {

constexpr std::size_t kUsualLossRows = 10;

struct Loss {
  std::uint64_t cycles = 0, compute = 0, threads = 0, exchange = 0, global = 0, host = 0, counters = 0, sync = 0;
  bool known = true, threadsKnown = true;
};

Loss totalsOf(const pva::Report &report, const std::vector<std::size_t> &runs) {
  Loss loss;
  const auto all = report.execution().runs();
  for (const std::size_t run : runs) {
    const pva::CycleTotals t = all[run].totalCycles();
    loss.cycles += t.total();
    loss.compute += t.compute();
    loss.threads += t.computeWithoutIdle();
    loss.exchange += t.exchange();
    loss.global += t.globalExchange();
    loss.host += t.hostExchange();
    loss.counters += t.unattributed();
    loss.sync += t.sync();
    loss.known = loss.known && t.computeKnown() && t.externalExchangeKnown() && t.syncKnown();
    loss.threadsKnown = loss.threadsKnown && t.computeWithoutIdleKnown();
  }
  return loss;
}

/// What tiles waited in the time of one kind of step; signed, see StepTimes.hpp.
std::map<StepCause, std::int64_t> waiting(const StepTimes &times, std::uint64_t tiles) {
  std::map<StepCause, std::int64_t> waits;
  for (const StepTime &step : times.steps)
    waits[step.program->kind] += static_cast<std::int64_t>(tiles * step.part) - static_cast<std::int64_t>(step.busy);
  return waits;
}

struct Saving {
  const StepProgramInfo *program = nullptr;
  std::uint64_t executions = 0, cycles = 0, busy = 0, saved = 0;
};

/// What a step would save if all tiles had the same work: its own length less the mean of the work, where it has that
/// part in the run.
Table savings(const Request &request, const StepTimes &times, std::uint64_t tiles) {
  const NumberSet steps = selectedSteps(request.selection);
  std::map<std::size_t, Saving> byProgram;
  for (const StepTime &step : times.steps) {
    const StepCause kind = step.program->kind;
    if (kind == StepCause::Barrier || kind == StepCause::Control || !step.known || !steps.contains(step.program->id) ||
        (!request.selection.name.empty() && !nameMatches(request.selection.name, step.program->name)))
      continue;
    Saving &s = byProgram[step.program->id];
    s.program = step.program;
    ++s.executions;
    s.cycles += step.cycles;
    s.busy += step.busy;
    const std::uint64_t even = (step.busy + tiles - 1) / tiles;
    const std::uint64_t length = std::min(step.part, step.cycles); // what ran beside other steps is no gain
    s.saved += length > even ? length - even : 0;
  }
  Ranking ranking({"balance",
                   "What perfect balance over all tiles would save, by step",
                   {{"step", "Step", Unit::Id},
                    {"program", "Program"},
                    {"executions", "Executions"},
                    {"cycles", "Cycles", Unit::Cycles},
                    {"tilesBusy", "Tiles busy", Unit::Percent},
                    {"saves", "Would save", Unit::Cycles},
                    {"share", "Of all", Unit::Percent}},
                   {}});
  for (const auto &[id, s] : byProgram)
    ranking.add(s.saved, {std::uint64_t(id), s.program->title, s.executions, s.cycles, Share{s.busy, tiles * s.cycles},
                          s.saved, Share{s.saved, times.cycles}});
  return ranking.take(request.selection.countOr(kUsualLossRows));
}

/// Where the length of the runs lies: the parts of their steps.
Table bounds(const StepTimes &times) {
  std::map<StepCause, std::pair<std::uint64_t, std::uint64_t>> parts; // steps, cycles
  std::uint64_t sum = 0;
  for (const StepTime &step : times.steps) {
    ++parts[step.program->kind].first;
    parts[step.program->kind].second += step.part;
    sum += step.part;
  }
  Ranking ranking({"length",
                   "What the length of the runs consists of",
                   {{"kind", "Kind of step"},
                    {"steps", "Steps"},
                    {"cycles", "Cycles", Unit::Cycles},
                    {"share", "Share", Unit::Percent}},
                   {}});
  for (const auto &[kind, part] : parts)
    if (part.second != 0)
      ranking.add(part.second, {stepCauseName(kind), part.first, part.second, Share{part.second, times.cycles}});
  if (times.cycles > sum)
    ranking.add(times.cycles - sum,
                {"after the last step", std::uint64_t(0), times.cycles - sum, Share{times.cycles - sum, times.cycles}});
  return ranking.take(static_cast<std::size_t>(-1));
}

} // namespace

Rows collectLoss(const Request &request) {
  Rows rows;
  rows.view = "loss";
  StepTimes times;
  readStepTimes(request.report, request.selection, times);
  if (times.runs.empty())
    throw AnswerError("the profile has no recorded run; run the program with profiling");
  const Loss loss = totalsOf(request.report, times.runs);
  const bool timed =
      std::all_of(times.steps.begin(), times.steps.end(), [](const StepTime &s) { return s.known && s.timeKnown; });
  if (!loss.known || !timed)
    throw AnswerError("the counters of this profile do not hold all of it; an IPU Model records all, an IPU device "
                      "compute by tile with debug.instrument");
  const std::uint64_t tiles = request.report.compilation().target().tilesPerReplica();
  constexpr std::uint64_t kMost = std::uint64_t(1) << 62;
  if (tiles == 0 || loss.cycles > kMost / tiles)
    throw AnswerError("the profile's target or its cycles are beyond what can be added up");
  const std::uint64_t whole = tiles * loss.cycles;
  rows.fact("runs", std::uint64_t(times.runs.size()));
  rows.fact("cycles", loss.cycles, Unit::Cycles);
  rows.fact("tiles", tiles, Unit::Tiles);
  rows.fact("tileCycles", whole, Unit::TileCycles);
  rows.lines.emplace_back("{tiles} for {cycles} are {tileCycles}; each went to one of these.");
  Table table{"causes",
              "Where they went",
              {{"cause", "Cause"}, {"tileCycles", "Tile cycles", Unit::TileCycles}, {"share", "Share", Unit::Percent}},
              {}};
  std::int64_t sum = 0;
  const auto add = [&](const char *cause, std::int64_t cycles, bool always = false) {
    sum += cycles;
    if (cycles != 0 || always)
      table.rows.push_back(
          {cause, cycles, cycles < 0 ? Cell(Unknown()) : Cell(Share{static_cast<std::uint64_t>(cycles), whole})});
  };
  if (loss.threadsKnown) {
    add("compute: threads at work", static_cast<std::int64_t>(loss.threads), true);
    add("compute: idle threads", static_cast<std::int64_t>(loss.compute - loss.threads), true);
  } else
    add("compute, idle threads included", static_cast<std::int64_t>(loss.compute), true);
  auto waits = waiting(times, tiles);
  add("compute: waiting for slower tiles", waits[StepCause::Compute], true);
  add("exchange: sending and receiving", static_cast<std::int64_t>(loss.exchange), true);
  add("exchange: waiting for longer exchanges", waits[StepCause::Exchange], true);
  add("between IPUs: sending and receiving", static_cast<std::int64_t>(loss.global));
  add("between IPUs: waiting", waits[StepCause::GlobalExchange]);
  add("host: copying", static_cast<std::int64_t>(loss.host));
  add("host: waiting for tiles that copy", waits[StepCause::HostExchange]);
  add("barriers", waits[StepCause::Barrier], true);
  add("control flow", waits[StepCause::Control]);
  const std::int64_t rest = static_cast<std::int64_t>(whole) - sum;
  add(rest < 0 ? "not explained by the steps in the file" : "after the last step",
      rest); // less than none: the file does not hold all steps
  if (loss.counters != 0) {
    rows.fact("countersTileCycles", loss.counters, Unit::TileCycles);
    rows.lines.emplace_back(
        "Of what is shown as waiting, {countersTileCycles} were spent on reading counters of instrumentation.");
  }
  rows.tables.push_back(std::move(table));
  rows.tables.push_back(bounds(times));
  rows.tables.push_back(savings(request, times, tiles));
  rows.notes.emplace_back(
      "cycles are estimates; a step that ran beside earlier ones makes up for what they seem to wait");
  rows.next = {commandFor(request, "top", "--of steps"), commandFor(request, "exchange")};
  return rows;
}

} // namespace popscope
