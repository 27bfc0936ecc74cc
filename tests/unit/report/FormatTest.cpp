#include "report/summary/Format.hpp"
#include "report/summary/MemoryView.hpp"
#include "report/summary/Style.hpp"

#include <doctest/doctest.h>
#include <map>

using namespace popscope;

TEST_SUITE("report.format") {
  TEST_CASE("numbers have thousands commas, one decimal and binary sizes") {
    CHECK(commas(0) == "0");
    CHECK(commas(999) == "999");
    CHECK(commas(1000) == "1,000");
    CHECK(commas(18446744073709551615u) == "18,446,744,073,709,551,615");
    CHECK(summarySize(262144) == "256.0 kB");
    CHECK(binarySize(262144) == "256.0 KiB");
    CHECK(summarySize(262144ull * 1216) == "304.0 MB");
    CHECK(binarySize(262144ull * 1216) == "304.0 MiB");
    CHECK(binarySize(3ull << 30) == "3.0 GiB");
    CHECK(binarySize(12) == "12 B");
    CHECK(percent(1933324, 54202ull * 1216) == "2.9%");
    CHECK(percent(1769242, 1933324) == "91.5%");
    CHECK(percent(1, 0) == "0.0%");
    CHECK(ratioOneDecimal(5, 100) == "0.1");           // 0.05 rounds away from zero
    CHECK(ratioOneDecimal(~0ull, 1, 100).size() > 20); // no overflow inside
    CHECK(alignRight("123", 2) == " 123");
  }

  TEST_CASE("histogram bars follow the sample report") {
    const std::map<std::uint64_t, std::uint64_t> sample = {{824, 40}, {168, 8}, {44, 3}, {126, 6}, {30, 2},
                                                           {16, 1},   {2, 1},   {3, 1},  {1, 1},   {0, 0}};
    for (const auto &entry : sample)
      CHECK(histogramBar(entry.first, 824) == entry.second);
  }

  TEST_CASE("colour is decided by CLICOLOR_FORCE, CLICOLOR, the option, NO_COLOR and the terminal, in this order") {
    using Variables = std::map<std::string, std::string>;
    const auto decide = [](std::optional<bool> option, bool terminal, const Variables &variables) {
      return decideColour(option, terminal, [&](const std::string &name) -> std::optional<std::string> {
        const auto it = variables.find(name);
        return it == variables.end() ? std::nullopt : std::optional(it->second);
      });
    };
    const Variables xterm = {{"TERM", "xterm"}};
    CHECK(decide({}, true, xterm));
    CHECK_FALSE(decide({}, false, xterm));
    CHECK_FALSE(decide({}, true, {{"TERM", "dumb"}}));
    CHECK_FALSE(decide({}, true, {}));
    CHECK(decide(true, false, {}));
    CHECK_FALSE(decide(false, true, xterm));
    CHECK_FALSE(decide(true, true, {{"CLICOLOR", "0"}, {"TERM", "xterm"}}));
    CHECK(decide(true, false, {{"CLICOLOR", "1"}}));
    CHECK(decide(false, false, {{"CLICOLOR_FORCE", "1"}}));
    CHECK(decide(false, false, {{"CLICOLOR_FORCE", "1"}, {"CLICOLOR", "0"}}));
    CHECK_FALSE(decide({}, false, {{"CLICOLOR_FORCE", "0"}}));
    CHECK_FALSE(decide({}, true, {{"NO_COLOR", "1"}, {"TERM", "xterm"}}));
    CHECK(decide(true, true, {{"NO_COLOR", "1"}}));
    CHECK(decide({}, false, {{"NO_COLOR", "1"}, {"CLICOLOR_FORCE", "1"}}));
  }

  TEST_CASE("the whole truth table of colour: the first of the rules that applies decides") {
    using Text = std::optional<std::string>;
    int coloured = 0, rows = 0;
    for (const std::optional<bool> &option : {std::optional<bool>(), std::optional(false), std::optional(true)})
      for (const bool terminal : {false, true})
        for (const Text &force : {Text(), Text("0"), Text("1")})
          for (const Text &cli : {Text(), Text("0"), Text("1")})
            for (const Text &no : {Text(), Text(""), Text("1")})
              for (const Text &term : {Text(), Text(""), Text("dumb"), Text("xterm")}) {
                const std::map<std::string, Text> variables = {
                    {"CLICOLOR_FORCE", force}, {"CLICOLOR", cli}, {"NO_COLOR", no}, {"TERM", term}};
                struct Rule {
                  bool applies, colour;
                };
                const Rule rules[] = {{force == "1", true},   {cli == "0", false},
                                      {option == true, true}, {option == false, false},
                                      {no == "1", false},     {true, terminal && term == "xterm"}};
                const Rule *rule = rules;
                while (!rule->applies)
                  ++rule;
                const bool answer =
                    decideColour(option, terminal, [&](const std::string &name) { return variables.at(name); });
                CHECK(answer == rule->colour);
                coloured += answer ? 1 : 0;
                ++rows;
              }
    CHECK(rows == 3 * 2 * 3 * 3 * 3 * 4);
    CHECK((coloured > 200 && coloured < rows - 200));
  }
}
