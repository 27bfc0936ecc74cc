#include "report/whatif/WhatIfAnswers.hpp"

#include "report/answers/MovedNames.hpp"
#include "report/answers/Ranking.hpp"
#include "report/answers/RunsAnswer.hpp"
#include "report/whatif/MachineChange.hpp"
#include "report/whatif/Recost.hpp"
#include "target-models/model/Architectures.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/ranges.h>

namespace popscope {
namespace {

constexpr std::size_t kUsualRecosted = 10;
constexpr std::size_t kEvery = static_cast<std::size_t>(-1);

struct RecostedProgram {
  const StepProgramInfo *info = nullptr;
  std::uint64_t executions = 0;
  std::span<const std::uint64_t> parts; // parts of the runs' length, per machine
};

/// The result for all selected runs. The first machine is the recorded one.
struct Recosted {
  std::vector<std::size_t> runs;
  std::uint64_t before = 0;
  std::vector<std::uint64_t> after;      // per machine
  std::vector<RecostedProgram> programs; // programs that were executed, by ascending id
  std::vector<std::uint64_t> parts;      // storage of the programs' parts
};

// Re-simulates the selected runs and sums up the parts of steps by program and machine. Throws AnswerError if the
// recorded machine does not give the recorded cycles.
Recosted recost(const Request &request, StepPrograms &programs, MachineCosts &costs, Rows &rows) {
  Recosted all;
  all.runs = runsToRecost(request.report, request.selection, rows);
  const std::size_t machines = costs.machines();
  all.after.resize(machines);
  std::map<std::size_t, std::size_t> positions; // by id: position in all.programs
  for (const std::size_t run : all.runs) {
    const RunReplay replay(request.report, programs, run);
    const std::vector<std::vector<std::uint64_t>> parts = recostRun(replay, run, costs);
    all.before += replay.length();
    for (std::size_t s = 0; s < replay.steps(); ++s) {
      const StepProgramInfo *info = replay.program(s).info;
      const auto [at, isNew] = positions.try_emplace(info->id, all.programs.size());
      if (isNew) {
        all.programs.push_back({info, 0, {}});
        all.parts.resize(all.parts.size() + machines);
      }
      ++all.programs[at->second].executions;
      std::uint64_t *sums = &all.parts[at->second * machines];
      for (std::size_t m = 0; m < machines; ++m) {
        sums[m] += parts[m][s];
        all.after[m] += parts[m][s];
      }
    }
  }
  for (std::size_t i = 0; i < all.programs.size(); ++i)
    all.programs[i].parts = std::span(all.parts).subspan(i * machines, machines);
  std::sort(all.programs.begin(), all.programs.end(),
            [](const RecostedProgram &a, const RecostedProgram &b) { return a.info->id < b.info->id; });
  if (all.after.front() != all.before)
    throw AnswerError("the profile's machine gives " + cellText(all.after.front()) + " cycles where " +
                      cellText(all.before) + " were recorded: costs cannot be distinguished");
  return all;
}

/// Adds a note if a device counted the control flow of a selected run. The counters take time that no step contains. If
/// tiles that wait hide this time, the run can be re-simulated, but on another machine the time may not be hidden.
void noteControlCounters(const Request &request, const Recosted &all, Rows &rows) {
  if (request.report.compilation().target().type() != pva::Target::Type::Ipu)
    return;
  const auto runs = request.report.execution().runs();
  if (std::any_of(all.runs.begin(), all.runs.end(), [&](std::size_t run) { return !runs[run].controlFlow().empty(); }))
    rows.notes.emplace_back(
        "no step contains the time of the counters of control flow, so the cycles on the other machine can differ; to "
        "avoid this, record with debug.instrumentControlFlow set to \"false\"");
}

std::int64_t difference(std::uint64_t before, std::uint64_t after) {
  return static_cast<std::int64_t>(after) - static_cast<std::int64_t>(before);
}

std::uint64_t sizeOf(std::int64_t change) { return static_cast<std::uint64_t>(change < 0 ? -change : change); }

std::uint64_t nanoseconds(std::uint64_t cycles, double clockHz) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(cycles) * 1e9 / clockHz));
}

