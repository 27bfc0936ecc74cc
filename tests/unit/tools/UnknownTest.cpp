// Figures that a profile does not contain: no command prints them as 0. Runs that were cut short, steps without times,
// and tiles whose work was not recorded. Each expected figure follows from the steps that a case writes.
#include "KnownProfile.hpp"

#include <doctest/doctest.h>

using nlohmann::json;
using tools::Known;
using tools::knownCompilation;
using tools::table;

using namespace popscope;

namespace {

/// Returns a step of a program that takes `cycles` from `from` on, with the work of each tile.
StepRecord step(std::uint32_t program, std::uint64_t from, std::uint64_t cycles, std::vector<std::uint32_t> work,
                TimeDetail detail = TimeDetail::EveryTile) {
  StepOnIpu on;
  on.cycles = Cycles(cycles);
  on.allFromMin = on.allFromMax = on.activeFromMin = on.activeFromMax = Cycles(from);
  on.allToMin = on.allToMax = on.activeToMin = on.activeToMax = Cycles(from + cycles);
  on.detail = detail;
  for (const std::uint32_t one : work) {
    on.busyCycles += Cycles(one);
    on.activeTiles += one == 0 ? 0 : 1;
  }
  StepRecord record;
  record.program = program;
  record.ipus = {on};
  record.cyclesByTile = std::move(work);
  return record;
}

StepRecord withData(StepRecord record, std::uint64_t in, std::uint64_t out) {
  record.ipus[0].dataIn = Bytes(in);
  record.ipus[0].dataOut = Bytes(out);
  return record;
}

RunTotals totals(std::uint64_t cycles) {
  RunTotals t;
  t.totalCycles = Cycles(cycles);
  t.threadCycles = Cycles(0);
  return t;
}

/// Writes the known run first if `whole`, then a run of 30 cycles that was cut short: the exchange and "fast".
void writeCut(const Known &known, const char *name, bool whole, CompilationRecord record = knownCompilation()) {
  PopWriter writer(known.place.file(name));
  record.optimisations.push_back({"InsertInstrumentation", "bytes", 0, 8});
  writer.compilation(record);
  if (whole)
    tools::recordKnownRun(writer, "train");
  writer.beginRun({"cut", 0, 0, 0});
  writer.step(step(2, 0, 10, {10, 6, 4, 0}));
  writer.step(step(3, 10, 20, {20, 20, 0, 0}));
  writer.cutRun();
  writer.finish();
}

/// Writes "silent.pop", the known run as the counters record it if the cycles of the vertices of "fast" are unknown.
void writeSilent(const Known &known) {
  PopWriter writer(known.place.file("silent.pop"));
  writer.compilation(knownCompilation());
  writer.beginRun({"train", 0, 0, 0});
  writer.step(step(1, 0, 20, {}));
  writer.step(step(2, 20, 10, {10, 6, 4, 0}));
  StepRecord fast = step(3, 30, 20, {20, 20, 0, 0}, TimeDetail::Nothing);
  fast.cyclesByTile.clear();
  fast.vertexTypes = {{0, 4, std::nullopt}};
  writer.step(fast);
  writer.step(step(1, 50, 10, {}));
  writer.step(step(4, 60, 40, {0, 0, 0, 40}));
  RunTotals t = totals(100);
  t.totalKnown = t.computeKnown = false;
  t.threadCycles.reset();
  t.exchange = Cycles(20);
  writer.endRun(t, 0);
  writer.cycleSources({{0, 0, "", 4, "it could not be compiled", 0, 0}, {1, 1, "codelet", 1, "", 0, 0}});
  writer.finish();
}

/// Returns the answer of `popscope words... --json`.
json ask(const Known &known, std::vector<std::string> words) {
  words.emplace_back("--json");
  return json::parse(known.place.run("popscope", words).out);
}

std::map<std::string, json> numbersOf(const Known &known, const char *profile) {
  std::map<std::string, json> values;
  for (const json &row : table(ask(known, {"numbers", profile}), "numbers"))
    values[row["name"]] = row["value"];
  return values;
}

bool hasNote(const json &answer, const std::string &text) {
  for (const json &note : answer["notes"])
    if (note.get<std::string>().find(text) != std::string::npos)
      return true;
  return false;
}

} // namespace

