// The views of popscope on a profile whose every figure is known: one IPU of 4 tiles of 1,024 bytes.
//
//   step            run                       work (cycles by tile)        live (always-live w: 50 B)
//   1 Sync          0-20, again 50-60         none                         -
//   2 DoExchange    20-30                     10, 6, 4, 0                  a
//   3 fast          30-50                     20, 20, 0, 0                 a, b
//   4 slow          60-100                    0, 0, 0, 40                  b
//
// a: 40 B on tile 0, 60 B on tile 3; b: 30 B on tile 3; w: 50 B on tile 1.
#include "RunProgram.hpp"

#include "base/StorageCategory.hpp"
#include "report/pop/PopFile.hpp"
#include "tests/unit/report/SmallProfile.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using nlohmann::json;
using tools::expectRefusal;
using tools::Workplace;

namespace {

using namespace popscope;

ProgramRecord program(const char *type, const char *name, std::int64_t parent, std::int64_t computeSet = -1) {
  ProgramRecord p;
  p.type = type;
  p.name = name;
  p.parent = parent;
  p.computeSet = computeSet;
  p.livenessPoint = parent >= 0;
  return p;
}

LiveVariableRecord variable(const char *name, std::uint64_t bytes, std::int64_t liveClass, TileValues byTile) {
  LiveVariableRecord v;
  v.name = name;
  v.bytes = bytes;
  v.category = "variable";
  v.alwaysLive = liveClass < 0;
  v.liveClass = liveClass;
  v.bytesByTile = std::move(byTile);
  return v;
}

LoweredVariableRecord place(std::int64_t variable, const char *name, std::uint64_t offset, std::uint64_t bytes, std::int64_t occupied) {
  LoweredVariableRecord v;
  v.variable = variable;
  v.name = name;
  v.tile = 3;
  v.offset = offset;
  v.bytes = bytes;
  v.alignment = 4;
  v.category = "variable";
  v.occupiedClass = occupied;
  return v;
}

CompilationRecord compilation() {
  CompilationRecord r;
  r.poplarVersion = "3.4.0 (test)";
  r.target = {"IPU_MODEL", "small", 1, 4, 1, 1024, 1e9, 6, 0};
  r.graph = {5, 10, 3, 2};
  r.vertexTypes = {{"Add", 8, 4, 64, {}, "codelet"}, {"Mul", 8, 1, 20, {}, "codelet"}};
  r.programs = {program("Sequence", "", -1), program("Sync", "", 0), program("DoExchange", "in", 0), program("OnTileExecute", "fast", 0, 0),
                program("OnTileExecute", "slow", 0, 1)};
  r.programs[2].bytesSent = {{0, 16}};
  r.programs[2].bytesReceived = {{1, 8}, {2, 8}};
  r.programs[2].exchangeCode = {{0, 12}, {1, 4}};
  r.computeSets = {{"fast", {{0, {{0, 2}, {1, 2}}}}, {}}, {"slow", {{1, {{3, 1}}}}, {}}};
  r.controlPrograms = {0};
  r.livenessClasses = {{{{2, 4}}}, {{{3, 5}}}};
  r.livenessSteps = {{1, 0, {0}}, {2, 100, {100}}, {3, 130, {130}}, {4, 30, {30}}};
  r.variables = {variable("a", 100, 0, {{0, 40}, {3, 60}}), variable("b", 30, 1, {{3, 30}}), variable("w", 50, -1, {{1, 50}})};
  r.alwaysLiveBytes = 50;
  r.maxLiveBytes = 180;
  r.loweredVariables = {place(0, "a", 0, 60, 0), place(1, "b", 128, 30, 1)};
  r.tiles.resize(4);
  for (std::uint64_t t = 0; t < 4; ++t) {
    TileMemoryRecord &m = r.tiles[t];
    const std::uint64_t stack = t == 3 ? 200 : 0, data = t == 3 ? 400 : 100 + t;
    m.category[static_cast<std::size_t>(StorageCategory::Variable)][0][0] = data;
    m.category[static_cast<std::size_t>(StorageCategory::Stack)][0][0] = stack;
    m.regionExcludingGaps[0] = m.regionIncludingGaps[0] = m.totalExcludingGaps = m.totalIncludingGaps = data + stack;
  }
  return r;
}

void addStep(ProfileSink &sink, std::uint32_t program, std::uint64_t from, std::uint64_t to, std::vector<std::uint32_t> work, std::uint64_t data,
             std::optional<std::uint64_t> threads) {
  StepRecord step;
  step.program = program;
  step.threadCycles = threads;
  StepOnIpu on;
  for (const std::uint32_t cycles : work) {
    on.busyCycles += cycles;
    on.activeTiles += cycles == 0 ? 0 : 1;
  }
  on.cycles = work.empty() ? 0 : to - from;
  on.allFromMin = on.allFromMax = on.activeFromMin = on.activeFromMax = from;
  on.allToMin = on.allToMax = on.activeToMin = on.activeToMax = to;
  on.dataIn = on.dataOut = data;
  step.ipus = {on};
  step.cyclesByTile = std::move(work);
  sink.step(step);
}

void write(const std::string &path, CompilationRecord record, std::uint64_t slowEnd = 100) {
  PopWriter writer(path);
  writer.compilation(record);
  writer.beginRun({"train", 0, 0, 0});
  addStep(writer, 1, 0, 20, {}, 0, {});
  addStep(writer, 2, 20, 30, {10, 6, 4, 0}, 16, {});
  addStep(writer, 3, 30, 50, {20, 20, 0, 0}, 0, 30);
  addStep(writer, 1, 50, 60, {}, 0, {});
  addStep(writer, 4, 60, slowEnd, {0, 0, 0, static_cast<std::uint32_t>(slowEnd - 60)}, 0, 10);
  RunTotals totals;
  totals.totalCycles = slowEnd;
  totals.compute = 40 + slowEnd - 60;
  totals.threadCycles = 40;
  totals.exchange = 20;
  totals.sync = 4 * slowEnd - totals.compute - totals.exchange;
  writer.endRun(totals, 0);
  writer.finish();
}

/// Workplace with the profile as "known.pop".
struct Known {
  Workplace place;
  Known() { write(place.file("known.pop"), compilation()); }
  [[nodiscard]] std::string text(std::vector<std::string> words) const {
    words.insert(words.begin() + 1, "known.pop");
    const auto outcome = place.run("popscope", words);
    CAPTURE(outcome.err);
    CHECK(outcome.exitCode == 0);
    return outcome.out;
  }
  [[nodiscard]] json ask(std::vector<std::string> words) const {
    words.emplace_back("--json");
    return json::parse(text(words));
  }
};

json table(const json &answer, const char *key) { return answer["tables"][key]["rows"]; }

} // namespace