Table kindsTable(const Recosted &all) {
  std::map<StepCause, std::pair<std::uint64_t, std::uint64_t>> kinds;
  for (const RecostedProgram &program : all.programs) {
    kinds[program.info->kind].first += program.parts[0];
    kinds[program.info->kind].second += program.parts[1];
  }
  Table table{"kinds",
              "Length of the runs by kind of step",
              {{"kind", "Kind of step"},
               {"before", "Recorded", Unit::Cycles},
               {"after", "Other machine", Unit::Cycles},
               {"change", "Change", Unit::Cycles}}};
  for (const auto &[kind, cycles] : kinds)
    if (cycles.first != 0 || cycles.second != 0)
      table.rows.push_back({stepCauseName(kind), cycles.first, cycles.second, difference(cycles.first, cycles.second)});
  return table;
}

Table changedSteps(const Request &request, const Recosted &all) {
  const NumberSet steps = selectedSteps(request.selection);
  Ranking ranking({"steps",
                   "Steps that change most",
                   {{"step", "Step", Unit::Id},
                    {"program", "Program"},
                    {"executions", "Executions"},
                    {"before", "Recorded", Unit::Cycles},
                    {"after", "Other machine", Unit::Cycles},
                    {"change", "Change", Unit::Cycles}}});
  MovedNames names(request.report);
  for (const RecostedProgram &program : all.programs) {
    if (!steps.contains(program.info->id) || !names.matches(request.selection.name, *program.info))
      continue;
    const std::uint64_t before = program.parts[0], after = program.parts[1];
    const std::int64_t change = difference(before, after);
    if (change != 0)
      ranking.add(sizeOf(change), {std::uint64_t(program.info->id), names.titleOf(*program.info), program.executions,
                                   before, after, change});
  }
  return ranking.take(request.selection.countOr(kUsualRecosted));
}

/// Adds the table that states how many tiles fit into another memory size. Addresses stay as they are. A tile whose
/// addresses end at or below the size does not change. A tile that holds more bytes than the size at one step cannot
/// fit. Other tiles must be packed again.
void addMemory(const Request &request, std::uint64_t bytes, Rows &rows) {
  std::uint64_t fits = 0, never = 0, open = 0, worst = 0, worstBytes = 0;
  const auto tiles = request.report.compilation().tiles();
  const std::size_t count = tileCount(request.report);
  Ranking ranking({"memory",
                   "Tiles that end above the other memory",
                   {{"tile", "Tile", Unit::Id},
                    {"upTo", "Up to", Unit::Bytes},
                    {"mostLive", "Most at once", Unit::Bytes},
                    {"over", "Too much", Unit::Bytes},
                    {"fits", "Fits"}}});
  const std::vector<bool> chosen = tileMask(request.report, request.selection);
  for (std::size_t t = 0; t < count; ++t) {
    if (!chosen[t])
      continue;
    const auto memory = tiles[t].memory();
    const std::uint64_t upTo = memory.total().includingGaps();
    const std::uint64_t most = memory.alwaysLiveBytes() + memory.notAlwaysLiveBytes();
    if (upTo <= bytes) {
      ++fits;
      continue;
    }
    (most > bytes ? never : open) += 1;
    if (upTo > worstBytes) {
      worst = t;
      worstBytes = upTo;
    }
    ranking.add(upTo, {std::uint64_t(t), upTo, most, most > bytes ? most - bytes : 0,
                       std::string(most > bytes ? "no" : "unknown: pack it again")});
  }
  rows.fact("tileMemory", bytes, Unit::Bytes);
  rows.fact("tilesThatFit", fits, Unit::Tiles);
  rows.fact("tilesThatDoNotFit", never, Unit::Tiles);
  rows.fact("tilesNotKnown", open, Unit::Tiles);
  if (never + open == 0) {
    rows.lines.emplace_back(request.selection.everyTile()
                                ? "With {tileMemory} per tile, all tiles fit as they are laid out."
                                : "With {tileMemory} per tile, the chosen {tilesThatFit} fit as they are laid out.");
    return;
  }
  rows.fact("fullestTile", std::uint64_t(worst), Unit::Id);
  rows.lines.emplace_back("!With {tileMemory} per tile, {tilesThatFit} fit as they are laid out, {tilesThatDoNotFit} "
                          "cannot, and {tilesNotKnown} would have to be packed again.");
  rows.tables.push_back(ranking.take(request.selection.countOr(kUsualRecosted)));
}

void addKept(const MachineCosts &costs, Rows &rows) {
  for (const std::string &kept : costs.kept())
    rows.notes.push_back("not computed again, because the file does not contain its cost: " + kept);
}

