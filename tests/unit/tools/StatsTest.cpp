// popscope stats on the known profile, and on four runs whose statistics another profiler published.
#include "KnownProfile.hpp"

#include <doctest/doctest.h>

using nlohmann::json;
using tools::expectRefusal;
using tools::Known;
using tools::table;

using namespace popscope;

namespace {

/// Writes one run for each of the lengths.
void writeRuns(const std::string &path, const std::vector<std::uint64_t> &lengths) {
  PopWriter writer(path);
  writer.compilation(tools::knownCompilation());
  for (const std::uint64_t length : lengths)
    tools::recordKnownRun(writer, "inference", length);
  writer.finish();
}

} // namespace

TEST_SUITE("tools.stats") {
  TEST_CASE("percentiles are those of a published summary of four inferences") {
    const Known known;
    writeRuns(known.place.file("four.pop"), {3027309, 1824769, 2111363, 1584494});
    const json answer =
        json::parse(known.place.run("popscope", {"stats", "four.pop", "--report", "runs", "--json"}).out);
    CHECK(
        table(answer, "groups") ==
        json::parse(
            R"([{"name": "inference", "count": 4, "sum": 8547935, "share": 100.0, "min": 1584494, "mean": 2136984, "median": 1968066,
                                                     "max": 3027309, "p90": 2752525, "p95": 2889917, "p97": 2944874, "p99": 2999831, "p999": 3024561}])"));
    // The clock is 1 GHz: a cycle takes a nanosecond.
    const json ns = json::parse(
        known.place
            .run("popscope", {"stats", "four.pop", "--report", "runs", "--in", "ns", "--aggregate", "p999", "--json"})
            .out);
    CHECK(table(ns, "groups") == json::parse(R"([{"name": "inference", "count": 4, "p999": 3024561}])"));
    CHECK(ns["tables"]["groups"]["units"]["p999"] == "ns");
  }

  TEST_CASE("records are grouped, filtered and sorted") {
    const Known known;
    const json byProgram = known.ask({"stats"});
    CHECK(byProgram["facts"]["records"] == 5);
    CHECK(byProgram["facts"]["sum"] == 100); // the length of the run
    CHECK(table(byProgram, "groups")[0]["program"] == "OnTileExecute: slow");
    CHECK(table(byProgram, "groups")[0]["share"] == 40.0);
    const json byKind = table(known.ask({"stats", "--aggregate-by", "kind", "--aggregate", "max"}), "groups");
    CHECK(
        byKind ==
        json::parse(
            R"([{"kind": "compute", "count": 2, "max": 40}, {"kind": "barrier", "count": 2, "max": 20}, {"kind": "exchange", "count": 1, "max": 10}])"));
    CHECK(
        table(known.ask({"stats", "--group-by", "kind", "--aggregate", "count", "--order-by", "+kind"}), "groups") ==
        json::parse(
            R"([{"kind": "barrier", "count": 2}, {"kind": "compute", "count": 2}, {"kind": "exchange", "count": 1}])"));
    const auto steps = [&](std::vector<std::string> words) {
      words.insert(words.begin(), {"stats", "--aggregate-by", "none", "--order-by", "+step"});
      std::vector<int> ids;
      for (const auto &row : table(known.ask(words), "records"))
        ids.push_back(row["step"]);
      return ids;
    };
    CHECK(steps({}) == std::vector<int>{1, 1, 2, 3, 4});
    CHECK(steps({"--min-time", "20"}) == std::vector<int>{1, 3, 4});
    CHECK(steps({"--max-time", "20"}) == std::vector<int>{1, 1, 2, 3});
    CHECK(steps({"--min-time", "0.02us", "--max-time", "39ns"}) == std::vector<int>{1, 3});
    CHECK(steps({"--where", "kind!=barrier,cycles<40"}) == std::vector<int>{2, 3});
    CHECK(steps({"--where", "program=*: ?a*"}) == std::vector<int>{3});
    CHECK(steps({"--where", "sent>0"}) == std::vector<int>{2});
    CHECK(steps({"--where", "cycles<=10,cycles>=10"}) == std::vector<int>{1, 2});
    CHECK(steps({"--name", "low"}) == std::vector<int>{4});
    CHECK(steps({"--steps", "2-3"}) == std::vector<int>{2, 3});
    CHECK(steps({"-n", "1"}) == std::vector<int>{1});
    CHECK(steps({"--where", "cycles>1000"}).empty());
  }

  TEST_CASE("cycles of executions are those of the other views and add up to the run; spans overlap") {
    const Known known;
    tools::writeOverlapping(known.place.file("overlapping.pop"));
    for (const char *profile : {"known.pop", "overlapping.pop"}) {
      CAPTURE(profile);
      const auto ask = [&](std::vector<std::string> words) {
        words.insert(words.begin() + 1, profile);
        words.emplace_back("--json");
        return json::parse(known.place.run("popscope", words).out);
      };
      const json stats = ask({"stats", "--aggregate-by", "step", "--aggregate", "sum"});
      std::map<int, int> sums;
      for (const json &row : table(stats, "groups"))
        sums[row["step"]] = row["sum"];
      for (const json &row : table(ask({"tree"}), "programs"))
        if (row["step"] != 0)
          CHECK(sums.at(row["step"]) == row["cycles"]);
        else
          CHECK(stats["facts"]["sum"] == row["cycles"]);
      CHECK(stats["notes"].dump().find("the part that it adds to the length of its run") != std::string::npos);
    }
    const json spans = json::parse(
        known.place.run("popscope", {"stats", "overlapping.pop", "--of", "span", "--aggregate-by", "step", "--json"})
            .out);
    CHECK(spans["facts"]["sum"] == 90);    // 20 + 20 + 50
    CHECK(spans["facts"]["unknown"] == 1); // in a barrier no tile works
    const json longest = json::parse(
        known.place.run("popscope", {"stats", "overlapping.pop", "--of", "span", "--min-time", "50", "--json"}).out);
    CHECK(longest["facts"]["sum"] == 50);
    CHECK(table(spans, "groups")[0]["step"] == 4);
    CHECK(table(spans, "groups")[0]["sum"] == 50);
  }

  TEST_CASE("each report says what the profile has") {
    const Known known;
    const auto ask = [&](const char *report, std::vector<std::string> words = {}) {
      words.insert(words.begin(), {"stats", "--report", report});
      return known.ask(words);
    };
    CHECK(
        table(ask("compute-sets", {"--of", "threadWork", "--aggregate", "sum"}), "groups") ==
        json::parse(
            R"([{"name": "fast", "count": 1, "sum": 30, "share": 75.0}, {"name": "slow", "count": 1, "sum": 10, "share": 25.0}])"));
    CHECK(table(ask("exchanges", {"--of", "received", "--aggregate", "max"}), "groups") ==
          json::parse(R"([{"program": "DoExchange: in", "count": 1, "max": 16}])"));
    CHECK(
        table(ask("tile-cycles", {"--group-by", "tile", "--where", "kind=compute", "--aggregate", "mean"}), "groups") ==
        json::parse(
            R"([{"tile": 3, "count": 1, "mean": 40}, {"tile": 0, "count": 1, "mean": 20}, {"tile": 1, "count": 1, "mean": 20}, {"tile": 2, "count": 1, "mean": 0}])"));
    CHECK(table(ask("tiles"), "groups")[0]["sum"] == 903);
    CHECK(table(ask("tiles", {"--tiles", "worst:1", "--group-by", "none"}), "records")[0]["free"] == 424);
    CHECK(
        table(ask("categories", {"--aggregate", "sum"}), "groups") ==
        json::parse(
            R"([{"category": "variable", "count": 4, "sum": 703, "share": 77.9}, {"category": "stack", "count": 1, "sum": 200, "share": 22.1}])"));
    CHECK(
        table(ask("variables", {"--tiles", "3", "--group-by", "none", "--order-by", "+bytes"}), "records")[0] ==
        json::parse(
            R"({"name": "b", "category": "variable", "bytes": 30, "tiles": 1, "largestPart": 30, "liveSteps": 2, "alwaysLive": false})"));
    CHECK(table(ask("allocations", {"--group-by", "sizeFrom", "--aggregate", "count", "--order-by", "+sizeFrom"}),
                "groups") ==
          json::parse(R"([{"sizeFrom": 16, "count": 1}, {"sizeFrom": 32, "count": 1}])"));    // 30 and 60 bytes
    CHECK(table(ask("live-steps", {"--aggregate", "median"}), "groups")[0]["median"] == 115); // 50, 80, 150, 180
    CHECK(table(ask("live-steps", {"--tiles", "3", "--aggregate", "max"}), "groups")[0]["max"] == 90);
  }

  TEST_CASE("levels over time have a peak and no sum") {
    const Known known;
    PopWriter writer(known.place.file("sampled.pop"));
    writer.compilation(tools::knownCompilation());
    writer.beginRun({"train", 0, 0, 0});
    writer.memorySamples({{1, Cycles(20), 2, Bytes(150)}, {2, Cycles(60), 4, Bytes(80)}});
    RunTotals totals;
    totals.totalCycles = Cycles(100);
    writer.endRun(totals, std::nullopt);
    writer.finish();
    const auto ask = [&](std::vector<std::string> words) {
      words.insert(words.begin(), {"stats", "sampled.pop", "--report"});
      return known.place.run("popscope", words);
    };
    const std::string text = ask({"memory-samples"}).out;
    CAPTURE(text);
    CHECK(text.find("2 records of memory-samples; the most live at one time: 150 B.") != std::string::npos);
    CHECK(text.find("Sum") == std::string::npos);
    CHECK(text.find("cycles are those of each execution") == std::string::npos);
    CHECK(ask({"memory-samples", "--where", "live<100"}).out.find("1 record of memory-samples; ") == 0);
    for (const char *report : {"memory-samples", "live-steps"}) {
      const json answer = json::parse(ask({report, "--json"}).out);
      CHECK(answer["facts"]["sum"].is_null());
      CHECK(answer["facts"]["peak"] == (std::string(report) == "live-steps" ? 180 : 150));
      CHECK(!table(answer, "groups")[0].contains("sum"));
      expectRefusal(ask({report, "--aggregate", "sum"}), "popscope stats: --aggregate: ", "give max or mean");
    }
    const std::string runs = ask({"runs"}).out;
    CHECK(runs.find("1 record of runs; their cycles together: 100 cycles.") == 0);
  }

  TEST_CASE("a run that was cut short is one record without known cycles") {
    const Known known;
    PopWriter writer(known.place.file("cut.pop"));
    writer.compilation(tools::knownCompilation());
    tools::recordKnownRun(writer, "train");
    writer.beginRun({"cut", 0, 0, 0});
    writer.cutRun();
    writer.finish();
    const std::string text = known.place.run("popscope", {"stats", "cut.pop", "--report", "runs"}).out;
    CAPTURE(text);
    CHECK(text.find("2 records of runs; their cycles together: 100 cycles.") == 0);
    CHECK(text.find("1 record without known cycles is left out of the statistics") != std::string::npos);
  }

  TEST_CASE("the reports are listed without a profile, and wrong questions are told what is right") {
    const Known known;
    const auto list = known.place.run("popscope", {"stats", "--list-reports", "--report", "tiles", "--json"});
    CHECK(list.exitCode == 0);
    const json reports = table(json::parse(list.out), "reports");
    CHECK(reports.size() == 14);
    for (const auto &report : reports) {
      CAPTURE(report["report"]);
      const std::string name = report["report"];
      const auto outcome = known.place.run("popscope", {"stats", "known.pop", "--report", name});
      CHECK(outcome.exitCode == 0);
      for (const auto &line : tools::lines(
               known.place
                   .run("popscope", {"stats", "known.pop", "--report", name, "--aggregate-by", "none"}, {"COLUMNS=80"})
                   .out))
        CHECK_MESSAGE(line.size() <= 80, line);
      for (const auto &line :
           tools::lines(known.place.run("popscope", {"stats", "known.pop", "--report", name}, {"COLUMNS=80"}).out))
        CHECK_MESSAGE(line.size() <= 80, line);
    }
    const auto refused = [&](std::vector<std::string> words, const char *what) {
      words.insert(words.begin(), {"stats", "known.pop"});
      expectRefusal(known.place.run("popscope", words), "popscope stats: ", what);
    };
    expectRefusal(known.place.run("popscope", {"stats"}), "popscope stats: ", "usage: popscope stats [OPTIONS] [FILE]");
    refused({"--report", "tile"}, "give one of executions");
    refused({"--of", "cycels"}, "Did you mean \"cycles\"?");
    refused({"--of", "program"}, "is no number");
    refused({"--aggregate-by", "kinds"}, "Did you mean \"kind\"?");
    refused({"--aggregate-by", "none", "--aggregate", "max"}, "needs groups; give --aggregate-by COLUMN");
    refused({"--order-by", "p98"}, "this command has no column");
    refused({"--where", "cycles"}, "give conditions");
    refused({"--where", "cycles>x"}, "whole number");
    refused({"--where", "cycles>-1"}, "> compares with a whole number from 0 on");
    refused({"--where", "=1"}, "give conditions");
    for (const char *time : {"x", "-1", "1h", "", " 1", "1.5c", "1e300s", "99999999999999999999"})
      refused({std::string("--min-time=") + time}, *time == '\0' ? "" : "--min-time");
    refused({"--report", "tiles", "--min-time", "1"}, "take no time");
    refused({"--min-time", "1ms", "--max-time", "1us"}, "--min-time 1ms is more than --max-time 1us");
    CHECK(known.place.run("popscope", {"stats", "known.pop", "--min-time", "20", "--max-time", "20"}).exitCode == 0);
    refused({"--report", "tiles", "--in", "ns"}, "is no time");
    refused({"--report", "tiles", "--name", "x"}, "have no name");
    refused({"--report", "tiles", "--runs", "0"}, "--runs: ");
    refused({"--tiles", "0"}, "--tiles: the report executions has no column for this option");
    PopWriter writer(known.place.file("still.pop"));
    writer.compilation(tools::knownCompilation());
    writer.finish();
    expectRefusal(known.place.run("popscope", {"stats", "still.pop"}),
                  "popscope stats: ", "no recorded run; ask for another report");
    CHECK(known.place.run("popscope", {"stats", "still.pop", "--report", "tiles"}).exitCode == 0);
  }
}
