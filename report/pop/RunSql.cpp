#include "report/pop/RunSql.hpp"

#include "base/AtEnd.hpp"
#include "base/CsvField.hpp"
#include "base/JsonText.hpp"
#include "base/ShownText.hpp"
#include "base/Utf8.hpp"
#include "report/pop/ConnectionTables.hpp"
#include "report/pop/PopDatabase.hpp"
#include "report/pop/PopReader.hpp"
#include "report/pop/RowBlock.hpp"
#include "report/pop/Schema.hpp"
#include "report/pop/SqlHints.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <sqlite3.h>

namespace popscope {
namespace {

int allowReading(void *, int action, const char *, const char *, const char *, const char *) {
  const bool reads =
      action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_FUNCTION || action == SQLITE_RECURSIVE;
  return reads ? SQLITE_OK : SQLITE_DENY;
}

/// Creates the views as temporary views of the connection, so that the file does not change.
void makeViews(PopFile &file) {
  const auto number = [&](const char *sql) {
    Query q(file, sql);
    return q.next() ? q.u64() : 0;
  };
  if (number("SELECT COUNT(*) FROM sqlite_temp_schema WHERE type = 'view'") != 0)
    return;
  const bool readOnly = number("PRAGMA query_only") != 0; // false for a file that a program still writes
  file.execute("PRAGMA query_only = OFF; " + schemaViewsDdl() + (readOnly ? "PRAGMA query_only = ON;" : ""));
}

/// Creates the packed tables before the query. SQLite creates a virtual table when a statement first names it, but a
/// read-only query may not create tables.
void makePackedTables(PopFile &file) {
  (void)Query(file, "SELECT 1 FROM json_each('[]')"); // creates json_each, for the results of numbers()
  for (const SchemaTable &table : schemaTables())
    if (table.packedBy != nullptr || table.onDemand)
      (void)Query(file, fmt::format("SELECT 1 FROM {}", table.name));
}

/// Throws SQLite's message about the statement and adds help: "not authorized" alone does not state which statements
/// are allowed, and "no such column" does not name the columns.
[[noreturn]] void failQuery(PopFile &file, const std::string &sql) {
  if (sqlite3_errcode(file.handle()) == SQLITE_AUTH)
    file.fail("a query may only read: give a SELECT statement on the tables that popscope schema lists");
  if (const auto most = file.maxOperations(); most && (sqlite3_errcode(file.handle()) & 0xFF) == SQLITE_INTERRUPT)
    file.fail(
        fmt::format("the query was stopped after {} million operations of SQLite, the limit for a profile of this "
                    "size, because a query on a damaged file may never end. Let it read fewer rows, or run it in "
                    "sqlite3 after .load popscope, which has no limit (docs/FORMAT-pop.md)",
                    *most / 1'000'000));
  const std::string message = sqlite3_errmsg(file.handle()), hint = sqlHint(message, sql);
  if (hint.empty())
    file.failSqlite();
  file.fail(message + "." + hint);
}

using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt *)>;

Statement prepareOne(PopFile &file, const std::string &sql) {
  sqlite3_stmt *raw = nullptr;
  const char *rest = nullptr;
  if (sqlite3_prepare_v2(file.handle(), sql.c_str(), -1, &raw, &rest) != SQLITE_OK)
    failQuery(file, sql);
  Statement statement(raw, sqlite3_finalize);
  if (!statement)
    file.fail("the SQL is empty; give a SELECT statement");
  if (std::string(rest).find_first_not_of(" \t\r\n;") != std::string::npos)
    file.fail("only one SQL statement at a time");
  return statement;
}

/// Returns the names of the result's columns. A name that an earlier column has gets a number, as SQLite numbers the
/// columns of a subquery: "name", "name:1". The number is chosen so that no two names are equal.
std::vector<std::string> columnNames(sqlite3_stmt *statement) {
  std::vector<std::string> names;
  for (int i = 0; i < sqlite3_column_count(statement); ++i)
    names.emplace_back(sqlite3_column_name(statement, i));
  std::set<std::string> used(names.begin(), names.end()), given;
  for (std::string &name : names)
    if (!given.insert(name).second) {
      int number = 1;
      while (!used.insert(fmt::format("{}:{}", name, number)).second)
        ++number;
      name += fmt::format(":{}", number);
    }
  return names;
}

SqlCell blobCell(std::string_view blob, bool expand, const ProfileLimits &limits) {
  if (!expand || isRowBlock(blob)) // a block of packed rows, which its table shows
    return {fmt::format("<{} byte{}>", blob.size(), blob.size() == 1 ? "" : "s"), SqlCell::Kind::Blob, blob.size()};
  return {fmt::format("{}", fmt::join(numbersOfBlob(blob, limits.tiles, limits.stepTiles), " ")), SqlCell::Kind::List};
}

/// Returns a number as SQLite prints it. Times of the host clock have more digits than SQLite prints; all their digits
/// are printed.
SqlCell realCell(double value, const char *text) {
  constexpr double kMostDigits = 1e15, kMostWhole = 9007199254740992.0; // limit of the digits in SQLite's text; 2^53
  const double size = value < 0 ? -value : value;
  const bool isLong = size >= kMostDigits && size <= kMostWhole;
  return {isLong ? fmt::format("{:.1f}", value) : std::string(text == nullptr ? "" : text), SqlCell::Kind::Number, 0,
          value};
}

SqlCell cell(sqlite3_stmt *statement, int column, bool expand, const ProfileLimits &limits) {
  const int type = sqlite3_column_type(statement, column);
  if (type == SQLITE_NULL)
    return {};
  if (type == SQLITE_BLOB) {
    const auto *bytes = static_cast<const char *>(sqlite3_column_blob(statement, column));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
    return blobCell(bytes == nullptr ? std::string_view() : std::string_view(bytes, size), expand, limits);
  }
  if (type == SQLITE_FLOAT)
    return realCell(sqlite3_column_double(statement, column),
                    reinterpret_cast<const char *>(sqlite3_column_text(statement, column)));
  const auto *text = reinterpret_cast<const char *>(sqlite3_column_text(statement, column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
  return {std::string(text == nullptr ? "" : text, text == nullptr ? 0 : size),
          type == SQLITE_TEXT ? SqlCell::Kind::Text : SqlCell::Kind::Number, 0, std::nullopt};
}

void printCsv(std::ostream &out, const SqlResult &result) {
  const auto row = [&](std::size_t n, const auto &field) {
    for (std::size_t i = 0; i < n; ++i)
      out << (i == 0 ? "" : ",") << field(i);
    out << "\r\n";
  };
  row(result.columns.size(), [&](std::size_t i) { return csvText(result.columns[i]); });
  for (const auto &cells : result.rows)
    row(cells.size(), [&](std::size_t i) {
      const std::string text = cells[i].text.value_or("");
      return cells[i].kind == SqlCell::Kind::Text ? csvText(text) : csvField(text);
    });
}

nlohmann::ordered_json jsonCell(const SqlCell &cell) {
  using Json = nlohmann::ordered_json;
  if (!cell.text)
    return nullptr;
  if (cell.kind == SqlCell::Kind::Text)
    return *cell.text;
  if (cell.kind == SqlCell::Kind::Blob)
    return {{"bytes", cell.bytes}};
  std::string spelling = *cell.text; // parsed from SQLite's own text, so integers stay exact
  if (cell.kind == SqlCell::Kind::List) {
    std::replace(spelling.begin(), spelling.end(), ' ', ',');
    spelling = "[" + spelling + "]";
  }
  const Json number = jsonOf(spelling);
  return number.is_discarded() ? Json(nullptr) : number; // discarded: infinity, which JSON cannot represent
}

void printJson(std::ostream &out, const SqlResult &result) {
  auto array = nlohmann::ordered_json::array();
  for (const auto &cells : result.rows) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < cells.size(); ++i)
      object[result.columns[i]] = jsonCell(cells[i]);
    array.push_back(std::move(object));
  }
  out << jsonText(array, 2) << "\n";
}

/// Returns a cell of a table. A text is shortened like the names of all tables.
std::string shownCell(const SqlCell &cell) {
  const std::string text = cell.text.value_or("");
  return cell.kind == SqlCell::Kind::Text ? shownName(text) : shownText(text);
}

void printTable(std::ostream &out, const SqlResult &result) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < result.columns.size(); ++i) {
    widths.push_back(displayColumns(shownText(result.columns[i])));
    for (const auto &cells : result.rows)
      widths[i] = std::max(widths[i], displayColumns(shownCell(cells[i])));
  }
  const auto pad = [&](const std::string &text, std::size_t i, bool right) {
    const std::string spaces(widths[i] - displayColumns(text), ' ');
    const bool last = i + 1 == widths.size();
    out << (i == 0 ? "" : "  ") << (right ? spaces + text : text + (last ? "" : spaces));
  };
  for (std::size_t i = 0; i < widths.size(); ++i)
    pad(shownText(result.columns[i]), i, false);
  out << "\n";
  for (const auto &cells : result.rows) {
    for (std::size_t i = 0; i < cells.size(); ++i)
      pad(shownCell(cells[i]), i, cells[i].kind == SqlCell::Kind::Number);
    out << "\n";
  }
  if (result.rows.empty())
    out << "(no rows)\n";
}

} // namespace