/// Returns the text of a note that states which figures another number of worker threads changes, and which figures
/// stay.
std::string workersNote(const MachineCosts &costs) {
  const std::string lacks = "because the file does not contain their worker slots, which are recorded on an IPU Model "
                            "and at the level \"vertex\" of debug.computeInstrumentationLevel";
  if (costs.computeSetsKept() && !costs.computeSetsDealt())
    return "the compute sets keep their recorded cycles, " + lacks +
           "; with another number of worker threads, only the reads of counters take other cycles";
  return "worker vertices are assigned to threads again; supervisor vertices and MultiVertices keep their cycles, and "
         "stacks keep their bytes; a copy on a tile keeps its parts, whose number depends on the threads when it is "
         "compiled" +
         (costs.computeSetsKept() ? "; some compute sets keep their recorded cycles, " + lacks : "");
}

} // namespace

// Collects the fields that differ, the change of the runs' length by cause and step, and tiles that another memory size
// affects.
Rows collectWhatIf(const Request &request) {
  Rows rows("whatif");
  const TileMachine recorded = recordedMachine(request.report);
  if (std::none_of(request.options.begin(), request.options.end(), [](const auto &o) { return !o.second.empty(); }))
    throw AnswerError("nothing is changed; give another machine (--machine ipu1) or a constant of it, such as "
                      "--workers 4; popscope whatif --help lists them");
  std::vector<std::string> withoutEffect;
  const TileMachine other = machineOf(request, recorded, withoutEffect);
  MachineCosts costs(request.report, {recorded, other});
  StepPrograms programs;
  const Recosted all = recost(request, programs, costs, rows);
  rows.fact("runs", std::uint64_t(all.runs.size()));
  rows.fact("cyclesRecorded", all.before, Unit::Cycles);
  rows.fact("cycles", all.after[1], Unit::Cycles);
  rows.fact("change", difference(all.before, all.after[1]), Unit::Cycles);
  rows.fact("timeRecorded", nanoseconds(all.before, recorded.clockHz), Unit::Nanoseconds);
  rows.fact("time", nanoseconds(all.after[1], other.clockHz), Unit::Nanoseconds);
  rows.lines.emplace_back(
      "Recorded: {cyclesRecorded}, {timeRecorded}. With the other machine: {cycles}, {time}; change: {change}.");
  Table constants{
      "machine", "What is different", {{"field", "Field"}, {"before", "Recorded"}, {"after", "Other machine"}}};
  std::vector<std::string> ignored;
  for (const MachineDifference &d : machineDifferences(recorded, other)) {
    constants.rows.push_back({d.path, d.before, d.after});
    if (!isCosted(d.path, recorded) && d.path != "/name")
      ignored.push_back(d.path);
  }
  rows.tables.push_back(kindsTable(all));
  rows.tables.push_back(changedSteps(request, all));
  if (other.bytesPerTile != recorded.bytesPerTile)
    addMemory(request, other.bytesPerTile, rows);
  else if (!request.selection.everyTile())
    throw AnswerError("--tiles and --ipu select tiles that are compared with --tile-memory; give --tile-memory, too");
  rows.tables.push_back(std::move(constants));
  rows.notes.emplace_back("mapping, exchanges, code and the cycles of each vertex are as they were compiled; control "
                          "flow is that of the recorded runs");
  rows.notes.insert(rows.notes.end(), withoutEffect.begin(), withoutEffect.end());
  if (other.workerContexts != recorded.workerContexts)
    rows.notes.push_back(workersNote(costs));
  if (other.tilesPerIpu != recorded.tilesPerIpu)
    rows.notes.emplace_back(
        "the program keeps its tiles; only distances between tiles and the times of syncs are those of an IPU with " +
        std::to_string(other.tilesPerIpu) + " tiles, which all take part in syncs");
  if (other.clockHz != recorded.clockHz)
    rows.notes.emplace_back("rates of the host and of links are in bytes per cycle: they scale with the clock");
  if (other.exchange.busSharing && !recorded.exchange.busSharing)
    rows.notes.emplace_back(
        "the file does not contain which tiles could share a bus, so each tile receives on its own bus");
  noteControlCounters(request, all, rows);
  addKept(costs, rows);
  if (!ignored.empty())
    rows.notes.push_back(fmt::format("not computed again: the effects of {}", fmt::join(ignored, ", ")));
  rows.next = {commandFor(request, "sensitivity")};
  suggest(rows, request, "loss");
  return rows;
}

