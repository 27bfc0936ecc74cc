#include "report/answers/Rows.hpp"

#include "base/Check.hpp"
#include "report/summary/Format.hpp"

#include <algorithm>

namespace popscope {
namespace {

std::string signedCommas(std::int64_t value) {
  return value < 0 ? "-" + commas(0 - static_cast<std::uint64_t>(value)) : commas(static_cast<std::uint64_t>(value));
}

std::string counted(const std::string &number, const std::string &singular) {
  return number + " " + singular + (number == "1" ? "" : "s");
}

// Formats a duration with three significant digits, rounded half away from zero. Durations below 1 us are whole
// nanoseconds.
std::string durationText(std::uint64_t ns) {
  if (ns < 1000)
    return std::to_string(ns) + " ns";
  const char *const units[] = {"us", "ms", "s"};
  std::uint64_t unit = 1000, which = 0;               // in ns
  while (which < 2 && ns >= unit * 1000 - unit / 2) { // 999,500 ns are 1.00 ms
    unit *= 1000;
    ++which;
  }
  const std::uint64_t hundredths = ns / (unit / 100) + (ns % (unit / 100) >= unit / 200 ? 1 : 0);
  std::string text;
  if (hundredths < 1000)
    text =
        std::to_string(hundredths / 100) + "." + std::to_string(hundredths / 10 % 10) + std::to_string(hundredths % 10);
  else if (const std::uint64_t tenths = ns / (unit / 10) + (ns % (unit / 10) >= unit / 20 ? 1 : 0); tenths < 1000)
    text = std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
  else
    text = commas(ns / unit + (ns % unit >= unit / 2 ? 1 : 0));
  return text + " " + units[which];
}

// Returns the share in tenths of a percent, rounded half away from zero.
std::uint64_t tenths(const Share &share) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((Wide(share.part) * 2000 / share.whole + 1) / 2);
}

} // namespace

const char *unitName(Unit unit) {
  switch (unit) {
  case Unit::Bytes: return "bytes";
  case Unit::Cycles: return "cycles";
  case Unit::TileCycles: return "tile cycles";
  case Unit::Tiles: return "tiles";
  case Unit::Vertices: return "vertices";
  case Unit::Percent: return "percent";
  case Unit::Nanoseconds:
  case Unit::Duration: return "ns";
  case Unit::Operations: return "operations";
  case Unit::OperationsPerCycle: return "operations per cycle";
  case Unit::Id:
  case Unit::Spans:
  case Unit::None: break;
  }
  return "";
}

double percentOf(const Share &share) { return share.whole == 0 ? 0 : static_cast<double>(tenths(share)) / 10; }

std::uint64_t hundredths(const Ratio &ratio) {
  __extension__ using Wide = unsigned __int128;
  const Wide value = ratio.by == 0 ? 0 : (Wide(ratio.value) * 200 / ratio.by + 1) / 2;
  return value > ~std::uint64_t(0) ? ~std::uint64_t(0) : static_cast<std::uint64_t>(value);
}

namespace {
/// Returns the first spans of a list, and the number of the others: "3, 5-9, 12, 4 more".
std::string firstSpans(const std::string &spans) {
  constexpr std::size_t kShown = 3;
  std::size_t end = spans.find(',');
  for (std::size_t i = 1; i < kShown && end != std::string::npos; ++i)
    end = spans.find(',', end + 1);
  if (end == std::string::npos)
    return spans;
  const auto others = std::count(spans.begin() + static_cast<std::ptrdiff_t>(end), spans.end(), ',');
  return spans.substr(0, end) + ", " + std::to_string(others) + " more";
}
} // namespace