TEST_SUITE("tools.unknown") {
  TEST_CASE("metrics that would contain vertices with unknown cycles are unknown, and limits on them fail") {
    const Known known;
    writeSilent(known);
    const auto ask = [&](std::vector<std::string> words) {
      words.insert(words.begin(), {"numbers", "silent.pop", "--json"});
      std::map<std::string, json> numbers;
      for (const json &row : table(json::parse(known.place.run("popscope", words).out), "numbers"))
        numbers[row["name"]] = row["value"];
      return numbers;
    };
    const auto all = ask({});
    for (const char *name :
         {"cycles", "cycles.compute", "cycles.threads", "cycles.sync", "computeSet.fast.cycles", "rest.cycles"})
      CHECK_MESSAGE(all.at(name).is_null(), std::string(name));
    CHECK(all.at("cycles.exchange") == 20);
    CHECK(all.at("computeSet.slow.cycles") == 40);
    CHECK(ask({"--tiles", "3"}).at("cycles.compute").is_null());
    CHECK(ask({"--steps", "4"}).at("cycles.compute") == 40); // only "slow"
    for (const char *name : {"cycles", "cycles.compute", "computeSet.fast.cycles"}) {
      known.place.write("budget.json", std::string(R"({"limits": {")") + name + R"(": {"max": 1000000}}})");
      CHECK_MESSAGE(known.place.run("popscope", {"check", "silent.pop", "--budget", "budget.json"}).exitCode == 1,
                    std::string(name));
      CHECK_MESSAGE(known.place.run("popscope", {"check", "known.pop", "--budget", "budget.json"}).exitCode == 0,
                    std::string(name));
    }
  }

  TEST_CASE("the option that leaves runs out is the first reason why a profile has none") {
    const Known known;
    CompilationRecord record = knownCompilation();
    record.options = {{"engine", "autoReport.outputExecutionProfile", "false", false}};
    PopWriter writer(known.place.file("none.pop"));
    writer.compilation(record);
    writer.finish();
    const std::string why = ask(known, {"info", "none.pop"})["facts"]["whyNoRun"];
    CHECK_MESSAGE(why.rfind("This file has no runs: autoReport.outputExecutionProfile is \"false\"", 0) == 0, why);
  }

  TEST_CASE("no view shows a lower bound of a step with unknown vertices, or of its run, as a figure") {
    const Known known;
    writeSilent(known);
    const auto sql = [&](const char *query) {
      return json::parse(known.place.run("popscope", {"sql", "silent.pop", query, "--json"}).out);
    };
    const auto only = [](const json &rows) { return rows.at(0); };
    CHECK(only(sql("SELECT cycles, max_cycles, busy_cycles FROM compute_set_cycles WHERE name = 'fast'")) ==
          json({{"cycles", nullptr}, {"max_cycles", nullptr}, {"busy_cycles", nullptr}}));
    CHECK(only(sql("SELECT total_cycles, compute, sync, exchange FROM execution_cycle_totals")) ==
          json({{"total_cycles", nullptr}, {"compute", nullptr}, {"sync", nullptr}, {"exchange", 20}}));
    const json runs = ask(known, {"runs", "silent.pop"});
    CHECK(runs["facts"]["cycles"].is_null());
    CHECK(table(runs, "runs")[0]["cycles"].is_null());
    CHECK(table(runs, "runs")[0]["tilesCompute"].is_null());
    const json info = ask(known, {"info", "silent.pop"});
    CHECK(info["facts"]["cycles"].is_null());
    CHECK(info["facts"]["tileBalance"].is_null());
    for (const json &cause : table(info, "causes"))
      CHECK(cause["share"].is_null());
    for (const json &row : table(ask(known, {"top", "silent.pop"}), "computeSets")) {
      CHECK(row["share"].is_null());
      CHECK(row["cycles"] == (row["name"] == "slow" ? json(40) : json()));
    }
    CHECK(table(ask(known, {"tree", "silent.pop"}), "programs")[0]["share"].is_null());
    CHECK(known.place.run("popscope", {"loss", "silent.pop"}).err.find("the cycles of some vertices are unknown") !=
          std::string::npos);
    const std::string unknown = "unknown, because the cycles of some vertices are unknown";
    const std::string summary = known.place.run("profile_summary", {"silent.pop"}).out;
    for (const char *label :
         {"Total cycles:                                  ", "Total compute cycles (including idle threads): ",
          "Total sync cycles:                             "})
      CHECK_MESSAGE(summary.find(label + unknown) != std::string::npos, summary);
    CHECK(summary.find("Total IPU exchange cycles:                     20") != std::string::npos);
    CHECK(summary.find("balance") == std::string::npos);
  }

  TEST_CASE("numbers of a profile whose only run was cut short are unknown, and every limit on them fails") {
    const Known known;
    writeCut(known, "cut.pop", false);
    auto numbers = numbersOf(known, "cut.pop");
    CHECK(numbers.at("runs") == 0); // runs that ended
    for (const char *name : {"cycles", "cycles.compute", "cycles.exchange", "cycles.sync", "cycles.counters",
                             "computeSet.fast.cycles", "step.DoExchange: in.cycles"}) {
      CAPTURE(name);
      CHECK(numbers.at(name).is_null());
    }
    known.place.write("budget.json", R"({"limits": {"cycles": {"max": 1000}, "computeSet.*.cycles": {"min": 0}}})");
    const auto check = known.place.run("popscope", {"check", "cut.pop", "--budget", "budget.json"});
    CHECK(check.exitCode == 1);
    CHECK(check.out.find("2 of 2 limits do not hold.\n") == 0);
    const json difference = ask(known, {"diff", "known.pop", "cut.pop"});
    CHECK(difference["facts"]["cyclesBefore"] == 100);
    CHECK(difference["facts"]["cyclesAfter"].is_null());
    // An increase over an unknown number is unknown, whatever the other profile has.
    for (const char *before : {"known.pop", "cut.pop"})
      CHECK(known.place.run("popscope", {"diff", before, "cut.pop", "--fail-on", "cycles+0%"}).exitCode == 1);
    CHECK(known.place.run("popscope", {"diff", "cut.pop", "known.pop", "--fail-on", "cycles+1000"}).exitCode == 1);
  }

  TEST_CASE("sums go over the runs that ended, and their number is the number of runs") {
    const Known known;
    writeCut(known, "both.pop", true);
    auto numbers = numbersOf(known, "both.pop");
    CHECK(numbers.at("runs") == 1);
    CHECK(numbers.at("cycles") == 100);
    CHECK(numbers.at("computeSet.fast.cycles") == 20);
    const json difference = ask(known, {"diff", "known.pop", "both.pop"});
    CHECK(difference["facts"]["differences"] == 0);
    CHECK(!hasNote(difference, "different numbers of runs"));
    CHECK(hasNote(difference, "after: 1 run was cut short and is in no sum of cycles"));
    for (const std::vector<std::string> &words : std::vector<std::vector<std::string>>{
             {"info", "both.pop"}, {"numbers", "both.pop"}, {"top", "both.pop"}, {"tree", "both.pop"}}) {
      CAPTURE(words[0]);
      CHECK(hasNote(ask(known, words), "1 run was cut short and is in no sum of cycles"));
    }
  }

  TEST_CASE("commands that show the steps of a run that was cut short say so, and name no command that refuses it") {
    const Known known;
    writeCut(known, "cut.pop", false);
    for (const std::vector<std::string> &words :
         std::vector<std::vector<std::string>>{{"info", "cut.pop"},
                                               {"top", "cut.pop"},
                                               {"top", "cut.pop", "--of", "steps"},
                                               {"tree", "cut.pop"},
                                               {"operators", "cut.pop"},
                                               {"exchange", "cut.pop"},
                                               {"overhead", "cut.pop"}}) {
      CAPTURE(words[0]);
      const json answer = ask(known, words);
      CHECK(hasNote(answer, "the run was cut short: its length is unknown"));
      for (const json &next : answer["next"])
        CHECK(next.get<std::string>().find("popscope loss") == std::string::npos);
    }
    CHECK(known.place.run("popscope", {"operators", "cut.pop"})
              .out.find("2 operators in recorded steps of 30 cycles together; no run ended.\n") == 0);
    const json overhead = ask(known, {"overhead", "cut.pop"});
    CHECK(overhead["facts"]["runs"] == 0);
    CHECK(overhead["facts"]["tileCycles"].is_null());
    for (const json &row : table(overhead, "time"))
      CHECK(row["tileCycles"].is_null());
  }

  TEST_CASE("if no run ended, the number of operations is known, but no rate and no share of the runs") {
    const Known known;
    CompilationRecord record = tools::knownOperations();
    record.machineCosts = {{"tile.floatFlopsPerCycle", 4, "operations per cycle"}};
    record.programs[2].type = "StreamCopyBegin";
    record.programs[2].barriers = {"host request"};
    writeCut(known, "cut.pop", false, record);
    writeCut(known, "both.pop", true, record);
    const json facts = ask(known, {"info", "cut.pop"})["facts"];
    CHECK(facts["operations"] == 60); // of "fast", which ran once
    for (const char *rate :
         {"cycles", "operationsPerCycle", "operationsPerSecond", "ofFloatPeak", "hostWait", "hostWaitShare"}) {
      CAPTURE(rate);
      CHECK(facts.at(rate).is_null());
    }
    const std::string info = known.place.run("popscope", {"info", "cut.pop"}).out;
    CHECK_MESSAGE(info.find("\nAt least 60 floating-point operations. Of the vertices that ran") != std::string::npos,
                  info);
    const json whole = ask(known, {"info", "both.pop"})["facts"]; // the known run ended: 60 + 16 in 100 cycles
    CHECK(whole["operationsPerCycle"] == 0.76);
    CHECK(!whole["ofFloatPeak"].is_null());
    CHECK(whole["hostWait"] == 10);
  }

  TEST_CASE("without the time at which a step begins, the cycles that it adds to the run are unknown") {
    const Known known;
    PopWriter writer(known.place.file("untimed.pop"));
    writer.compilation(knownCompilation());
    writer.beginRun({"train", 0, 0, 0});
    writer.step(step(2, 0, 10, {10, 6, 4, 0}, TimeDetail::Duration)); // its length is known, not its begin
    writer.step(step(3, 0, 0, {}, TimeDetail::Nothing));
    writer.endRun(totals(100), 0);
    writer.finish();
    CHECK(numbersOf(known, "untimed.pop").at("step.DoExchange: in.cycles").is_null());
    CHECK(table(ask(known, {"exchange", "untimed.pop"}), "exchanges")[0]["cycles"].is_null());
    CHECK(table(ask(known, {"tree", "untimed.pop", "--steps", "2"}), "programs")[1]["cycles"].is_null());
    for (const json &row : table(ask(known, {"top", "untimed.pop", "--of", "steps"}), "steps"))
      CHECK(row["cycles"].is_null());
    for (const json &row : table(ask(known, {"operators", "untimed.pop"}), "operators"))
      CHECK(row["selfTime"].is_null());
    const json operators = table(ask(known, {"operators", "untimed.pop", "--type", "DoExchange"}), "operators");
    REQUIRE(operators.size() == 1);
    CHECK(operators[0]["bandwidth"] == 0); // no bytes in the 10 cycles of the exchange, which are known
    const json exchange =
        table(ask(known, {"stats", "untimed.pop", "--report", "exchanges", "--aggregate-by", "none"}), "records")[0];
    CHECK(exchange["cycles"].is_null());
    CHECK(exchange["span"] == 10); // the length of the step itself
  }

  TEST_CASE("the work of tiles is unknown for each kind of step that was not recorded") {
    const Known known;
    PopWriter writer(known.place.file("kinds.pop"));
    writer.compilation(knownCompilation());
    writer.beginRun({"train", 0, 0, 0});
    writer.step(step(2, 0, 10, {10, 6, 4, 0}));
    writer.step(step(3, 10, 20, {}, TimeDetail::Longest)); // the counters of an IPU hold only the slowest tile
    writer.endRun(totals(30), 0);
    writer.finish();
    std::map<std::string, json> cycles; // on tile 1
    for (const json &row :
         table(ask(known, {"stats", "kinds.pop", "--report", "tile-cycles", "--aggregate-by", "none", "--tiles", "1"}),
               "records"))
      cycles[row["kind"]] = row["cycles"];
    REQUIRE(cycles.size() == 2);
    CHECK(cycles.at("exchange") == 6);
    CHECK(cycles.at("compute").is_null());
    for (const json &row : table(ask(known, {"top", "kinds.pop", "--of", "tiles", "--by", "cycles"}), "tiles"))
      CHECK(row["cycles"].is_null());
    for (const json &row :
         table(ask(known, {"top", "kinds.pop", "--of", "tiles", "--by", "cycles", "--steps", "2"}), "tiles"))
      CHECK(row["cycles"] == std::vector<int>{10, 6, 4, 0}[row["tile"].get<std::size_t>()]);
  }

  TEST_CASE("the free bytes of a tile that uses more than it has are 0, and its share is above 100 %") {
    const Known known;
    CompilationRecord record = knownCompilation();
    record.tiles[3].totalExcludingGaps = Bytes(1280); // of 1,024
    tools::writeKnown(known.place.file("over.pop"), record);
    const json tile = table(ask(known, {"top", "over.pop", "--of", "tiles"}), "tiles")[0];
    CHECK(tile["tile"] == 3);
    CHECK(tile["free"] == 0);
    CHECK(tile["share"] == 125.0);
    CHECK(table(ask(known, {"stats", "over.pop", "--report", "tiles", "--aggregate-by", "none", "--tiles", "3"}),
                "records")[0]["free"] == 0);
    CHECK(numbersOf(known, "over.pop").at("bytes.headroom") == -256);
  }

  TEST_CASE("a device without a run names the option that acts") {
    const Known known;
    const auto infoOf = [&](const std::string &counters, const std::string &execution) {
      CompilationRecord record = knownCompilation();
      record.target.type = "IPU";
      record.options = {{"engine", "debug.instrument", counters, counters == "false"},
                        {"engine", "autoReport.outputExecutionProfile", execution, false}};
      PopWriter writer(known.place.file("device.pop"));
      writer.compilation(record);
      writer.finish();
      return known.place.run("popscope", {"info", "device.pop"}).out;
    };
    CHECK(infoOf("false", "true")
              .find("compile it with debug.instrument set to \"true\". An executable from a file "
                    "keeps the counters with which it was compiled.") != std::string::npos);
    for (const char *counters : {"true", "false"}) { // counters alone record no run
      const std::string info = infoOf(counters, "false");
      CHECK(info.find("autoReport.outputExecutionProfile is \"false\"") != std::string::npos);
      CHECK(info.find("debug.instrument") == std::string::npos);
    }
  }

  TEST_CASE("overhead names what the records of blocks cost") {
    const Known known;
    CompilationRecord record = knownCompilation();
    record.optimisations.push_back({"InsertInstrumentation", "bytes", 0, 8});
    record.programTiles[2].counterCycles = {{0, 10}, {1, 10}};
    PopWriter writer(known.place.file("blocks.pop"));
    writer.compilation(record);
    writer.beginRun({"train", 0, 0, 0});
    writer.step(step(2, 0, 10, {10, 6, 4, 0}));
    RunTotals t = totals(100);
    t.unattributed = t.counterReads = Cycles(70); // 20 after the step, and 50 of blocks
    writer.endRun(t, 0);
    writer.finish();
    const json answer = ask(known, {"overhead", "blocks.pop"});
    CHECK(answer["facts"]["tileCyclesOfSteps"] == 20);
    CHECK(answer["facts"]["tileCyclesOfBlocks"] == 50);
  }

  TEST_CASE("overhead says that the sync of the levels ipu and device has no cycles") {
    const Known known;
    for (const char *level : {"vertex", "tile", "ipu", "device"}) {
      CAPTURE(level);
      CompilationRecord record = knownCompilation();
      record.optimisations.push_back({"InsertInstrumentation", "bytes", 0, 8});
      record.options.push_back({"engine", "debug.instrumentCompute", "true", false});
      record.options.push_back({"engine", "debug.computeInstrumentationLevel", level, false});
      PopWriter writer(known.place.file("level.pop"));
      writer.compilation(record);
      writer.finish();
      CHECK(hasNote(ask(known, {"overhead", "level.pop"}), "syncs after each compute set") ==
            (level == std::string("ipu") || level == std::string("device")));
    }
  }

  TEST_CASE("no source of cycles has a reason") {
    const Known known;
    CompilationRecord record = knownCompilation();
    const auto sourcesOf = [&](const CompilationRecord &of, bool run) {
      PopWriter writer(known.place.file("sources.pop"));
      writer.compilation(of);
      if (run)
        tools::recordKnownRun(writer, "train");
      writer.finish();
      return known.place.run("popscope", {"sources", "sources.pop"}).out;
    };
    CHECK(sourcesOf(record, true).find("recorded: run the program with profiling.\n") != std::string::npos);
    {
      PopWriter writer(known.place.file("cut.pop"));
      writer.compilation(record);
      writer.beginRun({"train", 0, 0, 0});
      writer.step(step(2, 0, 10, {10, 6, 4, 0}));
      writer.cutRun();
      writer.finish();
      CHECK(
          known.place.run("popscope", {"sources", "cut.pop"}).out.find("recorded, because no recorded run ended.\n") !=
          std::string::npos);
    }
    CHECK(sourcesOf(record, false).find("recorded, because no run was recorded. ") != std::string::npos);
    record.graph.numVertices = 0;
    CHECK(sourcesOf(record, true).find("recorded: the program has no vertices.\n") != std::string::npos);
  }

  TEST_CASE("steps of a program that never ran have unknown cycles") {
    const Known known;
    PopWriter writer(known.place.file("compiled.pop"));
    writer.compilation(knownCompilation());
    writer.finish();
    const json steps = table(ask(known, {"top", "compiled.pop", "--of", "steps"}), "steps");
    REQUIRE(steps.size() == 1); // the exchange, with its code
    CHECK(steps[0]["cycles"].is_null());
    CHECK(steps[0]["bytes"].is_null());
  }

  TEST_CASE("loss counts work that is hidden behind a barrier as no wait, and names a tile's time of 2^32 cycles") {
    const Known known;
    CompilationRecord record = knownCompilation();
    record.programs[1].barriers = {"internal"};
    record.syncDelays = {{"internal", false, {0, 0, 0, 0}, {20, 20, 20, 20}}};
    PopWriter writer(known.place.file("long.pop"));
    writer.compilation(record);
    writer.beginRun({"train", 0, 0, 0});
    constexpr std::uint64_t kLong = std::uint64_t(1) << 32;
    writer.step(step(1, 0, 20, {}));
    writer.step(step(2, 5, 10, {10, 0, 0, 0})); // ends with other tiles still in the barrier
    StepRecord slow = step(4, 20, kLong, {});   // 2^32 cycles on one tile, which need more than 32 bits
    slow.ipus[0].busyCycles = Cycles(kLong);
    slow.ipus[0].activeTiles = 1;
    writer.step(std::move(slow));
    RunTotals t = totals(kLong + 20);
    t.compute = Cycles(kLong);
    t.exchange = Cycles(10);
    t.sync = 4 * t.totalCycles - t.compute - t.exchange;
    writer.endRun(t, 0);
    writer.finish();
    const json answer = ask(known, {"loss", "long.pop"});
    std::map<std::string, std::int64_t> causes;
    for (const json &row : table(answer, "causes"))
      causes[row["cause"]] = row["tileCycles"];
    CHECK(causes == std::map<std::string, std::int64_t>{{"compute: threads at work", 0},
                                                        {"compute: idle threads", kLong},
                                                        {"compute: waiting for slower tiles", 3 * kLong},
                                                        {"exchange: sending and receiving", 10},
                                                        {"exchange: waiting for longer exchanges", 0},
                                                        {"barriers", 70}}); // 4 * 20 - 10
    CHECK(hasNote(answer, "the critical path is not known: step 4 takes 4,294,967,296 cycles, and a profile has no "
                          "cycles per tile for a step in which a tile works 2^32"));
  }

  TEST_CASE("a step in which the tiles together work more than 2^48 cycles is no fault of the profile") {
    const Known known;
    constexpr std::uint64_t kLong = std::uint64_t(1) << 47;
    const auto write = [&](std::uint64_t busy) {
      PopWriter writer(known.place.file("long.pop"));
      writer.compilation(knownCompilation());
      writer.beginRun({"train", 0, 0, 0});
      StepRecord slow = step(4, 0, kLong, {});
      slow.ipus[0].busyCycles = Cycles(busy);
      slow.ipus[0].activeTiles = 4;
      writer.step(slow);
      writer.step(step(1, kLong, 10, {}));
      writer.step(slow);
      RunTotals t = totals(2 * kLong + 10);
      t.compute = Cycles(8 * kLong);
      writer.endRun(t, 0);
      writer.finish();
    };
    write(4 * kLong);
    for (const std::vector<std::string> &words :
         {std::vector<std::string>{"info"}, {"numbers"}, {"top"}, {"tree"}, {"loss"}}) {
      std::vector<std::string> all = words;
      all.insert(all.begin() + 1, "long.pop");
      CAPTURE(words.front());
      const auto outcome = known.place.run("popscope", all);
      CHECK(outcome.err.empty());
      CHECK(outcome.exitCode == 0);
    }
    CHECK(table(ask(known, {"top", "long.pop", "--of", "steps", "--tiles", "0-3"}), "steps").size() != 0);
    write(~std::uint64_t(0) / 2); // the sum of two such steps exceeds 2^63 - 1
    tools::expectRefusal(known.place.run("popscope", {"top", "long.pop"}), "popscope top: ", "the profile is corrupt");
  }

  TEST_CASE("tree derives how often a loop ran a body without timed steps, if the run ended") {
    const Known known;
    CompilationRecord record = knownCompilation();
    const auto program = [&](const char *type, std::int64_t parent) {
      record.programs.emplace_back().type = type;
      record.programs.back().parent = parent;
    };
    program("RepeatWhile", 0); // 5
    program("Sequence", 5);    // 6, the condition
    program("Sync", 6);        // 7
    program("Sequence", 5);    // 8, the body
    const auto executions = [&](std::uint64_t tests, bool ends) {
      PopWriter writer(known.place.file("while.pop"));
      writer.compilation(record);
      writer.beginRun({"train", 0, 0, 0});
      writer.step(step(1, 0, 10, {})); // the Sequence runs once
      for (std::uint64_t i = 0; i < tests; ++i)
        writer.step(step(7, 10 + 10 * i, 10, {}));
      if (ends)
        writer.endRun(totals(10 + 10 * tests), 0);
      else
        writer.cutRun();
      writer.finish();
      return table(ask(known, {"tree", "while.pop"}), "programs")[8]["executions"];
    };
    CHECK(executions(1, true) == 0);
    CHECK(executions(3, true) == 2);
    CHECK(executions(1, false).is_null()); // the body may have stopped the run
  }

  TEST_CASE("tree derives the executions of an empty Sequence, if those of other steps determine them") {
    const Known known;
    CompilationRecord record = knownCompilation();
    const auto program = [&](const char *type, std::int64_t parent) {
      record.programs.emplace_back().type = type;
      record.programs.back().parent = parent;
    };
    program("Sequence", 0);       // 5
    program("If", 0);             // 6
    program("Sequence", 6);       // 7
    program("Sequence", 6);       // 8
    program("GlobalExchange", 8); // 9
    program("Switch", 0);         // 10
    program("Sequence", 10);      // 11
    program("Sequence", 10);      // 12
    program("Sync", 12);          // 13
    program("Sequence", 0);       // 14
    const auto executions = [&](bool ends) {
      PopWriter writer(known.place.file("empty.pop"));
      writer.compilation(record);
      writer.beginRun({"train", 0, 0, 0});
      for (const std::uint64_t start : {0, 20}) { // the Sequence runs twice
        writer.step(step(1, start, 10, {}));
        writer.step(step(13, start + 10, 10, {}));
      }
      if (ends)
        writer.endRun(totals(40), 0);
      else
        writer.cutRun();
      writer.finish();
      const json rows = table(ask(known, {"tree", "empty.pop"}), "programs");
      std::vector<json> of;
      for (const std::size_t id : {5, 7, 8, 9, 11, 12, 14})
        of.push_back(rows[id]["executions"]);
      return of;
    };
    // Every GlobalExchange that is executed is recorded, so the first branch of the If runs each time. The second branch
    // of the Switch runs as often as the Switch.
    CHECK(executions(true) == std::vector<json>{2, 2, 0, 0, 0, 2, 2});
    CHECK(executions(false) ==
          std::vector<json>{2, 2, 0, 0, 0, 2, nullptr}); // no step after 14 shows that the run came so far
  }

  TEST_CASE("the data of a step is half of the bytes sent and received, rounded once") {
    const Known known;
    CompilationRecord record = knownCompilation();
    record.programTiles[2].bytesSent = {{0, 5}};
    record.programTiles[2].bytesReceived = {{1, 3}, {2, 5}};
    PopWriter writer(known.place.file("odd.pop"));
    writer.compilation(record);
    writer.beginRun({"train", 0, 0, 0});
    for (std::uint64_t i = 0; i < 4; ++i)
      writer.step(withData(step(2, 10 * i, 10, {10, 6, 4, 0}), 8, 5));
    writer.endRun(totals(40), 0);
    writer.finish();
    const auto data = [&](std::vector<std::string> words) {
      words.insert(words.begin(), {"top", "odd.pop", "--of", "steps"});
      return table(ask(known, words), "steps")[0]["bytes"];
    };
    CHECK(data({}) == 26);                 // 4 * (8 + 5) / 2
    CHECK(data({"--tiles", "0-3"}) == 26); // all tiles
    CHECK(data({"--tiles", "0,1"}) == 16); // 4 * (5 + 3) / 2
    CHECK(data({"--tiles", "1"}) == 6);    // 4 * 3 / 2
  }
}
