// popscope import-cycles and measured, on a profile whose every estimate is known (KnownProfile.hpp).
#include "KnownProfile.hpp"

#include <doctest/doctest.h>
#include <fstream>
#include <iterator>

using nlohmann::json;
using tools::expectRefusal;
using tools::Known;
using tools::Outcome;
using tools::table;

namespace {

/// Returns the outcome of `import-cycles known.pop cycles.csv` with this file.
Outcome imported(const Known &known, const std::string &csv, std::vector<std::string> more = {}) {
  known.place.write("cycles.csv", csv);
  std::vector<std::string> words{"import-cycles", "known.pop", "cycles.csv"};
  words.insert(words.end(), more.begin(), more.end());
  return known.place.run("popscope", words);
}
json measured(const Known &known, const char *file = "known.measured.pop") {
  return json::parse(known.place.run("popscope", {"measured", file, "--json"}).out);
}

} // namespace

TEST_SUITE("tools.measured") {
  TEST_CASE("measured cycles stand beside the estimates of a step, a compute set, a tile and a vertex type") {
    const Known known;
    // fast: 20 cycles, on tile 1 also 20; slow: 40; the exchange (step 2): 10, on tile 1 6.
    REQUIRE(imported(known,
                     "# a machine\r\nstep,compute_set,vertex_type,tile,cycles\r\n,fast,,,24\r\n,fast,,,27\r\n"
                     "4,,,,40\r\n2,,,1,9\r\n,,Mul,,12\r\n,,Mul,3,13\r\n",
                     {"--source", "board 7"})
                .exitCode == 0);
    const json answer = measured(known);
    CHECK(answer["facts"]["measurements"] == 6);
    CHECK(answer["facts"]["places"] == 5);
    const json rows = table(answer, "places");
    REQUIRE(rows.size() == 5);
    const auto row = [&](const char *of, int id, const json &tile) {
      for (const json &r : rows)
        if (r["of"] == of && r["id"] == id && r["tile"] == tile)
          return r;
      return json();
    };
    const json fast = row("compute set", 0, "slowest");
    CHECK(fast["samples"] == 2);
    CHECK(fast["measured"] == 26); // 25.5, rounded half up
    CHECK(fast["least"] == 24);
    CHECK(fast["most"] == 27);
    CHECK(fast["estimated"] == 20);
    CHECK(fast["source"] == "board 7");
    CHECK(row("step", 4, "slowest")["estimated"] == 40);
    CHECK(row("step", 2, 1)["estimated"] == 6);
    CHECK(row("vertex type", 1, 3)["estimated"].is_null());
    const auto chosen = [&](std::vector<std::string> words) {
      words.insert(words.begin(), {"measured", "known.measured.pop", "--json"});
      return table(json::parse(known.place.run("popscope", words).out), "places");
    };
    CHECK(chosen({"--tiles", "1"}).size() == 1);
    CHECK(chosen({"--steps", "3"}).size() == 1); // the compute set that step 3 executes
    CHECK(chosen({"--steps", "2,4"}).size() == 2);
    CHECK(chosen({"--ipu", "0"}).size() == 2);
    CHECK(rows[0]["name"] == "fast"); // differs by 6, the most
    CHECK(rows[4]["estimated"].is_null());
  }

  TEST_CASE("the same source takes the place of what it brought before, another stands beside it") {
    const Known known;
    REQUIRE(imported(known, "compute_set,cycles\nfast,24\nslow,50\n", {"-o", "known.pop"}).exitCode == 0);
    REQUIRE(imported(known, "compute_set,cycles\nfast,30\n", {"-o", "known.pop"}).exitCode == 0);
    REQUIRE(
        imported(known, "compute_set,cycles\nfast,33\n", {"-o", "known.pop", "--source", "it's another"}).exitCode ==
        0);
    const json rows = table(measured(known, "known.pop"), "places");
    REQUIRE(rows.size() == 2);
    CHECK(rows[0]["measured"] == 33);
    CHECK(rows[0]["source"] == "it's another");
    CHECK(rows[1]["measured"] == 30);
    CHECK(rows[1]["source"] == "cycles.csv");
  }

  TEST_CASE("all else of the profile stays as it is, and other readers pass the table over") {
    const Known known;
    const std::string before = known.text({"info"});
    REQUIRE(imported(known, "compute_set,cycles\nfast,24\n").exitCode == 0);
    const Outcome after = known.place.run("popscope", {"info", "known.measured.pop"});
    CHECK(after.exitCode == 0);
    std::string text = after.out;
    for (std::size_t at = 0; (at = text.find("known.measured.pop")) != std::string::npos;)
      text.replace(at, 18, "known.pop");
    CHECK(text == before);
    CHECK(
        known.place.run("popscope", {"sql", "known.measured.pop", "SELECT cycles FROM measured_cycles", "--csv"}).out ==
        "cycles\r\n24\r\n");
  }

  TEST_CASE("other tables have them beside their estimates, with the source, and no column where there are none") {
    const Known known;
    REQUIRE(imported(known, "step,compute_set,tile,cycles\n,fast,,24\n,fast,,27\n2,,,9\n,slow,1,99\n",
                     {"--source", "board 7"})
                .exitCode == 0);
    const auto ask = [&](const char *file, std::vector<std::string> words) {
      words.insert(words.begin() + 1, file);
      words.emplace_back("--json");
      return json::parse(known.place.run("popscope", words).out);
    };
    const char *with = "known.measured.pop";
    for (const json &row : table(ask(with, {"top"}), "computeSets"))
      if (row["name"] == "fast")
        CHECK(row["measuredEach"] == 26);
      else
        CHECK(row["measuredEach"].is_null()); // measured on one tile only
    int steps = 0;
    for (const char *view : {"top", "loss"}) {
      const std::vector<std::string> words = view == std::string("top")
                                                 ? std::vector<std::string>{"top", "--of", "steps"}
                                                 : std::vector<std::string>{"loss"};
      const json answer = ask(with, words);
      for (const json &row : table(answer, view == std::string("top") ? "steps" : "balance"))
        if (row["step"] == 2) {
          CHECK(row["measuredEach"] == 9);
          ++steps;
        }
      CHECK(answer["notes"].dump().find("(board 7)") != std::string::npos);
      CHECK(ask("known.pop", words).dump().find("measuredEach") == std::string::npos);
    }
    CHECK(steps == 2);
    const std::string stats = known.place
                                  .run("popscope", {"stats", with, "--report", "compute-sets", "--of", "measured",
                                                    "--name", "fast", "--json"})
                                  .out;
    CHECK(stats.find("26") != std::string::npos);
    const auto measured = [&](const char *groups) {
      return known.place.run("popscope", {"stats", with, "--of", "measured", "--aggregate-by", groups}).out;
    };
    CHECK(measured("all").find("; their measured cycles together: ") != std::string::npos);
    CHECK(measured("all").find("Measured cycles of executions") != std::string::npos);
    CHECK(measured("all").find("estimates") == std::string::npos);
    CHECK(measured("none").find("times other than the measured cycles are estimates") != std::string::npos);
    const std::string csv = known.place.run("popscope", {"export", with, "--format", "csv", "-o", "tables"}).out;
    CHECK(csv.find("op_summary.csv") != std::string::npos);
    std::ifstream in(known.place.file("tables/csv/op_summary.csv"));
    const std::string summary((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    CHECK(summary.find(",estimated,26,board 7\n") != std::string::npos);
    CHECK(summary.find(",estimated,9,board 7\n") != std::string::npos);
    CHECK(summary.find(",estimated,,\n") != std::string::npos);
  }

  TEST_CASE("mistakes are named with file and line, and nothing is written") {
    const Known known;
    const auto refused = [&](const std::string &csv, const std::string &what) {
      expectRefusal(imported(known, csv), "popscope import-cycles: cycles.csv", what);
    };
    refused("compute_set,cycles\nfast,24\nfats,1\n",
            "3: the profile has no compute set \"fats\". Did you mean \"fast\"?");
    refused("compute_set,cycles\nfast,-1\n", "2: cycles \"-1\" is not a whole number");
    refused("compute_set,tile,cycles\nfast,4,1\n", "2: tile \"4\" is not a whole number from 0 to 3");
    refused("step,cycles\n5,1\n", "2: step \"5\" is not a whole number from 0 to 4");
    refused("step,compute_set,cycles\n3,fast,1\n", "2: 2 of step, compute_set and vertex_type are given");
    refused("compute_set,cycle\nfast,1\n", "1: there is no column \"cycle\". Did you mean \"cycles\"?");
    refused("compute_set\nfast\n", "1: columns must have cycles");
    refused("compute_set,cycles\nfast\n", "2: 1 fields; the first line names 2 columns");
    refused("compute_set,cycles\n\"fast,1\n", "2: a field in quotes has no end");
    refused("", "cycles.csv: has no line with the names of columns");
    refused("compute_set,cycles\n", "has only the line of column names");
    CHECK_FALSE(std::filesystem::exists(known.place.file("known.measured.pop")));
    expectRefusal(known.place.run("popscope", {"measured", "known.pop"}),
                  "popscope measured: ", "holds no measured cycles");
  }
}
