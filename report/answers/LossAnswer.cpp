#include "report/answers/LossAnswer.hpp"

#include "report/answers/BalanceTrial.hpp"
#include "report/answers/CriticalPath.hpp"
#include "report/answers/CycleSums.hpp"
#include "report/answers/FlopColumns.hpp"
#include "report/answers/MeasuredColumn.hpp"
#include "report/answers/MovedNames.hpp"
#include "report/answers/Ranking.hpp"
#include "report/answers/RunCategories.hpp"
#include "report/answers/RunsAnswer.hpp"
#include "report/answers/StepTimes.hpp"

#include <algorithm>
#include <functional>

namespace popscope {
namespace {

constexpr std::size_t kUsualLossRows = 10;

/// Adds to `waits`, for each kind of step, the tile cycles of waiting during steps of this kind in `runs` (ascending).
/// If the work of a step is more than `tiles` times the step's part (StepTimes.hpp), tiles did the surplus work while
/// earlier steps still ran. So the function subtracts the surplus from the waits of the earlier steps of the run,
/// beginning with the nearest step. No sum becomes negative.
void addWaiting(const StepTimes &times, const std::vector<std::size_t> &runs, std::uint64_t tiles,
                std::map<StepCause, std::uint64_t> &waits) {
  std::vector<std::pair<StepCause, std::uint64_t>> earlier; // the waits of the run so far
  for (std::size_t i = 0; i < times.steps.size(); ++i) {
    const StepTime &step = times.steps[i];
    if (!std::binary_search(runs.begin(), runs.end(), step.run))
      continue;
    if (i != 0 && times.steps[i - 1].run != step.run)
      earlier.clear();
    const std::uint64_t time = tiles * step.part, wait = time - std::min(time, step.busy);
    waits[step.program->kind] += wait;
    for (std::uint64_t hidden = step.busy - std::min(time, step.busy); hidden != 0 && !earlier.empty();) {
      auto &[kind, left] = earlier.back();
      const std::uint64_t worked = std::min(left, hidden);
      waits[kind] -= worked;
      left -= worked;
      hidden -= worked;
      if (left == 0)
        earlier.pop_back();
    }
    if (wait != 0)
      earlier.emplace_back(step.program->kind, wait);
  }
}

struct Saving {
  const StepProgramInfo *program = nullptr;
  std::uint64_t executions = 0, cycles = 0, length = 0, busy = 0, saved = 0;
};

/// Returns whether --steps, whose numbers are `steps`, and --name select the program.
bool isSelected(const Request &request, const NumberSet &steps, MovedNames &names, const StepProgramInfo &program) {
  return steps.contains(program.id) && names.matches(request.selection.name, program);
}

/// Returns whether some of the step's work runs at the same time as earlier steps.
bool overlaps(const StepTime &step) { return step.busy != 0 && step.part < step.cycles; }

/// Returns the selected steps by program id, without barriers, waits for the host and control flow. If `trial` is null,
/// sets Saving::saved to an estimate: a step that overlaps neither an earlier step nor the next one saves its length
/// minus the mean of its work.
std::map<std::size_t, Saving> selectedSavings(const Request &request, const StepTimes &times, std::uint64_t tiles,
                                              const BalanceTrial *trial, MovedNames &moved) {
  const NumberSet steps = selectedSteps(request.selection);
  std::map<std::size_t, Saving> byProgram;
  for (std::size_t i = 0; i < times.steps.size(); ++i) {
    const StepTime &step = times.steps[i];
    if (!isWork(step.program->kind) || !step.known || !isSelected(request, steps, moved, *step.program))
      continue;
    Saving &s = byProgram[step.program->id];
    s.program = step.program;
    ++s.executions;
    s.cycles += step.part;
    s.length += step.length(tiles);
    s.busy += step.busy;
    const std::uint64_t even = (step.busy + tiles - 1) / tiles;
    const bool last = i + 1 == times.steps.size() || times.steps[i + 1].run != step.run;
    if (trial == nullptr && !overlaps(step) && (last || !overlaps(times.steps[i + 1])) && step.cycles > even)
      s.saved += step.cycles - even;
  }
  return byProgram;
}

/// Sets Saving::saved of the programs with the largest upper bounds. Stops when `count` programs save at least as much
/// as the next upper bound.
void tryBalance(const BalanceTrial &trial, std::size_t count, std::map<std::size_t, Saving> &byProgram) {
  std::vector<std::pair<std::uint64_t, Saving *>> most; // programs with their upper bounds
  for (auto &[id, saving] : byProgram)
    if (const std::uint64_t bound = trial.most(id); bound != 0)
      most.emplace_back(bound, &saving);
  std::stable_sort(most.begin(), most.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
  std::vector<std::uint64_t> best; // descending, at most `count`
  for (const auto &[bound, saving] : most) {
    if (best.size() >= count && best.back() >= bound)
      break;
    saving->saved = trial.saved(saving->program->id);
    best.insert(std::upper_bound(best.begin(), best.end(), saving->saved, std::greater<>()), saving->saved);
    best.resize(std::min(best.size(), count));
  }
}

/// Returns what each step would save if all tiles had the same work. `trial`: replays of the runs, or null.
Table savings(const Request &request, const StepTimes &times, std::uint64_t tiles, const BalanceTrial *trial,
              MovedNames &moved) {
  const std::size_t count = request.selection.countOr(kUsualLossRows);
  std::map<std::size_t, Saving> byProgram = selectedSavings(request, times, tiles, trial, moved);
  if (trial != nullptr)
    tryBalance(*trial, count, byProgram);
  const MeasuredColumn measured(request.report);
  Table table{"balance",
              "What perfect balance over all tiles would save, by step",
              {{"step", "Step", Unit::Id},
               {"program", "Program"},
               {"executions", "Executions"},
               {"cycles", "Cycles", Unit::Cycles},
               {"tilesBusy", "Tiles busy", Unit::Percent},
               {"saves", "Would save", Unit::Cycles},
               {"share", "Of all", Unit::Percent}}};
  measured.addTo(table);
  Ranking ranking(std::move(table));
  for (const auto &[id, s] : byProgram) {
    std::vector<Cell> row = {
        std::uint64_t(id), moved.titleOf(*s.program),   s.executions, s.cycles, Share{s.busy, tiles * s.length},
        s.saved,           Share{s.saved, times.cycles}};
    measured.addTo(row, measured.ofStep(id, s.program->computeSet));
    ranking.add(s.saved, std::move(row));
  }
  return ranking.take(count);
}

/// Returns compute sets compared with the machine's peak: how fast they compute, and what takes most of their tiles'
/// time.
Table roofline(const Request &request, const FlopColumns &flops, const StepTimes &times, std::uint64_t tiles,
               MovedNames &moved) {
  struct Set {
    std::string name;
    std::uint64_t executions = 0, cycles = 0, length = 0, busy = 0, threads = 0;
    bool threadsKnown = true;
  };
  const NumberSet steps = selectedSteps(request.selection);
  std::map<std::int64_t, Set> sets;
  for (const StepTime &step : times.steps)
    if (step.program->computeSet >= 0 && step.known && isSelected(request, steps, moved, *step.program)) {
      Set &set = sets[step.program->computeSet];
      set.name = moved.nameOf(*step.program);
      ++set.executions;
      set.cycles += step.part;
      set.length += step.length(tiles);
      set.busy += step.busy;
      set.threads += step.threads;
      set.threadsKnown = set.threadsKnown && step.threadsKnown;
    }
  Table table{"roofline",
              "Floating point in compute sets, against the peak of all tiles",
              {{"name", "Name"},
               {"executions", "Executions"},
               {"cycles", "Cycles", Unit::Cycles},
               {"bound", "Most of its time"},
               {"boundShare", "Share", Unit::Percent}}};
  flops.addTo(table);
  Ranking ranking(std::move(table));
  for (const auto &[id, set] : sets) {
    FlopSum done;
    done.add(flops.ofSet(id), set.executions);
    if (!done.known() || done.operations == 0)
      continue; // copies, and sets without estimates
    const bool known = set.threadsKnown && flops.floatPeak() != 0;
    const Roofline parts =
        rooflineOf(done.operations, flops.floatPeak(), tiles, set.length, set.busy, known ? set.threads : set.busy);
    std::vector<Cell> row = {nameOr(set.name), set.executions, set.cycles,
                             known ? Cell(std::string(parts.bound())) : Cell(Unknown()),
                             shareOr(known, parts.most(), tiles * set.length)};
    flops.addTo(row, done, true, set.length, tiles);
    ranking.add(done.operations, std::move(row));
  }
  return ranking.take(request.selection.countOr(kUsualLossRows));
}

/// The sums of waits and the critical paths of the selected runs that can be replayed.
struct Paths {
  std::vector<std::size_t> estimated; // runs that cannot be replayed: their waits are estimates
  std::string whyNot;                 // why the first of these runs cannot be replayed
  CriticalPath all;
  BalanceTrial trial;
};

Paths pathsOf(const Request &request, StepTimes &times, const std::vector<bool> &counted) {
  Paths paths;
  for (const std::size_t run : times.runs) {
    RunReplay replay(request.report, times.programs, run);
    const CriticalPath path = findCriticalPath(replay, counted);
    if (!path.whyNot.empty()) {
      paths.estimated.push_back(run);
      if (paths.whyNot.empty())
        paths.whyNot = path.whyNot;
      continue;
    }
    addPath(path, paths.all);
    if (paths.estimated.empty()) // the trial is for runs that can all be replayed
      paths.trial.add(std::move(replay), path);
  }
  return paths;
}

/// Returns, per tile, whether --tiles and --ipu select the tile. An empty result selects all tiles.
std::vector<bool> chosenTiles(const Request &request) {
  if (request.selection.everyTile())
    return {};
  std::vector<bool> chosen = tileMask(request.report, request.selection);
  chosen.resize(request.report.compilation().target().tilesPerReplica()); // a damaged profile may have fewer
  return chosen;
}

/// Returns the name of the work or wait that a step with this cause puts on the critical path.
const char *boundName(StepCause cause) {
  switch (cause) {
  case StepCause::Compute: return "compute";
  case StepCause::Exchange:
  case StepCause::GlobalExchange: return "exchange";
  case StepCause::HostExchange: return "host";
  case StepCause::HostWait: return "waiting for the host";
  case StepCause::Barrier: return "sync";
  case StepCause::Control: break;
  }
  return "control";
}

/// Returns the programs of the steps that were read, by id.
std::map<std::size_t, const StepProgramInfo *> programsOf(const StepTimes &times) {
  std::map<std::size_t, const StepProgramInfo *> programs;
  for (const StepTime &step : times.steps)
    programs[step.program->id] = step.program;
  return programs;
}

/// Returns the steps for which tiles wait. The rows for one kind of step add up to the waits for this kind in the table
/// of causes.
Table waitsBySteps(const Request &request, const CriticalPath &path,
                   const std::map<std::size_t, const StepProgramInfo *> &programs, std::uint64_t whole,
                   MovedNames &moved) {
  const NumberSet steps = selectedSteps(request.selection);
  Ranking ranking({"waits",
                   "What tiles wait for, by step",
                   {{"step", "Step", Unit::Id},
                    {"program", "Program"},
                    {"kind", "Kind of step"},
                    {"waiting", "Waiting", Unit::TileCycles},
                    {"share", "Of all", Unit::Percent}}});
  for (const auto &[id, waiting] : path.waitsFor)
    if (const StepProgramInfo &info = *programs.at(id); isSelected(request, steps, moved, info))
      ranking.add(waiting,
                  {std::uint64_t(id), moved.titleOf(info), stepCauseName(info.kind), waiting, Share{waiting, whole}});
  return ranking.take(request.selection.countOr(kUsualLossRows));
}

void addPath(const Request &request, const StepTimes &times, const CriticalPath &path, const std::vector<bool> &counted,
             std::uint64_t whole, MovedNames &moved, Rows &rows) {
  const auto programs = programsOf(times);
  const NumberSet steps = selectedSteps(request.selection);
  std::map<std::string, std::uint64_t> classes;
  Ranking byStep({"path",
                  "The critical path by step, and by how much other steps could take longer",
                  {{"step", "Step", Unit::Id},
                   {"program", "Program"},
                   {"bound", "Bound by"},
                   {"cycles", "On the path", Unit::Cycles},
                   {"share", "Of all", Unit::Percent},
                   {"tiles", "Tiles", Unit::Tiles},
                   {"slack", "Slack", Unit::Cycles}}});
  for (const auto &[id, info] : programs) {
    const auto on = path.byProgram.find(id);
    const std::uint64_t cycles = on == path.byProgram.end() ? 0 : on->second.cycles;
    classes[boundName(info->kind)] += cycles;
    if (!isSelected(request, steps, moved, *info))
      continue;
    const auto slack = path.slack.find(id);
    byStep.add(cycles,
               {std::uint64_t(id), moved.titleOf(*info), std::string(boundName(info->kind)), cycles,
                Share{cycles, times.cycles}, std::uint64_t(on == path.byProgram.end() ? 0 : on->second.byTile.size()),
                knownOr(slack != path.slack.end(), slack == path.slack.end() ? 0 : slack->second)});
  }
  Ranking bound({"bound",
                 "What bounds the length",
                 {{"bound", "Bound by"}, {"cycles", "On the path", Unit::Cycles}, {"share", "Share", Unit::Percent}}});
  for (const auto &[name, cycles] : classes)
    if (cycles != 0)
      bound.add(cycles, {name, cycles, Share{cycles, times.cycles}});
  Ranking byTile({"tiles",
                  "The critical path by tile",
                  {{"tile", "Tile", Unit::Id},
                   {"cycles", "On the path", Unit::Cycles},
                   {"share", "Of all", Unit::Percent},
                   {"slack", "Least slack of its work", Unit::Cycles}}});
  for (std::size_t t = 0; t < path.cyclesOfTile.size(); ++t)
    if (path.cyclesOfTile[t] != 0 && (counted.empty() || counted[t]))
      byTile.add(path.cyclesOfTile[t],
                 {std::uint64_t(t), path.cyclesOfTile[t], Share{path.cyclesOfTile[t], times.cycles},
                  knownOr(path.slackOfTile[t].has_value(), path.slackOfTile[t].value_or(0))});
  rows.tables.push_back(bound.take(static_cast<std::size_t>(-1)));
  rows.tables.push_back(waitsBySteps(request, path, programs, whole, moved));
  rows.tables.push_back(byStep.take(request.selection.countOr(kUsualLossRows)));
  rows.tables.push_back(byTile.take(request.selection.countOr(kUsualLossRows)));
}

/// Returns the length of the runs by cause: the sum of the parts of their steps.
Table bounds(const StepTimes &times) {
  std::map<StepCause, std::pair<std::uint64_t, std::uint64_t>> parts; // (steps, cycles)
  std::uint64_t sum = 0;
  for (const StepTime &step : times.steps) {
    ++parts[step.program->kind].first;
    parts[step.program->kind].second += step.part;
    sum += step.part;
  }
  Ranking ranking({"length",
                   "Length of the runs by kind of step",
                   {{"kind", "Kind of step"},
                    {"steps", "Steps"},
                    {"cycles", "Cycles", Unit::Cycles},
                    {"share", "Share", Unit::Percent}}});
  for (const auto &[kind, part] : parts)
    if (part.second != 0)
      ranking.add(part.second, {stepCauseName(kind), part.first, part.second, Share{part.second, times.cycles}});
  if (times.cycles > sum)
    ranking.add(times.cycles - sum,
                {"after the last step", std::uint64_t(0), times.cycles - sum, Share{times.cycles - sum, times.cycles}});
  return ranking.take(static_cast<std::size_t>(-1));
}

/// Returns why the times of some steps of the selected runs are unknown, and what to do. If only some categories of a
/// run were recorded, names the run, its scope and the runs that have all times.
std::string whyNotTimed(const Request &request, const StepTimes &times) {
  const auto runs = request.report.execution().runs();
  std::string without, whole;
  for (const std::size_t number : times.runs) {
    const pva::Run run = runs[number];
    if (run.categories().size() == kAllCategories)
      whole += (whole.empty() ? "" : ",") + std::to_string(number);
    else if (without.empty()) {
      without = "run " + std::to_string(number) + (run.name().empty() ? "" : " (\"" + run.name() + "\")");
      if (!run.label().empty())
        without += ", in scope \"" + run.label() + "\",";
      std::string names;
      for (const std::string &name : run.categories())
        names += (names.empty() ? "" : ", ") + name;
      without += names.empty() ? " has no times of steps" : " has times only of these steps: " + names;
    }
  }
  if (without.empty() && !totalsOfRuns(request.report, times.runs).lengthKnown())
    return "the cycles of some vertices are unknown; popscope sources lists them with the reasons";
  if (without.empty())
    return whyCountersLack(request.report.instrumentationSettings());
  return without + " (popscope.profileCategories, popscope::profile::Scope); " +
         (whole.empty() ? "record a run with all categories" : "choose runs with all times: --runs " + whole);
}

/// A cause of tile cycles: a row of the first table.
struct Cause {
  std::optional<StepCause> kind; // the steps during which the cycles passed; no value = not known by steps
  bool waits = false;            // true: tiles waited for others
  std::int64_t cycles = 0;       // negative if the file does not contain all steps
};

/// Proposes views for the two largest causes, the largest first. Leaves out the second cause if it is less than 5 %.
/// `slowest`: the tile that is longest on the critical path, if the path is known.
void suggestByCause(const Request &request, std::vector<Cause> causes, std::uint64_t whole,
                    std::optional<std::size_t> slowest, Rows &rows) {
  std::stable_sort(causes.begin(), causes.end(), [](const Cause &a, const Cause &b) { return a.cycles > b.cycles; });
  std::vector<std::string> proposed;
  const auto propose = [&](const char *view, const std::string &rest) {
    if (std::find(proposed.begin(), proposed.end(), view + rest) != proposed.end())
      return;
    proposed.push_back(view + rest);
    suggest(rows, request, view, rest);
  };
  std::size_t count = 0;
  for (const Cause &cause : causes) {
    if (count == 2 || (count == 1 && cause.cycles < static_cast<std::int64_t>(whole / 20)))
      return;
    ++count;
    if (cause.kind == StepCause::Compute && cause.waits) {
      propose("top", "--of tiles --by cycles");
      if (slowest)
        propose("top", "--of compute-sets --tiles " + std::to_string(*slowest));
    } else if (cause.kind == StepCause::Compute) {
      propose("top", "--of compute-sets");
    } else if (cause.kind == StepCause::Exchange || cause.kind == StepCause::GlobalExchange) {
      propose("exchange", "");
    } else {
      propose("top", "--of steps"); // host, barriers, control flow and what belongs to no step
    }
  }
}

} // namespace

// Collects the answer: the split of all tile cycles by cause, what waits are for, the critical path, possible savings
// and the roofline of compute sets.
Rows collectLoss(const Request &request) {
  Rows rows("loss");
  MovedNames moved(request.report);
  Selection everywhere = request.selection; // the steps of all tiles determine what the selected tiles waited for
  everywhere.tiles.clear();
  everywhere.ipu.reset();
  StepTimes times = readStepTimes(request.report, everywhere);
  const std::vector<bool> counted = chosenTiles(request);
  if (times.runs.empty())
    refuseWithoutRun(request.report);
  if (!request.report.execution().runs()[times.runs.front()].complete())
    throw AnswerError("no selected run ended, so its length and its waits are unknown; popscope top --of steps has the "
                      "recorded steps");
  const CycleSums loss = totalsOfRuns(request.report, times.runs);
  const bool timed =
      std::all_of(times.steps.begin(), times.steps.end(), [](const StepTime &s) { return s.known && s.timeKnown; });
  if (!loss.syncKnown() || !timed)
    throw AnswerError(whyNotTimed(request, times));
  const std::uint64_t all = request.report.compilation().target().tilesPerReplica();
  const std::uint64_t tiles =
      counted.empty() ? all : static_cast<std::uint64_t>(std::count(counted.begin(), counted.end(), true));
  constexpr std::uint64_t kMost = std::uint64_t(1) << 62;
  if (tiles == 0 || loss.cycles > kMost / tiles)
    throw AnswerError("the numbers of tiles and cycles in the profile are too large to add up");
  const std::uint64_t whole = tiles * loss.cycles;
  rows.fact("runs", std::uint64_t(times.runs.size()));
  rows.fact("cycles", loss.cycles, Unit::Cycles);
  rows.fact("tiles", tiles, Unit::Tiles);
  rows.fact("tileCycles", whole, Unit::TileCycles);
  rows.lines.emplace_back("{tiles} for {cycles} are {tileCycles}; each of them has one of these causes.");
  Table table{"causes",
              "Where they went",
              {{"cause", "Cause"}, {"tileCycles", "Tile cycles", Unit::TileCycles}, {"share", "Share", Unit::Percent}}};
  std::int64_t sum = 0;
  std::vector<Cause> causes; // one cause per row
  const auto add = [&](const char *name, Cause cause, bool always = false) {
    sum += cause.cycles;
    if (cause.cycles == 0 && !always)
      return;
    causes.push_back(cause);
    const std::int64_t cycles = cause.cycles;
    table.rows.push_back(
        {name, cycles, cycles < 0 ? Cell(Unknown()) : Cell(Share{static_cast<std::uint64_t>(cycles), whole})});
  };
  const Paths paths = pathsOf(request, times, counted);
  const bool exact = paths.estimated.empty();
  if (!counted.empty() && !exact)
    throw AnswerError("the causes of waits on single tiles are not known: " + paths.whyNot +
                      "; leave out --tiles and --ipu");
  const auto worked = [&](StepCause kind, std::uint64_t ofAll) {
    const auto at = paths.all.work.find(kind);
    return Cause{kind, false,
                 static_cast<std::int64_t>(counted.empty()              ? ofAll
                                           : at == paths.all.work.end() ? 0
                                                                        : at->second)};
  };
  if (counted.empty() && loss.threadsKnown) {
    add("compute: threads at work", {StepCause::Compute, false, static_cast<std::int64_t>(loss.threads)}, true);
    add("compute: idle threads", {StepCause::Compute, false, static_cast<std::int64_t>(loss.compute - loss.threads)},
        true);
  } else
    add("compute, idle threads included", worked(StepCause::Compute, loss.compute), true);
  std::map<StepCause, std::uint64_t> waits = paths.all.waits;
  waits[StepCause::Barrier] = paths.all.released;
  addWaiting(times, paths.estimated, tiles, waits);
  const auto waited = [&waits](StepCause kind) {
    const auto at = waits.find(kind);
    return Cause{kind, true, static_cast<std::int64_t>(at == waits.end() ? 0 : at->second)};
  };
  add("compute: waiting for slower tiles", waited(StepCause::Compute), true);
  add("exchange: sending and receiving", worked(StepCause::Exchange, loss.exchange), true);
  add("exchange: waiting for longer exchanges", waited(StepCause::Exchange), true);
  add("between IPUs: sending and receiving", worked(StepCause::GlobalExchange, loss.global));
  add("between IPUs: waiting", waited(StepCause::GlobalExchange));
  add("host: copying", worked(StepCause::HostExchange, loss.host));
  add("host: waiting for tiles that copy", waited(StepCause::HostExchange));
  add("waiting for the host", waited(StepCause::HostWait));
  add("barriers", waited(StepCause::Barrier), true);
  add("control flow", waited(StepCause::Control));
  add("counters: reading them", {{}, false, static_cast<std::int64_t>(paths.all.counters)});
  add("counters: waiting for tiles that read them", {{}, true, static_cast<std::int64_t>(paths.all.waitedForCounters)});
  const std::int64_t rest = static_cast<std::int64_t>(whole) - sum;
  add(rest < 0 ? "not explained by the steps in the file" : "after the last step",
      {{}, false, rest}); // negative if the file does not contain all steps
  const std::uint64_t counters = exact ? 0 : totalsOfRuns(request.report, paths.estimated).counters;
  if (counters != 0) {
    rows.fact("countersTileCycles", counters, Unit::TileCycles);
    rows.lines.emplace_back(
        "Of what is shown as waiting, {countersTileCycles} were spent on reading counters of instrumentation.");
  }
  rows.tables.push_back(table);
  rows.tables.push_back(bounds(times));
  if (exact)
    addPath(request, times, paths.all, counted, whole, moved, rows);
  rows.tables.push_back(savings(request, times, all, exact ? &paths.trial : nullptr, moved));
  const FlopColumns flops(request);
  if (!flops.empty())
    rows.tables.push_back(roofline(request, flops, times, all, moved));
  if (!counted.empty())
    rows.notes.emplace_back("the path, its steps and the balance cover all tiles; the causes cover the chosen tiles");
  if (exact) {
    rows.notes.emplace_back(
        "cycles are estimates; a waiting tile is counted under what the last busy tile does in that time");
    rows.notes.emplace_back("for the balance of a step, the runs are replayed with its mean work on all tiles; giving "
                            "work to idle threads can save more. The work of exchanges and host copies contains "
                            "latency and set-up, which more tiles do not divide: they save at most these cycles");
    rows.notes.emplace_back("slack is the number of cycles by which each execution of this step alone could take "
                            "longer without making the run longer");
  } else {
    rows.notes.emplace_back(
        "cycles are estimates; while a tile works in a later step, it does not count as waiting for an earlier one");
    rows.notes.emplace_back("the critical path is not known: " + paths.whyNot);
    if (const std::size_t replayed = times.runs.size() - paths.estimated.size(); replayed != 0)
      rows.notes.emplace_back("the waits of " + std::to_string(replayed) + " of the " +
                              std::to_string(times.runs.size()) +
                              " runs come from a replay, and those of the other runs are estimates");
  }
  noteReplica(rows, request);
  if (flops.empty())
    rows.notes.push_back(flops.whyNone() + ", so there is no roofline");
  flops.addNote(rows);
  MeasuredColumn(request.report).addNote(rows);
  std::optional<std::size_t> slowest;
  if (exact && !paths.all.cyclesOfTile.empty())
    slowest = static_cast<std::size_t>(std::max_element(paths.all.cyclesOfTile.begin(), paths.all.cyclesOfTile.end()) -
                                       paths.all.cyclesOfTile.begin());
  suggestByCause(request, std::move(causes), whole, slowest, rows);
  return rows;
}

} // namespace popscope