SqlResult runSql(PopFile &file, const std::string &sql, bool expand) {
  const ProfileLimits limits = expand ? readLimits(file) : ProfileLimits();
  makeViews(file);
  makePackedTables(file);
  const std::unique_lock lock = file.lock();
  sqlite3_set_authorizer(file.handle(), allowReading, nullptr); // the connection is read-only during the query
  const AtEnd reading([&] { sqlite3_set_authorizer(file.handle(), nullptr, nullptr); });
  const Statement statement = prepareOne(file, sql);
  SqlResult result;
  result.columns = columnNames(statement.get());
  const auto columns = static_cast<int>(result.columns.size());
  int rc = SQLITE_OK;
  while ((rc = sqlite3_step(statement.get())) == SQLITE_ROW) {
    result.rows.emplace_back();
    for (int i = 0; i < columns; ++i)
      result.rows.back().push_back(cell(statement.get(), i, expand, limits));
  }
  if (rc != SQLITE_DONE)
    failQuery(file, sql);
  return result;
}

void printSql(std::ostream &out, const SqlResult &result, SqlFormat format) {
  switch (format) {
  case SqlFormat::Text: printTable(out, result); break;
  case SqlFormat::Csv: printCsv(out, result); break;
  case SqlFormat::Json: printJson(out, result); break;
  }
}

} // namespace popscope