namespace {

/// A constant of the machine, to be halved and doubled. `title`: the field of a model; on a device, another field may
/// give the value (fieldInEffect). `meaning`: the constant in words, and how to change the program if another value of
/// the constant saves cycles. `whole`: whether the value must be a whole number.
struct Constant {
  const char *title, *meaning;
  double (*get)(const TileMachine &);
  void (*set)(TileMachine &, double);
  bool whole = true;
  bool always = true; // false: the answer has no line for a machine in which the value is 0
};

std::uint32_t count(double value) { return static_cast<std::uint32_t>(std::llround(value)); }

// The table of constants, each with its getter and setter.
const std::vector<Constant> &constants() {
  using M = TileMachine;
  static const std::vector<Constant> all = {
      {"/workerContexts",
       "worker threads of a tile. They take turns: a thread executes one instruction in this many cycles. If fewer "
       "threads save cycles, tiles have too few vertices in a compute set: split vertices, or derive their classes "
       "from MultiVertex",
       [](const M &m) { return double(m.workerContexts); }, [](M &m, double v) { m.workerContexts = count(v); }},
      {"/exchange/bytesPerCycle",
       "bytes that a tile sends or receives in a cycle. If more bytes save cycles, exchanges move much data to one "
       "tile or from one tile: map data to the tiles that use it, and spread it over tiles",
       [](const M &m) { return double(m.exchange.bytesPerCycle); },
       [](M &m, double v) { m.exchange.bytesPerCycle = count(v); }},
      {"/exchange/perMessageCycles",
       "cycles for a change of the sender or the address between two received messages. If fewer cycles help, tiles "
       "receive many small messages: keep neighbouring elements on one tile",
       [](const M &m) { return double(m.exchange.perMessageCycles); },
       [](M &m, double v) { m.exchange.perMessageCycles = count(v); }},
      {"/exchange/minLatencyCycles",
       "cycles until the first word of an exchange arrives from a neighbour. If fewer cycles help, there are many "
       "small exchanges: join copies, and map data to the tiles that use it",
       [](const M &m) { return double(m.exchange.minLatencyCycles); },
       [](M &m, double v) { // the latency of the furthest tiles changes by the same amount
         m.exchange.maxLatencyCycles += count(v) - m.exchange.minLatencyCycles;
         m.exchange.minLatencyCycles = count(v);
       }},
      {"/sync/minDelayCycles",
       "cycles from the last arrival at a barrier to the release of the nearest tile. If fewer cycles help, there are "
       "many short steps: put independent vertices into one compute set",
       [](const M &m) { return double(m.sync.minDelayCycles); },
       [](M &m, double v) {
         m.sync.maxDelayCycles += count(v) - m.sync.minDelayCycles;
         m.sync.minDelayCycles = count(v);
       }},
      {"/sync/globalCycles",
       "further cycles of a barrier between IPUs. If fewer cycles help, use fewer exchanges between IPUs",
       [](const M &m) { return double(m.sync.globalCycles); }, [](M &m, double v) { m.sync.globalCycles = count(v); }},
      {"/host/setupCycles",
       "cycles to set up a stream copy. If fewer cycles help, use fewer stream copies and move more data with each",
       [](const M &m) { return double(m.host.setupCycles); }, [](M &m, double v) { m.host.setupCycles = count(v); }},
      {"/host/beginCycles",
       "cycles for which a stream copy of a device waits for the host before it begins. If fewer cycles help, use "
       "fewer stream copies and move more data with each",
       [](const M &m) { return double(m.host.beginCycles); }, [](M &m, double v) { m.host.beginCycles = count(v); },
       true, false},
      {"/host/endCycles",
       "cycles for which a stream copy of a device waits for the host at its end. If fewer cycles help, use fewer "
       "stream copies and move more data with each",
       [](const M &m) { return double(m.host.endCycles); }, [](M &m, double v) { m.host.endCycles = count(v); }, true,
       false},
      {"/host/singlePacketBytesPerCycle",
       "bytes that a stream copy moves in a cycle within one packet, that is, from one tile or to one tile. If more "
       "bytes save cycles, copy fewer bytes, for example in half precision",
       [](const M &m) { return m.host.singlePacketBytesPerCycle; },
       [](M &m, double v) { m.host.singlePacketBytesPerCycle = v; }, false},
      {"/host/bytesPerCycle",
       "bytes that a stream copy moves in a cycle, of all tiles together. If more bytes save cycles, copy fewer bytes, "
       "for example in half precision",
       [](const M &m) { return m.host.bytesPerCycle; }, [](M &m, double v) { m.host.bytesPerCycle = v; }, false},
      {"/link/setupCycles",
       "cycles to set up a transfer between IPUs. If fewer cycles help, use fewer copies between IPUs and move more "
       "data with each",
       [](const M &m) { return double(m.link.setupCycles); }, [](M &m, double v) { m.link.setupCycles = count(v); }},
      {"/link/latencyCycles",
       "cycles for each hop from an IPU to another. If fewer cycles help, use fewer copies between IPUs, or use "
       "neighbouring IPUs",
       [](const M &m) { return double(m.link.latencyCycles); },
       [](M &m, double v) { m.link.latencyCycles = count(v); }},
      {"/link/bytesPerCycle",
       "bytes that go from an IPU to another in a cycle. If more bytes save cycles, move fewer bytes between IPUs",
       [](const M &m) { return m.link.bytesPerCycle; }, [](M &m, double v) { m.link.bytesPerCycle = v; }, false},
  };
  return all;
}

std::string numberText(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.')
    text.pop_back();
  return text;
}

/// Returns the flags of `popscope whatif` for a machine in which this constant has this value.
std::string flagsFor(const Constant &constant, double value, const TileMachine &recorded) {
  const std::string title = constant.title, text = numberText(value);
  if (title == "/workerContexts")
    return "--workers " + text;
  if (title == "/exchange/bytesPerCycle")
    return "--exchange-bytes-per-cycle " + text;
  if (title == "/sync/minDelayCycles")
    return "--sync-delay " + text;
  std::string flags = "--set " + fieldInEffect(recorded, title).substr(1) + "=" + text;
  if (title == "/exchange/minLatencyCycles") { // Constant::set changes both latencies
    TileMachine machine = recorded;
    constant.set(machine, value);
    flags += "," + fieldInEffect(recorded, "/exchange/maxLatencyCycles").substr(1) + "=" +
             std::to_string(machine.exchange.maxLatencyCycles);
  }
  return flags;
}

} // namespace

