#include "RunProgram.hpp"

#include "report/pva/MakeReport.hpp"
#include "report/summary/Summary.hpp"
#include "tests/HasText.hpp"
#include "tests/unit/report/SmallProfile.hpp"

#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <pty.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

using popscope::SummaryOptions;
using tools::expectRefusal;
using tools::Workplace;

namespace {
std::string expected(const SummaryOptions &options) {
  std::ostringstream out;
  popscope::printSummary(out, pva::makeReport(small::write("")), options);
  return out.str();
}
std::string summary(const Workplace &place, std::vector<std::string> flags) {
  flags.insert(flags.begin(), {"--profile", "small.pop"});
  const auto outcome = place.run("profile_summary", flags);
  CHECK(outcome.exitCode == 0);
  CHECK(outcome.err == "");
  return outcome.out;
}
/// Returns what the program prints in a terminal of its own.
std::string inTerminal(const Workplace &place, const std::vector<std::pair<const char *, const char *>> &environment) {
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  REQUIRE(child >= 0);
  if (child == 0) {
    for (const char *name : {"CLICOLOR", "CLICOLOR_FORCE", "NO_COLOR", "TERM"})
      ::unsetenv(name);
    for (const auto &[name, value] : environment)
      ::setenv(name, value, 1);
    ::execl(POPSCOPE_TOOLS "/profile_summary", "profile_summary", place.file("small.pop").c_str(), nullptr);
    ::_exit(127);
  }
  std::string text = tools::readTerminal(terminal, child);
  text.erase(std::remove(text.begin(), text.end(), '\r'), text.end()); // a terminal's line ends
  return text;
}
} // namespace

TEST_SUITE("tools.profile_summary") {
  TEST_CASE("each flag adds its section and changes nothing else") {
    const Workplace place;
    struct Case {
      const char *flag, *sign;
      bool SummaryOptions::*member;
    };
    const Case cases[] = {
        {"--show-execution-steps", "\nSteps\n", &SummaryOptions::showExecutionSteps},
        {"--show-optimizations", "\nOptimizations:\n", &SummaryOptions::showOptimizations},
        {"--show-per-ipu-memory-usage", "\nMemory on IPU 1:\n", &SummaryOptions::showPerIpuMemoryUsage},
        {"--show-var-storage", "  Variable Storage Liveness: ", &SummaryOptions::showVarStorage},
        {"--colours", "\033[", &SummaryOptions::colours}};
    const std::string plain = summary(place, {});
    CHECK(plain == expected({}));
    std::vector<std::string> allFlags;
    SummaryOptions all;
    for (const Case &c : cases) {
      CAPTURE(c.flag);
      SummaryOptions one;
      one.*c.member = all.*c.member = true;
      allFlags.emplace_back(c.flag);
      CHECK_FALSE(has(plain, c.sign));
      CHECK(has(summary(place, {c.flag}), c.sign));
      CHECK(summary(place, {c.flag}) == expected(one));
    }
    CHECK(summary(place, allFlags) == expected(all));
  }

  TEST_CASE("the environment decides over --colours, and --colours=false over a terminal") {
    const Workplace place;
    CHECK(has(place.run("profile_summary", {"small.pop"}, {"CLICOLOR_FORCE=1"}).out, "\033["));
    CHECK_FALSE(has(place.run("profile_summary", {"small.pop", "--colours"}, {"CLICOLOR=0"}).out, "\033["));
    CHECK_FALSE(has(summary(place, {"--colours=false"}), "\033["));
    CHECK(has(summary(place, {"--color"}), "\033["));
    CHECK(summary(place, {"--color=always"}) == summary(place, {"--colours"}));
    CHECK_FALSE(has(summary(place, {"--color=never"}), "\033["));
    expectRefusal(place.run("profile_summary", {"small.pop", "--colours", "--color"}),
                  "profile_summary: ", "exclude each other");
    expectRefusal(place.run("profile_summary", {"small.pop", "--show-execution-step"}),
                  "profile_summary: unknown option", "Did you mean \"--show-execution-steps\"?");
  }

  TEST_CASE("in a real terminal the text is coloured where the terminal is able to, and differs in escapes only") {
    const Workplace place;
    SummaryOptions coloured;
    coloured.colours = true;
    CHECK(inTerminal(place, {{"TERM", "xterm"}}) == expected(coloured));
    for (const std::vector<std::pair<const char *, const char *>> &plain :
         {std::vector<std::pair<const char *, const char *>>{},
          {{"TERM", "dumb"}},
          {{"TERM", "xterm"}, {"NO_COLOR", "1"}},
          {{"TERM", "xterm"}, {"CLICOLOR", "0"}}})
      CHECK(inTerminal(place, plain) == expected({}));
    CHECK(inTerminal(place, {{"TERM", "dumb"}, {"CLICOLOR_FORCE", "1"}, {"CLICOLOR", "0"}}) == expected(coloured));
  }

  TEST_CASE("poplar_profile_summary is the same program") {
    const Workplace place;
    CHECK(place.run("poplar_profile_summary", {"--profile", "small.pop"}).out == summary(place, {}));
    expectRefusal(place.run("poplar_profile_summary", {"none.pop"}),
                  "poplar_profile_summary: none.pop: ", "no such file");
    CHECK(place.run("poplar_profile_summary", {"--help"}).out.find("poplar_profile_summary [OPTIONS]") !=
          std::string::npos);
    CHECK(place.run("poplar_profile_summary", {"--man"}).out.find(".TH POPLAR_PROFILE_SUMMARY 1") != std::string::npos);
  }

  TEST_CASE("the profile may be given without --profile, but must be given once") {
    const Workplace place;
    CHECK(place.run("profile_summary", {"small.pop"}).out == summary(place, {}));
    expectRefusal(place.run("profile_summary", {}), "profile_summary: ", "usage: profile_summary [OPTIONS] FILE");
    expectRefusal(place.run("profile_summary", {"--profile", "small.pop", "more.pop"}),
                  "profile_summary: ", "more.pop");
    expectRefusal(place.run("profile_summary", {"small.pop", "--show-nothing"}), "profile_summary: ", "--show-nothing");
  }

  TEST_CASE("help names the options of the user guide") {
    const Workplace place;
    const auto help = place.run("profile_summary", {"--help"});
    CHECK(help.exitCode == 0);
    CHECK(help.err == "");
    for (const char *flag : {"--profile", "--show-execution-steps", "--show-optimizations",
                             "--show-per-ipu-memory-usage", "--show-var-storage", "--colours"})
      CHECK(has(help.out, flag));
  }

  TEST_CASE("an output that cannot be written is an error") {
    const Workplace place;
    CHECK(std::system(
              (std::string(POPSCOPE_TOOLS "/profile_summary ") + place.file("small.pop") + " >/dev/full 2>/dev/null")
                  .c_str()) != 0);
  }
}
