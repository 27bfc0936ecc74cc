// Execution identities on real profiles.
#include "tests/check/profile/ExecutionChecks.hpp"
#include "tests/check/profile/ReadFacts.hpp"
#include "tests/check/profile/Runs.hpp"

#include <doctest/doctest.h>

using namespace profile_check;

namespace {

void onEachProfile(Findings (*check)(const ExecutionFacts &)) {
  for (const ProfiledProgram &program : profiledPrograms()) {
    const ExecutionFacts execution = readExecution(pva::openReport(program.profile));
    CHECK_MESSAGE(!execution.runs.empty(), program.name);
    const Findings findings = check(execution);
    CHECK_MESSAGE(findings.empty(), program.name << ": " << describe(findings));
  }
}

} // namespace

TEST_SUITE("profile.execution") {

  TEST_CASE(
      "every cycle of every tile has one cause: the kinds add up to tiles x total cycles, in each run and in all") {
    onEachProfile(checkCycleTotals);
  }

  TEST_CASE("the totals of a run are the sums of what its steps did") { onEachProfile(checkStepSums); }

  TEST_CASE("cycles by vertex type add up to a step's thread cycles, cycles by tile to its busy cycles") {
    onEachProfile(checkSteps);
  }

  TEST_CASE("a step begins where the previous step ended, and the run ends with its last step") {
    onEachProfile(checkTimeLine);
  }

  TEST_CASE("a step moves the data that its program says, and a device receives what it sends") {
    onEachProfile(checkStepData);
  }

} // TEST_SUITE
