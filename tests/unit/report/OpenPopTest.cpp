#include "RandomRecords.hpp"

#include "report/pop/PopDatabase.hpp"
#include "report/pop/RunSql.hpp"
#include "report/pop/Schema.hpp"
#include "report/pva/MakeReport.hpp"
#include "report/summary/Summary.hpp"
#include "tests/TemporaryFolder.hpp"

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <unistd.h>

using namespace popscope;
namespace fs = std::filesystem;

namespace {
/// Writes a file.
void write(const std::string &path, const std::string &bytes) { std::ofstream(path, std::ios::binary) << bytes; }
std::string read(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}
std::string validProfile(const std::string &path) {
  std::mt19937_64 random(3);
  const auto record = randomCompilation(random);
  PopWriter writer(path);
  writer.compilation(record);
  writer.beginRun({});
  for (int i = 0; i < 20; ++i)
    writer.step(randomStep(random, record));
  writer.endRun({}, 0);
  writer.finish();
  return read(path);
}
std::string message(const std::string &path) {
  try {
    (void)openPop(path);
  } catch (const ProfileError &e) {
    CHECK(std::string(e.what()).find('\n') == std::string::npos);
    CHECK(std::string(e.what()).find(path) == 0);
    return e.what();
  }
  return "";
}
void expectError(const std::string &path, const char *what) {
  const std::string says = message(path), expected = what;
  CAPTURE(says);
  CAPTURE(expected);
  CHECK(says.find(expected) != std::string::npos);
}
/// Reads everything that a report shows. Returns whether nothing was refused.
bool readsWhole(const std::string &path) {
  try {
    SummaryOptions options;
    options.showVarStorage = options.showExecutionSteps = options.showOptimizations = true;
    std::ostringstream out;
    printSummary(out, pva::openReport(path), options);
    return true;
  } catch (const ProfileError &) {
    return false;
  }
}
} // namespace

