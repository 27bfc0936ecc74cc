// Liveness identities on real profiles.
#include "tests/check/profile/LivenessChecks.hpp"
#include "tests/check/profile/ReadFacts.hpp"
#include "tests/check/profile/Runs.hpp"

#include <doctest/doctest.h>
#include <functional>

using namespace profile_check;

namespace {

void onEachProfile(const std::function<Findings(const LivenessFacts &, const pva::Report &)> &check) {
  for (const ProfiledProgram &program : profiledPrograms()) {
    const pva::Report report = pva::openReport(program.profile);
    const LivenessFacts liveness = readLiveness(report);
    CHECK_MESSAGE(!liveness.steps.empty(), program.name);
    const Findings findings = check(liveness, report);
    CHECK_MESSAGE(findings.empty(), program.name << ": " << describe(findings));
  }
}

} // namespace

TEST_SUITE("profile.liveness") {

  TEST_CASE("always-live bytes are the sum of the always-live variables and of the tiles") {
    onEachProfile([](const LivenessFacts &liveness, const pva::Report &) { return checkAlwaysLive(liveness); });
  }

  TEST_CASE("live bytes of a step are the sum of its variables, of its IPUs and of its tiles") {
    onEachProfile([](const LivenessFacts &liveness, const pva::Report &) { return checkLiveSteps(liveness); });
  }

  TEST_CASE(
      "maximum live bytes are always-live bytes plus the fullest step, and a tile uses at least its own maximum") {
    onEachProfile([](const LivenessFacts &liveness, const pva::Report &report) {
      return checkLivePeaks(liveness, readMemory(report));
    });
  }

} // TEST_SUITE
