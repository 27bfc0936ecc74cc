#include "report/pop/Schema.hpp"

#include "base/Check.hpp"

#include <algorithm>
#include <unordered_map>

namespace popscope {
namespace {

const SchemaTable &findTable(std::string_view name) {
  for (const SchemaTable &table : schemaTables())
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
  for (const SchemaTable &table : schemaTables())
    if (table.packedBy == nullptr && !table.onDemand)
      ddl += ddlOf(table);
  return ddl;
}

bool isPackedTable(std::string_view name) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  for (const SchemaTable &table : schemaTables())
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
    for (const SchemaTable &table : schemaTables())
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

/// Returns a property of an object, with line breaks as prettier sets them.
std::string property(const SchemaTable &table, const std::string &value) {
  constexpr std::size_t kMaxColumns = 140;
  std::string line = fmt::format("  {}: '{}',", table.name, value);
  return (line.size() <= kMaxColumns ? line : fmt::format("  {}:\n    '{}',", table.name, value)) + "\n";
}

/// Returns "name variable? bytes_by_tile?*": `?` may be NULL, `*` holds BLOBs.
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
  for (const SchemaTable &table : schemaTables())
    if (table.packedBy != nullptr) {
      columns += property(table, columnsOf(table));
      by += property(table, table.packedBy);
    } else if (!table.onDemand) {
      whole += property(table, columnsOf(table));
    }
  return whole +
         "};\n\n/** The columns, except `id`, of each table that is kept in packed_rows: ? may be NULL, * holds BLOBs. "
         "*/\n"
         "export const kPackedColumns = {\n" +
         columns +
         "};\n\n/** The column by which the blocks of each of these tables are found; '' = by id alone. */\n"
         "export const kPackedBy = {\n" +
         by + "};\n";
}

std::string schemaMarkdown() {
  std::string text = fmt::format(
      "# The .pop profile\n\n"
      "<!-- generated by: popscope schema --markdown -->\n\n"
      R"(A profile is one SQLite database with the application_id 0x{:08X} and the user_version {}. A reader refuses a file with another application_id or another
user_version. A reader also refuses a file that contains a view, a trigger, a virtual table or a computed column. NULL means that a value is unknown or does not
exist.

In the table `meta`, the key `complete` has the value 1 only if the writer finished the profile. `popscope recover` joins an unfinished file and its log into
one file.

## Read a profile

Plain SQLite can read all tables with the extension popscope.so, which is installed next to libpva. In the program sqlite3, load the extension with
`.load PREFIX/lib/popscope`, or with `.load popscope` if the loader searches PREFIX/lib. In other programs, call the SQL function
`load_extension('PREFIX/lib/popscope')`. Then the connection has:

- the packed tables under their names, and the [tables on demand](#tables-on-demand). A table on demand that the file does not contain has no rows;
- the [views](#views);
- the function `numbers(blob)`, which returns the numbers of a BLOB as a JSON array:
  `SELECT p.id, t.key AS tile, t.value FROM programs p, json_each(numbers(p.bytes_sent)) t`.

`popscope sql` opens a connection with the extension, and `popscope sql --expand` decodes BLOBs. For programs without the extension,
`popscope export --format sqlite` writes a plain database. In this database, packed tables are plain tables, the views exist, and BLOBs are JSON arrays.

## Numbers for many tiles

A column with one number for each tile contains BLOBs. The first byte of a BLOB shows the form of the BLOB. All numbers are little-endian.

*By tile*: the first byte of the BLOB is a header. The number of one tile is an *element*. Bits 0-1 of the header state the codec of all bytes after the 32-bit
count (0 raw, 1 zlib). Bits 2-3 contain a number w, and each element has 2^w bytes. Three forms exist:

- dense (bits 4 and 5 clear): a 32-bit count, then `count` elements; element i belongs to tile i;
- sparse (bit 4 set): a 32-bit count, then `count` 32-bit tile numbers in ascending order, then the `count` elements of these tiles. Tiles that are not listed
  have 0;
- one tile (bit 5 set): the tile number and the element. In place of the codec, bits 0-1 contain a number v (0-2), and the tile number has 2^v bytes. All other
  tiles have 0.

A BLOB of a column by tile can have the form of a packed list instead; number i of the list belongs to tile i.

*Packed*: the BLOB contains blocks of 64 numbers. In a column of packed BLOBs, number i of a BLOB belongs to tile i. Copies of the last
number fill the rest of the last block.

| Part | Contents |
|---|---|
| 1 byte | the number 2 |
| 4 bytes | n, the number of blocks |
| n bytes | for each block, the number of bits of each number in the block: 0 to 32, or 255 if the numbers are unknown |
| 4 n bytes | for each block, the smallest number of the block |
| the rest | for each block, its 64 numbers, each minus the block's smallest number. Each difference has the block's number of bits; the first difference begins at the lowest bit of a 64-bit word |

*Packed list*: the BLOB contains a list of numbers, which in most columns do not belong to tiles. A packed list has one of two forms:

- the byte 3, a 32-bit count, and a packed BLOB of the numbers;
- the byte 7, a 32-bit count, one byte s (0-31), a mask, and a packed BLOB. The mask has one bit for each number, from the lowest bit of 64-bit words; 1 means
  that the number is not 0. The packed BLOB contains the numbers that are not 0, each shifted right by s bits. A writer chooses this form if some numbers are 0
  and this form is shorter.

## Packed rows

A packed table may have millions of rows. The table packed_rows stores the rows of packed tables in blocks, and each block column by column. On this page,
the description of a packed table ends with "Kept in packed_rows". The column `id` numbers the rows of a packed table from 0. A block has at most 65,536 rows,
and at most 256 rows for each byte of its BLOB.

The BLOB of a block contains the byte 6, the size of the block's data before compression as a 32-bit number, and the data, compressed by zlib. The data has
these parts for each column except `id`:

1. one byte: bits 0-1 contain a number w, and bit 2 is 1 if the column has runs of equal differences;
2. the number that the first row has in this column, in 8 bytes;
3. the differences between the numbers of consecutive rows, as signed numbers of 2^w bytes:
   - without runs: a difference for each further row;
   - with runs: the number of runs minus 1, in 2 bytes; the difference of each run; for each run, the number of its differences minus 1, in 2 bytes.

For a column of BLOBs, the numbers are the lengths of the BLOBs in bytes. The bytes of all BLOBs follow after the last column, column by column. If a column of
BLOBs has runs and all its BLOBs have the same length, the bytes of the column are stored by position: the first byte of each BLOB, then the second byte of each
BLOB, and so on. In a column that may be NULL, the stored number 0 means NULL, and each number n is stored as n + 1.

)",
      kPopApplicationId, kPopSchemaVersion);
  for (const SchemaTable &table : schemaTables())
    if (!table.onDemand)
      text += markdownTable(table);
  text += "# Tables on demand\n\nA profile has a table of this section only if the program requested the "
          "table or a user imported it. A reader ignores tables that it does not know.\n\n";
  for (const SchemaTable &table : schemaTables())
    if (table.onDemand)
      text += markdownTable(table);
  text +=
      "# Views\n\nViews contain names where tables contain only ids. `popscope sql` and the extension make the views "
      "for their own connection. The file contains\nno views, because reading a view could run code. `popscope "
      "schema` prints the views as SQL for other programs. If the description of a\nview states an order, a plain "
      "`SELECT * FROM` the view returns the rows in this order.\n\n";
  for (const auto &view : schemaViews())
    text += markdownView(view);
  return text;
}

} // namespace popscope
