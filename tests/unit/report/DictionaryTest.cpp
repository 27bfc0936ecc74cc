// Ids are resolved with the file's own tables, whatever this version would have written there.
#include "RandomRecords.hpp"

#include "base/StorageCategory.hpp"
#include "report/pop/PopDatabase.hpp"
#include "report/pva/MakeReport.hpp"
#include "tests/TemporaryFolder.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <tuple>

using namespace popscope;

namespace {

/// Returns what the tools report for everything that an id names: bytes of each tile by storage category, variables
/// with name and category, lowered variables likewise, vertices of each tile by type, and compute sets.
std::vector<std::string> answers(const pva::Report &report) {
  std::vector<std::string> all;
  const std::vector<std::string> categories = pva::storageCategoryNames();
  const auto compilation = report.compilation();
  const auto row = [&](const char *what, const auto &...parts) {
    std::string text = what;
    ((text += " | ", text += parts), ...);
    all.push_back(text);
  };
  std::uint64_t at = 0;
  for (const auto &tile : compilation.tiles()) {
    for (std::size_t c = 0; c < categories.size(); ++c)
      if (const auto bytes = tile.memory().category().byIndex(c).total(); bytes != 0)
        row("tile", std::to_string(at), categories[c], std::to_string(bytes));
    for (const auto &v : tile.memory().vertices())
      row("vertices", std::to_string(at), v.type().name(), std::to_string(v.count()));
    ++at;
  }
  for (const auto &v : compilation.variables())
    row("variable", v.name(), v.category());
  for (std::size_t tile = 0; tile < compilation.tiles().size(); ++tile)
    for (const auto &v : compilation.loweredVariables().forTile(tile))
      row("lowered", v.name(), v.category(), std::to_string(v.tile()), std::to_string(v.offset()));
  for (const auto &set : compilation.computeSets())
    row("compute set", set.name());
  std::sort(all.begin(), all.end());
  return all;
}

/// Returns the same from SQL, which joins ids with the file's tables.
std::vector<std::string> answersOfSql(const std::string &path) {
  std::vector<std::string> all;
  PopFile file(path, PopFile::Mode::ReadOnly);
  for (const char *sql : {
           "SELECT 'tile | ' || m.tile || ' | ' || c.name || ' | ' || SUM(m.size_bytes) FROM memory_by_tile_category m "
           "JOIN var_categories c ON c.id = m.category GROUP BY m.tile, c.name HAVING SUM(m.size_bytes) <> 0",
           "SELECT 'vertices | ' || v.tile || ' | ' || t.name || ' | ' || v.instances FROM vertices_by_tile v JOIN "
           "vertex_types t ON t.id = v.vertex_type",
           "SELECT 'variable | ' || s.string || ' | ' || c.name FROM liveness_variables v JOIN vars_string_table s ON "
           "s.id = v.name JOIN var_categories c ON c.id = v.category",
           "SELECT 'lowered | ' || s.string || ' | ' || c.name || ' | ' || v.tile || ' | ' || v.offset FROM vars_info "
           "v JOIN vars_string_table s ON s.id = v.name JOIN var_categories c ON c.id = v.category",
           "SELECT 'compute set | ' || name FROM compute_sets",
       }) {
    Query q(file, sql);
    while (q.next())
      all.push_back(q.text());
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// Swaps the texts of two rows; if there is only one row, changes its text.
void swapNames(const std::string &path, const std::string &table, const std::string &column, std::uint64_t a,
               std::uint64_t b) {
  PopFile file(path, PopFile::Mode::Write);
  file.execute("CREATE TEMP TABLE old AS SELECT id, " + column + " AS text FROM " + table + "; UPDATE " + table +
               " SET " + column + " = COALESCE((SELECT text FROM temp.old WHERE old.id = " + std::to_string(a + b) +
               " - " + table + ".id), 'another') WHERE id IN (" + std::to_string(a) + ", " + std::to_string(b) +
               "); DROP TABLE temp.old");
}

} // namespace

TEST_SUITE("report.dictionaries") {
  TEST_CASE("names that are swapped in a table of the file are swapped in every answer") {
    const TemporaryFolder folder("dictionary");
    const std::string path = folder.file("profile.pop");
    std::mt19937_64 random(20);
    {
      PopWriter writer(path);
      writer.compilation(randomCompilation(random));
    }
    std::vector<std::string> before = answers(pva::openReport(path));
    REQUIRE(before.size() > 30);
    REQUIRE(before == answersOfSql(path));
    const auto constant = static_cast<std::uint64_t>(StorageCategory::Constant),
               variable = static_cast<std::uint64_t>(StorageCategory::Variable);
    for (const auto &row : {std::tuple("var_categories", "name", constant, variable),
                            std::tuple("vars_string_table", "string", std::uint64_t(0), std::uint64_t(1)),
                            std::tuple("vertex_types", "name", std::uint64_t(0), std::uint64_t(1)),
                            std::tuple("compute_sets", "name", std::uint64_t(0), std::uint64_t(1))}) {
      const auto &[table, column, a, b] = row;
      const std::string name = table; // a copy, because a lambda cannot capture a structured binding
      CAPTURE(name);
      swapNames(path, table, column, a, b);
      const std::vector<std::string> after = answers(pva::openReport(path));
      CHECK(after == answersOfSql(path));
      if (std::string(table) != "compute_sets") // the names of compute sets occur in no other row here
        CHECK(after != before);
      before = after;
    }
  }

  TEST_CASE("a storage category that this version does not know is an error that names it") {
    const TemporaryFolder folder("dictionary");
    const std::string path = folder.file("profile.pop");
    std::mt19937_64 random(21);
    {
      PopWriter writer(path);
      writer.compilation(randomCompilation(random));
    }
    PopFile(path, PopFile::Mode::Write).execute("UPDATE var_categories SET name = 'scratchpad' WHERE id = 20");
    CHECK_THROWS_WITH_AS((void)answers(pva::openReport(path)),
                         doctest::Contains("unknown storage category \"scratchpad\""), std::exception);
  }
}