std::string cellText(const Cell &cell) {
  if (const auto *flag = std::get_if<bool>(&cell))
    return *flag ? "yes" : "no";
  if (const auto *number = std::get_if<std::uint64_t>(&cell))
    return commas(*number);
  if (const auto *number = std::get_if<std::int64_t>(&cell))
    return signedCommas(*number);
  if (const auto *text = std::get_if<std::string>(&cell))
    return *text;
  if (const auto *ratio = std::get_if<Ratio>(&cell); ratio != nullptr && ratio->by != 0) {
    const std::uint64_t value = hundredths(*ratio), part = value % 100;
    return commas(value / 100) + (part < 10 ? ".0" : ".") + std::to_string(part);
  }
  if (const auto *unknown = std::get_if<Unknown>(&cell); unknown != nullptr && !unknown->applies)
    return "-";
  const auto *share = std::get_if<Share>(&cell);
  return share != nullptr && share->whole != 0 ? percent(share->part, share->whole) : "unknown";
}

std::string cellText(const Cell &cell, const Column &column) {
  const bool own = column.unit == Unit::Id || column.unit == Unit::Duration ||
                   column.unit == Unit::Spans; // the unit determines the form
  return own ? cellText(cell, column.unit) : cellText(cell);
}

std::string cellText(const Cell &cell, Unit unit) {
  if (const auto *id = std::get_if<std::uint64_t>(&cell); id != nullptr && unit == Unit::Id)
    return std::to_string(*id);
  if (const auto *time = std::get_if<std::uint64_t>(&cell); time != nullptr && unit == Unit::Duration)
    return durationText(*time);
  if (const auto *spans = std::get_if<std::string>(&cell); spans != nullptr && unit == Unit::Spans)
    return firstSpans(*spans);
  const std::string text = cellText(cell);
  const auto *ratio = std::get_if<Ratio>(&cell);
  if (!std::holds_alternative<std::uint64_t>(cell) && !std::holds_alternative<std::int64_t>(cell) &&
      (ratio == nullptr || ratio->by == 0))
    return text;
  switch (unit) {
  case Unit::Bytes: return text + " B";
  case Unit::Cycles: return counted(text, "cycle");
  case Unit::TileCycles: return counted(text, "tile cycle");
  case Unit::Tiles: return counted(text, "tile");
  case Unit::Vertices: return text + (text == "1" ? " vertex" : " vertices");
  case Unit::Nanoseconds: return text + " ns";
  case Unit::Operations: return counted(text, "operation");
  case Unit::OperationsPerCycle: return counted(text, "operation") + " per cycle";
  case Unit::Percent:
  case Unit::Duration:
  case Unit::Id:
  case Unit::Spans:
  case Unit::None: break;
  }
  return text;
}

std::string sentence(const Rows &rows, const std::string &line) {
  std::string out;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t open = line.find('{', at), close = open == std::string::npos ? open : line.find('}', open);
    out += line.substr(at, open == std::string::npos ? open : open - at);
    if (close == std::string::npos)
      break;
    const std::string quoted = line.substr(open + 1, close - open - 1), key = quoted.substr(0, quoted.find(':'));
    const auto fact = std::find_if(rows.facts.begin(), rows.facts.end(), [&](const Fact &f) { return f.key == key; });
    POPSCOPE_CHECK(fact != rows.facts.end(), "view {}: a sentence quotes the fact {}, which is none", rows.view, key);
    out += key == quoted ? cellText(fact->value, fact->unit)
                         : counted(cellText(fact->value), quoted.substr(key.size() + 1));
    at = close + 1;
  }
  return out;
}

Table textTable(Table table) {
  for (std::size_t c = table.columns.size(); c-- > 0;)
    if (!table.columns[c].inText) {
      for (auto &row : table.rows)
        row.erase(row.begin() + static_cast<std::ptrdiff_t>(c));
      table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(c));
    }
  return table;
}

bool holdsText(const Table &table, std::size_t column) {
  bool text = table.rows.empty();
  for (const auto &row : table.rows)
    if (std::holds_alternative<std::string>(row[column]) || std::holds_alternative<bool>(row[column]))
      text = true;
    else if (!std::holds_alternative<Unknown>(row[column]))
      return false;
  return text;
}

} // namespace popscope
