// The printed summary adds up: figures recomputed from other printed figures.
#include "tests/check/profile/ReadFacts.hpp"
#include "tests/check/profile/Runs.hpp"
#include "tests/check/profile/TextChecks.hpp"

#include <doctest/doctest.h>
#include <functional>

using namespace profile_check;

namespace {

void onEachSummary(const std::function<Findings(const SummaryText &, const ProfiledProgram &)> &check) {
  for (const ProfiledProgram &program : profiledPrograms()) {
    const Findings findings = check(parseSummary(program.summary), program);
    CHECK_MESSAGE(findings.empty(), program.name << ": " << describe(findings));
  }
}

} // namespace

TEST_SUITE("profile.text") {

  TEST_CASE("each block of memory adds up, and its vertex data is its four kinds of storage") {
    onEachSummary([](const SummaryText &text, const ProfiledProgram &program) {
      // Blocks: all IPUs, each IPU, and each tile out of memory.
      CHECK(text.memory.size() == (program.name == "mlp" ? 2 : 3));
      return checkMemoryText(text);
    });
  }

  TEST_CASE("the lines of the IPUs add up to those of all IPUs") {
    onEachSummary([](const SummaryText &text, const ProfiledProgram &) { return checkIpuText(text); });
  }

  TEST_CASE("the histogram counts every tile once and draws its bars in proportion") {
    onEachSummary(
        [](const SummaryText &text, const ProfiledProgram &) { return checkHistogramText(text, text.tiles); });
  }

  TEST_CASE("always-live bytes, live bytes and their maximum are sums of the printed variables") {
    onEachSummary([](const SummaryText &text, const ProfiledProgram &) {
      CHECK(text.hasLiveness);
      CHECK(text.live.size() > 5);
      return checkLivenessText(text);
    });
  }

  TEST_CASE("microseconds, tile balance and thread balance recompute from printed cycles") {
    onEachSummary([](const SummaryText &text, const ProfiledProgram &) {
      CHECK(text.threadBalance.has_value());
      return checkExecutionText(text);
    });
  }

  TEST_CASE("all balances of a printed step agree with one number of busy cycles, and each of its types has a total") {
    onEachSummary([](const SummaryText &text, const ProfiledProgram &) {
      CHECK(text.steps.size() > 20);
      return checkStepsText(text);
    });
  }

  TEST_CASE("balances and data of each printed step recompute from the recorded cycles and bytes") {
    onEachSummary([](const SummaryText &text, const ProfiledProgram &program) {
      return checkStepsAgainst(text, readExecution(pva::openReport(program.profile)));
    });
  }

  TEST_CASE("no printed number is a negative one in disguise") {
    onEachSummary([](const SummaryText &, const ProfiledProgram &program) { return hugeNumbers(program.summary); });
  }

} // TEST_SUITE
