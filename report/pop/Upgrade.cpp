#include "report/pop/Upgrade.hpp"

#include "report/pop/PackedRows.hpp"
#include "report/pop/PopReader.hpp"
#include "report/pop/Schema.hpp"
#include "report/pop/TileBlob.hpp"
#include "report/pop/TileBlocks.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace popscope {
namespace {

std::vector<std::uint32_t> narrow(PopFile &file, std::string_view blob, std::size_t tiles) {
  std::vector<std::uint32_t> numbers(tiles); // a short vector says that the other tiles were not involved
  std::vector<std::uint64_t> wide;
  try {
    wide = decodeDense(blob, tiles);
  } catch (const ProfileError &e) {
    file.fail(e.what());
  }
  for (std::size_t t = 0; t < wide.size(); ++t) {
    if (wide[t] > std::numeric_limits<std::uint32_t>::max())
      file.fail("the profile is corrupt: a step takes more cycles than 32 bits hold");
    numbers[t] = static_cast<std::uint32_t>(wide[t]);
  }
  return numbers;
}

void packCycles(PopFile &file) {
  const std::size_t tiles = readLimits(file).stepTiles;
  Query from(file, "SELECT id, cycles_by_tile FROM steps WHERE cycles_by_tile IS NOT NULL ORDER BY id");
  while (from.next()) {
    const std::uint64_t step = from.u64();
    const std::string packed = packTiles(narrow(file, from.blobView().value_or(""), tiles));
    Query to(file, insertStatement("steps_by_tile"));
    (to << step).blob(packed).run();
  }
}

bool hasColumn(PopFile &file, std::string_view table, std::string_view column) {
  Query q(file, "SELECT 1 FROM pragma_table_info(?) WHERE name = ?");
  q << table << column;
  return q.next();
}

/// What an added column says of rows that were written before it: NULL where it may, else nothing.
std::string valueOfOldRows(std::string_view sqlType) {
  if (sqlType.find("NOT NULL") == std::string_view::npos)
    return "";
  if (sqlType.starts_with("BLOB"))
    return " DEFAULT x''";
  return sqlType.starts_with("TEXT") ? " DEFAULT ''" : " DEFAULT 0";
}

/// The tables and columns that came after the file was written, empty.
void addMissing(PopFile &file) {
  for (const auto &table : schemaTables()) {
    if (table.packedBy != nullptr)
      continue; // has had its columns since format 1
    if (!hasTable(file, table.name)) {
      file.execute(tableDdl(table.name));
      continue;
    }
    for (const auto &column : table.columns)
      if (!hasColumn(file, table.name, column.name))
        file.execute(fmt::format("ALTER TABLE {} ADD COLUMN {} {}{}", table.name, column.name, column.sqlType,
                                 valueOfOldRows(column.sqlType)));
  }
}

/// Format 1 kept cycles by tile in steps, as one compressed vector a step, and found the steps of a run by reading
/// them.
void upgradeFrom1(PopFile &file) {
  packCycles(file);
  file.execute("INSERT INTO run_vertex_types SELECT s.run, v.vertex_type, SUM(v.instances), SUM(v.cycles) FROM steps s "
               "JOIN step_vertex_types v ON v.step_id = s.id GROUP BY s.run, v.vertex_type");
  file.execute("ALTER TABLE steps DROP COLUMN cycles_by_tile; "
               "UPDATE runs SET first_step = COALESCE((SELECT MIN(id) FROM steps WHERE steps.run >= runs.id), "
               "(SELECT MAX(id) + 1 FROM steps), 0)");
}

} // namespace

std::shared_ptr<PopFile> upgradedCopy(PopFile &file, int version) {
  auto copy = PopFile::copyOf(file);
  copy->execute("BEGIN");
  addMissing(*copy);
  if (version == 1)
    upgradeFrom1(*copy);
  packTables(*copy); // formats up to 8 had tables for them; else later formats only added
  Query meta(*copy, "UPDATE meta SET value = ? WHERE key = 'formatVersion'");
  (meta << std::to_string(kPopSchemaVersion) + ".0.0").run();
  copy->execute("COMMIT; PRAGMA user_version = " + std::to_string(kPopSchemaVersion));
  copy->protect();
  return copy;
}

} // namespace popscope
