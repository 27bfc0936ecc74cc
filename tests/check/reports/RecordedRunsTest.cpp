// The texts state which runs they cover, and whether the profile is incomplete.
#include "tests/check/reports/Shell.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

using namespace reports;

namespace {

std::string starting(const std::string &text, const std::string &start) {
  for (const std::string &line : lines(text))
    if (line.find(start) == 0)
      return line;
  return "";
}

std::vector<std::string> markers(const std::string &text) {
  std::vector<std::string> found;
  for (const std::string &line : lines(text))
    if (line.find("  --- run") == 0)
      found.push_back(line);
  return found;
}

/// Returns "54202" from "Total cycles:     54,202 (approx ...".
std::string digits(const std::string &line) {
  std::string number;
  for (const char c : line.substr(0, line.find('(')))
    if (c >= '0' && c <= '9')
      number += c;
  return number;
}

/// Returns the number of lines with step cycles between the marker `from` and the next one.
std::size_t stepsAfter(const std::string &text, std::size_t marker) {
  std::size_t seen = 0, steps = 0;
  for (const std::string &line : lines(text)) {
    seen += line.find("  --- run") == 0 ? 1 : 0;
    steps += seen == marker + 1 && line.find("    Cycles:") == 0 ? 1 : 0;
  }
  return steps;
}

/// Returns the values of the named column of a CSV answer, by the texts of the first column.
std::map<std::string, long long> valuesOf(const Outcome &csv, const std::string &column) {
  const std::vector<std::string> all = lines(csv.out);
  const std::string heading = all.empty() ? "" : all[0];
  const auto after =
      std::count(heading.begin() + static_cast<std::ptrdiff_t>(heading.find(column)), heading.end(), ',');
  std::map<std::string, long long> values;
  for (std::size_t i = 1; i < all.size(); ++i) {
    std::string line = all[i]; // only the first column may contain commas, in quotes
    for (std::ptrdiff_t c = 0; c < after; ++c)
      line.resize(line.rfind(','));
    const std::string value = line.substr(line.rfind(',') + 1);
    values[line.substr(0, line.find(line[0] == '"' ? "\"," : ","))] += value.empty() ? 0 : std::stoll(value);
  }
  return values;
}

constexpr const char *kRow = "  Runs recorded:                                 ";
constexpr const char *kEstimates = "Cycles are estimates of a model of the machine, not measurements; popscope sources "
                                   "lists where the cycles of vertices come from.";

} // namespace

