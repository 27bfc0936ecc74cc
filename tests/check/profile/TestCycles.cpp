// Every query in docs/inside/cycles-by-hand.md returns the number above it, on the profile that the page names.
#include "tests/FiguresOfCode.hpp"
#include "tests/check/profile/Runs.hpp"

#include <doctest/doctest.h>
#include <fstream>
#include <sstream>
#include <vector>

using namespace profile_check;

namespace {

struct Worked {
  std::string number, sql;
};

/// Returns the ```sql blocks of the document; the first line of each is "-- number".
std::vector<Worked> workedExamples() {
  std::ifstream in(std::string(POPSCOPE_SOURCE_DIR) + "/docs/inside/cycles-by-hand.md");
  REQUIRE(in.good());
  std::vector<Worked> found;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line == "```sql") {
      inside = true;
      found.emplace_back();
    } else if (line == "```") {
      inside = false;
    } else if (inside && found.back().number.empty()) {
      REQUIRE_MESSAGE(line.rfind("-- ", 0) == 0, line);
      found.back().number = line.substr(3);
    } else if (inside) {
      found.back().sql += (found.back().sql.empty() ? "" : " ") + line;
    }
  }
  return found;
}

std::string answer(const std::string &sql) {
  const RunResult result = run(binary("popscope") + " sql --csv " + profiled("mlp").profile + " \"" + sql + "\"");
  REQUIRE_MESSAGE(result.status == 0, result.err);
  std::istringstream lines(result.out);
  std::string name, value;
  std::getline(lines, name);
  std::getline(lines, value);
  while (!value.empty() && value.back() == '\r')
    value.pop_back();
  return value;
}

} // namespace

TEST_SUITE("profile.cycles document") {

  TEST_CASE("the worked examples of docs/inside/cycles-by-hand.md are true of the perceptron") {
    const std::vector<Worked> examples = workedExamples();
    CHECK(examples.size() >= 12);
    if (!figuresOfCodeApply())
      return;
    for (const Worked &example : examples)
      CHECK_MESSAGE(answer(example.sql) == example.number, example.sql);
  }

  TEST_CASE("a cycle more is seen") {
    CHECK(answer("SELECT cycles + 1 FROM steps_by_ipu WHERE step_id = 30") != "10685");
  }

} // TEST_SUITE
