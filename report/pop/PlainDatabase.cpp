#include "base/WholeFile.hpp"
#include "report/pop/PopDatabase.hpp"
#include "report/pop/ReplaceFile.hpp"
#include "report/pop/RunSql.hpp"
#include "report/pop/Schema.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace popscope {
namespace {

/// Replaces `table` by a plain table with the same rows. The plain table has JSON arrays in place of BLOBs.
void makeTable(PopFile &file, const SchemaTable &table) {
  std::string columns, values;
  for (const SchemaColumn &column : table.columns) {
    const char *const comma = columns.empty() ? "" : ", ";
    const bool isBlob = holdsBlobs(column);
    columns += fmt::format("{}{} {}", comma, column.name,
                           isBlob ? mayBeNull(column) ? "TEXT" : "TEXT NOT NULL" : column.sqlType);
    values += fmt::format("{}{}", comma, isBlob ? fmt::format("numbers({})", column.name) : column.name);
  }
  if (*table.primaryKey != '\0')
    columns += fmt::format(", PRIMARY KEY ({})", table.primaryKey);
  file.execute(fmt::format("CREATE TABLE plain_{0} ({1}) STRICT; INSERT INTO plain_{0} SELECT {2} FROM {0}", table.name,
                           columns, values));
  if (table.packedBy == nullptr)
    file.execute(fmt::format("DROP TABLE {}", table.name));
  file.execute(fmt::format("ALTER TABLE plain_{0} RENAME TO {0}", table.name));
}

std::string viewsOfTheFile() {
  std::string ddl = schemaViewsDdl();
  const std::string temporary = "CREATE TEMP VIEW";
  for (std::size_t at = 0; (at = ddl.find(temporary, at)) != std::string::npos;)
    ddl.replace(at, temporary.size(), "CREATE VIEW");
  return ddl;
}

void makePlain(PopFile &file) {
  file.execute("BEGIN");
  for (const SchemaTable &table : schemaTables()) {
    const bool isThere = hasTable(file, table.name);
    if (std::string_view(table.name) == "packed_rows")
      continue;
    if (table.packedBy != nullptr || (isThere && std::ranges::any_of(table.columns, holdsBlobs)))
      makeTable(file, table);
    else if (!isThere)
      file.execute(tableDdl(table.name)); // views may need the table
  }
  file.execute("DROP TABLE packed_rows; " + viewsOfTheFile() +
               "COMMIT; PRAGMA application_id = 0; PRAGMA user_version = 0; VACUUM");
}

} // namespace

void writePlainDatabase(PopFile &file, const std::string &to) {
  const std::string temporary = createTemporary(to);
  try {
    file.copyInto(temporary);
    PopFile copy(temporary, PopFile::Mode::Write);
    makePlain(copy);
  } catch (...) {
    removeBeside(temporary);
    throw;
  }
  replaceFile(temporary, to);
}

std::string plainImage(PopFile &file) {
  const std::shared_ptr<PopFile> copy = PopFile::copyOf(file);
  makePlain(*copy);
  return copy->image();
}

} // namespace popscope