TEST_SUITE("report.open") {
  TEST_CASE("a name that begins with file: is a name, not a URI") {
    const TemporaryFolder folder("uri");
    const fs::path before = fs::current_path();
    fs::current_path(folder.path);
    const std::string name = "file:p.pop";
    CHECK_FALSE(validProfile(name).empty());
    CHECK(fs::exists(folder.path / name));
    CHECK(readsWhole(name));
    fs::current_path(before);
  }

  TEST_CASE("each kind of file that is no profile is refused with one line that names it") {
    const TemporaryFolder folder("open");
    expectError(folder.file("missing.pop"), "no such file");
    fs::create_symlink("loop.pop", folder.file("loop.pop"));
    expectError(folder.file("loop.pop"), "cannot be opened: Too many levels of symbolic links");
    expectError(folder.path.string(), "is a folder without a profile.pop");
    write(folder.file("a.pop"), "");
    expectError(folder.file("a.pop"), "is empty");
    write(folder.file("a.pop"), "{\"json\": true}");
    expectError(folder.file("a.pop"), "is not a SQLite database");
    const std::string valid = validProfile(folder.file("v.pop"));
    CHECK(message(folder.file("v.pop")) == "");
    write(folder.file("a.pop"), valid.substr(0, 60));
    expectError(folder.file("a.pop"), "is truncated");
    write(folder.file("a.pop"), valid.substr(0, valid.size() - 1));
    expectError(folder.file("a.pop"), "is truncated");
    std::string changed = valid;
    changed[68] ^= 1; // application_id
    write(folder.file("a.pop"), changed);
    expectError(folder.file("a.pop"), "not a profile of popscope");
    for (const auto &[version, said] :
         {std::pair<char, const char *>{2, "newer popscope (format 2, this one reads format 1)"},
          {0, "unknown format 0; this popscope reads format 1"}}) {
      changed = valid;
      changed[63] = version; // user_version
      write(folder.file("a.pop"), changed);
      expectError(folder.file("a.pop"), said);
    }
    write(folder.file("a.pop"), valid);
    PopFile(folder.file("a.pop"), PopFile::Mode::Write).execute("CREATE TABLE VARS_info (id)"); // hides the packed rows
    expectError(folder.file("a.pop"), "has a table named VARS_info, whose rows belong into packed_rows");
  }

  TEST_CASE("a file of this format without one of its columns or tables is the file of another build") {
    const TemporaryFolder folder("build");
    for (const char *change : {"ALTER TABLE runs RENAME COLUMN name TO title", "DROP TABLE runs"}) {
      CAPTURE(change);
      (void)validProfile(folder.file("v.pop"));
      PopFile(folder.file("v.pop"), PopFile::Mode::Write).execute(change);
      std::string says;
      try {
        std::ostringstream out;
        printSummary(out, pva::openReport(folder.file("v.pop")), SummaryOptions());
      } catch (const ProfileError &e) {
        says = e.what();
      }
      CAPTURE(says);
      CHECK(says.find("v.pop: no such ") != std::string::npos);
      CHECK(says.find("another build of popscope wrote the profile: record the profile again") != std::string::npos);
    }
  }

  TEST_CASE("messages about a file contain no control characters, whatever its name") {
    CHECK_THROWS_WITH_AS((void)openPop("no\x1b[31m\nsuch.pop"), "no\\x1b[31m\\x0asuch.pop: no such file", ProfileError);
  }

  TEST_CASE("a damaged profile is read or refused, and nothing else happens") {
    const TemporaryFolder folder("open");
    const std::string valid = validProfile(folder.file("v.pop"));
    REQUIRE(readsWhole(folder.file("v.pop")));
    std::mt19937_64 random(11);
    int refused = 0;
    for (int i = 0; i < 60; ++i) {
      std::string changed = valid;
      for (int k = 0; k < 8; ++k)
        changed[random() % changed.size()] ^= static_cast<char>(1u << random() % 8);
      write(folder.file("a.pop"), changed);
      refused += readsWhole(folder.file("a.pop")) ? 0 : 1;
    }
    CHECK(refused > 0);
    for (std::size_t size = 0; size < valid.size(); size += 1 + valid.size() / 25) {
      write(folder.file("a.pop"), valid.substr(0, size));
      CHECK_FALSE(readsWhole(folder.file("a.pop")));
    }
  }

  TEST_CASE("what could run code or never end in a schema is refused") {
    const TemporaryFolder folder("open");
    const std::string valid = validProfile(folder.file("v.pop"));
    const auto changed = [&](const char *sql) {
      write(folder.file("a.pop"), valid);
      PopFile file(folder.file("a.pop"), PopFile::Mode::Write);
      file.execute(sql);
      return folder.file("a.pop");
    };
    expectError(
        changed("DROP TABLE runs; CREATE VIEW runs AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM "
                "n) SELECT x AS id FROM n"),
        "a view named runs");
    expectError(changed("CREATE TRIGGER t AFTER DELETE ON runs BEGIN SELECT 1; END"), "a trigger named t");
    expectError(changed("ALTER TABLE runs ADD COLUMN more TEXT AS (hex(name))"), "the computed column more");
    expectError(changed("CREATE VIRTUAL TABLE f USING fts5(a)"), "is virtual");
    expectError(changed("DROP TABLE runs"), "no such table: runs");
  }

  TEST_CASE("counts that the file has no room for are refused before memory is taken") {
    const TemporaryFolder folder("open");
    const std::string valid = validProfile(folder.file("v.pop"));
    for (const char *sql :
         {"INSERT INTO equivalence_classes VALUES (4000000000000000000, 0)",
          "INSERT INTO steps VALUES (9000000000000000000, 0, 'Sync', 0, NULL, NULL, NULL)",
          "UPDATE runs SET first_step = 9000000000000000000", "UPDATE runs SET first_step = -5",
          "UPDATE target SET tiles_per_ipu = 1 << 40", "DELETE FROM steps WHERE id = 7",
          "UPDATE programs SET parent = id", "UPDATE programs SET type = 'Repeat', parent = 11 WHERE id = 0"}) {
      CAPTURE(sql);
      write(folder.file("a.pop"), valid);
      {
        PopFile file(folder.file("a.pop"), PopFile::Mode::Write);
        file.execute(sql);
      }
      CHECK_FALSE(readsWhole(folder.file("a.pop")));
    }
  }

  TEST_CASE("programs that are nested deeper than lowering makes them are refused") {
    const TemporaryFolder folder("open");
    write(folder.file("a.pop"), validProfile(folder.file("v.pop")));
    {
      PopFile file(folder.file("a.pop"), PopFile::Mode::Write);
      file.execute("WITH RECURSIVE n(i) AS (SELECT max(id) FROM programs UNION ALL SELECT i + 1 FROM n LIMIT 20000) "
                   "INSERT INTO programs (id, type, name, parent, is_function, count, liveness_point, "
                   "control_code_every_tile, barriers) SELECT i + 1, 'Sequence', '', i, 0, 0, 0, 0, '' FROM n");
    }
    CHECK_FALSE(readsWhole(folder.file("a.pop")));
  }

  TEST_CASE("a reference to a row that does not exist is named with its table and column") {
    const TemporaryFolder folder("open");
    write(folder.file("a.pop"), validProfile(folder.file("v.pop")));
    {
      PopFile file(folder.file("a.pop"), PopFile::Mode::Write);
      file.execute("PRAGMA foreign_keys = OFF; UPDATE steps SET program = 3700000");
    }
    std::string why;
    try {
      SummaryOptions options;
      options.showExecutionSteps = true;
      std::ostringstream out;
      printSummary(out, pva::openReport(folder.file("a.pop")), options);
    } catch (const ProfileError &e) {
      why = e.what();
    }
    CHECK_MESSAGE(why.find("table steps, column program: a reference points to row 3700000 of ") != std::string::npos,
                  why);
  }

  TEST_CASE("finish leaves the one file under its final name, and a report made before goes on") {
    const TemporaryFolder folder("open");
    std::mt19937_64 random(5);
    const auto record = randomCompilation(random);
    auto writer = std::make_unique<PopWriter>(folder.file("p.pop"));
    CHECK_FALSE(fs::exists(folder.file("p.pop")));
    writer->compilation(record);
    const pva::Report report = pva::makeReport(writer->file());
    CHECK(report.execution().runs().empty());
    writer->beginRun({"late", 0, 0, 0});
    writer->step(randomStep(random, record));
    writer->endRun({Cycles(42), {}, std::nullopt, {}, {}, {}, {}, {}, {}, {}, {}}, 0);
    CHECK_FALSE(report.popscope().complete());
    writer.reset();
    std::size_t files = 0;
    for (const auto &entry : fs::directory_iterator(folder.path))
      files += entry.exists() ? 1 : 0;
    CHECK(files == 1);
    CHECK(report.popscope().complete());
    CHECK(report.execution().runs().size() == 1);
    CHECK(report.execution().totalCycles().total() == 42);
    CHECK(pva::openReport(folder.file("p.pop")).execution().steps().size() == 1);
  }

  TEST_CASE("what a killed program leaves can be read and says that it is not complete") {
    const TemporaryFolder folder("open");
    std::mt19937_64 random(5);
    PopWriter writer(folder.file("p.pop"));
    writer.compilation(randomCompilation(random));
    for (const auto &entry : fs::directory_iterator(folder.path)) // copies the state that a killed program would leave
      fs::copy(entry.path(), folder.path / ("killed" + entry.path().filename().string().substr(16)));
    const pva::Report report = pva::openReport(folder.file("killed.pop"));
    CHECK_FALSE(report.popscope().complete());
    CHECK(report.compilation().tiles().size() > 0);
  }

  TEST_CASE("a query can only read") {
    const TemporaryFolder folder("open");
    const std::string before = validProfile(folder.file("v.pop"));
    const auto file = openPop(folder.file("v.pop"));
    const SqlResult result = runSql(*file, "SELECT COUNT(*) AS n FROM steps", false);
    CHECK(result.columns == std::vector<std::string>{"n"});
    CHECK(result.rows.at(0).at(0).text == "20");
    for (const char *table :
         // packed tables; a query may name any of them first
         {"vars_info", "liveness_variables", "liveness_parts", "variable_accesses"})
      CHECK(runSql(*openPop(folder.file("v.pop")), std::string("SELECT COUNT(*) FROM ") + table, false).rows.size() ==
            1);
    for (const char *sql : {"DELETE FROM steps", "ATTACH '/dev/null' AS x", "PRAGMA query_only = 0",
                            "SELECT 1; SELECT 2", "", "SELECT nothing FROM nowhere"})
      CHECK_THROWS_AS((void)runSql(*file, sql, false), ProfileError);
    CHECK(read(folder.file("v.pop")) == before);
  }

  TEST_CASE("columns of one name keep their values under names of their own") {
    const TemporaryFolder folder("open");
    (void)validProfile(folder.file("v.pop"));
    const auto file = openPop(folder.file("v.pop"));
    const auto names = [&](const char *sql) { return runSql(*file, sql, false).columns; };
    CHECK(names("SELECT 1 a, 2 a, 3 b, 4 a") == std::vector<std::string>{"a", "a:1", "b", "a:2"});
    CHECK(names("SELECT 1 a, 2 a, 3 \"a:1\", 4 \"a:1\"") == std::vector<std::string>{"a", "a:2", "a:1", "a:1:1"});
    std::ostringstream json;
    printSql(json, runSql(*file, "SELECT 1 a, 2 a", false), SqlFormat::Json);
    CHECK(json.str() == "[\n  {\n    \"a\": 1,\n    \"a:1\": 2\n  }\n]\n");
  }
}
