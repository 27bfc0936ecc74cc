// JSON, CSV and Markdown of an answer.
#include "base/CsvField.hpp"
#include "base/JsonText.hpp"
#include "base/ShownText.hpp"
#include "report/answers/PrintRows.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

namespace popscope {
namespace {

using Json = nlohmann::ordered_json;

Json json(const Cell &cell) {
  if (const auto *flag = std::get_if<bool>(&cell))
    return *flag;
  if (const auto *number = std::get_if<std::uint64_t>(&cell))
    return *number;
  if (const auto *number = std::get_if<std::int64_t>(&cell))
    return *number;
  if (const auto *text = std::get_if<std::string>(&cell))
    return *text;
  if (const auto *ratio = std::get_if<Ratio>(&cell); ratio != nullptr && ratio->by != 0)
    return static_cast<double>(hundredths(*ratio)) / 100;
  const auto *share = std::get_if<Share>(&cell);
  return share != nullptr && share->whole != 0 ? Json(percentOf(*share)) : Json(nullptr);
}

Json json(const Table &table) {
  Json units = Json::object(), rows = Json::array();
  for (const Column &column : table.columns)
    if (*unitName(column.unit) != '\0')
      units[column.key] = unitName(column.unit);
  for (const auto &cells : table.rows) {
    Json row = Json::object();
    for (std::size_t c = 0; c < cells.size(); ++c)
      row[table.columns[c].key] = json(cells[c]);
    rows.push_back(std::move(row));
  }
  return {{"title", table.title}, {"units", units}, {"rows", rows}, {"more", table.more}};
}

std::string csvCell(const Cell &cell) {
  const Json value = json(cell);
  if (value.is_null())
    return "";
  return value.is_string() ? csvText(value.get<std::string>()) : csvField(jsonText(value));
}

/// Escapes the characters that Markdown would read as markup. Names contain such characters, for example <anonymous>,
/// a&lt;b, Layer*, __init__, in[0]. A backslash in a name is escaped, too, because this backslash would cancel an escape that
/// follows.
std::string markdownText(const std::string &text) {
  std::string out;
  for (const char c : shownText(text)) {
    if (std::string_view("\\|<&*_~`[").find(c) != std::string_view::npos)
      out += '\\';
    out += c;
  }
  return out;
}

/// Returns the text of the cell, or "" if the cell has no meaning in its row.
std::string markdownCell(const Cell &cell, const Column &column) {
  const auto *unknown = std::get_if<Unknown>(&cell);
  return unknown != nullptr && !unknown->applies ? "" : markdownText(cellText(cell, column));
}

std::string markdown(const Table &table) {
  std::string text = "\n### " + markdownText(table.title) + "\n\n|", rule = "|";
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    text += " " + markdownText(table.columns[c].title) + " |";
    rule += table.columns[c].unit == Unit::None && holdsText(table, c) ? "---|" : "--:|";
  }
  text += "\n" + rule + "\n";
  for (const auto &cells : table.rows) {
    text += "|";
    for (std::size_t c = 0; c < cells.size(); ++c)
      text += " " + markdownCell(cells[c], table.columns[c]) + " |";
    text += "\n";
  }
  return text + (table.more == 0 ? "" : "\n" + cellText(table.more) + " more.\n");
}

} // namespace

std::string toJson(const Rows &rows) {
  Json facts = Json::object(), units = Json::object(), tables = Json::object();
  for (const Fact &fact : rows.facts) {
    facts[fact.key] = json(fact.value);
    if (*unitName(fact.unit) != '\0')
      units[fact.key] = unitName(fact.unit);
  }
  for (const Table &table : rows.tables)
    tables[table.key] = json(table);
  Json all = {{"view", rows.view}, {"facts", facts},      {"units", units},
              {"tables", tables},  {"notes", rows.notes}, {"next", rows.next}};
  return jsonText(all, 2) + "\n";
}

std::string toCsv(const Rows &rows) {
  std::string text;
  if (rows.tables.empty()) {
    text = "key,value,unit\r\n";
    for (const Fact &fact : rows.facts)
      text += csvCell(fact.key) + "," + csvCell(fact.value) + "," + unitName(fact.unit) + "\r\n";
    return text;
  }
  const Table &table = rows.tables.front();
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    text += (c == 0 ? "" : ",") + csvCell(table.columns[c].key);
  text += "\r\n";
  for (const auto &cells : table.rows) {
    for (std::size_t c = 0; c < cells.size(); ++c)
      text += (c == 0 ? "" : ",") + csvCell(cells[c]);
    text += "\r\n";
  }
  return text;
}

std::string toMarkdown(const Rows &rows) {
  std::string text;
  for (const std::string &line : rows.lines) {
    const bool strong = line.starts_with('!');
    const std::string shown = sentence(rows, strong ? line.substr(1) : line), bold = strong ? "**" : "";
    text +=
        "- " + bold + markdownText(shown.substr(std::min(shown.find_first_not_of(' '), shown.size()))) + bold + "\n";
  }
  for (const Table &table : rows.tables)
    text += markdown(textTable(table));
  if (!rows.picture.empty() && !rows.drawn) {
    text += "\n```text\n";
    for (const std::string &line : rows.picture)
      text += shownText(line) + "\n";
    text += "```\n";
  }
  if (!rows.notes.empty())
    text += "\n";
  for (const std::string &note : rows.notes)
    text += "> Note: " + markdownText(note) + "\n";
  return text;
}

} // namespace popscope
