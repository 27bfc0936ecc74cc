// Each check of the printed text can fail: it accepts the text of a real profile, and rejects the same text with one
// changed number. Most changes are made to the parsed text, some to the characters.
#include "tests/check/profile/ReadFacts.hpp"
#include "tests/check/profile/Runs.hpp"
#include "tests/check/profile/TextChecks.hpp"
#include "tests/check/profile/TotalsChecks.hpp"

#include <doctest/doctest.h>
#include <functional>
#include <stdexcept>

using namespace profile_check;

namespace {

struct TextFault {
  const char *name;
  std::function<void(SummaryText &)> plant;
};

void expectFoundInText(const SummaryText &good, const std::function<Findings(const SummaryText &)> &check,
                       const std::vector<TextFault> &faults) {
  CHECK_MESSAGE(check(good).empty(), describe(check(good)));
  for (const auto &fault : faults) {
    SummaryText bad = good;
    fault.plant(bad);
    CHECK_MESSAGE(!check(bad).empty(), "not found: " << fault.name);
  }
}

SummaryText textOf(const std::string &program) { return parseSummary(profiled(program).summary); }

StepText &computeStep(SummaryText &text) {
  for (StepText &step : text.steps)
    if (step.threadBalance && step.types.size() == 1 && step.active > 1)
      return step;
  throw std::runtime_error("no compute step");
}

StepText &exchangeStep(SummaryText &text) {
  for (StepText &step : text.steps)
    if (step.data && *step.data > 100)
      return step;
  throw std::runtime_error("no exchange");
}

} // namespace

