#include "RunProgram.hpp"

#include "base/settings/EngineOptionTable.hpp"
#include "report/pop/PopFile.hpp"
#include "report/pop/Schema.hpp"
#include "tests/unit/report/SmallProfile.hpp"

#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

using tools::expectRefusal;
using tools::Workplace;

TEST_SUITE("tools.popscope") {
  TEST_CASE("overhead and sources say what a profile without counters and without sources has") {
    const Workplace place;
    const auto overhead = place.run("popscope", {"overhead", "small.pop"});
    CHECK(overhead.exitCode == 0);
    CHECK(overhead.out == "Instrumentation: none; it cost nothing.\n\n"
                          "Next: popscope info small.pop\n      popscope options --name '*instrument*'\n");
    const auto sources = place.run("popscope", {"sources", "small.pop"});
    CHECK(sources.exitCode == 0);
    CHECK(sources.out == "No sources of cycles were recorded: run the program with profiling.\n\n"
                         "Next: popscope info small.pop\n");
  }

  TEST_CASE("why explains a variable, everywhere or at one step") {
    const Workplace place;
    const std::string whole = place.run("popscope", {"why", "small.pop", "sum"}).out;
    CHECK(whole == "Variable \"sum\": 40 B on tile 0, category variable\n"
                   "  live at step 1 OnEveryTileSwitch to step 2 OnTileExecute: add\n"
                   "    read next by:           step 1 OnEveryTileSwitch\n"
                   "    last fully written by:  nothing since the engine started: earlier contents stay needed\n"
                   "    not killed by:          step 2 OnTileExecute: add, which leaves out 3 elements: [2,4)[7,8)\n"
                   "    brought there by:       the engine, which may run a program again\n"
                   "    weighs most at:         step 1 OnEveryTileSwitch, 40 of 40 B live there (100.0%)\n"
                   "  false-live: 28 B at step 1 OnEveryTileSwitch, where no path reads them\n\n"
                   "Next: popscope advise small.pop --name sum\n      popscope live small.pop --at 1\n"
                   "      popscope vars small.pop sum\n");
    const std::string table = place.run("popscope", {"why", "small.pop", "sum", "--markdown"}).out;
    CAPTURE(table);
    CHECK(table.find("### Why it is live") != std::string::npos);
    CHECK(table.find("unknown") == std::string::npos); // no full write, no call: empty cells
    const auto reasons = nlohmann::json::parse(place.run("popscope", {"why", "small.pop", "sum", "--json"}).out);
    CHECK(reasons["tables"]["reasons"]["rows"][0]["lastFullyWrittenBy"].is_null());
    const auto dead = place.run("popscope", {"why", "small.pop", "sum", "--step", "3"});
    CHECK(dead.exitCode == 0);
    CHECK(dead.out == "Variable \"sum\": 40 B on tile 0, category variable\n  not live at step 3 Switch: choose\n\n"
                      "Next: popscope vars small.pop sum\n");
    expectRefusal(place.run("popscope", {"why", "small.pop", "sun"}), "popscope why: ", "Did you mean \"sum\"?");
    expectRefusal(place.run("popscope", {"why", "small.pop", "sum", "--step", "4"}),
                  "popscope why: --step: ", "the profile has 0 to 3");
    expectRefusal(place.run("popscope", {"why", "small.pop", "sum", "--step", "x"}), "popscope why: ", "--step");
  }

  TEST_CASE("why does not call a variable dead where it is false-live or always live") {
    const Workplace place;
    popscope::CompilationRecord record = small::compilation();
    record.variables.front().alwaysLive = true;
    record.variables.front().liveClass = -1;
    record.advice.falseLive = {{0, 3, 4, popscope::Bytes(40), {}}};
    popscope::PopWriter writer(place.file("always.pop"));
    writer.compilation(record);
    writer.finish();
    const auto whyAt = [&](const char *step) {
      const auto all = tools::lines(place.run("popscope", {"why", "always.pop", "sum", "--step", step}).out);
      return all.size() < 2 ? std::string() : all[1];
    };
    CHECK(whyAt("3") == "  false-live: 40 B at step 3 Switch: choose, where no path reads them");
    CHECK(whyAt("0") == "  in memory at step 0 Sequence, as at every step, but no path reads it from there");
  }

  TEST_CASE("why shows no false-live bytes where there is no liveness step") {
    const Workplace place;
    popscope::CompilationRecord record = small::compilation();
    record.advice.falseLive = {{0, 0, 1, popscope::Bytes(40), {}}, {0, 0, 2, popscope::Bytes(28), {}}};
    popscope::PopWriter writer(place.file("between.pop"));
    writer.compilation(record);
    writer.finish();
    const std::string out = place.run("popscope", {"why", "between.pop", "sum"}).out;
    CHECK_MESSAGE(out.find("false-live: 28 B at step 1") != std::string::npos, out);
    CHECK_MESSAGE(out.find("false-live: 40 B") == std::string::npos, out);
  }

  TEST_CASE("why says that nothing reads a variable that is never live") {
    const Workplace place;
    popscope::CompilationRecord record = small::compilation();
    popscope::LiveVariableRecord sink = record.variables.front();
    record.livenessClasses.emplace_back();
    sink.name = record.variableNames.intern("sink");
    sink.liveClass = static_cast<std::int64_t>(record.livenessClasses.size()) - 1;
    record.variables.push_back(sink);
    popscope::PopWriter writer(place.file("never.pop"));
    writer.compilation(record);
    writer.finish();
    expectRefusal(place.run("popscope", {"why", "never.pop", "sink"}),
                  "popscope why: ", "nothing reads 'sink', so it is never live");
  }

  TEST_CASE("why takes a name as its own hints show it") {
    const Workplace place;
    popscope::CompilationRecord record = small::compilation();
    record.variables.front().name = record.variableNames.intern("\x1b[2Jred\nsum");
    popscope::PopWriter writer(place.file("named.pop"));
    writer.compilation(record);
    writer.finish();
    const auto why = place.run("popscope", {"why", "named.pop", "\\x1b[2Jred\\x0asum"});
    CHECK_MESSAGE(why.exitCode == 0, why.err);
    CHECK(why.out.find("popscope advise named.pop --name $'\\x1b[2Jred\\x0asum'\n") != std::string::npos);
    for (const std::string name : {"\\x1b[2Jred\\x0asum", "\x1b[2Jred\nsum"}) // as text, and as a shell reads the hint
      CHECK(place.run("popscope", {"advise", "named.pop", "--name", name}).exitCode == 0);
    CHECK(place.run("popscope", {"advise", "named.pop", "--name", "\\x1b[2Jred\\x0asum"})
              .out.find("\\x1b[2Jred\\x0asum") != std::string::npos);
    CHECK(place.run("popscope", {"vars", "named.pop", "\\x1b[2Jred\\x0asum"}).exitCode == 0);
  }

  TEST_CASE("why explains the largest of many variables of one name, and all where it is told to") {
    const Workplace place;
    popscope::CompilationRecord record = small::compilation();
    for (std::uint32_t v = 1; v < 50; ++v) {
      popscope::LiveVariableRecord variable = record.variables.front();
      variable.bytes = popscope::Bytes(40 + v);
      variable.bytesByTile = {{v % small::kTiles, 40 + v}};
      record.variables.push_back(variable);
      record.advice.explanations.push_back(record.advice.explanations.front());
      record.advice.explanations.back().variable = v;
    }
    const auto write = [&] {
      popscope::PopWriter writer(place.file("many.pop"));
      writer.compilation(record);
      writer.finish();
    };
    write();
    const auto same = nlohmann::json::parse(place.run("popscope", {"why", "many.pop", "sum", "--json"}).out);
    const auto &rows = same["tables"]["variables"]["rows"]; // variables with equal reasons share a row
    REQUIRE(rows.size() == 2);
    CHECK(rows[1]["variables"] == 49);
    CHECK(rows[1]["bytes"] == 49 * 40 + 49 * 50 / 2);
    CHECK(rows[1]["tiles"] == small::kTiles);
    const std::string joined = place.run("popscope", {"why", "many.pop", "sum"}).out;
    CHECK(joined.find("49 variables \"sum\": 3,185 B over " + std::to_string(small::kTiles) + " tiles") !=
          std::string::npos);
    const auto peak = nlohmann::json::parse(place.run("popscope", {"peak", "many.pop", "--json"}).out);
    const auto &live = peak["tables"]["variables"]["rows"]; // rows are ranked by the sum over variables of one name
    REQUIRE(!live.empty());
    CHECK(live[0]["name"] == "sum");
    CHECK(live[0]["variables"] == 50);
    CHECK(live[0]["bytes"] == 40 + 49 * 40 + 49 * 50 / 2);
    for (std::size_t e = 0; e < record.advice.explanations.size(); ++e)
      record.advice.explanations[e].missedElements = e;
    write();
    const auto told = [&](const std::vector<std::string> &more) {
      std::vector<std::string> arguments{"why", "many.pop", "sum", "--json"};
      arguments.insert(arguments.end(), more.begin(), more.end());
      std::vector<int> bytes;
      const auto answer = nlohmann::json::parse(place.run("popscope", arguments).out);
      for (const auto &row : answer["tables"]["variables"]["rows"])
        bytes.push_back(row["bytes"]);
      return bytes;
    };
    const std::vector<int> usual = told({});
    CHECK(usual.size() == 40);
    CHECK(usual.front() == 89);
    CHECK(usual.back() == 50);
    CHECK(told({"-n", "3"}) == std::vector<int>{89, 88, 87});
    CHECK(told({"-n", "0"}).size() == 50);
    CHECK(told({"-n", "0"}).front() == 40); // all that the profile has
    const std::string text = place.run("popscope", {"why", "many.pop", "sum"}).out;
    CHECK(text.find("\nand 10 variables more; -n 0 shows all\n") != std::string::npos);
  }

  TEST_CASE("why, advise and fit as JSON") {
    const Workplace place;
    const auto why = nlohmann::json::parse(place.run("popscope", {"why", "small.pop", "sum", "--json"}).out);
    CHECK(why["facts"]["step"].is_null());
    const auto sum = why["tables"]["variables"]["rows"].at(0);
    CHECK(sum["variable"] == "sum");
    CHECK(sum["bytes"] == 40);
    CHECK(sum["tiles"] == 1);
    CHECK(sum["largestTile"] == 0);
    CHECK(sum["bytesOnLargestTile"] == 40);
    CHECK(sum["alwaysLive"] == false);
    CHECK(sum["reasons"] == 1);
    const auto part = why["tables"]["reasons"]["rows"].at(0);
    CHECK(part["first"] == 1);
    CHECK(part["last"] == 2);
    CHECK(part["readNextBy"] == "1 OnEveryTileSwitch");
    CHECK(part["lastFullyWrittenBy"].is_null());
    CHECK(part["notKilledBy"] == "2 OnTileExecute: add");
    CHECK(part["missedElements"] == 3);
    CHECK(part["missedRanges"] == "[2,4)[7,8)");
    CHECK(part["broughtBy"] == "next run");
    CHECK(part["weighsMostAt"] == "1 OnEveryTileSwitch");
    CHECK(part["liveBytesThere"] == 40);
    CHECK(part["variable"] == 0);
    CHECK(why["tables"]["falseLive"]["rows"].at(0)["bytes"] == 28);
    const std::string csv = place.run("popscope", {"why", "small.pop", "sum", "--csv"}).out;
    CHECK(csv.find("first,last,readNextBy,") == 0);
    CHECK(csv.find("\r\n1,2,1 OnEveryTileSwitch,") != std::string::npos);
    CHECK(place.run("popscope", {"why", "small.pop", "sum", "--markdown"}).out.find("Why it is live") !=
          std::string::npos);
    const auto dead =
        nlohmann::json::parse(place.run("popscope", {"why", "small.pop", "sum", "--step", "3", "--json"}).out);
    CHECK(dead["facts"]["step"] == 3);
    CHECK(dead["tables"]["reasons"]["rows"].empty());
    const auto advice = nlohmann::json::parse(place.run("popscope", {"advise", "small.pop", "--json"}).out);
    CHECK(advice["facts"]["peakTile"] == 3);
    CHECK(advice["facts"]["liveBytes"] == 40);
    CHECK(advice["facts"]["falseLiveBytes"] == 20);
    CHECK(advice["facts"]["liveBytesAfterAll"] == 24);
    CHECK(advice["tables"]["placements"]["rows"].at(0)["variable"] == "sum");
    CHECK(advice["tables"]["placements"]["rows"].at(0)["savedOnAllTiles"] == 24);
    CHECK(advice["tables"]["falseLive"]["rows"].at(0)["maxBytesOnPeakTile"] == 20);
    const auto change = advice["tables"]["changes"]["rows"].at(0);
    CHECK(change["change"] == "popscope.elideCopies = true");
    const auto effect = advice["tables"]["effects"]["rows"].at(0);
    CHECK(effect["fullest"] == -8);
    CHECK(effect["allTiles"] == -8);
    CHECK_FALSE(effect.contains("applyAdvice"));
    const auto none = nlohmann::json::parse(
        place.run("popscope", {"advise", "small.pop", "--json", "--name", "other", "--steps", "0"}).out);
    for (const char *table : {"placements", "falseLive", "changes"})
      CHECK(none["tables"][table]["rows"].empty());
    const auto full = nlohmann::json::parse(place.run("popscope", {"advise", "small.pop", "--json", "--changes"}).out);
    CHECK(nlohmann::json::parse(full["tables"]["effects"]["rows"].at(0)["applyAdvice"].get<std::string>()).size() == 1);
    const auto fits = nlohmann::json::parse(place.run("popscope", {"fit", "small.pop", "--json"}).out);
    CHECK(fits["facts"]["fits"] == true); // without changes
    CHECK(fits["facts"]["numChanges"] == 0);
    CHECK(fits["facts"]["compilations"] == 1);
    expectRefusal(place.run("popscope", {"why", "small.pop", "sun", "--json"}),
                  "popscope why: ", "Did you mean \"sum\"?");
  }

  TEST_CASE("fit tells the least changes that were found, or the nearest to it with code 1, and writes them") {
    const Workplace place;
    const std::string changes = R"([{"kind":"moveVariable","variable":"sum","from":"0","to":"1"}])";
    const auto write = [&](const char *file, bool found, bool helps = true) {
      popscope::CompilationRecord record = small::compilation();
      using popscope::Bytes, popscope::Cycles;
      record.advice.trials = {
          {"unchanged", "[]", "", 0, 2, 3, Bytes(1100), Bytes(80), Bytes(2000), {}, {}},
          {"alone", "[]", "worse", 1, 2, 3, Bytes(1110), Bytes(90), Bytes(2000), {}, {}},
          {"search", changes, "move \"sum\"", 1, 1, 3, Bytes(1030), Bytes(6), Bytes(2010), Bytes(4), Cycles(7)}};
      if (!helps)
        record.advice.trials.pop_back();
      if (found)
        record.advice.trials.push_back(
            {"fit", changes, "move \"sum\"", 1, 0, 2, Bytes(1000), {}, Bytes(2010), Bytes(4), Cycles(7)});
      popscope::PopWriter writer(place.file(file));
      writer.compilation(record);
      writer.finish();
    };
    write("found.pop", true);
    write("none.pop", false);
    write("worse.pop", false, false);
    const auto found = place.run("popscope", {"fit", "found.pop", "--write", "changes.json"});
    CHECK(found.exitCode == 0);
    CHECK(found.out.find("With this change the program fits") != std::string::npos);
    CHECK(found.out.find("popscope.applyAdvice") != std::string::npos);
    std::ifstream written(place.file("changes.json"));
    CHECK(std::string(std::istreambuf_iterator<char>(written), {}) == changes + "\n");
    const auto none = place.run("popscope", {"fit", "none.pop", "--json"});
    CHECK(none.exitCode == 1);
    const auto facts = nlohmann::json::parse(none.out)["facts"];
    CHECK(facts["fits"] == false);
    CHECK(facts["leftPastEnd"] == 6);
    CHECK(facts["compilations"] == 2);
    const auto nearest = place.run("popscope", {"fit", "none.pop", "--write", "nearest.json"});
    CHECK(nearest.exitCode == 1);
    CHECK(nearest.out.find("1 tile still does not fit, with 6 B past the end in total.") != std::string::npos);
    CHECK(nearest.out.find("with the changes in nearest.json, the program still does not fit") != std::string::npos);
    CHECK(nearest.out.find("apply them") == std::string::npos);
    const auto worse = place.run("popscope", {"fit", "worse.pop", "--write", "empty.json"});
    CHECK(worse.exitCode == 1);
    CHECK(worse.out.find("No set reduces the bytes past the end.") != std::string::npos);
    CHECK(worse.out.find("empty.json contains an empty list") != std::string::npos);
    for (const char *claim : {"apply them", "nearest", "computes the same values"})
      CHECK_MESSAGE(worse.out.find(claim) == std::string::npos, claim);
    { // without trials, a program that fits needs no change, whether or not the changes are written
      popscope::PopWriter writer(place.file("untried.pop"));
      writer.compilation(small::compilation());
      writer.finish();
    }
    CHECK(place.run("popscope", {"fit", "untried.pop"}).exitCode == 0);
    const auto untried = place.run("popscope", {"fit", "untried.pop", "--write", "untried.json"});
    CHECK(untried.exitCode == 0);
    CHECK(untried.out.find("untried.json contains an empty list, because the program needs no change") !=
          std::string::npos);
    CHECK(place.read("untried.json") == "[]\n");
    const auto advice = nlohmann::json::parse(place.run("popscope", {"advise", "none.pop", "--json"}).out);
    CHECK(advice["facts"]["proposalsThatHelp"] == 0);
    expectRefusal(place.run("popscope", {"fit", "found.pop", "--write", "no/such/folder"}),
                  "popscope fit: ", "cannot be written");
  }

  TEST_CASE("sql prints a table, comma-separated values or JSON") {
    const Workplace place;
    CHECK(place.run("popscope", {"sql", "small.pop", "SELECT 1 AS one WHERE 0"}).out == "one\n(no rows)\n");
    CHECK(place.run("popscope", {"sql", "small.pop", "SELECT 1 AS one WHERE 0", "--csv"}).out == "one\r\n");
    expectRefusal(place.run("popscope", {"sql", "small.pop",
                                         "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
                                         "SELECT COUNT(*) FROM c WHERE x < 0"}),
                  "popscope sql: ", "million operations of SQLite, the limit for a profile of this size");
    const std::string sql = "SELECT name, complete, NULL AS absent FROM runs";
    const auto text = place.run("popscope", {"sql", "small.pop", sql});
    CHECK(text.out == "name               complete  absent\nfirst, with comma         1  \n");
    const auto csv = place.run("popscope", {"sql", "small.pop", sql, "--csv"});
    CHECK(csv.out == "name,complete,absent\r\n\"first, with comma\",1,\r\n");
    const auto json = place.run("popscope", {"sql", "small.pop", sql, "--json"});
    CHECK(nlohmann::json::parse(json.out) ==
          nlohmann::json::parse(R"([{"name": "first, with comma", "complete": 1, "absent": null}])"));
    CHECK(text.exitCode + csv.exitCode + json.exitCode == 0);
  }

  TEST_CASE("sql shows per-tile values as their size, and expands them when asked") {
    const Workplace place;
    const std::string sql = "SELECT bytes_sent FROM programs WHERE type = 'OnTileExecute'";
    const auto closed = tools::lines(place.run("popscope", {"sql", "small.pop", sql}).out);
    REQUIRE(closed.size() == 2);
    CHECK(closed[1].find("bytes>") != std::string::npos);
    CHECK(place.run("popscope", {"sql", "small.pop", sql, "--expand", "--csv"}).out ==
          "bytes_sent\r\n0 5 0 0 0 0 7 0\r\n");
    const auto bytes = nlohmann::json::parse(place.run("popscope", {"sql", "small.pop", sql, "--json"}).out);
    CHECK(bytes.at(0)["bytes_sent"]["bytes"].get<int>() > 0);
    const auto list = nlohmann::json::parse(place.run("popscope", {"sql", "small.pop", sql, "--json", "--expand"}).out);
    CHECK(list == nlohmann::json::parse(R"([{"bytes_sent": [0, 5, 0, 0, 0, 0, 7, 0]}])"));
  }

  TEST_CASE("a long text of sql is shortened in a table, like the names of other tables, and whole in CSV and JSON") {
    const Workplace place;
    const char *const sql = "SELECT replace(hex(zeroblob(1500)), '0', 'x') AS name, 7 AS n UNION ALL SELECT 'b', 8";
    for (const std::string &line : tools::lines(place.run("popscope", {"sql", "small.pop", sql}).out))
      CHECK(line.size() < 200);
    for (const char *format : {"--csv", "--json"})
      CHECK(place.run("popscope", {"sql", "small.pop", sql, format}).out.find(std::string(3000, 'x')) !=
            std::string::npos);
  }

  TEST_CASE("an unknown format is told with its place, and with all names that are allowed there") {
    const Workplace place;
    place.write("popscope.json", R"({"formats": ["cvs"]})");
    const auto config = place.run("popscope", {"config", "check", "popscope.json"});
    CHECK_MESSAGE(config.out.find("\"formats\": there is no format \"cvs\". Did you mean \"csv\"?") !=
                      std::string::npos,
                  config.out);
    CHECK(config.out.find(", msprof") != std::string::npos);
    CHECK(config.out.find("--format") == std::string::npos);
    expectRefusal(place.run("popscope", {"export", "small.pop", "--format", "cvs"}),
                  "popscope export: --format: there is no format \"cvs\"", ", msprof");
  }

  TEST_CASE("sql names the nearest table, view or column") {
    const Workplace place;
    const auto refused = [&](const char *sql, const char *what) {
      expectRefusal(place.run("popscope", {"sql", "small.pop", sql}), "popscope sql: small.pop: ", what);
    };
    refused("SELECT cylces FROM steps_by_ipu", "no such column: cylces. Did you mean \"cycles\"?");
    refused("SELECT s.tipe FROM steps s", "Did you mean \"type\"?");
    refused("SELECT name FROM name_steps", "no such table: name_steps. Did you mean \"named_steps\"?");
    refused("SELECT * FROM advice_trial", "Did you mean \"advice_trials\"?"); // a table on demand
    refused("SELECT * FROM runss r JOIN steps s ON s.run = r.id", "Did you mean \"runs\"?");
    refused("SELECT id FROM steps_by_ipu WHERE step_id IN (SELECT id FROM steps)",
            "no such column: id. Did you mean \"step_id\"?"); // a column of steps, which is out of scope
    refused("SELECT clock_hz FROM steps_by_ipu WHERE step_id IN (SELECT clock_hz FROM target)",
            "no such column: clock_hz. It is a column of target");
    refused("SELECT max_cycles FROM runs", "It is a column of compute_set_cycles, ");
    refused("SELECT zzzzzz FROM runs", "popscope schema lists tables, views and columns");
  }

  TEST_CASE("views show names") {
    const Workplace place;
    const auto ask = [&](const char *sql) { return place.run("popscope", {"sql", "small.pop", sql, "--csv"}).out; };
    CHECK(ask("SELECT run, run_name, type, name, cycles, active_tiles, thread_cycles FROM named_steps") ==
          "run,run_name,type,name,cycles,active_tiles,thread_cycles\r\n0,\"first, with "
          "comma\",OnTileExecute,add,50,1,10\r\n");
    CHECK(ask("SELECT variable, read, failed_kill FROM named_liveness_explanations") ==
          "variable,read,failed_kill\r\nsum,,add\r\n");
    expectRefusal(place.run("popscope", {"sql", "small.pop", "DROP VIEW named_steps"}),
                  "popscope sql: ", "may only read");
  }

  TEST_CASE("each view has the columns that the schema tells") {
    const Workplace place;
    for (const auto &view : popscope::schemaViews()) {
      std::string header;
      for (const auto &column : view.columns) {
        header += (header.empty() ? "" : ",") + std::string(column.name);
        CHECK(std::string(column.doc) != "");
      }
      const auto outcome =
          place.run("popscope", {"sql", "small.pop", std::string("SELECT * FROM ") + view.name, "--csv"});
      CAPTURE(std::string(view.name));
      CHECK(outcome.err == "");
      CHECK(outcome.out.substr(0, outcome.out.find('\r')) == header);
    }
  }

  TEST_CASE("each table that has ids of something with a name has a view with the name") {
    const std::vector<std::string> ids = {
        "program", "compute set", "vertex type", "vars_string_table.id", "var_categories.id", "liveness_variables.id"};
    // Tables without a name column: roots, lists of numbers, one row, and the rows that named_live_intervals shows with
    // their variables.
    const std::vector<std::string> without = {"control_programs", "simulator_executions", "liveness_advice",
                                              "equivalence_class_intervals", "traffic"};
    const auto contains = [](const std::vector<std::string> &list, const std::string &word) {
      return std::count(list.begin(), list.end(), word) != 0;
    };
    for (const auto &table : popscope::schemaTables()) {
      bool hasId = false, hasView = false;
      for (const auto &column : table.columns)
        hasId = hasId || contains(ids, column.unit);
      for (const auto &view : popscope::schemaViews())
        hasView = hasView || std::string(view.name) == std::string("named_") + table.name;
      CAPTURE(std::string(table.name));
      if (!table.onDemand)
        CHECK(hasView == (hasId && !contains(without, table.name)));
    }
  }

  TEST_CASE("options prints JSON that says what its text says") {
    const Workplace place;
    const auto options =
        nlohmann::json::parse(place.run("popscope", {"options", "--json"}).out)["tables"]["options"]["rows"];
    const std::string list = place.run("popscope", {"options"}).out;
    CHECK(options.size() > 20);
    for (const auto &option : options) {
      CHECK(list.find(option["key"].get<std::string>() + "\n") != std::string::npos);
      CHECK(option["default"].is_number() == (option["kind"] == "number"));
      CHECK(option["default"].is_boolean() == (option["kind"] == "boolean"));
      CHECK(option["max"].is_number() == (option["kind"] == "number"));
      if (option["key"] == "profiler.blocks.bufferSize")
        CHECK(option["max"] == 1073741824);
    }
    CHECK(place.run("popscope", {"options", "--json", "--markdown"}).exitCode == 2);
    const auto csv = tools::lines(place.run("popscope", {"options", "--csv"}).out);
    CHECK(csv.size() == options.size() + 1);
    CHECK(csv.at(0).find("key,kind,default,min,max,values,unit,meaning,since,hasEffect") == 0);
    const std::string some = place.run("popscope", {"options", "--name", "debug.*", "-n", "2"}).out;
    // three lines per option, the number of further options, how to set one, and the next command
    CHECK(tools::lines(some).size() == 12);
    CHECK(some.find(" more; -n 0 shows all\n") != std::string::npos);
    const std::string table = place.run("popscope", {"options", "--name", "debug.*", "--markdown"}).out;
    CHECK(table.find("| debug.allowOutOfMemory |") != std::string::npos);
    CHECK(table.find("\n| autoReport") == std::string::npos);
    const auto none = place.run("popscope", {"options", "--name", "zzz"});
    CHECK(none.exitCode == 0);
    CHECK(none.out.find("none; popscope options lists all\n") == 0);
  }

  TEST_CASE("recover writes one more file, and says which") {
    const Workplace place;
    CHECK(place.run("popscope", {"recover", "small.pop"}).out == "small.recovered.pop\n");
    CHECK(place.files() == std::vector<std::string>{"small.pop", "small.recovered.pop"});
    const std::string summary = place.run("profile_summary", {"small.pop"}).out;
    CHECK(place.run("profile_summary", {"small.recovered.pop"}).out == summary);
    expectRefusal(place.run("popscope", {"recover", "none.pop"}), "popscope recover: none.pop: ", "no such file");
    expectRefusal(place.run("popscope", {"recover", "small.pop", "-o", "no/folder.pop"}),
                  "popscope recover: ", "cannot be written");
    CHECK(place.files().size() == 2);
  }

  TEST_CASE("completion offers every sub-command and option; bash takes the script") {
    const Workplace place;
    const auto script = place.run("popscope", {"--bash-completion"});
    CHECK(script.exitCode == 0);
    place.write("complete.sh", script.out +
                                   "\ncomplete_for() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); "
                                   "_popscope_complete; printf '%s ' \"${COMPREPLY[@]}\"; echo; }\n"
                                   "cd \"$(dirname \"$0\")\"\ncomplete_for popscope s\ncomplete_for popscope sql --e\n"
                                   "complete_for popscope info sm\n");
    const std::string out = place.file("completed");
    REQUIRE(std::system(("bash " + place.file("complete.sh") + " > " + out).c_str()) == 0);
    CHECK(place.read("completed") == "stats sql sources sensitivity schema \n--expand \nsmall.pop \n");
  }

  TEST_CASE("manual pages name every sub-command and option") {
    const Workplace place;
    const std::string page = place.run("popscope", {"--man"}).out;
    CHECK(page.find(".TH POPSCOPE 1") != std::string::npos);
    for (const char *name : {".SS info", ".SS sql", ".SS recover", "\\-\\-expand", "\\-\\-json", ".SH EXIT STATUS"}) {
      CAPTURE(std::string(name));
      CHECK(page.find(name) != std::string::npos);
    }
    CHECK(page.find(
              "\n.SH NAME\npopscope \\- shows what a program for a tile machine holds in memory, where its cycles go "
              "and why\n.SH SYNOPSIS\n") != std::string::npos);
    CHECK(page.find("\n.SH DESCRIPTION\npopscope shows what ") != std::string::npos);
    const std::string summary = place.run("profile_summary", {"--man"}).out;
    CHECK(summary.find("\nprofile_summary \\- prints a summary of a profile (.pop)\n") != std::string::npos);
    CHECK(summary.find("show\\-var\\-storage") != std::string::npos);
  }

  TEST_CASE("sql refuses to write, and every fault in the SQL is one line") {
    const Workplace place;
    const std::string before = place.read("small.pop");
    for (const char *sql :
         {"DELETE FROM steps", "UPDATE runs SET name = ''", "DROP TABLE runs", "CREATE TABLE t (a)",
          "CREATE TEMP TABLE t (a)", "INSERT INTO runs SELECT * FROM runs", "VACUUM", "VACUUM INTO 'copy.pop'",
          "ATTACH 'new.pop' AS n", "PRAGMA user_version = 3", "PRAGMA journal_mode = wal"})
      expectRefusal(place.run("popscope", {"sql", "small.pop", sql}), "popscope sql: small.pop: ", "may only read");
    expectRefusal(place.run("popscope", {"sql", "small.pop", "SELECT 1; DELETE FROM runs"}),
                  "popscope sql: small.pop: ", "only one SQL statement");
    expectRefusal(place.run("popscope", {"sql", "small.pop", "SELECT \"no\nname\" FROM\n \"no\ntable\""}),
                  "popscope sql: small.pop: ", "no such table: no\\x0atable");
    expectRefusal(place.run("popscope", {"sql", "small.pop", "SELEKT"}), "popscope sql: small.pop: ", "syntax error");
    expectRefusal(place.run("popscope", {"sql", "small.pop", ""}), "popscope sql: small.pop: ", "empty");
    CHECK(place.read("small.pop") == before);
    CHECK(place.files() == std::vector<std::string>{"small.pop"});
  }

  TEST_CASE("a file that is no whole profile of this version is refused in one line, and nothing is written") {
    const Workplace place;
    const std::string valid = place.read("small.pop");
    std::string foreign = valid, newer = valid, unknown = valid;
    foreign[68] ^= 1; // application_id
    newer[63] = 2;    // user_version
    unknown[63] = 0;
    place.write("empty.pop", "");
    place.write("text.pop", "a line of text\n");
    place.write("cut.pop", valid.substr(0, valid.size() / 2));
    place.write("foreign.pop", foreign);
    place.write("newer.pop", newer);
    place.write("unknown.pop", unknown);
    const auto files = place.files();
    const std::vector<std::pair<std::string, std::string>> cases = {{"missing.pop", "no such file"},
                                                                    {"empty.pop", "is empty"},
                                                                    {"text.pop", "is not a profile"},
                                                                    {"cut.pop", "is truncated"},
                                                                    {"foreign.pop", "not a profile of popscope"},
                                                                    {"newer.pop", "newer popscope (format 2"},
                                                                    {"unknown.pop", "unknown format 0"}};
    for (const auto &entry : cases) {
      expectRefusal(place.run("popscope", {"info", entry.first}), "popscope info: " + entry.first, entry.second);
      expectRefusal(place.run("popscope", {"sql", entry.first, "SELECT 1"}), "popscope sql: " + entry.first,
                    entry.second);
      expectRefusal(place.run("profile_summary", {"--profile", entry.first}), "profile_summary: " + entry.first,
                    entry.second);
    }
    CHECK(place.files() == files);
    CHECK(place.read("newer.pop") == newer);
  }

  TEST_CASE("options lists every engine option, and those that change nothing apart") {
    const Workplace place;
    const auto text = place.run("popscope", {"options"});
    const auto markdown = place.run("popscope", {"options", "--markdown"});
    CHECK(text.exitCode + markdown.exitCode == 0);
    const auto border = markdown.out.find("## Options that are accepted");
    REQUIRE(border != std::string::npos);
    for (const auto &row : popscope::engineOptionTable().rows()) {
      CAPTURE(row.key);
      CHECK(("\n" + text.out).find("\n" + row.key + "\n    ") != std::string::npos);
      const auto position = markdown.out.find("| `" + row.key + "` |");
      REQUIRE(position != std::string::npos);
      CHECK((position < border) == row.hasEffect);
      CHECK((row.help.find("Accepted; ") == 0) == !row.hasEffect);
    }
    CHECK(text.out.find("default 2 runs") != std::string::npos);
  }

  TEST_CASE("schema prints the tables as SQL and as a document") {
    const Workplace place;
    const auto ddl = place.run("popscope", {"schema"});
    CHECK(ddl.out.find(popscope::schemaDdl()) == 0);
    CHECK(ddl.out.find(popscope::schemaViewsDdl()) != std::string::npos);
    const auto markdown = place.run("popscope", {"schema", "--markdown"});
    CHECK(markdown.out == popscope::schemaMarkdown());
    for (const auto &table : popscope::schemaTables()) {
      CHECK((ddl.out.find(std::string("CREATE TABLE ") + table.name + " (") == std::string::npos) ==
            (table.packedBy != nullptr || table.onDemand)); // packed rows are in packed_rows
      CHECK(markdown.out.find(std::string("\n## ") + table.name + "\n") != std::string::npos);
      for (const auto &column : table.columns)
        CHECK(std::string(column.doc) != "");
    }
  }

  TEST_CASE("wrong usage is one line and exit code 2") {
    const Workplace place;
    expectRefusal(place.run("popscope", {}), "popscope: ", "give a profile or a sub-command");
    expectRefusal(place.run("popscope", {"inof"}), "popscope: unknown sub-command \"inof\"", "Did you mean \"info\"?");
    expectRefusal(place.run("popscope", {"--bogus"}), "popscope: unknown option \"--bogus\"", "");
    expectRefusal(place.run("popscope", {"--jsn"}), "popscope: unknown option \"--jsn\"", "Did you mean \"--json\"?");
    expectRefusal(place.run("popscope", {"sql", "--exand", "small.pop", "SELECT 1"}),
                  "popscope sql: unknown option \"--exand\"", "Did you mean \"--expand\"?");
    expectRefusal(place.run("popscope", {"-"}), "popscope: unknown sub-command \"-\"", "");
    expectRefusal(place.run("popscope", {"info", "-"}), "popscope info: ", "not from standard input");
    expectRefusal(place.run("popscope", {"recover", "small.pop", "-o", "-"}),
                  "popscope recover: ", "cannot be written to standard output");
    expectRefusal(place.run("popscope", {"help", "inof"}), "popscope: unknown sub-command \"inof\"",
                  "Did you mean \"info\"?");
    for (const char *number : {"-1", "99999999999999999999", "1.0", "0x1", "", " 1"})
      expectRefusal(place.run("popscope", {"why", "small.pop", "sum", "--step", number}), "popscope why: --step: ",
                    number == std::string() ? "the value is empty" : "the profile has 0 to 3");
    expectRefusal(place.run("popscope", {"info"}), "popscope info: ", "usage: popscope info [OPTIONS] [FILE]");
    expectRefusal(place.run("popscope", {"sql", "small.pop"}),
                  "popscope sql: ", "usage: popscope sql [OPTIONS] FILE SQL");
    expectRefusal(place.run("popscope", {"sql", "small.pop", "SELECT 1", "--csv", "--json"}),
                  "popscope sql: ", "exclude each other");
    expectRefusal(place.run("popscope", {"schema", "--bogus"}), "popscope schema: ", "--bogus");
    expectRefusal(place.run("popscope", {"options", "extra"}), "popscope options: ", "extra");
  }

  TEST_CASE("--color and --colour decide where the environment does not, before and after the sub-command") {
    const Workplace place;
    const auto coloured = [&](const std::vector<std::string> &words, const std::vector<std::string> &environment = {}) {
      const auto outcome = place.run("popscope", words, environment);
      CHECK(outcome.exitCode == 0);
      return outcome.out.find("\033[") != std::string::npos;
    };
    const std::string file = "small.pop";
    CHECK_FALSE(coloured({"info", file}));
    for (const std::vector<std::string> &always : {std::vector<std::string>{"info", "--color", file},
                                                   {"info", file, "--color=always"},
                                                   {"--colour=always", "info", file},
                                                   {"info", "--colour", "always", file}}) {
      CHECK(coloured(always));
      CHECK_FALSE(coloured(always, {"CLICOLOR=0"}));
    }
    CHECK_FALSE(coloured({"info", file, "--color=auto"}));
    CHECK(coloured({"info", file}, {"CLICOLOR_FORCE=1"}));
    CHECK(coloured({"info", file, "--color=never"}, {"CLICOLOR_FORCE=1"}));
    CHECK_FALSE(coloured({"info", file, "--color=always", "--color=never"}));
    expectRefusal(place.run("popscope", {"info", file, "--color=blue"}),
                  "popscope info: --color: ", "give auto, always or never");
  }

  TEST_CASE("help of the program and of each sub-command goes to stdout") {
    const Workplace place;
    const auto all = place.run("popscope", {"--help"});
    CHECK(all.exitCode == 0);
    for (const char *name : {"info", "sql", "options", "schema"}) {
      CHECK(all.out.find(std::string("\n  ") + name + " ") != std::string::npos);
      const auto one = place.run("popscope", {name, "--help"});
      CHECK(one.exitCode == 0);
      CHECK(one.err == "");
      CHECK(one.out.find(std::string("Usage: popscope ") + name) != std::string::npos);
    }
    CHECK(place.run("popscope", {"sql", "--help"}).out.find("--expand") != std::string::npos);
    CHECK(place.run("popscope", {"help"}).out == all.out);
    for (const std::vector<std::string> &asked :
         {std::vector<std::string>{"help", "sql"}, {"--help", "sql"}, {"-h", "sql"}}) {
      const auto help = place.run("popscope", asked);
      CHECK(help.exitCode == 0);
      CHECK(help.out == place.run("popscope", {"sql", "--help"}).out);
    }
    CHECK(place.run("popscope", {"--version"}).out.find("popscope") != std::string::npos);
  }
}
