#include "report/pop/Schema.hpp"

#include "base/Check.hpp"

#include <algorithm>
#include <unordered_map>

namespace popscope {
namespace {

const SchemaTable &findTable(std::string_view name) {
  for (const auto *tables : {&schemaTables(), &tablesOnDemand()})
    for (const SchemaTable &table : *tables)
      if (name == table.name)
        return table;
  POPSCOPE_CHECK(false, "no table {} in the schema", name);
}

std::string columnList(const SchemaTable &table) {
  std::string list;
  for (const auto &column : table.columns)
    list += (list.empty() ? "" : ", ") + std::string(column.name);
  return list;
}

std::string ddlOf(const SchemaTable &table) {
  std::string ddl = "CREATE TABLE " + std::string(table.name) + " (";
  bool first = true;
  for (const auto &column : table.columns) {
    ddl += std::string(first ? "" : ", ") + column.name + " " + column.sqlType;
    first = false;
  }
  if (*table.primaryKey == '\0')
    return ddl + ") STRICT;\n";
  return ddl + ", PRIMARY KEY (" + table.primaryKey + ")) STRICT, WITHOUT ROWID;\n";
}

std::string insertOf(const SchemaTable &table) {
  std::string marks;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    marks += i == 0 ? "?" : ", ?";
  return "INSERT INTO " + std::string(table.name) + " (" + columnList(table) + ") VALUES (" + marks + ")";
}

constexpr const char *kPackedNote = " Kept in packed_rows.";

std::string markdownTable(const SchemaTable &table) {
  std::string text =
      "## " + std::string(table.name) + "\n\n" + table.doc + (table.packedBy == nullptr ? "" : kPackedNote) + "\n\n";
  text += "| Column | Type | Unit | Meaning |\n|---|---|---|---|\n";
  for (const auto &c : table.columns)
    text += fmt::format("| {} | {} | {} | {} |\n", c.name, c.sqlType, c.unit, c.doc);
  if (*table.primaryKey != '\0')
    text += "\nPrimary key: " + std::string(table.primaryKey) + ".\n";
  return text + "\n";
}

std::string markdownView(const SchemaView &view) {
  std::string text =
      "### " + std::string(view.name) + "\n\n" + view.doc + "\n\n| Column | Unit | Meaning |\n|---|---|---|\n";
  for (const auto &c : view.columns)
    text += fmt::format("| {} | {} | {} |\n", c.name, c.unit, c.doc);
  return text + "\n";
}

} // namespace

std::string schemaDdl() {
  std::string ddl;
  for (const auto &table : schemaTables())
    if (table.packedBy == nullptr)
      ddl += ddlOf(table);
  return ddl;
}

bool isPackedTable(std::string_view name) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  for (const auto *tables : {&schemaTables(), &tablesOnDemand()})
    for (const SchemaTable &table : *tables)
      if (table.packedBy != nullptr && std::ranges::equal(std::string_view(table.name), name, {}, {}, lower))
        return true;
  return false;
}

const SchemaTable &packedTable(std::string_view name) {
  const SchemaTable &table = findTable(name);
  POPSCOPE_CHECK(table.packedBy != nullptr, "the table {} is not packed", name);
  return table;
}

std::string tableDdl(std::string_view table) { return ddlOf(findTable(table)); }

const std::string &insertStatement(std::string_view name) {
  static const auto kStatements = [] {
    std::unordered_map<std::string_view, std::string> statements;
    for (const auto *tables : {&schemaTables(), &tablesOnDemand()})
      for (const SchemaTable &table : *tables)
        statements.emplace(table.name, insertOf(table));
    return statements;
  }();
  const auto found = kStatements.find(name);
  return found != kStatements.end() ? found->second : kStatements.at(findTable(name).name);
}

std::string selectStatement(std::string_view name, std::string_view tail) {
  return "SELECT " + columnList(findTable(name)) + " FROM " + std::string(name) + " " + std::string(tail);
}

bool mayBeNull(const SchemaColumn &column) {
  return std::string_view(column.sqlType).find("NOT NULL") == std::string_view::npos;
}

bool holdsBlobs(const SchemaColumn &column) { return std::string_view(column.sqlType).starts_with("BLOB"); }

namespace {

/// A property of an object, as prettier breaks the line.
std::string property(const SchemaTable &table, const std::string &value) {
  constexpr std::size_t kMaxColumns = 140;
  std::string line = fmt::format("  {}: '{}',", table.name, value);
  return (line.size() <= kMaxColumns ? line : fmt::format("  {}:\n    '{}',", table.name, value)) + "\n";
}

/// "name variable? bytes_by_tile?*": `?` may be NULL, `*` holds BLOBs.
std::string columnsOf(const SchemaTable &table) {
  std::string list;
  for (const SchemaColumn &column : table.columns)
    if (table.packedBy == nullptr || &column != &table.columns.front())
      list += fmt::format("{}{}{}{}", list.empty() ? "" : " ", column.name,
                          table.packedBy != nullptr && mayBeNull(column) ? "?" : "",
                          table.packedBy != nullptr && holdsBlobs(column) ? "*" : "");
  return list;
}

} // namespace

