// One program gives one text: printed live or from the saved profile, with and without a file, with and without colour,
// with one thread and with several.
#include "tests/check/profile/Runs.hpp"
#include "tests/check/profile/SummaryText.hpp"

#include <doctest/doctest.h>

using namespace profile_check;

namespace {

/// Returns the first line in which the texts differ; "" if they are equal.
std::string difference(const std::string &left, const std::string &right) {
  if (left == right)
    return {};
  std::size_t at = 0, line = 1, start = 0;
  for (; at < left.size() && at < right.size() && left[at] == right[at]; ++at)
    if (left[at] == '\n')
      ++line, start = at + 1;
  const auto lineOf = [start](const std::string &text) { return text.substr(start, text.find('\n', start) - start); };
  return "line " + std::to_string(line) + ": '" + lineOf(left) + "' is not '" + lineOf(right) + "'";
}

void expectSame(const std::string &program, const std::string &left, const std::string &right) {
  CHECK(left.size() > 1000);
  const std::string found = difference(left, right);
  CHECK_MESSAGE(found.empty(), program << ": " << found);
}

} // namespace

TEST_SUITE("profile.same text") {

  TEST_CASE("the summary that a program prints is, byte for byte, the summary of its saved profile") {
    for (const ProfiledProgram &p : profiledPrograms())
      expectSame(p.name, p.liveSummary, summaryOf(p.profile, p.flags));
  }

  TEST_CASE("the summary is the same when no profile is written") {
    for (const ProfiledProgram &p : profiledPrograms())
      expectSame(p.name, p.liveSummary, summaryPart(run(p.command).out));
  }

  TEST_CASE("the whole output is the same on one thread and on several") {
    for (const ProfiledProgram &p : profiledPrograms())
      expectSame(p.name, run(p.command, R"({"debug.cpuMultiThreadExecution":"false"})").out,
                 run(p.command, R"({"debug.cpuMultiThreadExecution":"true"})").out);
  }

  TEST_CASE("coloured text is plain text with escape sequences") {
    for (const ProfiledProgram &p : profiledPrograms()) {
      auto flags = p.flags;
      flags.push_back("--colours");
      const std::string coloured = summaryOf(p.profile, flags);
      CHECK(coloured != p.liveSummary);
      expectSame(p.name, withoutColour(coloured), p.liveSummary);
    }
  }

  TEST_CASE("a difference is found and shown") {
    CHECK(difference("a\nb\n", "a\nb\n").empty());
    CHECK(difference("a\nb\n", "a\nc\n") == "line 2: 'b' is not 'c'");
    CHECK_FALSE(difference("a\n", "a\n\n").empty());
    CHECK(withoutColour("\033[1;31mred\033[0m plain") == "red plain");
  }

} // TEST_SUITE