TEST_SUITE("check.recordedRuns") {
  TEST_CASE("one run of one: nothing is added but the last line") {
    const Folder folder;
    REQUIRE(shell(folder, kProgram + " report 1 3").exitCode == 0);
    const Outcome o = shell(folder, kSummary + " report/profile.pop --show-execution-steps");
    CHECK(o.err.empty());
    CHECK(starting(o.out, "  Runs recorded").empty());
    CHECK(markers(o.out).empty());
    CHECK(lines(o.out).back() == kEstimates);
    CHECK(shell(folder, kPopscope + " info report/profile.pop").out.find("1 recorded run: ") != std::string::npos);
    CHECK(shell(folder, kPopscope + " info --json report/profile.pop").out.find("\"estimated\"") != std::string::npos);
  }

  TEST_CASE("some runs of more: the row says which, the total is their sum, and each begin is marked") {
    struct Case {
      const char *options, *row;
      std::vector<unsigned> runs;
    };
    for (const Case &c : {Case{"autoReport.executionProfileProgramRunCount=3", "3 of 5 (0-2)", {0, 1, 2}},
                          Case{"popscope.profileRuns=1,3-4", "3 of 5 (1, 3-4)", {1, 3, 4}},
                          Case{"autoReport.executionProfileProgramRunCount=1", "1 of 5 (0)", {0}},
                          Case{"autoReport.executionProfileProgramRunCount=9", "5 of 5 (0-4)", {0, 1, 2, 3, 4}}}) {
      CAPTURE(c.options);
      const Folder folder;
      REQUIRE(shell(folder, kProgram + " report 5 3 " + c.options).exitCode == 0);
      const std::string text = shell(folder, kSummary + " report/profile.pop --show-execution-steps").out;
      CHECK(starting(text, "  Runs recorded:") == kRow + std::string(c.row) + "; cycles are sums over these");
      const Database db(folder.file("report/profile.pop"));
      CHECK(digits(starting(text, "  Total cycles:")) ==
            db.one("SELECT SUM(total_cycles) FROM execution_cycle_totals"));
      const auto marks = markers(text);
      REQUIRE(marks.size() == c.runs.size());
      for (std::size_t i = 0; i < marks.size(); ++i) {
        const std::string number = std::to_string(c.runs[i]);
        CHECK(marks[i] == "  --- run " + number + ": run " + number + ", from cycle 0 ---");
        CHECK(stepsAfter(text, i) ==
              db.number("SELECT COUNT(*) FROM steps s JOIN runs r ON r.id = s.run WHERE r.number = " + number +
                        " AND s.type NOT IN ('Sync', 'StreamCopyBegin', 'StreamCopyEnd')"));
      }
      const std::string averages = shell(folder, kSummary + " report/profile.pop --tile-averages").out;
      CHECK(starting(averages, "  Runs recorded:") == kRow + std::string(c.row));
      CHECK(lines(averages).back() == kEstimates);
    }
  }

  TEST_CASE("a profile that is not complete is named by every reader, with where it ends") {
    const Folder folder;
    REQUIRE(shell(folder, kProgram + " report 2 3").exitCode == 0);
    { // the state that a program leaves if it is killed in its second run
      const Database db(folder.file("report/profile.pop"));
      (void)db.one("UPDATE meta SET value = '0' WHERE key = 'complete'");
      (void)db.one("UPDATE runs SET complete = 0 WHERE number = 1");
      (void)db.one("DELETE FROM execution_cycle_totals WHERE run = (SELECT id FROM runs WHERE number = 1)");
      (void)db.one("DELETE FROM steps WHERE id > (SELECT MAX(first_step) FROM runs)");
    }
    const std::string where = "in run 1 (\"run 1\"), after 1 of its steps";
    const auto says = [&](const Outcome &o) {
      CAPTURE(o.out);
      return o.exitCode == 0 && o.err.size() == 1 &&
             o.err[0].find("report/profile.pop is not complete: it ends " + where) != std::string::npos;
    };
    const Outcome summary = shell(folder, kSummary + " report/profile.pop --show-execution-steps");
    CHECK(says(summary));
    CHECK(lines(summary.out)[0].find("Profile is not complete: it ends " + where) == 0);
    CHECK(starting(summary.out, "  Runs recorded:") ==
          kRow +
              std::string("2 of 2 (0-1); cycles are sums over these; run 1: run 1 was cut short and is in no total"));
    CHECK(markers(summary.out).back() == "  --- run 1: run 1 (cut short), from cycle 0 ---");
    const Outcome averages = shell(folder, kSummary + " report/profile.pop --tile-averages");
    CHECK(averages.out.find("\nrun 1: cut short; its totals are not known.\n") != std::string::npos);
    const Outcome info = shell(folder, kPopscope + " info report/profile.pop");
    CHECK(says(info));
    CHECK(info.out.find("Not complete: it ends " + where) != std::string::npos);
    CHECK(says(shell(folder, kPopscope + " sources report/profile.pop")));
    const Outcome python =
        shell(folder, kPython + " -W always -c \"import pva; r = pva.openReport('report/profile.pop'); "
                                "print(r.popscope.complete, r.popscope.ending)\"");
    CHECK(python.out.find("False " + where) == 0);
    REQUIRE(!python.err.empty());
    CHECK(python.err[0].find("IncompleteProfileWarning: report/profile.pop is not complete: it ends " + where) !=
          std::string::npos);
    CHECK(shell(folder, kPython + " -W error -c \"import pva; pva.openReport('report/profile.pop')\"").exitCode == 1);
  }

  TEST_CASE("the answers for single runs add up to the answer for all runs") {
    const Folder folder;
    REQUIRE(shell(folder, kProgram + " report 3 3").exitCode == 0);
    { // run 1 cannot be replayed: its length is not that of its steps
      const Database db(folder.file("report/profile.pop"));
      (void)db.one("UPDATE execution_cycle_totals SET total_cycles = total_cycles + 1000 "
                   "WHERE run = (SELECT id FROM runs WHERE number = 1)");
    }
    struct View {
      const char *name, *column;
    };
    for (const View &view : {View{"loss --csv", "tileCycles"}, View{"top --of vertex-types --csv -n 0", "cycles"}}) {
      CAPTURE(view.name);
      const auto ask = [&](const std::string &runs) {
        return valuesOf(shell(folder, kPopscope + " " + view.name + runs + " report/profile.pop"), view.column);
      };
      const auto all = ask("");
      REQUIRE(!all.empty());
      std::map<std::string, long long> sum;
      for (const char *run : {" --runs 0", " --runs 1", " --runs 2"})
        for (const auto &[name, value] : ask(run))
          sum[name] += value;
      CHECK(all == sum);
    }
    CHECK(shell(folder, kPopscope + " loss report/profile.pop")
              .out.find("the waits of 2 of the 3 runs come from a replay") != std::string::npos);
    CHECK(shell(folder, kPopscope + " top --of vertices --runs 1 report/profile.pop").exitCode == 2);
  }

  TEST_CASE("steps of a run that was cut short are in no sum of cycles") {
    const Folder folder;
    REQUIRE(shell(folder, kProgram + " report 3 3").exitCode == 0);
    REQUIRE(shell(folder, kProgram + " whole 2 3").exitCode == 0);
    { // the state after an exception at the end of the third run
      const Database db(folder.file("report/profile.pop"));
      (void)db.one("UPDATE runs SET complete = 0 WHERE number = 2");
      (void)db.one("DELETE FROM execution_cycle_totals WHERE run = (SELECT id FROM runs WHERE number = 2)");
    }
    // The first two runs are those of the other profile. In the third, nothing is unknown but its length.
    for (const std::string view :
         {"tree", "loss", "top --of steps", "top --of vertex-types", "operators", "numbers", "whatif --workers 3 -n 0",
          "sensitivity -n 0", "stats --report vertex-types", "stats --report tile-cycles"}) {
      CAPTURE(view);
      const Outcome cut = shell(folder, kPopscope + " " + view + " --csv report/profile.pop");
      const Outcome whole = shell(folder, kPopscope + " " + view + " --csv whole/profile.pop");
      CHECK(cut.exitCode == 0);
      CHECK(!cut.out.empty());
      CHECK(cut.out == whole.out);
    }
    CHECK(shell(folder, kPopscope + " info report/profile.pop").out.find("1 run was cut short and is in no sum of") !=
          std::string::npos);
    for (const std::string view : {"whatif --workers 3", "sensitivity"}) {
      CAPTURE(view);
      CHECK(shell(folder, kPopscope + " " + view + " report/profile.pop")
                .out.find("Note: 1 run was cut short and is in no sum of cycles") != std::string::npos);
      const Outcome cut = shell(folder, kPopscope + " " + view + " --runs 2 report/profile.pop");
      CHECK(cut.exitCode == 2);
      REQUIRE(!cut.err.empty());
      CHECK(cut.err[0].find("run 2 was cut short, so its length is unknown; leave it out with --runs 0,1") !=
            std::string::npos);
    }
    const std::string frame = kPython + " -W ignore -c \"import popscope; print(popscope.open('";
    CHECK(shell(folder, frame + "report/profile.pop').frame('operators', 'rows'))\"").out ==
          shell(folder, frame + "whole/profile.pop').frame('operators', 'rows'))\"").out);
    const std::string sets = " \"SELECT * FROM compute_set_cycles\"";
    CHECK(shell(folder, kPopscope + " sql --csv report/profile.pop" + sets).out ==
          shell(folder, kPopscope + " sql --csv whole/profile.pop" + sets).out);
    for (const std::string name : {"report", "whole"})
      REQUIRE(shell(folder,
                    kPopscope + " export --format csv --format folded -o sums_" + name + " " + name + "/profile.pop")
                  .exitCode == 0);
    CHECK(shell(folder, "diff sums_report/cycles.folded sums_whole/cycles.folded").exitCode == 0);
    for (const std::string table : {"op_statistic", "op_summary"}) {
      const std::string file = "/csv/" + table + ".csv";
      CHECK(shell(folder, "test -s sums_whole" + file).exitCode == 0);
      CHECK(shell(folder, "diff sums_report" + file + " sums_whole" + file).exitCode == 0);
    }
    const Outcome alone = shell(folder, kPopscope + " loss --runs 2 report/profile.pop");
    CHECK(alone.exitCode == 2);
    REQUIRE(!alone.err.empty());
    CHECK(alone.err[0].find("no selected run ended") != std::string::npos);
    CHECK(shell(folder, kPopscope + " top --of steps --runs 2 report/profile.pop").exitCode == 0);
    REQUIRE(shell(folder, kPopscope + " export --format csv -o tables report/profile.pop").exitCode == 0);
    const auto trace = lines(shell(folder, "cat tables/csv/step_trace.csv").out);
    REQUIRE(trace.size() == 4);
    CHECK(trace[3].find(",2,,,,,,,,") == 0); // no time is known, not 0
    CHECK(trace[3].substr(trace[3].size() - 7) == ",,,,,,,");
  }
}