std::string schemaTypeScript() {
  std::string whole =
                  fmt::format("// Tables of a profile (docs/FORMAT-pop.md). Made by: popscope schema --typescript\n\n"
                              "export const kFormat = {};\n\n"
                              "/** The columns of each table that every profile has. */\n"
                              "export const kTables = {{\n",
                              kPopSchemaVersion),
              columns, by;
  for (const auto *tables : {&schemaTables(), &tablesOnDemand()})
    for (const SchemaTable &table : *tables)
      if (table.packedBy != nullptr) {
        columns += property(table, columnsOf(table));
        by += property(table, table.packedBy);
      } else if (tables == &schemaTables()) {
        whole += property(table, columnsOf(table));
      }
  return whole +
         "};\n\n/** Of the tables that are kept in packed_rows the columns behind `id`: ? may be NULL, * holds BLOBs. "
         "*/\n"
         "export const kPackedColumns = {\n" +
         columns +
         "};\n\n/** The column by which blocks of them are found; '' = by id alone. */\n"
         "export const kPackedBy = {\n" +
         by + "};\n";
}

std::string schemaMarkdown() {
  std::string text = fmt::format(
      "# The .pop profile\n\n"
      "<!-- generated by: popscope schema --markdown -->\n\n"
      "A profile is one SQLite database (application_id 0x{:08X}, user_version {}). A column that may be NULL holds\n"
      "NULL where a value is not known.\n\n"
      "A file of another format, or with a view, a trigger or a virtual table of its own, is refused.\n"
      "\n"
      "Columns that hold numbers for many tiles are BLOBs:\n"
      "\n"
      "- \"by tile\": one header byte (bits 0-1 codec: 0 raw, 1 zlib; bits 2-3 the element width as a power of two "
      "bytes; bit\n"
      "  4: sparse), a little-endian 32-bit count, and the payload. Dense: `count` elements, element i is tile i. "
      "Sparse:\n"
      "  `count` ascending 32-bit tile numbers, then `count` elements; other tiles are 0. Of one tile: one header byte "
      "(bits\n"
      "  0-1 the width of the tile's number as a power of two bytes, at most 4; bits 2-3 that of the element; bit 5 "
      "set), the\n"
      "  number and the element. Or it is a packed list (below), of which number i is tile i.\n"
      "- \"packed\": blocks of 64 tiles, the last one filled up: the byte 2, a little-endian 32-bit number n of "
      "blocks, n bytes\n"
      "  with the bits of each number of a block (0-32; 255: not known), n smallest numbers of 32 bits, then for each "
      "block\n"
      "  its 64 numbers less the smallest, that many bits each, from the lowest bit of little-endian 64-bit words.\n"
      "- \"packed list\": numbers that are not of tiles: the byte 3, a little-endian 32-bit count, and a BLOB as "
      "before of these\n"
      "  numbers. Or, where many are 0: the byte 7, the count, one byte s (0-31), a mask of one bit a number from the "
      "lowest\n"
      "  bit of little-endian 64-bit words (1: it is not 0), and a BLOB as before of the numbers that are not 0, each "
      "shifted\n"
      "  right by s.\n"
      "\n"
      "Tables that may have millions of rows are kept as columns, in blocks of rows, in packed_rows; each says so. "
      "Their rows\n"
      "are numbered by `id` from 0. A block is a BLOB: the byte 6, a little-endian 32-bit size, and so many bytes "
      "compressed\n"
      "by zlib. These are, for each column but `id`, one byte (bits 0-1: w; bit 2: runs), the number of the first row "
      "in 8\n"
      "bytes, and for each further row a signed little-endian number of 2^w bytes, which is the difference from the "
      "row\n"
      "before; behind the columns come the bytes of all BLOBs, column by column. Runs: in place of the differences "
      "stand, in 2\n"
      "bytes, how many runs of equal ones there are, less 1; the difference of each run; and, in 2 bytes each, how "
      "many it\n"
      "has, less 1. Where a column of BLOBs is kept in runs and these say that all rows have the same number, the "
      "bytes come\n"
      "by position: the first byte of each BLOB, then the second of each, and so on. Where a column may be NULL, NULL "
      "is 0\n"
      "and each value one more. A BLOB's number is its length, or one more. A block has at most 65,536 rows, and at "
      "most 256\n"
      "for each of its bytes.\n"
      "\n"
      "Plain SQLite reads everything with the extension popscope.so, which is installed next to libpva: `.load\n"
      "PREFIX/lib/popscope` in the program sqlite3, `load_extension('PREFIX/lib/popscope')` elsewhere; `.load "
      "popscope` where the\n"
      "loader searches that folder. The connection then has the packed tables under their names, the tables on demand "
      "(without\n"
      "rows where the file has none), the views below, and the function `numbers(blob)`, which gives the numbers of a "
      "BLOB as a\n"
      "JSON array: `SELECT p.id, t.key AS tile, t.value FROM programs p, json_each(numbers(p.bytes_sent)) t`. "
      "`popscope sql` is\n"
      "such a connection; its `--expand` decodes BLOBs, too. Without an extension, `popscope export --format sqlite` "
      "writes a\n"
      "plain database, in which packed tables and views are tables and views, and BLOBs are JSON arrays.\n"
      "\n"
      "A file without `complete` = 1 in `meta` was left by a program that did not end; `popscope recover` makes one "
      "file of\n"
      "it.\n"
      "\n",
      kPopApplicationId, kPopSchemaVersion);
  for (const auto &table : schemaTables())
    text += markdownTable(table);
  text +=
      "# Tables on demand\n\nA profile has one of these only where it was asked for or brought in. Readers that do not "
      "know it pass it over.\n\n";
  for (const auto &table : tablesOnDemand())
    text += markdownTable(table);
  text += "# Views\n\nTables with names in place of ids. `popscope sql` makes them for its own connection, and so "
          "does the extension;\n"
          "the file has none (one with a view of its own is refused: reading it could run code). `popscope "
          "schema` prints them\n"
          "as SQL for other programs. An order stated here holds for a plain `SELECT * FROM` it.\n\n";
  for (const auto &view : schemaViews())
    text += markdownView(view);
  return text;
}

} // namespace popscope
