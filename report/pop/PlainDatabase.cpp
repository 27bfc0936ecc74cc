#include "report/pop/PopDatabase.hpp"
#include "report/pop/ReplaceFile.hpp"
#include "report/pop/RunSql.hpp"
#include "report/pop/Schema.hpp"

#include <fmt/format.h>

namespace popscope {
namespace {

/// A table of rows takes the place of the connection's own table of the name.
void makeTable(PopFile &file, const SchemaTable &table) {
  std::string columns;
  for (const SchemaColumn &column : table.columns)
    columns += fmt::format("{}{} {}", columns.empty() ? "" : ", ", column.name, column.sqlType);
  file.execute(fmt::format("CREATE TABLE plain_{0} ({1}); INSERT INTO plain_{0} SELECT * FROM {0}; "
                           "DELETE FROM packed_rows WHERE table_name = '{0}'; ALTER TABLE plain_{0} RENAME TO {0}",
                           table.name, columns));
}

std::string viewsOfTheFile() {
  std::string ddl = schemaViewsDdl();
  const std::string temporary = "CREATE TEMP VIEW";
  for (std::size_t at = 0; (at = ddl.find(temporary, at)) != std::string::npos;)
    ddl.replace(at, temporary.size(), "CREATE VIEW");
  return ddl;
}

} // namespace

void writePlainDatabase(PopFile &file, const std::string &to) {
  const std::string temporary = createTemporary(to);
  try {
    file.copyInto(temporary);
    PopFile copy(temporary, PopFile::Mode::Write);
    copy.execute("BEGIN");
    for (const auto *tables : {&schemaTables(), &tablesOnDemand()})
      for (const SchemaTable &table : *tables) {
        if (hasTable(copy, table.name))
          continue;
        if (table.packedBy != nullptr)
          makeTable(copy, table);
        else
          copy.execute(tableDdl(table.name)); // views may ask for it
      }
    copy.execute(viewsOfTheFile() + "COMMIT; PRAGMA application_id = 0; PRAGMA user_version = 0;");
  } catch (...) {
    removeTemporary(temporary);
    throw;
  }
  replaceFile(temporary, to);
}

} // namespace popscope
