// popscope.so in the program sqlite3, and the plain database for programs without the extension.
#include "RandomRecords.hpp"

#include "report/pop/PopDatabase.hpp"
#include "report/pop/RunSql.hpp"
#include "report/pop/Schema.hpp"
#include "tests/TemporaryFolder.hpp"

#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace popscope;

namespace {

std::string profileIn(const TemporaryFolder &folder) {
  const std::string path = folder.file("profile.pop");
  std::mt19937_64 random(31);
  const CompilationRecord record = randomCompilation(random);
  PopWriter writer(path);
  writer.compilation(record);
  writer.beginRun({"run", 0, 0, 0});
  for (int i = 0; i < 5; ++i)
    writer.step(randomStep(random, record));
  writer.endRun({}, 0);
  writer.finish();
  return path;
}

bool isThere(const char *program) {
  if (std::system((std::string("command -v ") + program + " > /dev/null").c_str()) == 0)
    return true;
  MESSAGE("skipped: there is no program ", program);
  return false;
}

/// Returns what the program sqlite3 prints for each statement, as CSV, including errors.
std::string sqlite3Prints(const TemporaryFolder &folder, const std::string &database, const std::string &script) {
  std::ofstream(folder.file("script.sql")) << ".mode csv\n" << script;
  const int status = std::system(("sqlite3 -batch -init /dev/null '" + database + "' < '" + folder.file("script.sql") +
                                  "' > '" + folder.file("out") + "' 2>&1")
                                     .c_str());
  std::ifstream in(folder.file("out"), std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str() + (status == 0 ? "" : "failed\n");
}

std::string oursPrints(const std::string &path, const std::string &sql) {
  PopFile file(path, PopFile::Mode::ReadOnly);
  std::ostringstream out;
  printSql(out, runSql(file, sql, false), SqlFormat::Csv);
  const std::string text = out.str();
  return text.substr(text.find("\r\n") + 2); // the text after the heading
}

std::vector<std::string> allNames() {
  std::vector<std::string> names;
  for (const SchemaTable &table : schemaTables())
    names.emplace_back(table.name);
  for (const SchemaView &view : schemaViews())
    names.emplace_back(view.name);
  return names;
}

const std::string kLoad = std::string(".load ") + POPSCOPE_BINARY_DIR + "/lib/popscope\n";

} // namespace

TEST_SUITE("report.sqlite") {
  TEST_CASE(
      "the program sqlite3 with the extension has every table and view that popscope sql has, with the same rows") {
    if (!isThere("sqlite3"))
      return;
    const TemporaryFolder folder("extension");
    const std::string path = profileIn(folder);
    CHECK(sqlite3Prints(folder, path, "SELECT COUNT(*) FROM vars_info;\n").find("no such table: vars_info") !=
          std::string::npos); // the purpose of the extension
    std::size_t rows = 0;
    for (const std::string &name : allNames()) {
      CAPTURE(name);
      const std::string sql = "SELECT COUNT(*) FROM " + name, theirs = sqlite3Prints(folder, path, kLoad + sql + ";\n");
      CHECK(theirs == oursPrints(path, sql));
      rows += std::strtoul(theirs.c_str(), nullptr, 10) != 0 ? 1U : 0U;
    }
    CHECK(rows > 40);
    for (const char *sql :
         {"SELECT id, name, tile, offset, size_bytes FROM vars_info ORDER BY id",
          "SELECT * FROM vars_info WHERE tile = 1 ORDER BY id",
          "SELECT name, category, size_bytes FROM named_liveness_variables WHERE name <> '' ORDER BY id",
          "SELECT id, numbers(bytes_by_tile) FROM liveness_variables ORDER BY id",
          "SELECT step_id, numbers(cycles) FROM steps_by_tile ORDER BY step_id",
          "SELECT p.id, t.key, t.value FROM programs p, json_each(numbers(p.bytes_sent)) t "
          "WHERE t.value <> 0 ORDER BY p.id, t.key"}) {
      CAPTURE(std::string(sql));
      const std::string theirs = sqlite3Prints(folder, path, kLoad + sql + ";\n");
      CHECK(theirs == oursPrints(path, sql));
      CHECK(theirs.find("failed") == std::string::npos);
    }
    CHECK(sqlite3Prints(folder, path, kLoad + "SELECT numbers(x'ff00');\n").find("corrupt") != std::string::npos);
    CHECK(sqlite3Prints(folder, path, kLoad + "SELECT numbers('text');\n").find("takes a BLOB") != std::string::npos);
    CHECK(sqlite3Prints(folder, folder.file("other.db"), kLoad + "SELECT numbers(x'0000000000');\n")
              .find("needs the table target") != std::string::npos);
  }

  TEST_CASE("a plain database has every table and view without any extension, and values by tile as JSON") {
    if (!isThere("sqlite3"))
      return;
    const TemporaryFolder folder("extension");
    const std::string path = profileIn(folder), plain = folder.file("plain.db");
    {
      PopFile file(path, PopFile::Mode::ReadOnly);
      writePlainDatabase(file, plain);
    }
    for (const std::string &name : allNames()) {
      if (name == "packed_rows")
        continue;
      CAPTURE(name);
      const std::string sql = "SELECT COUNT(*) FROM " + name;
      CHECK(sqlite3Prints(folder, plain, sql + ";\n") == oursPrints(path, sql));
    }
    for (const SchemaTable &table : schemaTables())
      for (const SchemaColumn &column : table.columns)
        if (!table.onDemand && holdsBlobs(column) && std::string(table.name) != "packed_rows") {
          CAPTURE(std::string(table.name) + "." + column.name);
          const std::string select = std::string("SELECT ") + column.name, from = std::string(" FROM ") + table.name,
                            decoded = std::string("SELECT numbers(") + column.name + ")";
          CHECK(sqlite3Prints(folder, plain, select + from + ";\n") == oursPrints(path, decoded + from));
        }
    CHECK(sqlite3Prints(folder, plain, "PRAGMA integrity_check;\n") == "ok\r\n");
    // The file appears complete or not at all.
    PopFile file(path, PopFile::Mode::ReadOnly);
    CHECK_THROWS_AS(writePlainDatabase(file, folder.file("no/folder.db")), ProfileError);
    const auto files = std::distance(std::filesystem::directory_iterator(folder.path), {});
    writePlainDatabase(file, plain);
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == files);
  }
}
