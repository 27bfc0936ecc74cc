// The views of popscope on the known profile.
#include "KnownProfile.hpp"

#include <doctest/doctest.h>

using nlohmann::json;
using tools::expectRefusal;
using tools::Known;
using tools::knownCompilation;
using tools::knownVariable;
using tools::table;
using tools::writeKnown;
using tools::writeOverlapping;

using namespace popscope;

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
    const json one = known.ask({"info", "-n", "1"});
    CHECK(table(one, "fullestTile").size() == 1);
    CHECK(one["tables"]["slowestComputeSets"]["more"] == 1);
    CHECK(known.place.run("popscope", {"--color=never", "known.pop"}).out == text);
  }

  TEST_CASE("info names the run that takes most of the cycles of several runs") {
    const Known known;
    const auto has = [](const std::string &text, const char *part) { return text.find(part) != std::string::npos; };
    const auto linesFor = [&](std::uint64_t second) {
      PopWriter writer(known.place.file("known.pop"));
      writer.compilation(knownCompilation());
      tools::recordKnownRun(writer, "load", 100);
      tools::recordKnownRun(writer, "train", second);
      writer.finish();
      return known.text({"info"});
    };
    CHECK(has(linesFor(300), "Run 1 takes 75.0% of these cycles; popscope runs lists the runs")); // 300 of 400
    CHECK(known.ask({"info"})["facts"]["longestRun"] == 1);
    CHECK(!has(known.text({"info", "--runs", "1"}), "of these cycles"));
    CHECK(!has(linesFor(299), "of these cycles"));
  }

  TEST_CASE("info says first that a program does not fit") {
    const Known known;
    CompilationRecord record = knownCompilation();
    record.tiles[3].excludingGaps[2] = Bytes(76);
    record.tilesOutOfMemory = {3};
    writeKnown(known.place.file("over.pop"), record);
    const auto outcome = known.place.run("popscope", {"over.pop", "--color=always"});
    CHECK(outcome.out.find(
              "\033[1;31mDoes not fit: 1 tile out of memory; the worst is tile 3, with 76 B past the end.\033[0m") !=
          std::string::npos);
    CHECK(json::parse(known.place.run("popscope", {"over.pop", "--json"}).out)["facts"]["fits"] == false);
  }

  TEST_CASE("top ranks compute sets, steps, types, variables and tiles") {
    const Known known;
    const json sets = table(known.ask({"top"}), "computeSets");
    CHECK(
        sets[0] ==
        json::parse(
            R"({"name": "slow", "executions": 1, "cycles": 40, "share": 40.0, "tilesBusy": 25.0, "threadsBusy": 25.0, "vertices": 1})"));
    CHECK(
        sets[1] ==
        json::parse(
            R"({"name": "fast", "executions": 1, "cycles": 20, "share": 20.0, "tilesBusy": 50.0, "threadsBusy": 75.0, "vertices": 4})"));
    CHECK(table(known.ask({"top", "--by", "vertices"}), "computeSets")[0]["name"] == "fast");
    const json steps = table(known.ask({"top", "--of", "steps", "--by", "bytes"}), "steps");
    CHECK(
        steps[0] ==
        json::parse(
            R"({"step": 2, "program": "DoExchange: in", "executions": 1, "cycles": 10, "share": 10.0, "bytes": 16, "code": 16})"));
    const json types = table(known.ask({"top", "--of", "vertex-types", "--by", "bytes"}), "vertexTypes");
    CHECK(types[0]["name"] == "Add");
    CHECK(types[0]["bytes"] == 64);
    const json variables = table(known.ask({"top", "--of", "variables"}), "variables");
    CHECK(variables[0] ==
          json::parse(R"({"name": "a", "category": "variable", "variables": 1, "bytes": 100, "alwaysLive": false})"));
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
    CHECK(byCause ==
          std::map<std::string, std::int64_t>{{"compute: threads at work", 40},
                                              {"compute: idle threads", 40},
                                              {"compute: waiting for slower tiles", 160}, // 4 * 20 - 40 and 4 * 40 - 40
                                              {"exchange: sending and receiving", 20},
                                              {"exchange: waiting for longer exchanges", 20}, // 4 * 10 - 20
                                              {"barriers", 120}});                            // 4 * (20 + 10)
    const json balance = table(answer, "balance");
    CHECK(
        balance[0] ==
        json::parse(
            R"({"step": 4, "program": "OnTileExecute: slow", "executions": 1, "cycles": 40, "tilesBusy": 25.0, "saves": 30, "share": 30.0})"));
    CHECK(balance[1]["saves"] == 10); // 20 - 40 / 4
    CHECK(balance[2]["saves"] == 5);  // 10 - 20 / 4
    CHECK(
        table(answer, "length") ==
        json::parse(
            R"([{"kind": "compute", "steps": 2, "cycles": 60, "share": 60.0}, {"kind": "barrier", "steps": 2, "cycles": 30, "share": 30.0},
                                                     {"kind": "exchange", "steps": 1, "cycles": 10, "share": 10.0}])"));
  }

  TEST_CASE("cycles after the last step of a run belong to no step, and the views of steps say so") {
    const Known known;
    PopWriter writer(known.place.file("known.pop"));
    writer.compilation(knownCompilation());
    writer.beginRun({"train", 0, 0, 0});
    StepOnIpu on;
    on.cycles = on.busyCycles = on.allToMax = on.activeToMin = on.activeToMax = Cycles(40);
    on.activeTiles = 1;
    StepRecord step;
    step.program = 4;
    step.threadCycles = Cycles(10);
    step.cyclesByTile = {0, 0, 0, 40};
    step.ipus = {on};
    writer.step(step);
    RunTotals totals;
    totals.totalCycles = Cycles(57); // a conditional ends the run: reading its counters takes 17 cycles
    totals.compute = Cycles(40);
    totals.threadCycles = Cycles(10);
    totals.unattributed = totals.controlFlowReads = Cycles(17);
    totals.sync = Cycles(3 * 57);
    writer.endRun(totals, 0);
    writer.finish();
    const json length = table(known.ask({"loss"}), "length");
    REQUIRE(length.size() == 2);
    CHECK(length[0]["cycles"] == 40);
    CHECK(length[1] == json::parse(R"({"kind": "after the last step", "steps": 0, "cycles": 17, "share": 29.8})"));
    CHECK(table(known.ask({"tree"}), "programs")[0]["cycles"] == 40);
    for (const char *view : {"top", "tree"}) {
      std::string notes;
      const json answer = known.ask({view});
      for (const auto &note : answer["notes"])
        notes += note.get<std::string>() + "\n";
      CHECK_MESSAGE(
          notes.find("the cycles in which counters are read after the last step of a run") != std::string::npos, notes);
    }
  }

  TEST_CASE("loss proposes the views of the largest causes") {
    const Known known;
    const auto next = [&] {
      std::vector<std::string> commands;
      const json answer = known.ask({"loss"});
      for (const json &command : answer["next"])
        commands.push_back(command);
      return commands;
    };
    CHECK(next() == std::vector<std::string>{"popscope top known.pop --of tiles --by cycles", // 160 of 400
                                             "popscope top known.pop --of steps"});           // barriers: 120
    writeKnown(known.place.file("known.pop"), knownCompilation(), 1060); // tile 3 works for 1,000 cycles
    CHECK(next() == std::vector<std::string>{"popscope top known.pop --of tiles --by cycles",
                                             "popscope top known.pop --of compute-sets"}); // idle threads
    CompilationRecord record = knownCompilation();
    record.programs[4].type = "DoExchange";
    record.programs[4].computeSet = -1;
    writeKnown(known.place.file("known.pop"), record);
    CHECK(next() == std::vector<std::string>{"popscope exchange known.pop",         // waits: 20 + 120
                                             "popscope top known.pop --of steps"}); // barriers: 120
  }

  TEST_CASE("a wait for the host is no barrier between tiles") {
    const Known known;
    CompilationRecord record = knownCompilation();
    record.programs[1].type = "StreamCopyBegin";
    record.programs[1].barriers = {"host request"};
    writeKnown(known.place.file("known.pop"), record);
    const json answer = known.ask({"loss"});
    std::int64_t sum = 0;
    std::map<std::string, std::int64_t> byCause;
    for (const auto &row : table(answer, "causes")) {
      sum += row["tileCycles"].get<std::int64_t>();
      byCause[row["cause"]] = row["tileCycles"];
    }
    CHECK(sum == 400);
    CHECK(byCause["waiting for the host"] == 120); // 4 * (20 + 10)
    CHECK(byCause["barriers"] == 0);
    CHECK(table(answer, "length")[1] ==
          json::parse(R"({"kind": "waiting for the host", "steps": 2, "cycles": 30, "share": 30.0})"));
    const json info = known.ask({"info"});
    CHECK(info["facts"]["hostWait"] == 30);
    CHECK(known.text({"info"}).find("In 30 cycles (30.0%), the device waits for the host.") != std::string::npos);
  }

  TEST_CASE("peak and live tell what is live, and what changed") {
    const Known known;
    const json peak = known.ask({"peak"});
    CHECK(peak["facts"]["peakStep"] == 3);
    CHECK(peak["facts"]["peakLive"] == 180);
    CHECK(
        table(peak, "steps")[0] ==
        json::parse(R"({"step": 3, "program": "OnTileExecute: fast", "live": 180, "notAlways": 130, "variables": 2})"));
    CHECK(
        table(peak, "variables")[0] ==
        json::parse(
            R"({"name": "a", "category": "variable", "variables": 1, "bytes": 100, "share": 55.6, "from": 2, "to": 3})"));
    const json onWorst = known.ask({"peak", "--tiles", "worst:1"});
    CHECK(onWorst["facts"]["peakLive"] == 90);
    CHECK(onWorst["facts"]["alwaysLive"] == 0);
    CHECK(known.ask({"peak", "--steps", "4-"})["facts"]["peakLive"] == 80);
    const json live = known.ask({"live", "--at", "2", "--vs", "4"});
    CHECK(live["facts"]["difference"] == -70);
    CHECK(live["facts"]["common"] == 0);
    CHECK(
        table(live, "changes") ==
        json::parse(
            R"([{"name": "a", "category": "variable", "variables": 1, "change": "gone", "bytes": 100}, {"name": "b", "category": "variable", "variables": 1, "change": "new", "bytes": 30}])"));
    CHECK(known.ask({"live"})["facts"]["atStep"] == 3);
    expectRefusal(known.place.run("popscope", {"live", "known.pop", "--at", "0"}),
                  "popscope live: --at: ", "the nearest is 1");
    expectRefusal(known.place.run("popscope", {"live", "known.pop", "--at", "-1"}),
                  "popscope live: ", "whole number from 0 to 4");
  }

  TEST_CASE("vars and tile show places and times") {
    const Known known;
    const json vars = table(known.ask({"vars"}), "variables");
    CHECK(
        vars[0] ==
        json::parse(
            R"({"name": "a", "category": "variable", "variables": 1, "bytes": 100, "tiles": 2, "largestTile": 3, "largestPart": 60, "live": "2-3"})"));
    CHECK(vars[1]["live"] == "always");
    CHECK(table(known.ask({"vars", "?"}), "variables").size() == 3);
    CHECK_FALSE(known.ask({"vars", "a"})["tables"].contains("accesses"));
    CHECK(known.text({"vars", "a"}).find("which steps access them is not in the profile") != std::string::npos);
    expectRefusal(known.place.run("popscope", {"vars", "known.pop", "zzz"}),
                  "popscope vars: ", "no variable matches \"zzz\"");
    const json tile = known.ask({"tile"});
    CHECK(tile["facts"]["tile"] == 3);
    CHECK(tile["facts"]["liveAtWorst"] == 90);
    CHECK(tile["facts"]["gaps"] == 1);
    CHECK(tile["facts"]["gapBytes"] == 68); // 60 to 128
    CHECK(tile["facts"]["bytesOfACharacter"] == 4);
    CHECK(known.text({"tile"}).find("0x000000 vvvvvvvvvvvvvvv.................vvvvvvvv........................\n") !=
          std::string::npos);
    for (const std::size_t columns : {20, 30, 40, 60, 72, 73, 200}) {
      const auto narrow = known.place.run("popscope", {"tile", "known.pop"}, {"COLUMNS=" + std::to_string(columns)});
      const std::size_t map = narrow.out.find("\nAddresses at step"), next = narrow.out.find("\nNext: ");
      REQUIRE(map < next);
      std::string drawn;
      for (const std::string &line : tools::lines(narrow.out.substr(map, next - map))) {
        CAPTURE(line);
        CHECK(line.size() <= columns);
        if (line.rfind("0x", 0) == 0) {
          CHECK(std::stoul(line, nullptr, 16) == 4 * drawn.size()); // four bytes per character
          drawn += line.substr(line.find(' ') + 1);
        }
      }
      CHECK(drawn.rfind("vvvvvvvvvvvvvvv.................vvvvvvvv", 0) == 0);
    }
    CHECK(table(known.ask({"tile", "--name", "b"}), "variables").size() == 1);
    CHECK(known.ask({"tile", "--ipu", "0"})["facts"]["tile"] == 3);
    CHECK(table(known.ask({"vars", "--name", "a"}), "variables").size() == 1);
    expectRefusal(known.place.run("popscope", {"tile", "known.pop", "--ipu", "1"}),
                  "popscope tile: --ipu: ", "there is no IPU 1");
    expectRefusal(known.place.run("popscope", {"tile", "known.pop", "4"}),
                  "popscope tile: ", "whole number from 0 to 3");
  }

  TEST_CASE("vars lists what steps do to the variables of a pattern, at the steps chosen") {
    const tools::Workplace place;
    CompilationRecord record = knownCompilation();
    record.advice.present = true;
    record.advice.accesses = {
        {0, 2, 25, 0, 25, 0}, {0, 3, 25, 25, 5, 0}, {1, 3, 1000, 0, 1000, 0}, {1, 4, 1000, 0, 0, 1000}};
    writeKnown(place.file("known.pop"), record);
    const auto accesses = [&](std::vector<std::string> words) {
      words.insert(words.begin(), {"vars", "known.pop", "--json"});
      return json::parse(place.run("popscope", words).out)["tables"].value("accesses",
                                                                           json({{"rows", json::array()}}))["rows"];
    };
    const json a = accesses({"a"});
    REQUIRE(a.size() == 2);
    CHECK(
        a[1] ==
        json::parse(
            R"({"name": "a", "step": 3, "program": "OnTileExecute: fast", "reads": "all", "writes": "5 of 25", "undefines": ""})"));
    CHECK(
        accesses({"?", "--steps", "4"}) ==
        json::parse(
            R"([{"name": "b", "step": 4, "program": "OnTileExecute: slow", "reads": "", "writes": "", "undefines": "all"}])"));
    CHECK(accesses({"?", "-n", "3"}).size() == 3);
    CHECK(accesses({}).empty()); // no accesses if all variables are selected
  }

  TEST_CASE("tree shows the function of a Call, and executions of bodies that consist of calls") {
    const Known known;
    popscope::CompilationRecord r = tools::knownCompilation();
    const auto program = [&](const char *type, std::int64_t parent) {
      r.programs.emplace_back().type = type;
      r.programs.back().parent = parent;
      r.programs.back().isFunction = parent < 0;
    };
    program("Call", 0);      // 5
    program("Sequence", -1); // 6
    program("Repeat", 6);
    r.programs.back().count = 3;
    program("Call", 7);      // 8
    program("Sequence", -1); // 9
    program("Call", 6);      // 10
    const auto tree = [&](const char *name) {
      tools::writeKnown(known.place.file(name), r);
      return json::parse(known.place.run("popscope", {"tree", name, "--json"}).out);
    };
    const std::string why = "for some bodies, the profile contains neither";
    json rows = table(tree("unknown.pop"), "programs");
    CHECK(rows[5]["program"] == "  Call");
    CHECK(rows[6]["executions"].is_null());
    CHECK(known.place.run("popscope", {"tree", "unknown.pop"}).out.find(why) != std::string::npos);
    r.programs[5].callee = 6;
    r.programs[8].callee = r.programs[10].callee = 9;
    rows = table(tree("calls.pop"), "programs");
    CHECK(rows[5]["program"] == "  Call (runs step 6)");
    CHECK(rows[6]["executions"] == 2); // step 5 is in a Sequence that is executed twice
    CHECK(rows[8]["program"] == "    Call (runs step 9)");
    CHECK(rows[8]["executions"] == 6);
    CHECK(rows[9]["executions"] == 2); // step 10
    CHECK(rows[10]["step"] == 9);
    CHECK(rows[10]["executions"] == 8);
    CHECK(known.place.run("popscope", {"tree", "calls.pop"}).out.find(why) == std::string::npos);
  }

  TEST_CASE("advise counts the liveness steps at which bytes are false-live") {
    const Known known;
    popscope::CompilationRecord r = tools::knownCompilation();
    r.programs[0].livenessPoint = false;
    r.advice.present = true;
    r.advice.worstTile = 3;
    r.advice.worstProgram = 3;
    r.advice.falseLive = {{0, 0, 2, popscope::Bytes(10), {}},  // the steps 0 and 1, of which 0 is a Sequence
                          {0, 3, 5, popscope::Bytes(40), {}},  // 3 and 4
                          {1, 0, 1, popscope::Bytes(30), {}}}; // only the Sequence
    tools::writeKnown(known.place.file("false.pop"), r);
    const auto rows = [&](std::vector<std::string> words) {
      words.insert(words.begin(), {"advise", "false.pop", "--json"});
      return table(json::parse(known.place.run("popscope", words).out), "falseLive");
    };
    CHECK(
        rows({}) ==
        json::parse(
            R"([{"variable": "a", "category": "variable", "variables": 1, "maxBytes": 40, "maxBytesOnPeakTile": 0, "steps": 3, "byteSteps": 90}])"));
    CHECK(rows({"--steps", "0-3"})[0]["byteSteps"] == 50); // 1 * 10 + 1 * 40
  }

  TEST_CASE("advise selects a WriteUndef by the steps at which its variable is live, in each of its tables") {
    const Known known;
    popscope::CompilationRecord r = tools::knownCompilation();
    r.advice.present = true;
    r.advice.worstTile = 3;
    r.advice.worstProgram = 3;
    r.advice.placements = {{0, 3, popscope::Bytes(40), popscope::Bytes(60)}}; // of "a", which is live at 2 and 3
    popscope::AdviceTrialRecord before, after;
    before.purpose = "unchanged";
    before.fullestBytes = popscope::Bytes(600);
    after.purpose = "alone";
    after.changes = R"([{"kind": "writeUndef", "variable": "a", "program": "slow"}])";
    after.text = "WriteUndef(\"a\") before slow";
    after.numChanges = 1;
    after.fullestBytes = popscope::Bytes(500);
    r.advice.trials = {before, after};
    tools::writeKnown(known.place.file("undef.pop"), r);
    for (const auto &right : std::vector<std::pair<const char *, std::size_t>>{{"2", 1}, {"3", 1}, {"4", 0}}) {
      CAPTURE(right.first);
      const auto &[steps, rows] = right;
      const json out =
          json::parse(known.place.run("popscope", {"advise", "undef.pop", "--json", "--steps", steps}).out);
      CHECK(table(out, "placements").size() == rows);
      CHECK(table(out, "changes").size() == rows);
    }
  }

  TEST_CASE("exchange shows the bytes between IPUs, if there are several") {
    const Known known;
    CHECK(!known.ask({"exchange"})["facts"].contains("betweenIpus"));
    popscope::CompilationRecord r = tools::knownCompilation();
    r.target.numIpus = 2; // tiles 0 and 1, and tiles 2 and 3
    r.target.tilesPerIpu = 2;
    for (popscope::LivenessStepRecord &step : r.livenessSteps)
      step.bytesByIpu.resize(2);
    const auto writeAs = [&](const char *name) {
      popscope::PopWriter writer(known.place.file(name));
      writer.compilation(r);
      writer.finish();
    };
    const auto ask = [&](std::vector<std::string> words) {
      return json::parse(known.place.run("popscope", std::move(words)).out);
    };
    writeAs("inside.pop");
    CHECK(ask({"exchange", "inside.pop", "--json"})["facts"]["betweenIpus"] == 0);
    CHECK(known.place.run("popscope", {"exchange", "inside.pop"}).out.find("No data goes from one IPU to another.") !=
          std::string::npos);
    r.programs[2].type = "GlobalExchange";
    r.programTiles[2].links = {{0, 1, popscope::Bytes(12), {{0, 1}, {2, 1}}},
                               {0, 0, popscope::Bytes(4), {{0, 1}, {1, 1}}},
                               {1, 0, popscope::Bytes(3), {{1, 1}, {3, 1}}}};
    writeAs("two.pop");
    const json two = ask({"exchange", "two.pop", "--json"});
    CHECK(two["facts"]["betweenIpus"] == 15);
    CHECK(table(two, "exchanges")[0]["betweenIpus"] == 15);
    CHECK(ask({"exchange", "two.pop", "--tiles", "2", "--json"})["facts"]["betweenIpus"] == 12);
    CHECK(known.place.run("popscope", {"exchange", "two.pop"}).out.find("15 B go from one IPU to another.") !=
          std::string::npos);
    r.target.numReplicas = 2; // of one IPU; replica 0 sends 12 bytes, the other one sends 3
    writeAs("replicas.pop");
    CHECK(ask({"exchange", "replicas.pop", "--json"})["facts"]["betweenIpus"] == 12);
  }

  TEST_CASE("exchange, tree and runs") {
    const Known known;
    const json exchange = known.ask({"exchange"});
    CHECK(exchange["facts"]["sent"] == 16);
    CHECK(
        table(exchange, "exchanges") ==
        json::parse(
            R"([{"step": 2, "program": "DoExchange: in", "executions": 1, "cycles": 10, "sent": 16, "received": 16, "hottestTile": 1, "hottestBytes": 8, "code": 16, "pieces": null, "bytesPerPiece": null, "moves": null}])"));
    CHECK(table(exchange, "tiles")[0] == json::parse(R"({"tile": 0, "sent": 16, "received": 0, "code": 12})"));
    CHECK(known.ask({"exchange", "--tiles", "1"})["facts"]["received"] == 8);
    const json tree = table(known.ask({"tree"}), "programs");
    CHECK(tree.size() == 5);
    CHECK(tree[0] ==
          json::parse(R"({"step": 0, "program": "Sequence", "executions": 2, "cycles": 100, "share": 100.0})"));
    CHECK(tree[1] == json::parse(R"({"step": 1, "program": "  Sync", "executions": 2, "cycles": 30, "share": 30.0})"));
    CHECK(table(known.ask({"tree", "--name", "slow"}), "programs").size() == 2);
    const json runs = known.ask({"runs"});
    CHECK(table(runs, "runs")[0]["name"] == "train");
    CHECK(table(runs, "runs")[0]["cycles"] == 100);
    CHECK(table(runs, "runs")[0]["tilesCompute"] == 20.0);
    expectRefusal(known.place.run("popscope", {"top", "known.pop", "--runs", "1"}),
                  "popscope top: --runs: ", "the profile has 0 alone");
  }

  TEST_CASE("changes that were tried are told by what they are, whatever the file holds") {
    const Known known;
    CompilationRecord r = knownCompilation();
    const auto trial = [](const char *purpose, const char *changes, const char *text, std::uint64_t count,
                          std::uint64_t over) {
      AdviceTrialRecord t;
      t.purpose = purpose;
      t.changes = changes;
      t.text = text;
      t.numChanges = count;
      t.tilesOutOfMemory = over == 0 ? 0 : 1;
      t.pastEndBytes = Bytes(over);
      t.fullestBytes = Bytes(1000 + over);
      return t;
    };
    const char *moves = R"([{"kind": "moveVariable", "variable": "a", "from": "0-1,3", "to": "2"},
                            {"kind": "moveVertices", "computeSet": "fast", "occurrence": 1, "from": "0-1,3", "to": "2"}])";
    r.advice.trials = {
        trial("unchanged", "[]", "", 0, 80),
        trial("alone", moves, "move \"a\", ...\nmove vertices \"fast\", ...", 2, 40),
        trial("alone", "no JSON", "something\nelse", 2, 50),
        trial("alone", R"([{"kind": "option", "option": "o", "value": "1"}])", "engine option o = 1", 1, 60),
        trial("fit", moves, "move \"a\", ...\nmove vertices \"fast\", ...", 2, 0)};
    writeKnown(known.place.file("tried.pop"), r);
    const auto ask = [&](std::vector<std::string> words) {
      words.insert(words.begin() + 1, {"tried.pop", "--json"});
      return table(json::parse(known.place.run("popscope", words).out), "changes");
    };
    const json all = ask({"advise"});
    REQUIRE(all.size() == 5); // of three proposals
    CHECK((all[0]["number"] == 1 && all[0]["change"] == "move \"a\", ..."));
    CHECK((all[1]["number"] == 1 && all[1]["change"] == "move vertices \"fast\", ..."));
    CHECK((all[2]["number"] == 2 && all[2]["change"] == "something"));
    CHECK((all[4]["number"] == 3 && all[4]["change"] == "engine option o = 1"));
    CHECK(ask({"advise", "--tiles", "2"}).size() == 3); // options apply to all tiles
    CHECK(ask({"advise", "--name", "fast"}).size() == 2);
    CHECK(ask({"fit"}).size() == 2);
    CHECK(ask({"fit", "--name", "fast"}).size() == 1);
    const std::string text = known.place.run("popscope", {"fit", "tried.pop"}).out;
    CHECK(text.find("Fullest at\n") != std::string::npos);
    CHECK(text.find("compiled without each of them, and did not fit") != std::string::npos);
    CHECK(text.find("a larger popscope.tryAdvice") != std::string::npos);
    for (const auto &[limit, larger] : {std::pair("9999", true), std::pair("10000", false)}) { // 10,000: the maximum
      r.options = {{"engine", "popscope.tryAdvice", limit, false}};
      writeKnown(known.place.file("most.pop"), r);
      CHECK((known.place.run("popscope", {"fit", "most.pop"}).out.find("a larger popscope.tryAdvice") !=
             std::string::npos) == larger);
    }
    r.advice.trials.back().purpose = "smallest";
    r.advice.trials.back().changes = "[1]";
    writeKnown(known.place.file("tried.pop"), r);
    CHECK(ask({"fit"}).size() == 2);
    CHECK(known.place.run("popscope", {"fit", "tried.pop"}).out.find("No smaller set of the proposed changes") !=
          std::string::npos);
  }

  TEST_CASE(
      "advise lists trials that reduce what is past the end; of a program that fits, those that gain on balance") {
    const Known known;
    CompilationRecord r = knownCompilation();
    const auto trial = [](const char *text, std::uint64_t over, std::uint64_t highest, std::uint64_t all,
                          std::uint64_t cycles) {
      AdviceTrialRecord t;
      t.purpose = text[0] == 0 ? "unchanged" : "alone";
      t.changes = "[1]";
      t.text = text;
      t.numChanges = text[0] == 0 ? 0 : 1;
      t.tilesOutOfMemory = over == 0 ? 0 : 1;
      t.pastEndBytes = Bytes(over);
      t.fullestBytes = Bytes(highest);
      t.allTilesBytes = Bytes(all);
      t.exchangeCycles = Cycles(cycles);
      return t;
    };
    const auto listed = [&](std::vector<AdviceTrialRecord> trials) {
      r.advice.trials = std::move(trials);
      writeKnown(known.place.file("tried.pop"), r);
      std::string names;
      for (const json &row :
           table(json::parse(known.place.run("popscope", {"advise", "tried.pop", "--json"}).out), "changes"))
        names += row["change"].get<std::string>() + " ";
      return names;
    };
    // "worse" has more past the end, but fewer cycles. Both others fit; "cheap" adds fewer cycles.
    CHECK(listed({trial("", 80, 1080, 5000, 100), trial("worse", 900, 1900, 5000, 10), trial("dear", 0, 900, 4900, 400),
                  trial("cheap", 0, 1000, 4950, 100)}) == "cheap dear ");
    // "trade" gains 1 % of the highest address for twice the cycles; "over" does not fit any longer.
    CHECK(listed({trial("", 0, 1000, 5000, 100), trial("trade", 0, 990, 5000, 200), trial("over", 5, 900, 4000, 10),
                  trial("gain", 0, 1000, 5000, 90)}) == "gain ");
  }

  TEST_CASE("a change that was tried has the tile that it relieves, and the step at which this tile is fullest") {
    const Known known;
    CompilationRecord r = knownCompilation();
    // Tile 3 holds 600 B, the most. Its `a` is live at steps 2 and 3, its `b` at 3 and 4; `slow` runs at 4. `w` is on
    // tile 1, for which no addresses are recorded.
    r.advice.trials.resize(2);
    r.advice.trials[0].purpose = "unchanged";
    r.advice.trials[0].tilesOutOfMemory = 1;
    AdviceTrialRecord &fit = r.advice.trials[1];
    fit.purpose = "fit";
    fit.changes = R"([{"kind": "moveVariable", "variable": "a", "from": "0-3", "to": "2"},
                      {"kind": "moveVertices", "computeSet": "slow", "from": "0-3", "to": "2"},
                      {"kind": "writeUndef", "variable": "b", "before": "fast"},
                      {"kind": "moveVariable", "variable": "w", "mapping": [[0, 50, 2]]},
                      {"kind": "option", "option": "o", "value": "1"}])";
    fit.text = "1\n2\n3\n4\n5";
    fit.numChanges = 5;
    writeKnown(known.place.file("tried.pop"), r);
    const json rows = table(json::parse(known.place.run("popscope", {"fit", "tried.pop", "--json"}).out), "changes");
    REQUIRE(rows.size() == 5);
    const auto place = [&](std::size_t row) { return std::make_pair(rows[row]["tile"], rows[row]["step"]); };
    CHECK(place(0) == std::make_pair(json(3), json(3)));
    CHECK(place(1) == std::make_pair(json(3), json(4)));
    CHECK(place(2) == std::make_pair(json(3), json(3)));
    CHECK(place(3) == std::make_pair(json(1), json()));
    CHECK(place(4) == std::make_pair(json(), json()));
    r.tiles[0].totalIncludingGaps = popscope::Bytes(1000); // gaps make no tile fuller: `a` is on the tiles 0 and 3
    fit.changes = R"([{"kind": "moveVariable", "variable": "a", "from": "0-3", "to": "2"}])";
    fit.text = "1";
    fit.numChanges = 1;
    writeKnown(known.place.file("tried.pop"), r);
    CHECK(table(json::parse(known.place.run("popscope", {"fit", "tried.pop", "--json"}).out), "changes")[0]["tile"] ==
          3);
  }

  TEST_CASE("numbers, exchange and operators account for steps that overlap by their parts of the run") {
    const Known known;
    writeOverlapping(known.place.file("overlapping.pop"));
    const auto ask = [&](std::vector<std::string> words) {
      words.insert(words.begin() + 1, "overlapping.pop");
      words.emplace_back("--json");
      return json::parse(known.place.run("popscope", words).out);
    };
    // The run consists of 20 of Sync, 10 of the exchange (of its 20), 20 of fast and 20 of slow (of its 50).
    std::map<std::string, json> numbers;
    for (const json &row : table(ask({"numbers"}), "numbers"))
      numbers[row["name"]] = row["value"];
    CHECK(numbers.at("cycles") == 70);
    CHECK(numbers.at("step.DoExchange: in.cycles") == 10);
    CHECK(numbers.at("computeSet.fast.cycles") == 20);
    CHECK(numbers.at("computeSet.slow.cycles") == 20);
    CHECK(table(ask({"exchange"}), "exchanges")[0]["cycles"] == 10);
    std::uint64_t sum = 0;
    for (const json &row : table(ask({"operators"}), "operators"))
      sum += row["selfTime"].get<std::uint64_t>();
    CHECK(sum == 50);
  }

  TEST_CASE("top --tiles tells what the tiles chosen do, in each ranking") {
    const Known known;
    const json sets = table(known.ask({"top", "--tiles", "1"}), "computeSets");
    REQUIRE(sets.size() == 1); // slow is only on tile 3
    CHECK(sets[0]["name"] == "fast");
    CHECK(sets[0]["cycles"] == 20);
    CHECK(sets[0]["share"] == 20.0);
    CHECK(sets[0]["vertices"] == 2);
    CHECK(sets[0]["tilesBusy"] == 100.0);
    CHECK(sets[0]["threadsBusy"].is_null());
    const json both = table(known.ask({"top", "--tiles", "1,3"}), "computeSets");
    CHECK(both[0]["name"] == "slow");
    CHECK(both[0]["tilesBusy"] == 50.0);
    const json steps = table(known.ask({"top", "--of", "steps", "--tiles", "1"}), "steps");
    REQUIRE(steps.size() == 2);
    CHECK(steps[0]["cycles"] == 20); // fast
    CHECK(steps[1]["cycles"] == 6);  // the exchange
    CHECK(steps[1]["bytes"] == 4);   // (0 sent + 8 received) / 2
    CHECK(steps[1]["code"] == 4);
    CHECK(table(known.ask({"top", "--of", "steps", "--tiles", "3"}), "steps").size() == 1);
    expectRefusal(
        known.place.run("popscope", {"top", "known.pop", "--of", "vertex-types", "--by", "cycles", "--tiles", "0"}),
        "popscope top: --by: ", "no cycles by tile");
    for (const char *of : {"compute-sets", "steps", "vertex-types", "variables", "tiles", "operations"})
      expectRefusal(known.place.run("popscope", {"top", "known.pop", "--of", of, "--tiles", "99"}),
                    "popscope top: --tiles: ", "there is no tile 99; the profile has 0 to 3");
    for (const char *number : {"-1", "x", "5-2", "18446744073709551616"}) {
      expectRefusal(known.place.run("popscope", {"top", "known.pop", "--tiles", number}),
                    "popscope top: --tiles: ", std::string("\"") + number + "\" is not allowed; give numbers");
      for (const char *view : {"top", "loss", "stats", "export"})
        expectRefusal(known.place.run("popscope", {view, "known.pop", "--tiles", number}),
                      std::string("popscope ") + view + ": --tiles: ", "or all; the profile has 0 to 3");
      expectRefusal(known.place.run("popscope", {"stats", "known.pop", "--runs", number}),
                    "popscope stats: --runs: ", "or all; the profile has 0 alone");
      expectRefusal(known.place.run("popscope", {"loss", "known.pop", "--steps", number}),
                    "popscope loss: --steps: ", "or all; the profile has 0 to 4");
    }
  }

  TEST_CASE("loss names the run of which a scope left out the times, and the runs that it can answer for") {
    const Known known;
    {
      popscope::PopWriter writer(known.place.file("cut.pop"));
      writer.compilation(knownCompilation());
      tools::recordKnownRun(writer, "train");
      popscope::RunRecord cut;
      cut.name = "eval";
      cut.number = 1;
      cut.label = "lab";
      cut.kinds = 2; // exchange
      writer.beginRun(cut);
      popscope::RunTotals totals;
      totals.totalCycles = popscope::Cycles(100);
      totals.computeKnown = false;
      writer.endRun(totals, 0);
      writer.finish();
    }
    expectRefusal(known.place.run("popscope", {"loss", "cut.pop"}),
                  "popscope loss: run 1 (\"eval\"), in scope \"lab\", has times only of these steps: exchange",
                  "choose runs with all times: --runs 0");
    CHECK(known.place.run("popscope", {"loss", "cut.pop", "--runs", "0"}).exitCode == 0);
  }

  TEST_CASE("what never ran is not known to take 0 cycles, and is ranked by what is known") {
    const Known known;
    popscope::PopWriter writer(known.place.file("compiled.pop"));
    writer.compilation(knownCompilation());
    writer.finish();
    const auto ask = [&](std::vector<std::string> words) {
      words.insert(words.begin() + 1, "compiled.pop");
      words.emplace_back("--json");
      return json::parse(known.place.run("popscope", words).out);
    };
    const json sets = table(ask({"top"}), "computeSets"); // by vertices, which are known
    CHECK(sets == table(ask({"top", "--by", "vertices"}), "computeSets"));
    REQUIRE(sets.size() == 2);
    CHECK(sets[0]["name"] == "fast");
    CHECK(sets[0]["vertices"] == 4);
    CHECK(sets[0]["executions"].is_null()); // no run was recorded
    CHECK(sets[0]["cycles"].is_null());
    CHECK(table(ask({"tree"}), "programs")[0]["cycles"].is_null());
    CHECK(table(ask({"top", "--of", "steps"}), "steps")[0]["code"] == 16);
    expectRefusal(known.place.run("popscope", {"top", "compiled.pop", "--by", "cycles"}),
                  "popscope top: --by: ", "no cycles in a profile without a recorded run; give one of vertices");
    expectRefusal(known.place.run("popscope", {"top", "compiled.pop", "--of", "steps", "--by", "cycles"}),
                  "popscope top: --by: ", "give one of code");
  }

  TEST_CASE("the flags that choose mean the same in each view") {
    const Known known;
    const auto ask = [&](std::vector<std::string> words) { return known.ask(std::move(words)); };
    const json onThree = ask({"info", "--tiles", "3"})["facts"];
    CHECK(onThree["usedOnAllTiles"] == 600);
    CHECK(onThree["usedShare"] == 58.6); // of 1,024
    CHECK(onThree["livePeak"] == 90);    // a and b
    CHECK(onThree["alwaysLive"] == 0);
    CHECK(ask({"info", "--tiles", "0-2"})["facts"]["fullestTile"] == 2);
    CHECK(ask({"info", "--steps", "4"})["facts"]["livePeak"] == 80);
    CHECK(table(ask({"info", "--name", "slow"}), "slowestComputeSets").size() == 1);
    CHECK(ask({"info", "--runs", "0", "--ipu", "0"})["facts"]["cycles"] == 100);

    const auto names = [](const json &rows, const char *key) {
      std::vector<std::string> all;
      for (const json &row : rows)
        all.push_back(row[key]);
      return all;
    };
    using Names = std::vector<std::string>;
    CHECK(names(table(ask({"vars", "--steps", "4"}), "variables"), "name") == Names{"w", "b"});
    CHECK(names(table(ask({"vars", "--steps", "2", "--tiles", "3"}), "variables"), "name") == Names{"a"});
    CHECK(names(table(ask({"vars", "--runs", "0", "?", "--name", "b"}), "variables"), "name") == Names{"b"});
    CHECK(ask({"live", "--steps", "4"})["facts"]["atStep"] == 4);
    CHECK(ask({"peak", "--runs", "0", "--steps", "0-2"})["facts"]["peakStep"] == 2);
    expectRefusal(known.place.run("popscope", {"peak", "known.pop", "--steps", "7"}),
                  "popscope peak: --steps: ", "there is no step 7; the profile has 0 to 4");
    CHECK(ask({"tile", "--tiles", "0-1"})["facts"]["tile"] == 1);
    CHECK(ask({"tile", "--steps", "4"})["facts"]["liveAtWorst"] == 30);
    expectRefusal(known.place.run("popscope", {"tile", "known.pop", "3", "--tiles", "0"}),
                  "popscope tile: tile 3 is not among the tiles", "");
    const json gap = ask({"gap", "--name", "b", "--steps", "4"});
    CHECK(gap["facts"]["tiles"] == 1);
    CHECK(gap["facts"]["lowerBound"] == 30);
    CHECK(table(gap, "tiles")[0]["pays"].is_null()); // it is known only for all steps together
    const json noGap = ask({"gap", "--name", "b", "--tiles", "0"});
    CHECK(noGap["facts"]["tiles"] == 0);
    CHECK(table(noGap, "tiles").empty());
    const json tree = table(ask({"tree", "--tiles", "3"}), "programs");
    CHECK(tree[0]["cycles"] == 40);
    CHECK(tree[0]["share"] == 40.0); // relative to 1 tile x 100
    const json runs = table(ask({"runs", "--steps", "3-4", "--tiles", "0"}), "runs");
    CHECK(runs[0]["chosenCycles"] == 60);
    CHECK(runs[0]["chosenWork"] == 20);

    const auto numbers = [&](std::vector<std::string> words) {
      words.insert(words.begin(), "numbers");
      std::map<std::string, json> all;
      for (const json &row : table(known.ask(std::move(words)), "numbers"))
        all[row["name"]] = row["value"];
      return all;
    };
    const auto whole = numbers({}), run = numbers({"--runs", "0"}), tile = numbers({"--tiles", "3"}),
               steps = numbers({"--steps", "3-4"});
    CHECK(whole == run);
    CHECK(tile.at("bytes.allTiles") == 600);
    CHECK(tile.at("bytes.live") == 90);
    CHECK(tile.at("variable.a.bytes") == 60);
    CHECK(tile.count("variable.w.bytes") == 0);
    CHECK(tile.at("cycles.compute") == 40);
    CHECK(tile.at("cycles.exchange") == 0);
    CHECK(tile.at("computeSet.slow.cycles") == 40);
    CHECK(tile.at("computeSet.fast.cycles") == 0);
    CHECK((tile.count("cycles") == 0 && tile.count("vertices") == 0)); // these columns refer to no tile
    CHECK(tile == numbers({"--tiles", "worst:1", "--ipu", "0"}));
    CHECK(steps.at("cycles") == 60);
    CHECK(steps.at("bytes.live") == 180);
    CHECK(steps.at("computeSet.fast.cycles") == 20);
    CHECK((steps.count("step.DoExchange: in.cycles") == 0 && steps.count("bytes.allTiles") == 0));
    CHECK(whole.at("step.DoExchange: in.code") == 16);
    CHECK(numbers({"--tiles", "0"}).at("step.DoExchange: in.code") == 12);

    CompilationRecord later = knownCompilation();
    later.tiles[3].totalExcludingGaps += Bytes(100);
    writeKnown(known.place.file("later.pop"), later, 110);
    const auto differences = [&](std::vector<std::string> words) {
      words.insert(words.begin(), {"diff", "known.pop", "later.pop", "--json"});
      return json::parse(known.place.run("popscope", words).out)["facts"]["differences"].get<int>();
    };
    CHECK(differences({"--tiles", "0-2"}) == 0);
    CHECK(differences({"--tiles", "3"}) == 5); // all, fullest, headroom; compute and slow
    CHECK(differences({"--steps", "2-3"}) == 0);
    {
      PopWriter twice(known.place.file("twice.pop"));
      twice.compilation(knownCompilation());
      tools::recordKnownRun(twice, "train");
      tools::recordKnownRun(twice, "train");
      twice.finish();
    }
    known.place.write("runs.json", R"({"limits": {"cycles": {"maxIncrease": 9}}})");
    expectRefusal(known.place.run("popscope", {"diff", "twice.pop", "known.pop", "--runs", "1"}),
                  "popscope diff: known.pop: --runs: there is no recorded run 1", "");
    expectRefusal(known.place.run("popscope", {"check", "twice.pop", "--budget", "runs.json", "--baseline", "known.pop",
                                               "--runs", "1"}),
                  "popscope check: known.pop: --runs: there is no recorded run 1", "");
    expectRefusal(known.place.run("popscope", {"check", "known.pop", "--budget", "runs.json", "--baseline", "twice.pop",
                                               "--runs", "1"}),
                  "popscope check: known.pop: --runs: there is no recorded run 1", "");
    known.place.write("budget.json", R"({"limits": {"cycles": {"max": 99}, "bytes.allTiles": {"max": 903}}})");
    CHECK(known.place.run("popscope", {"check", "known.pop", "--budget", "budget.json"}).exitCode == 1);
    CHECK(known.place.run("popscope", {"check", "known.pop", "--budget", "budget.json", "--name", "bytes*"}).exitCode ==
          0);
    expectRefusal(known.place.run("popscope", {"check", "known.pop", "--budget", "budget.json", "--name", "x"}),
                  "popscope check: --name: ", "no limit");
    // A limit that --name hides decides nothing, whether it fails or is unknown.
    known.place.write("two.json", R"({"limits": {"cycles": {"max": 99}, "nosuch": {"max": 1}}})");
    expectRefusal(known.place.run("popscope", {"check", "known.pop", "--budget", "two.json", "--name", "nosuch"}),
                  "popscope check: ", "the profile has no number \"nosuch\"");
    known.place.write("hidden.json", R"({"limits": {"cycles": {"max": 1000}, "nosuch": {"max": 1}}})");
    CHECK(known.place.run("popscope", {"check", "known.pop", "--budget", "hidden.json", "--name", "cycles"}).exitCode ==
          0);
    expectRefusal(known.place.run("popscope", {"diff", "known.pop", "later.pop", "--runs", "1"}),
                  "popscope diff: known.pop: --runs: ", "the profile has 0 alone");
    known.place.write("cycles.json", R"({"limits": {"vertices": {"max": 999}}})");
    expectRefusal(known.place.run("popscope", {"check", "known.pop", "--budget", "cycles.json", "--tiles", "0"}),
                  "popscope check: the number \"vertices\" is not known for --tiles 0; popscope numbers with the same ",
                  "");
    expectRefusal(known.place.run("popscope", {"diff", "known.pop", "later.pop", "--ipu", "0", "--steps", "2-3",
                                               "--fail-on", "vertices+0"}),
                  "popscope diff: the number \"vertices\" is not known for --ipu 0 --steps 2-3; ", "");
    const auto history = known.place.run("popscope", {"history", ".", "cycles", "--name", "later*", "--json"});
    CHECK(table(json::parse(history.out), "history").size() == 1);

    CompilationRecord over = knownCompilation();
    over.tiles[3].excludingGaps[2] = Bytes(76);
    over.tilesOutOfMemory = {3};
    writeKnown(known.place.file("over.pop"), over);
    const json oom = json::parse(known.place.run("popscope", {"oom", "over.pop", "--steps", "4", "--json"}).out);
    CHECK(oom["facts"]["liveAtWorst"] == 30);
    CHECK(names(table(oom, "filling"), "name") == Names{"b"});
    CHECK(ask({"overhead", "--tiles", "3"})["facts"]["instrumented"] == false);
  }

  TEST_CASE("a flag with the value all changes no answer") {
    const Known known;
    for (const char *view : {"info", "top", "loss", "peak", "live", "vars", "tile", "tree", "runs", "gap", "exchange",
                             "numbers", "overhead", "operators", "sources"})
      for (const char *flag : {"--tiles", "--steps", "--runs"}) {
        CAPTURE(view);
        CAPTURE(flag);
        if (view == std::string("operators") && flag == std::string("--tiles"))
          continue; // the view has no such flag
        const auto plain = known.place.run("popscope", {view, "known.pop"}),
                   all = known.place.run("popscope", {view, "known.pop", flag, "all"});
        CHECK(plain.exitCode == 0);
        CHECK(all.out == plain.out);
      }
  }

  TEST_CASE("each view fits the columns, prints CSV and Markdown, and refuses wrong usage") {
    const Known known;
    for (const char *view :
         {"info", "top", "stats", "oom", "gap", "loss", "peak", "vars", "tile", "exchange", "tree", "live", "runs"}) {
      CAPTURE(std::string(view));
      for (const char *columns : {"80", "160"})
        for (const auto &line :
             tools::lines(known.place.run("popscope", {view, "known.pop"}, {std::string("COLUMNS=") + columns}).out)) {
          CAPTURE(line);
          CHECK(line.size() <= std::stoul(columns));
        }
      const auto plain = known.place.run("popscope", {view, "known.pop"}),
                 again = known.place.run("popscope", {view, "known.pop"});
      CHECK(plain.out == again.out);
      CHECK(known.text({view, "--csv"}).find("\r\n") != std::string::npos);
      CHECK(known.text({view, "--markdown"}).find("\n|--") != std::string::npos);
      CHECK(known.text({view, "--help"}).find("Examples:\n  popscope ") != std::string::npos);
      expectRefusal(known.place.run("popscope", {view, "known.pop", "--json", "--csv"}),
                    std::string("popscope ") + view + ": ", "exclude each other");
      expectRefusal(known.place.run("popscope", {view, "known.pop", "--jsn"}),
                    std::string("popscope ") + view + ": unknown option", "Did you mean \"--json\"?");
      expectRefusal(known.place.run("popscope", {view}), std::string("popscope ") + view + ": ", "is missing; usage: ");
      expectRefusal(known.place.run("popscope", {view, "none.pop"}),
                    std::string("popscope ") + view + ": none.pop: ", "no such file");
    }
    for (const char *spec :
         {"5", "0-9", "x", "3-1", "-1", "99999999999999999999", "worst:0", "worst:x", "0,,1", ",", ""})
      expectRefusal(known.place.run("popscope", {"top", "known.pop", "--of", "tiles", "--tiles", spec}),
                    "popscope top: --tiles: ", "");
    for (const char *flag : {"--steps", "--runs", "--ipu"})
      expectRefusal(known.place.run("popscope", {"top", "known.pop", flag, ""}),
                    std::string("popscope top: ") + flag + ": ", "the value is empty; leave the option out for all");
    expectRefusal(known.place.run("popscope", {"export", "known.pop", "--format", "csv", "--tiles", ""}),
                  "popscope export: --tiles: ", "the value is empty");
    expectRefusal(known.place.run("popscope", {"top", "known.pop", "-n", "-1"}), "popscope top: -n: ", "whole number");
    expectRefusal(known.place.run("popscope", {"top", "known.pop", "--of", "tile"}),
                  "popscope top: --of: ", "give one of compute-sets");
    expectRefusal(known.place.run("popscope", {"top", "known.pop", "--of", "variables", "--by", "cycles"}),
                  "popscope top: --by: ", "have no cycles");
    expectRefusal(known.place.run("popscope", {"top", "known.pop", "--ipu", "1"}), "popscope top: --ipu: ", "");
  }

  TEST_CASE("the parts of the runs' length add up in numbers, and their changes in diff") {
    const Known known;
    CompilationRecord record = knownCompilation();
    record.programs[1].type = "StreamCopyEnd";
    record.programs[1].barriers = {"host answer", "internal"};
    writeKnown(known.place.file("host.pop"), record, 130);
    const auto partsOf = [&](const char *profile) {
      std::map<std::string, std::int64_t> parts;
      for (const auto &row :
           table(json::parse(known.place.run("popscope", {"numbers", profile, "--json"}).out), "numbers"))
        if (row["unit"] == "cycles")
          parts[row["name"]] = row["value"];
      return parts;
    };
    CHECK(partsOf("known.pop") == std::map<std::string, std::int64_t>{{"cycles", 100},
                                                                      {"computeSet.fast.cycles", 20},
                                                                      {"computeSet.slow.cycles", 40},
                                                                      {"step.DoExchange: in.cycles", 10},
                                                                      {"barriers.cycles", 30}, // 20 + 10
                                                                      {"hostWaits.cycles", 0},
                                                                      {"controlFlow.cycles", 0},
                                                                      {"rest.cycles", 0}});
    CHECK(partsOf("host.pop")["hostWaits.cycles"] == 30);
    CHECK(partsOf("host.pop")["barriers.cycles"] == 0);
    const json changes =
        table(json::parse(known.place.run("popscope", {"diff", "known.pop", "host.pop", "--json"}).out), "cycles");
    std::int64_t sum = 0;
    std::map<std::string, std::int64_t> byName;
    for (const auto &row : changes)
      sum += (byName[row["name"]] = row["change"]);
    CHECK(byName ==
          std::map<std::string, std::int64_t>{
              {"cycles", 30}, {"computeSet.slow.cycles", 30}, {"hostWaits.cycles", 30}, {"barriers.cycles", -30}});
    CHECK(sum == 2 * byName["cycles"]);
  }

  TEST_CASE("diff names what moved, and --fail-on makes it a finding") {
    const Known known;
    CompilationRecord later = knownCompilation();
    later.variables[1].bytes = Bytes(42); // b
    later.variables.push_back(knownVariable(later, "c", 8, 0, {{0, 8}}));
    later.graph.numEdges = 9;
    later.tiles[3].totalExcludingGaps += Bytes(100);
    writeKnown(known.place.file("later.pop"), later, 110); // slow takes 50
    const auto diff = [&](std::vector<std::string> words) {
      words.insert(words.begin(), {"diff", "known.pop", "later.pop"});
      return known.place.run("popscope", words);
    };
    const json answer = json::parse(diff({"--json"}).out);
    CHECK(diff({}).exitCode == 0);
    CHECK(answer["facts"]["cyclesBefore"] == 100);
    CHECK(answer["facts"]["cyclesAfter"] == 110);
    CHECK(
        table(answer, "cycles") ==
        json::parse(R"([{"name": "computeSet.slow.cycles", "what": "changed", "before": 40, "after": 50, "change": 10},
                                                    {"name": "cycles", "what": "changed", "before": 100, "after": 110, "change": 10}])"));
    std::map<std::string, std::int64_t> bytes;
    for (const auto &row : table(answer, "bytes"))
      bytes[row["name"]] = row["change"];
    CHECK(bytes == std::map<std::string, std::int64_t>{{"variable.b.bytes", 12},
                                                       {"variable.c.bytes", 8},
                                                       {"bytes.fullestTile", 100},
                                                       {"bytes.allTiles", 100},
                                                       {"bytes.headroom", -100}});
    CHECK(table(answer, "counts") ==
          json::parse(R"([{"name": "edges", "what": "changed", "before": 10, "after": 9, "change": -1}])"));
    // 100 + 10 % is 110; one cycle less in the limit is a breach.
    CHECK(diff({"--fail-on", "cycles+10%"}).exitCode == 0);
    const auto breach = diff({"--fail-on", "cycles+9,edges+0"});
    CHECK(breach.exitCode == 1);
    CHECK(breach.err == "");
    CHECK(breach.out.find("1 of the limits of --fail-on does not hold.") != std::string::npos);
    CHECK(diff({"--fail-on", "computeSet.*.cycles+9"}).exitCode == 1);
    CHECK(diff({"--fail-on", "cycles+10%, edges+0"}).exitCode == 0);
    expectRefusal(diff({"--fail-on", ""}), "popscope diff: --fail-on: ", "the value is empty");
    CHECK(known.place.run("popscope", {"diff", "known.pop", "known.pop"}).out.find("No number differs.\n") !=
          std::string::npos);
    expectRefusal(diff({"--fail-on", "cycels+1"}), "popscope diff: ", "Did you mean \"cycles\"?");
    for (const char *bad :
         {"cycles", "cycles+", "cycles+-1", "cycles+x%", "+1", "cycles+1,", "cycles+99999999999999999999"})
      expectRefusal(diff({"--fail-on", bad}), "popscope diff: --fail-on: ", "is not allowed");
    expectRefusal(known.place.run("popscope", {"diff", "known.pop"}), "popscope diff: ", "is missing; usage: ");
    const auto growth = [&](const char *name, const char *limits) { // of a variable that grows by 8 bytes
      CompilationRecord named = knownCompilation();
      named.variables.push_back(knownVariable(named, name, 8, 0, {{0, 8}}));
      writeKnown(known.place.file("named.pop"), named, 100);
      return known.place.run("popscope", {"diff", "known.pop", "named.pop", "--fail-on", limits}).exitCode;
    };
    CHECK(growth("x,y=1", "variable.x,y=1.bytes+7") == 1);
    CHECK(growth("x,y=1", "variable.x,y=1.bytes+8") == 0);
    CHECK(growth("x,y=1", "cycles+0,variable.x,y=1.bytes+7,edges+0") == 1);
    CHECK(growth("x,y=1", "variable.x,*.bytes+7,edges+0") == 1);
    CHECK(growth("x+1,y", "variable.x+1,y.bytes+8,edges+0") == 0);
    CHECK(growth("x+1,y", "variable.x+1,z.bytes+8") == 2);
  }

  TEST_CASE("category.multiple counts bytes of other categories again, and each answer with it says so") {
    const Known known;
    CompilationRecord r = knownCompilation();
    const auto with = [&](StorageCategory category, std::uint64_t bytes) {
      r.tiles[3].category[static_cast<std::size_t>(category)][0][0] = Bytes(bytes);
    };
    with(StorageCategory::Multiple, 24);
    writeKnown(known.place.file("shared.pop"), r);
    with(StorageCategory::Multiple, 32);
    writeKnown(known.place.file("denser.pop"), r);
    known.place.write("budget.json", R"({"limits": {"category.multiple": {"max": 24}}})");
    known.place.write("other.json", R"({"limits": {"category.variable": {"min": 1}}})");
    const auto notes = [&](std::vector<std::string> words) {
      words.emplace_back("--json");
      return json::parse(known.place.run("popscope", words).out)["notes"].dump();
    };
    const char *counted = "counts addresses that allocations of several categories occupy";
    CHECK(notes({"numbers", "shared.pop"}).find(counted) != std::string::npos);
    CHECK(notes({"check", "denser.pop", "--budget", "budget.json"}).find(counted) != std::string::npos);
    CHECK(notes({"diff", "shared.pop", "denser.pop"}).find(counted) != std::string::npos);
    CHECK(notes({"numbers", "known.pop"}).find(counted) == std::string::npos);
    CHECK(notes({"check", "denser.pop", "--budget", "other.json"}).find(counted) == std::string::npos);
    const json numbers = json::parse(known.place.run("popscope", {"numbers", "shared.pop", "--json"}).out);
    std::map<std::string, std::uint64_t> bytes;
    for (const json &row : numbers["tables"]["numbers"]["rows"])
      if (row["unit"] == "bytes")
        bytes[row["name"]] = row["value"].get<std::uint64_t>();
    CHECK(bytes["category.multiple"] == 24);
    CHECK(bytes["category.variable"] + bytes["category.stack"] == bytes["bytes.allTiles"]); // without `multiple`
  }

  TEST_CASE("check holds a profile to a budget") {
    const Known known;
    const auto check = [&](const char *budget, std::vector<std::string> words = {}) {
      known.place.write("budget.json", budget);
      words.insert(words.begin(), {"check", "known.pop", "--budget", "budget.json"});
      return known.place.run("popscope", words);
    };
    CHECK(check(R"({"limits": {"cycles": {"max": 100}, "bytes.headroom": {"min": 424}}})")
              .out.find("All 2 limits hold.\n") == 0);
    const auto breach = check(R"({"limits": {"cycles": {"max": 99}, "bytes.headroom": {"min": 424}}})", {"--json"});
    CHECK(breach.exitCode == 1);
    const json answer = json::parse(breach.out);
    CHECK(answer["facts"]["breaches"] == 1);
    CHECK(
        table(answer, "limits")[0] ==
        json::parse(
            R"({"number": "cycles", "rule": "max", "value": 100, "limit": 99, "baseline": null, "unit": "cycles", "kept": false, "line": 1})"));
    CHECK(check(R"({"limits": {"computeSet.*.cycles": {"max": 39}}})").exitCode == 1);
    CHECK(check(R"({"limits": {"computeSet.*.cycles": {"max": 40}}})").exitCode == 0);
    CHECK(check(R"({"limits": {"computeSet.*.cycles": {"max": 39}}})", {"--junit"}).out ==
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"popscope check\" tests=\"2\" failures=\"1\">\n"
          "  <testcase classname=\"popscope.check\" name=\"computeSet.slow.cycles max\"><failure message=\"40 where "
          "the limit is 39\"/></testcase>\n"
          "  <testcase classname=\"popscope.check\" name=\"computeSet.fast.cycles max\"/>\n</testsuite>\n");
    writeKnown(known.place.file("before.pop"), knownCompilation(), 90); // slow took 30
    CHECK(check(R"({"limits": {"cycles": {"maxIncrease": "12%"}}})", {"--baseline", "before.pop"}).exitCode ==
          0); // 90 + 10.8
    CHECK(check(R"({"limits": {"cycles": {"maxIncrease": "11%"}}})", {"--baseline", "before.pop"}).exitCode ==
          1); // 90 + 9.9
    CHECK(check(R"({"limits": {"cycles": {"maxIncrease": 10}}})", {"--baseline", "before.pop"}).exitCode == 0);
    CHECK(check(R"({"limits": {"cycles": {"maxIncrease": 9}}})", {"--baseline", "before.pop"}).exitCode == 1);
    for (const char *percent : {"1e30%", "1e300%"}) {
      const std::string budget = std::string(R"({"limits": {"cycles": {"maxIncrease": ")") + percent + "\"}}}";
      CHECK(check(budget.c_str(), {"--baseline", "before.pop"}).exitCode == 0);
      CHECK(table(json::parse(check(budget.c_str(), {"--baseline", "before.pop", "--json"}).out),
                  "limits")[0]["limit"] == std::numeric_limits<std::int64_t>::max());
    }
    expectRefusal(check(R"({"limits": {"cycles": {"maxIncrease": 9}}})"), "popscope check: ", "--baseline FILE");
    expectRefusal(check(R"({"limits": {"cycels": {"max": 9}}})"), "popscope check: ", "Did you mean \"cycles\"?");
    expectRefusal(check(R"({"limits": {"cycles": {"maxx": 9}}})"),
                  "popscope check: budget.json: ", "Did you mean \"max\"?");
    CHECK(check(R"({"limits": {"cycles": {"max": 1e9}}})").exitCode == 0);
    CHECK(check(R"({"limits": {"cycles": {"max": 9.9e1}}})").exitCode == 1);
    for (const char *bad : {"", "[]", "{}", R"({"limits": []})", R"({"limits": {"cycles": {}}})",
                            R"({"limits": {"cycles": {"max": "9"}}})", R"({"limits": {"cycles": {"max": 1.5}}})",
                            R"({"limits": {"cycles": {"max": 99999999999999999999}}})"})
      expectRefusal(check(bad), "popscope check: budget.json: ", "");
    expectRefusal(check(R"({"limits": {}, "limit": 1})"),
                  "popscope check: budget.json:1: ", "a budget has no key \"limit\"; its only key is \"limits\"");
    expectRefusal(check(R"({"limits": {"cycles": {"maxIncrease": -2}}})"), "popscope check: budget.json: \"cycles\": ",
                  "the value -2 of \"maxIncrease\" cannot be used; give a whole number of 0 or more");
    CHECK(check(R"({"limits": {"cycles": {"max": 100}}})").out.find("The limit holds.\n") == 0);
    CHECK(check(R"({"limits": {"cycles": {"max": 99}}})").out.find("1 of 1 limit does not hold.\n") == 0);
    CHECK(check(R"({"limits": {"cycles": {"max": 99}, "bytes.headroom": {"min": 425}}})")
              .out.find("2 of 2 limits do not hold.\n") == 0);
    expectRefusal(known.place.run("popscope", {"check", "known.pop"}), "popscope check: ", "--budget FILE");
    expectRefusal(known.place.run("popscope", {"check", "known.pop", "--budget", "none.json"}),
                  "popscope check: none.json: ", "cannot be read");
    CHECK(table(known.ask({"numbers", "bytes.head*"}), "numbers") ==
          json::parse(R"([{"name": "bytes.headroom", "value": 424, "unit": "bytes"}])"));
  }

  TEST_CASE("bytes of exchange code have a note if the memory is without code") {
    const Known known;
    popscope::CompilationRecord record = knownCompilation();
    record.codeIncluded = false;
    tools::writeKnown(known.place.file("bare.pop"), record);
    const auto noted = [&](const char *file, std::vector<std::string> words) {
      words.insert(words.begin() + 1, file);
      words.emplace_back("--json");
      return json::parse(known.place.run("popscope", words).out)["notes"].dump().find("without compileIPUCode") !=
             std::string::npos;
    };
    for (const std::vector<std::string> &words : std::vector<std::vector<std::string>>{
             {"exchange"}, {"numbers"}, {"numbers", "bytes.exchangeCode"}, {"top", "--of", "steps"}}) {
      CAPTURE(words.back());
      CHECK(noted("bare.pop", words));
      CHECK_FALSE(noted("known.pop", words));
    }
    CHECK_FALSE(noted("bare.pop", {"numbers", "cycles"}));
  }

  TEST_CASE("with some tiles, top notes why the working threads are unknown") {
    const Known known;
    const auto noted = [&](std::vector<std::string> words) {
      words.insert(words.begin(), {"top", "--of", "compute-sets"});
      return known.ask(words)["notes"].dump().find("Threads busy") != std::string::npos;
    };
    CHECK(noted({"--tiles", "0"}));
    CHECK_FALSE(noted({}));
  }

  TEST_CASE("a profile without runs is told so") {
    const Known known;
    PopWriter writer(known.place.file("still.pop"));
    writer.compilation(knownCompilation());
    writer.finish();
    CHECK(known.place.run("popscope", {"still.pop"}).out.find("No run was recorded.\n") != std::string::npos);
    CHECK(known.place.run("popscope", {"runs", "still.pop"})
              .out.find("Runs: none recorded. The engine options request only the profile of the compilation: set "
                        "autoReport.outputExecutionProfile to") != std::string::npos);
    expectRefusal(known.place.run("popscope", {"loss", "still.pop"}), "popscope loss: ", "no recorded run");
    for (const char *view : {"top", "tree"})
      CHECK(known.place.run("popscope", {view, "still.pop"}).exitCode == 0);
  }
}