// Makes two machines per constant, with half and twice its value, and re-simulates all of them together. Ranks
// constants by the larger change.
Rows collectSensitivity(const Request &request) {
  Rows rows("sensitivity");
  const TileMachine recorded = recordedMachine(request.report);
  std::vector<TileMachine> machines{recorded};
  struct Asked {
    const Constant *constant;
    double value[2];
    std::size_t machine[2]; // 0 = no such machine
  };
  std::vector<Asked> asked;
  for (const Constant &constant : constants()) {
    const double value = constant.get(recorded);
    if (value == 0 && !constant.always)
      continue;
    Asked a{&constant, {value / 2, value * 2}, {0, 0}};
    for (int i = 0; i < 2; ++i) {
      a.value[i] = constant.whole ? std::floor(a.value[i]) : a.value[i];
      if (a.value[i] == value || value == 0)
        continue;
      TileMachine machine = recorded;
      constant.set(machine, a.value[i]);
      try {
        validateTileMachine(machine);
      } catch (const std::exception &) {
        continue; // there is no such machine, so the result is unknown
      }
      a.machine[i] = machines.size();
      machines.push_back(std::move(machine));
    }
    asked.push_back(a);
  }
  StepPrograms programs;
  MachineCosts costs(request.report, std::move(machines));
  const Recosted all = recost(request, programs, costs, rows);
  rows.fact("runs", std::uint64_t(all.runs.size()));
  rows.fact("cycles", all.before, Unit::Cycles);
  rows.lines.emplace_back("How the recorded {cycles} change when one constant of the machine is halved or doubled.");
  const NumberSet steps = selectedSteps(request.selection);
  const auto cyclesOn = [&](std::size_t machine) { // cycles of the selected steps, or of the whole runs
    if (steps.everything())
      return all.after[machine];
    std::uint64_t sum = 0;
    for (const RecostedProgram &program : all.programs)
      sum += steps.contains(program.info->id) ? program.parts[machine] : 0;
    return sum;
  };
  const std::uint64_t before = cyclesOn(0);
  if (!steps.everything()) {
    rows.fact("cyclesOfSteps", before, Unit::Cycles);
    rows.lines.emplace_back("The selected steps take {cyclesOfSteps} of these; the changes are changes of this part.");
  }
  Ranking ranking({"constants",
                   "Constants of the machine",
                   {{"field", "Field"},
                    {"value", "Recorded"},
                    {"halved", "Halved", Unit::Cycles},
                    {"halvedShare", "Of all", Unit::Percent},
                    {"doubled", "Doubled", Unit::Cycles},
                    {"doubledShare", "Of all", Unit::Percent},
                    {"meaning", "Meaning", Unit::None, false}}});
  std::string proposal; // the change that saves the most cycles
  std::uint64_t saved = 0;
  for (const Asked &a : asked) {
    const std::string field = fieldInEffect(recorded, a.constant->title);
    if (!nameMatches(request.selection.name, field))
      continue;
    std::vector<Cell> row{field, numberText(a.constant->get(recorded))};
    std::uint64_t most = 0;
    for (int i = 0; i < 2; ++i) {
      const std::size_t machine = a.machine[i];
      if (machine == 0) {
        row.emplace_back(Unknown());
        row.emplace_back(Unknown());
        continue;
      }
      const std::int64_t change = difference(before, cyclesOn(machine));
      most = std::max(most, sizeOf(change));
      if (change < 0 && sizeOf(change) > saved) {
        saved = sizeOf(change);
        proposal = flagsFor(*a.constant, a.value[i], recorded);
      }
      row.emplace_back(change);
      row.emplace_back(Share{sizeOf(change), before});
    }
    row.emplace_back(std::string(a.constant->meaning));
    ranking.add(most, std::move(row));
  }
  rows.tables.push_back(ranking.take(request.selection.countOr(kEvery)));
  for (const auto &row : rows.tables.back().rows)
    rows.picture.push_back(std::get<std::string>(row.front()) + ": " + std::get<std::string>(row.back()));
  rows.notes.emplace_back("half of a whole number is rounded down; if the smallest latency or delay changes, those of "
                          "more distant tiles change by the same amount");
  rows.notes.emplace_back("memory, code, copy vertices and the cycles of codelets are not computed again; the clock "
                          "changes time, not cycles");
  noteControlCounters(request, all, rows);
  addKept(costs, rows);
  if (costs.computeSetsKept())
    rows.notes.push_back("/workerContexts: " + workersNote(costs));
  if (!proposal.empty())
    rows.next.push_back(commandFor(request, "whatif", proposal));
  suggest(rows, request, "loss");
  return rows;
}