TEST_SUITE("tools.answers") {
  TEST_CASE("info gives the verdict, with or without its name") {
    const Known known;
    const json facts = known.ask({"info"})["facts"];
    CHECK(facts["fits"] == true);
    CHECK(facts["fullestTile"] == 3);
    CHECK(facts["usedOnFullestTile"] == 600);
    CHECK(facts["headroom"] == 424);
    CHECK(facts["headroomShare"] == 41.4); // 424 / 1,024
    CHECK(facts["usedOnAllTiles"] == 903); // 100 + 101 + 102 + 600
    CHECK(facts["livePeak"] == 180);
    CHECK(facts["alwaysLive"] == 50);
    CHECK(facts["peakStep"] == 3);
    CHECK(facts["cycles"] == 100);
    CHECK(facts["tileBalance"] == 20.0);   // 80 of 400
    CHECK(facts["threadBalance"] == 50.0); // 40 of 80
    const std::string text = known.text({"info"});
    CHECK(text.find("Fits: the fullest tile is 3, with 600 B used and 424 B free (41.4%).\n") != std::string::npos);
    CHECK(tools::lines(text).size() <= 40); // one screen
    CHECK(known.place.run("popscope", {"known.pop"}).out == text);
    CHECK(known.place.run("popscope", {"--color=never", "known.pop"}).out == text);
  }

  TEST_CASE("info says first that a program does not fit") {
    const Known known;
    CompilationRecord record = compilation();
    record.tiles[3].regionExcludingGaps[2] = 76;
    record.tilesOutOfMemory = {3};
    write(known.place.file("over.pop"), record);
    const auto outcome = known.place.run("popscope", {"over.pop", "--color=always"});
    CHECK(outcome.out.find("\033[1;31mDoes not fit: 1 tile out of memory; the worst is tile 3, with 76 B past the end.\033[0m") != std::string::npos);
    CHECK(json::parse(known.place.run("popscope", {"over.pop", "--json"}).out)["facts"]["fits"] == false);
  }

  TEST_CASE("top ranks compute sets, steps, types, variables and tiles") {
    const Known known;
    const json sets = table(known.ask({"top"}), "computeSets");
    CHECK(sets[0] == json::parse(R"({"name": "slow", "executions": 1, "cycles": 40, "share": 40.0, "tilesBusy": 25.0, "threadsBusy": 25.0, "vertices": 1})"));
    CHECK(sets[1] == json::parse(R"({"name": "fast", "executions": 1, "cycles": 20, "share": 20.0, "tilesBusy": 50.0, "threadsBusy": 75.0, "vertices": 4})"));
    CHECK(table(known.ask({"top", "--by", "vertices"}), "computeSets")[0]["name"] == "fast");
    const json steps = table(known.ask({"top", "--of", "steps", "--by", "bytes"}), "steps");
    CHECK(steps[0] == json::parse(R"({"step": 2, "program": "DoExchange: in", "executions": 1, "cycles": 10, "share": 10.0, "bytes": 16, "code": 16})"));
    const json types = table(known.ask({"top", "--of", "vertex-types", "--by", "bytes"}), "vertexTypes");
    CHECK(types[0]["name"] == "Add");
    CHECK(types[0]["bytes"] == 64);
    const json variables = table(known.ask({"top", "--of", "variables"}), "variables");
    CHECK(variables[0] == json::parse(R"({"name": "a", "category": "variable", "bytes": 100, "alwaysLive": false})"));
    CHECK(table(known.ask({"top", "--of", "variables", "--tiles", "worst:1"}), "variables")[0]["bytes"] == 60);
    const json tiles = table(known.ask({"top", "--of", "tiles", "--by", "cycles", "-n", "1"}), "tiles");
    CHECK(tiles.size() == 1);
    CHECK(tiles[0]["tile"] == 3);
    CHECK(tiles[0]["cycles"] == 40);
    CHECK(tiles[0]["free"] == 424);
  }

  TEST_CASE("loss gives every tile cycle one cause") {
    const Known known;
    const json answer = known.ask({"loss"});
    CHECK(answer["facts"]["tileCycles"] == 400);
    const json causes = table(answer, "causes");
    std::int64_t sum = 0;
    std::map<std::string, std::int64_t> byCause;
    for (const auto &row : causes) {
      sum += row["tileCycles"].get<std::int64_t>();
      byCause[row["cause"]] = row["tileCycles"];
    }
    CHECK(sum == 400);
    CHECK(byCause == std::map<std::string, std::int64_t>{{"compute: threads at work", 40},
                                                        {"compute: idle threads", 40},
                                                        {"compute: waiting for slower tiles", 160}, // 4 * 20 - 40 and 4 * 40 - 40
                                                        {"exchange: sending and receiving", 20},
                                                        {"exchange: waiting for longer exchanges", 20}, // 4 * 10 - 20
                                                        {"barriers", 120}});                            // 4 * (20 + 10)
    const json balance = table(answer, "balance");
    CHECK(balance[0] == json::parse(R"({"step": 4, "program": "OnTileExecute: slow", "executions": 1, "cycles": 40, "tilesBusy": 25.0, "saves": 30, "share": 30.0})"));
    CHECK(balance[1]["saves"] == 10); // 20 - 40 / 4
    CHECK(balance[2]["saves"] == 5);  // 10 - 20 / 4
    CHECK(table(answer, "length") == json::parse(R"([{"kind": "compute", "steps": 2, "cycles": 60, "share": 60.0}, {"kind": "barrier", "steps": 2, "cycles": 30, "share": 30.0},
                                                     {"kind": "exchange", "steps": 1, "cycles": 10, "share": 10.0}])"));
  }

  TEST_CASE("peak and live tell what is live, and what changed") {
    const Known known;
    const json peak = known.ask({"peak"});
    CHECK(peak["facts"]["peakStep"] == 3);
    CHECK(peak["facts"]["peakLive"] == 180);
    CHECK(table(peak, "steps")[0] == json::parse(R"({"step": 3, "program": "OnTileExecute: fast", "live": 180, "notAlways": 130, "variables": 2})"));
    CHECK(table(peak, "variables")[0] == json::parse(R"({"name": "a", "category": "variable", "bytes": 100, "share": 55.6, "from": 2, "to": 3})"));
    const json onWorst = known.ask({"peak", "--tiles", "worst:1"});
    CHECK(onWorst["facts"]["peakLive"] == 90);
    CHECK(onWorst["facts"]["alwaysLive"] == 0);
    CHECK(known.ask({"peak", "--steps", "4-"})["facts"]["peakLive"] == 80);
    const json live = known.ask({"live", "--at", "2", "--vs", "4"});
    CHECK(live["facts"]["difference"] == -70);
    CHECK(live["facts"]["common"] == 0);
    CHECK(table(live, "changes") == json::parse(R"([{"name": "a", "category": "variable", "change": "gone", "bytes": 100}, {"name": "b", "category": "variable", "change": "new", "bytes": 30}])"));
    CHECK(known.ask({"live"})["facts"]["atStep"] == 3);
    expectRefusal(known.place.run("popscope", {"live", "known.pop", "--at", "0"}), "popscope live: --at: ", "the nearest is 1");
    expectRefusal(known.place.run("popscope", {"live", "known.pop", "--at", "-1"}), "popscope live: ", "whole number from 0 to 4");
  }

  TEST_CASE("vars and tile show places and times") {
    const Known known;
    const json vars = table(known.ask({"vars"}), "variables");
    CHECK(vars[0] == json::parse(R"({"name": "a", "category": "variable", "bytes": 100, "tiles": 2, "largestTile": 3, "largestPart": 60, "live": "2-3"})"));
    CHECK(vars[1]["live"] == "always");
    CHECK(table(known.ask({"vars", "?"}), "variables").size() == 3);
    expectRefusal(known.place.run("popscope", {"vars", "known.pop", "zzz"}), "popscope vars: ", "no variable matches \"zzz\"");
    const json tile = known.ask({"tile"});
    CHECK(tile["facts"]["tile"] == 3);
    CHECK(tile["facts"]["liveAtWorst"] == 90);
    CHECK(tile["facts"]["holes"] == 1);
    CHECK(tile["facts"]["holeBytes"] == 68); // 60 to 128
    CHECK(tile["facts"]["bytesOfACharacter"] == 4);
    CHECK(known.text({"tile"}).find("0x000000 vvvvvvvvvvvvvvv.................vvvvvvvv........................\n") != std::string::npos);
    expectRefusal(known.place.run("popscope", {"tile", "known.pop", "4"}), "popscope tile: ", "whole number from 0 to 3");
  }

  TEST_CASE("exchange, tree and runs") {
    const Known known;
    const json exchange = known.ask({"exchange"});
    CHECK(exchange["facts"]["sent"] == 16);
    CHECK(table(exchange, "exchanges") ==
          json::parse(R"([{"step": 2, "program": "DoExchange: in", "executions": 1, "cycles": 10, "sent": 16, "received": 16, "hottestTile": 1, "hottestBytes": 8, "code": 16}])"));
    CHECK(table(exchange, "tiles")[0] == json::parse(R"({"tile": 0, "sent": 16, "received": 0, "code": 12})"));
    CHECK(known.ask({"exchange", "--tiles", "1"})["facts"]["received"] == 8);
    const json tree = table(known.ask({"tree"}), "programs");
    CHECK(tree.size() == 5);
    CHECK(tree[0] == json::parse(R"({"step": 0, "program": "Sequence", "executions": 0, "cycles": 100, "share": 100.0})"));
    CHECK(tree[1] == json::parse(R"({"step": 1, "program": "  Sync", "executions": 2, "cycles": 30, "share": 30.0})"));
    CHECK(table(known.ask({"tree", "--name", "slow"}), "programs").size() == 2);
    const json runs = known.ask({"runs"});
    CHECK(table(runs, "runs")[0]["name"] == "train");
    CHECK(table(runs, "runs")[0]["cycles"] == 100);
    CHECK(table(runs, "runs")[0]["tilesCompute"] == 20.0);
    expectRefusal(known.place.run("popscope", {"top", "known.pop", "--runs", "1"}), "popscope top: --runs: ", "they are 0 to 0");
  }

  TEST_CASE("each view fits the columns, prints CSV and Markdown, and refuses wrong usage") {
    const Known known;
    for (const char *view : {"info", "top", "loss", "peak", "vars", "tile", "exchange", "tree", "live", "runs"}) {
      CAPTURE(std::string(view));
      for (const char *columns : {"80", "160"})
        for (const auto &line : tools::lines(known.place.run("popscope", {view, "known.pop"}, {std::string("COLUMNS=") + columns}).out)) {
          CAPTURE(line);
          CHECK(line.size() <= std::stoul(columns));
        }
      const auto plain = known.place.run("popscope", {view, "known.pop"}), again = known.place.run("popscope", {view, "known.pop"});
      CHECK(plain.out == again.out);
      CHECK(known.text({view, "--csv"}).find("\r\n") != std::string::npos);
      CHECK(known.text({view, "--markdown"}).find("|---") != std::string::npos);
      CHECK(known.text({view, "--help"}).find("Examples:\n  popscope ") != std::string::npos);
      expectRefusal(known.place.run("popscope", {view, "known.pop", "--json", "--csv"}), std::string("popscope ") + view + ": ", "excludes");
      expectRefusal(known.place.run("popscope", {view, "known.pop", "--jsn"}), std::string("popscope ") + view + ": unknown option", "Did you mean \"--json\"?");
      expectRefusal(known.place.run("popscope", {view}), std::string("popscope ") + view + ": ", "required");
      expectRefusal(known.place.run("popscope", {view, "none.pop"}), std::string("popscope ") + view + ": none.pop: ", "no such file");
    }
    for (const char *spec : {"5", "0-9", "x", "3-1", "-1", "99999999999999999999", "worst:0", "worst:x", "0,,1", ","})
      expectRefusal(known.place.run("popscope", {"top", "known.pop", "--of", "tiles", "--tiles", spec}), "popscope top: --tiles: ", "");
    expectRefusal(known.place.run("popscope", {"top", "known.pop", "-n", "-1"}), "popscope top: -n: ", "whole number");
    expectRefusal(known.place.run("popscope", {"top", "known.pop", "--of", "tile"}), "popscope top: --of: ", "give one of compute-sets");
    expectRefusal(known.place.run("popscope", {"top", "known.pop", "--of", "variables", "--by", "cycles"}), "popscope top: --by: ", "have no cycles");
    expectRefusal(known.place.run("popscope", {"top", "known.pop", "--ipu", "1"}), "popscope top: --ipu: ", "");
  }

  TEST_CASE("diff names what moved, and --fail-on makes it a finding") {
    const Known known;
    CompilationRecord later = compilation();
    later.variables[1].bytes = 42; // b
    later.variables.push_back(variable("c", 8, 0, {{0, 8}}));
    later.graph.numEdges = 9;
    later.tiles[3].totalExcludingGaps += 100;
    write(known.place.file("later.pop"), later, 110); // slow takes 50
    const auto diff = [&](std::vector<std::string> words) {
      words.insert(words.begin(), {"diff", "known.pop", "later.pop"});
      return known.place.run("popscope", words);
    };
    const json answer = json::parse(diff({"--json"}).out);
    CHECK(diff({}).exitCode == 0);
    CHECK(answer["facts"]["cyclesBefore"] == 100);
    CHECK(answer["facts"]["cyclesAfter"] == 110);
    CHECK(table(answer, "cycles") == json::parse(R"([{"name": "computeSet.slow.cycles", "what": "changed", "before": 40, "after": 50, "change": 10},
                                                    {"name": "cycles", "what": "changed", "before": 100, "after": 110, "change": 10}])"));
    std::map<std::string, std::int64_t> bytes;
    for (const auto &row : table(answer, "bytes"))
      bytes[row["name"]] = row["change"];
    CHECK(bytes == std::map<std::string, std::int64_t>{
                       {"variable.b.bytes", 12}, {"variable.c.bytes", 8}, {"bytes.fullestTile", 100}, {"bytes.allTiles", 100}, {"bytes.headroom", -100}});
    CHECK(table(answer, "counts") == json::parse(R"([{"name": "edges", "what": "changed", "before": 10, "after": 9, "change": -1}])"));
    // 100 + 10 % is 110; one less is a breach.
    CHECK(diff({"--fail-on", "cycles+10%"}).exitCode == 0);
    const auto breach = diff({"--fail-on", "cycles+9,edges+0"});
    CHECK(breach.exitCode == 1);
    CHECK(breach.err == "");
    CHECK(breach.out.find("1 of the limits of --fail-on do not hold.") != std::string::npos);
    CHECK(diff({"--fail-on", "computeSet.*.cycles+9"}).exitCode == 1);
    CHECK(known.place.run("popscope", {"diff", "known.pop", "known.pop"}).out.find("No number differs.\n") != std::string::npos);
    expectRefusal(diff({"--fail-on", "cycels+1"}), "popscope diff: ", "Did you mean \"cycles\"?");
    for (const char *bad : {"cycles", "cycles+", "cycles+-1", "cycles+x%", "+1", "cycles+1,", "cycles+99999999999999999999"})
      expectRefusal(diff({"--fail-on", bad}), "popscope diff: --fail-on: ", "is not allowed");
    expectRefusal(known.place.run("popscope", {"diff", "known.pop"}), "popscope diff: ", "required");
  }

  TEST_CASE("check holds a profile to a budget") {
    const Known known;
    const auto check = [&](const char *budget, std::vector<std::string> words = {}) {
      known.place.write("budget.json", budget);
      words.insert(words.begin(), {"check", "known.pop", "--budget", "budget.json"});
      return known.place.run("popscope", words);
    };
    CHECK(check(R"({"limits": {"cycles": {"max": 100}, "bytes.headroom": {"min": 424}}})").out.find("All 2 limits hold.\n") == 0);
    const auto breach = check(R"({"limits": {"cycles": {"max": 99}, "bytes.headroom": {"min": 424}}})", {"--json"});
    CHECK(breach.exitCode == 1);
    const json answer = json::parse(breach.out);
    CHECK(answer["facts"]["breaches"] == 1);
    CHECK(table(answer, "limits")[0] == json::parse(R"({"number": "cycles", "rule": "max", "value": 100, "limit": 99, "baseline": null, "unit": "cycles", "kept": false})"));
    CHECK(check(R"({"limits": {"computeSet.*.cycles": {"max": 39}}})").exitCode == 1);
    CHECK(check(R"({"limits": {"computeSet.*.cycles": {"max": 40}}})").exitCode == 0);
    CHECK(check(R"({"limits": {"computeSet.*.cycles": {"max": 39}}})", {"--junit"}).out ==
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"popscope check\" tests=\"2\" failures=\"1\">\n"
          "  <testcase classname=\"popscope.check\" name=\"computeSet.slow.cycles max\"><failure message=\"40 where the limit is 39\"/></testcase>\n"
          "  <testcase classname=\"popscope.check\" name=\"computeSet.fast.cycles max\"/>\n</testsuite>\n");
    write(known.place.file("before.pop"), compilation(), 90); // slow took 30
    CHECK(check(R"({"limits": {"cycles": {"maxIncrease": "12%"}}})", {"--baseline", "before.pop"}).exitCode == 0); // 90 + 10.8
    CHECK(check(R"({"limits": {"cycles": {"maxIncrease": "11%"}}})", {"--baseline", "before.pop"}).exitCode == 1); // 90 + 9.9
    CHECK(check(R"({"limits": {"cycles": {"maxIncrease": 10}}})", {"--baseline", "before.pop"}).exitCode == 0);
    CHECK(check(R"({"limits": {"cycles": {"maxIncrease": 9}}})", {"--baseline", "before.pop"}).exitCode == 1);
    expectRefusal(check(R"({"limits": {"cycles": {"maxIncrease": 9}}})"), "popscope check: ", "--baseline FILE");
    expectRefusal(check(R"({"limits": {"cycels": {"max": 9}}})"), "popscope check: ", "Did you mean \"cycles\"?");
    expectRefusal(check(R"({"limits": {"cycles": {"maxx": 9}}})"), "popscope check: budget.json: ", "Did you mean \"max\"?");
    for (const char *bad : {"", "[]", "{}", R"({"limits": []})", R"({"limits": {"cycles": {}}})", R"({"limits": {"cycles": {"max": "9"}}})", R"({"limits": {"cycles": {"max": 1.5}}})",
                            R"({"limits": {"cycles": {"max": 99999999999999999999}}})", R"({"limits": {}, "limit": 1})"})
      expectRefusal(check(bad), "popscope check: budget.json: ", "");
    expectRefusal(known.place.run("popscope", {"check", "known.pop"}), "popscope check: ", "--budget FILE");
    expectRefusal(known.place.run("popscope", {"check", "known.pop", "--budget", "none.json"}), "popscope check: none.json: ", "cannot be read");
    CHECK(table(known.ask({"numbers", "bytes.head*"}), "numbers") ==
          json::parse(R"([{"name": "bytes.headroom", "value": 424, "unit": "bytes"}])"));
  }

  TEST_CASE("a profile without runs is told so") {
    const Known known;
    PopWriter writer(known.place.file("still.pop"));
    writer.compilation(compilation());
    writer.finish();
    CHECK(known.place.run("popscope", {"still.pop"}).out.find("No run was recorded.\n") != std::string::npos);
    for (const char *view : {"top", "loss"})
      expectRefusal(known.place.run("popscope", {view, "still.pop"}), std::string("popscope ") + view + ": ", "no recorded run");
    CHECK(known.place.run("popscope", {"tree", "still.pop"}).exitCode == 0);
  }
}
