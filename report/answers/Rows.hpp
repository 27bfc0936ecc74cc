// What every answer is: facts, sentences that quote facts, tables, and what to ask next. Text, JSON, CSV and Markdown
// are printed from the same Rows, so they cannot tell different stories.
//
//   collect(const Request &) -> Rows -> printText | toJson | toCsv | toMarkdown
//
// A number keeps its value and its unit; it becomes text in the printers only. What is not known is Unknown: "unknown"
// in text, null in JSON, an empty cell in CSV.
#pragma once
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace popscope {

#if defined(__GNUC__) // GCC's -Wshadow takes a scoped enumerator for one that hides popscope::Bytes
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
enum class Unit : std::uint8_t {
  None,
  Bytes,
  Cycles,
  TileCycles,
  Tiles,
  Vertices,
  Percent,
  Id,
  Nanoseconds,
  Duration,          // nanoseconds, which text shows in the unit that suits: 812 ns, 12.3 us, 4.57 ms, 1.23 s
  Operations,        // floating-point ones
  OperationsPerCycle // of all tiles together
};
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
/// "bytes", "cycles", "tile cycles", ...; "" for None and Id.
[[nodiscard]] const char *unitName(Unit unit);

struct Unknown {
  bool operator==(const Unknown &) const { return true; }
};
/// A part of a whole, printed in percent with one decimal; unknown when the whole is 0.
struct Share {
  std::uint64_t part = 0, whole = 0;
  bool operator==(const Share &o) const { return part == o.part && whole == o.whole; }
};
/// A quotient, printed with two decimals; unknown when the divisor is 0.
struct Ratio {
  std::uint64_t value = 0, by = 0;
  bool operator==(const Ratio &o) const { return value == o.value && by == o.by; }
};
using Cell = std::variant<Unknown, bool, std::uint64_t, std::int64_t, Share, Ratio, std::string>;

struct Column {
  std::string key;   // in JSON and CSV, lowerCamelCase
  std::string title; // in text and Markdown
  Unit unit = Unit::None;
};
struct Table {
  std::string key, title;
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows; // as many cells as columns
  std::uint64_t more = 0;              // rows that -n left out
};
struct Fact {
  std::string key;
  Cell value;
  Unit unit = Unit::None;
};

struct Rows {
  std::string view;                 // name of the sub-command
  std::vector<Fact> facts;          // in the order of JSON
  std::vector<std::string> lines;   // sentences; {key} stands for a fact with its unit. A leading "!" marks an alarm
  std::vector<Table> tables;        // the first is the one that CSV prints
  std::vector<std::string> picture; // lines of drawn text, after the tables; its numbers are in tables or facts
  bool drawn = false;               // text shows the picture in place of the tables; a line without indent is a heading
  std::vector<std::string> notes;   // what is estimated, missing or left out
  std::vector<std::string> next;    // commands to ask next
  bool counted = true;              // -n says how many rows tables show
  bool finding = false;             // the tool ends with 1

  void fact(const std::string &key, Cell value, Unit unit = Unit::None) {
    facts.push_back({key, std::move(value), unit});
  }
};

/// "1,234", "31.7%", "yes", "unknown"; without unit.
[[nodiscard]] std::string cellText(const Cell &cell);
/// As a column shows it: the same, but numbers that name something (Unit::Id) as "1234".
[[nodiscard]] std::string cellText(const Cell &cell, const Column &column);
/// The same with the unit, as sentences need it: "1,234 B", "42 cycles", "1 tile".
[[nodiscard]] std::string cellText(const Cell &cell, Unit unit);
/// A share in percent with one decimal as a number: 31.7.
[[nodiscard]] double percentOf(const Share &share);
/// A ratio in hundredths, half away from zero; the largest number where it is more than that holds.
[[nodiscard]] std::uint64_t hundredths(const Ratio &ratio);
/// A line of Rows::lines with its facts in place. A key without fact is our bug.
[[nodiscard]] std::string sentence(const Rows &rows, const std::string &line);
/// Whether a column holds words (or yes and no) and no numbers: it begins at the left.
[[nodiscard]] bool holdsText(const Table &table, std::size_t column);

} // namespace popscope