namespace {

std::vector<const char *> builtInMachines() {
  std::vector<const char *> names;
  for (const Architecture &one : architectures())
    if (!one.isHost())
      names.push_back(one.name.c_str());
  return names;
}

} // namespace

// The table of the views of this module.
const std::vector<ViewRow> &whatIfViews() {
  static const std::vector<ViewRow> rows = {
      {.name = "whatif",
       .help = "Estimate the recorded runs for another machine",
       .options =
           {{"--machine", builtInMachines(), "FILE", "",
             "Built-in machine, or a machine file (see docs/MACHINES.md); the other flags change this machine; "
             "default: the profile's machine"},
            viewOption("--tile-memory", "BYTES", "Memory of a tile: 524288, 512K or 1M; default: the machine's value"),
            viewOption("--clock", "HZ", "Clock of the tiles: 1.85e9; default: the machine's value"),
            viewOption("--workers", "N", "Worker threads of a tile; default: the machine's value"),
            viewOption("--exchange-bytes-per-cycle", "N",
                       "Bytes that a tile sends or receives in a cycle; default: the machine's value"),
            viewOption("--sync-delay", "CYCLES",
                       "Cycles from the last arrival at a sync to the release of the nearest tile; default: the "
                       "machine's value"),
            {"--set",
             {},
             "FIELDS",
             "",
             "Other fields of the machine, such as exchange/perMessageCycles=2, separated by commas or each with "
             "its own --set; default: none",
             true}},
       .examples = {"whatif profile.pop --workers 4 --sync-delay 60", "whatif profile.pop --machine ipu1",
                    "whatif profile.pop --machine machine.json --json"},
       .collect = collectWhatIf},
      {.name = "sensitivity",
       .help = "Estimate how total cycles respond to each constant of the machine",
       .flags = kCount | kSteps | kRuns | kName,
       .examples = {"sensitivity profile.pop", "sensitivity profile.pop --runs 0 --csv"},
       .collect = collectSensitivity},
  };
  return rows;
}

} // namespace popscope
