// Every query of docs/MEMORY.md, run by `popscope sql` on each profile, returns the figure in the text next to it.
#include "tests/check/profile/Runs.hpp"
#include "tests/check/profile/SummaryText.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

using namespace profile_check;

namespace {

struct Query {
  std::string label, sql;
};

/// Returns the ```sql blocks of the document; the first line of each is "-- label".
std::vector<Query> queriesOf(std::istream &in) {
  std::vector<Query> queries;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line == "```sql") {
      inside = true;
      queries.emplace_back();
    } else if (line == "```") {
      inside = false;
    } else if (inside && queries.back().label.empty()) {
      REQUIRE_MESSAGE(line.rfind("-- ", 0) == 0, line);
      queries.back().label = line.substr(3);
    } else if (inside) {
      queries.back().sql += (queries.back().sql.empty() ? "" : " ") + line;
    }
  }
  return queries;
}

std::vector<Query> documentQueries() {
  std::ifstream in(std::string(POPSCOPE_SOURCE_DIR) + "/docs/MEMORY.md");
  REQUIRE(in.good());
  return queriesOf(in);
}

std::uint64_t rowOf(const std::vector<TextRow> &rows, const std::string &name) {
  for (const TextRow &row : rows)
    if (row.name == name)
      return row.value;
  return 0; // rows without bytes are not printed
}

using Figure = std::function<std::uint64_t(const SummaryText &)>;

const std::map<std::string, Figure> &figures() {
  const auto region = [](std::size_t i) {
    return [i](const SummaryText &t) { return t.memory.at(0).regions.at(i).value; };
  };
  const auto notOverlapped = [](const char *name) {
    return [name](const SummaryText &t) { return rowOf(t.memory.at(0).notOverlapped, name); };
  };
  const auto vertex = [](std::size_t i) {
    return [i](const SummaryText &t) { return t.memory.at(0).vertexCategories.at(i).value; };
  };
  static const std::map<std::string, Figure> known = {
      {"Including Gaps", [](const SummaryText &t) { return t.memory.at(0).including; }},
      {"Excluding Gaps", [](const SummaryText &t) { return t.memory.at(0).total; }},
      {"Non-interleaved", region(0)},
      {"Interleaved", region(1)},
      {"Overflowed", region(2)},
      {"Not Overlapped", [](const SummaryText &t) { return t.memory.at(0).notOverlappedTotal; }},
      {"Overlapped", [](const SummaryText &t) { return t.memory.at(0).overlappedTotal; }},
      {"Total After Overlapping", [](const SummaryText &t) { return t.memory.at(0).afterOverlapping; }},
      {"Of Several Categories", [](const SummaryText &t) { return t.memory.at(0).multiple; }},
      {"Not Overlapped: Variables", notOverlapped("Variables")},
      {"Not Overlapped: Stack", notOverlapped("Stack")},
      {"Not Overlapped: Control Code", notOverlapped("Control Code")},
      {"Vertex Data", [](const SummaryText &t) { return t.memory.at(0).vertexData; }},
      {"Internal vertex state", vertex(0)},
      {"Edge pointers", vertex(1)},
      {"Copy pointers", vertex(2)},
      {"Padding", vertex(3)},
      {"Descriptors", vertex(4)},
      {"Sum of By Type",
       [](const SummaryText &t) {
         const auto &rows = t.memory.at(0).vertexTypes;
         return std::accumulate(rows.begin(), rows.end(), std::uint64_t(0),
                                [](std::uint64_t n, const TextRow &r) { return n + r.value; });
       }},
      {"Maximum (Including Gaps)", [](const SummaryText &t) { return t.maxIncluding; }},
      {"Maximum (Excluding Gaps)", [](const SummaryText &t) { return t.maxExcluding; }},
      {"tile(s) out of memory", [](const SummaryText &t) { return t.tilesOutOfMemory; }},
      {"Always-live bytes", [](const SummaryText &t) { return t.alwaysLive; }},
      {"Maximum live bytes", [](const SummaryText &t) { return t.maxLive; }},
  };
  return known;
}

/// Returns the only value of the query, as `popscope sql --csv` prints it below the column's name.
std::string answer(const std::string &profile, const std::string &sql) {
  const RunResult result = run(binary("popscope") + " sql --csv '" + profile + "' \"" + sql + "\"");
  REQUIRE_MESSAGE(result.status == 0, sql << ": " << result.err);
  std::istringstream lines(result.out);
  std::string name, value, more;
  std::getline(lines, name);
  std::getline(lines, value);
  REQUIRE_MESSAGE(!std::getline(lines, more), sql);
  while (!value.empty() && value.back() == '\r')
    value.pop_back();
  return value;
}

} // namespace

TEST_SUITE("profile.document") {

  TEST_CASE("every query of docs/MEMORY.md gives the printed figure, on three programs") {
    const std::vector<Query> queries = documentQueries();
    for (const ProfiledProgram &program : profiledPrograms()) {
      const SummaryText text = parseSummary(summaryPart(program.summary));
      for (const Query &query : queries) {
        const bool zero = query.label.rfind("must be 0", 0) == 0;
        if (!zero)
          REQUIRE_MESSAGE(figures().count(query.label) == 1, query.label);
        const std::string expected = zero ? "0" : std::to_string(figures().at(query.label)(text));
        CHECK_MESSAGE(answer(program.profile, query.sql) == expected, program.name << ": " << query.label);
      }
    }
  }

  TEST_CASE("every figure of the table has its query in the document") {
    std::set<std::string> labels;
    for (const Query &query : documentQueries())
      labels.insert(query.label);
    for (const auto &figure : figures())
      CHECK_MESSAGE(labels.count(figure.first) == 1, figure.first);
  }

  TEST_CASE("a wrong query is seen: one byte more is another answer") {
    const ProfiledProgram &program = profiled("mlp");
    const SummaryText text = parseSummary(summaryPart(program.summary));
    CHECK(answer(program.profile, "SELECT sum(total) FROM memory_by_tile") == std::to_string(text.memory.at(0).total));
    CHECK(answer(program.profile, "SELECT sum(total) + 1 FROM memory_by_tile") !=
          std::to_string(text.memory.at(0).total));
  }

} // TEST_SUITE
