// The totals in the text equal those that SQL computes.
#include "tests/check/profile/Runs.hpp"
#include "tests/check/profile/TotalsChecks.hpp"

#include <doctest/doctest.h>
#include <functional>

using namespace profile_check;

namespace {

void onEachSummary(const std::function<Findings(const SummaryText &, const Database &)> &check) {
  for (const ProfiledProgram &program : profiledPrograms()) {
    const Findings findings = check(parseSummary(program.summary), Database(program.profile));
    CHECK_MESSAGE(findings.empty(), program.name << ": " << describe(findings));
  }
}

} // namespace

TEST_SUITE("profile.totals") {

  TEST_CASE("printed memory is the sum of the tables") { onEachSummary(checkMemoryTotals); }

  TEST_CASE("printed liveness is the sum of the tables") { onEachSummary(checkLivenessTotals); }

  TEST_CASE("printed cycles are the sum of the tables, and every tile's cycles are accounted for") {
    onEachSummary(checkExecutionTotals);
  }

  TEST_CASE("no table holds a negative integer") {
    onEachSummary([](const SummaryText &, const Database &db) { return checkNothingNegative(db); });
  }

  TEST_CASE("popscope sql answers what SQLite answers") {
    for (const ProfiledProgram &program : profiledPrograms()) {
      const std::string sql = "SELECT sum(total) FROM memory_by_tile";
      const RunResult result = run(binary("popscope") + " sql --csv '" + program.profile + "' '" + sql + "'");
      CHECK(result.status == 0);
      CHECK(result.out == "sum(total)\r\n" + std::to_string(Database(program.profile).number(sql)) + "\r\n");
    }
  }

} // TEST_SUITE