TEST_SUITE("profile.planted faults in text") {

  TEST_CASE("a block of memory that does not add up is found") {
    expectFoundInText(
        textOf("sample"), checkMemoryText,
        {{"region", [](SummaryText &s) { ++s.memory[0].regions[0].value; }},
         {"row", [](SummaryText &s) { ++s.memory[0].notOverlapped[0].value; }},
         {"overlapped row", [](SummaryText &s) { s.memory[0].overlapped.pop_back(); }},
         {"after overlapping", [](SummaryText &s) { --s.memory[1].afterOverlapping; }},
         {"vertex category", [](SummaryText &s) { ++s.memory[2].vertexCategories[1].value; }},
         {"vertex data", [](SummaryText &s) { ++s.memory[0].vertexData, ++s.memory[0].vertexCategories[0].value; }},
         {"gaps", [](SummaryText &s) { s.memory[0].including = 1; }}});
  }

  TEST_CASE("a line of one IPU that all IPUs do not have is found") {
    expectFoundInText(textOf("control_flow"), checkIpuText,
                      {{"row", [](SummaryText &s) { ++s.memory[1].notOverlapped[0].value; }},
                       {"missing row", [](SummaryText &s) { s.memory[2].vertexTypes.pop_back(); }},
                       {"new row",
                        [](SummaryText &s) {
                          s.memory[2].overlapped.push_back({"Other", 0});
                        }},
                       {"total", [](SummaryText &s) { ++s.memory[0].including; }}});
  }

  TEST_CASE("a tile that the histogram does not count and a bar of the wrong length are found") {
    expectFoundInText(textOf("mlp"), [](const SummaryText &s) { return checkHistogramText(s, s.tiles); },
                      {{"count", [](SummaryText &s) { --s.bins[0].tiles; }},
                       {"bar", [](SummaryText &s) { ++s.bins.back().stars; }},
                       {"range", [](SummaryText &s) { ++s.bins[1].from; }},
                       {"fullest tile", [](SummaryText &s) { s.maxExcluding += 1 << 20; }}});
  }

  TEST_CASE("live bytes that differ from the printed variables are found") {
    expectFoundInText(textOf("sample"), checkLivenessText,
                      {{"always live", [](SummaryText &s) { s.alwaysLiveVariables.pop_back(); }},
                       {"program", [](SummaryText &s) { ++s.live.back().bytes; }},
                       {"variable",
                        [](SummaryText &s) {
                          for (LiveText &live : s.live)
                            if (!live.variables.empty())
                              live.variables.pop_back();
                        }},
                       {"maximum", [](SummaryText &s) { ++s.maxLive; }},
                       {"a tile's program", [](SummaryText &s) { ++s.liveTiles.back().live.back().bytes; }},
                       {"a tile's maximum", [](SummaryText &s) { ++s.liveTiles.front().maxLive; }}});
  }

  TEST_CASE("wrong microseconds and balances are found") {
    expectFoundInText(textOf("sample"), checkExecutionText,
                      {{"microseconds", [](SummaryText &s) { ++s.microsecondTenths; }},
                       {"tile balance", [](SummaryText &s) { ++s.tileBalance; }},
                       {"thread balance", [](SummaryText &s) { --*s.threadBalance; }},
                       {"too many cycles", [](SummaryText &s) { s.cycleTotals.back().value += s.cycles * s.tiles; }}});
  }

  TEST_CASE("a step whose times and balances contradict each other is found") {
    expectFoundInText(textOf("sample"), checkStepsText,
                      {{"cycles", [](SummaryText &s) { ++computeStep(s).cycles; }},
                       {"range", [](SummaryText &s) { std::swap(computeStep(s).from, computeStep(s).to); }},
                       {"active tiles", [](SummaryText &s) { computeStep(s).active = computeStep(s).tiles + 1; }},
                       {"tile balance", [](SummaryText &s) { computeStep(s).tileBalance += 20; }},
                       {"thread balance", [](SummaryText &s) { *computeStep(s).threadBalance /= 2; }},
                       {"type", [](SummaryText &s) { computeStep(s).types[0].cycles *= 2; }},
                       {"line of a type", [](SummaryText &s) { s.cyclesByType.pop_back(); }},
                       {"data balance", [](SummaryText &s) { exchangeStep(s).dataBalance = 1; }}});
  }

  TEST_CASE("a printed step that the profile does not have, or has with other figures, is found") {
    const ExecutionFacts execution = readExecution(pva::openReport(profiled("sample").profile));
    expectFoundInText(textOf("sample"), [&](const SummaryText &s) { return checkStepsAgainst(s, execution); },
                      {{"missing", [](SummaryText &s) { s.steps.pop_back(); }},
                       {"extra", [](SummaryText &s) { s.steps.push_back(s.steps.back()); }},
                       {"active", [](SummaryText &s) { --computeStep(s).active; }},
                       {"balance", [](SummaryText &s) { ++computeStep(s).activeTileBalance; }},
                       {"thread balance", [](SummaryText &s) { --*computeStep(s).threadBalance; }},
                       {"data", [](SummaryText &s) { ++*exchangeStep(s).data; }},
                       {"data balance", [](SummaryText &s) { ++*exchangeStep(s).dataBalance; }}});
  }

  TEST_CASE("a printed total that SQL does not have is found") {
    const Database db(profiled("sample").profile);
    expectFoundInText(textOf("sample"), [&](const SummaryText &s) { return checkMemoryTotals(s, db); },
                      {{"including", [](SummaryText &s) { ++s.memory[0].including; }},
                       {"region", [](SummaryText &s) { ++s.memory[0].regions[1].value; }},
                       {"vertex types", [](SummaryText &s) { s.memory[0].vertexTypes.pop_back(); }},
                       {"edges", [](SummaryText &s) { ++s.graph[1].value; }},
                       {"fullest tile", [](SummaryText &s) { --s.maxExcluding; }}});
    expectFoundInText(textOf("sample"), [&](const SummaryText &s) { return checkLivenessTotals(s, db); },
                      {{"always live", [](SummaryText &s) { ++s.alwaysLive; }},
                       {"a program", [](SummaryText &s) { ++s.live[1].bytes; }},
                       {"maximum", [](SummaryText &s) { ++s.maxLive; }}});
    expectFoundInText(textOf("sample"), [&](const SummaryText &s) { return checkExecutionTotals(s, db); },
                      {{"total", [](SummaryText &s) { ++s.cycles; }},
                       {"sync", [](SummaryText &s) { --s.cycleTotals.back().value; }},
                       {"type", [](SummaryText &s) { ++s.cyclesByType[0].cycles; }},
                       {"step", [](SummaryText &s) { s.steps.pop_back(); }}});
  }

  TEST_CASE("a number that wrapped below 0 is found wherever it stands") {
    CHECK(hugeNumbers("Total: 9,223,372,036,854,775,807 B").empty());
    CHECK(hugeNumbers("Total: 9,223,372,036,854,775,808 B").size() == 1);
    CHECK(hugeNumbers("(wait 18446744073709540605)").size() == 1);
    CHECK(hugeNumbers("1, 2, 3; 000000000000000000000000000000000001").empty());
  }

  TEST_CASE("a table with a negative integer is found") {
    // The number is changed in SQL, so that no file has to be damaged.
    const Database db(profiled("sample").profile);
    CHECK(db.number("SELECT 1") == 1);
    CHECK_THROWS_AS(db.number("SELECT -1"), std::runtime_error);
    CHECK_THROWS_AS(db.number("SELECT NULL"), std::runtime_error);
  }

  TEST_CASE("text that is not a summary is refused with the line") {
    std::string text = profiled("control_flow").summary;
    text.replace(text.find("  Total Tiles:"), 14, "  Total Tales:");
    CHECK_THROWS_WITH_AS(parseSummary(text), "expected '  Total Tiles:': '  Total Tales:            8'",
                         std::runtime_error);
    CHECK_THROWS_AS(parseSummary("nothing"), std::runtime_error);
  }

} // TEST_SUITE
