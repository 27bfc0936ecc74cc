// The form of every answer: facts, sentences that quote facts, tables, and suggested commands. All formats (text, JSON,
// CSV, Markdown) are printed from one Rows object, so that all formats show the same value of a fact.
//
//   collect(const Request &) -> Rows -> printText | toJson | toCsv | toMarkdown
//
// A number keeps its value and its unit. Only the printers turn the number into text. An Unknown is printed as
// "unknown" in text, as null in JSON, and as an empty cell in CSV. The value Unknown{false} stands for a cell without a
// meaning in its row. Such a cell is printed as "-" in text, and is empty in Markdown.
#pragma once
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace popscope {

#if defined(__GNUC__) // GCC's -Wshadow reports a scoped enumerator that hides popscope::Bytes
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
  Spans, // a list of steps: "3, 5-9, 12"; text shows the first spans and the number of the others
  Nanoseconds,
  Duration,          // nanoseconds; text shows a suitable unit: 812 ns, 12.3 us, 4.57 ms, 1.23 s
  Operations,        // floating-point operations
  OperationsPerCycle // mean per cycle, of all tiles together
};
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
/// Returns the name of the unit, such as "bytes" or "tile cycles". Nanoseconds and Duration have the name "ns". None,
/// Id and Spans have the name "".
[[nodiscard]] const char *unitName(Unit unit);

struct Unknown {
  bool applies = true; // false: the cell has no meaning; for example, the first of several profiles has no change since
                       // an earlier profile
  bool operator==(const Unknown &) const { return true; }
};
/// A part of a whole. A share is printed in percent with one decimal, or as an unknown value if the whole is 0.
struct Share {
  std::uint64_t part = 0, whole = 0;
  bool operator==(const Share &o) const { return part == o.part && whole == o.whole; }
};
/// A quotient. A ratio is printed with two decimals, or as an unknown value if the divisor is 0.
struct Ratio {
  std::uint64_t value = 0, by = 0;
  bool operator==(const Ratio &o) const { return value == o.value && by == o.by; }
};
using Cell = std::variant<Unknown, bool, std::uint64_t, std::int64_t, Share, Ratio, std::string>;

struct Column {
  std::string key;   // the name in JSON and CSV, lowerCamelCase
  std::string title; // the heading in text and Markdown
  Unit unit = Unit::None;
  bool inText = true; // false: the cells are sentences; text and Markdown print the sentences in Rows::picture, and not
                      // in the table
};
struct Table {
  std::string key, title;
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows{}; // each row has as many cells as there are columns
  std::uint64_t more = 0;                // number of rows that -n left out
};
struct Fact {
  std::string key;
  Cell value;
  Unit unit = Unit::None;
};

struct Rows {
  explicit Rows(std::string name) : view(std::move(name)) {}

  std::string view;                 // name of the sub-command
  std::vector<Fact> facts;          // in the order in which JSON prints the facts
  std::vector<std::string> lines;   // sentences; {key} is replaced by the fact and its unit, {key:noun} by the fact and
                                    // the noun, which is plural unless the fact is 1; a leading "!" marks an alarm
  std::vector<Table> tables;        // CSV prints the first table
  std::vector<std::string> picture; // lines of drawn text, printed after the tables; tables or facts also contain the
                                    // data of the picture
  bool drawn = false;               // true: text shows the picture instead of the tables; in this picture, a line
                                    // without indent is a heading
  std::vector<std::string> notes;   // sentences about what is estimated, missing or left out
  std::vector<std::string> next;    // suggested commands
  bool counted = true;              // true: -n limits the rows of tables
  bool finding = false;             // true: the exit code of the tool is 1

  void fact(const std::string &key, Cell value, Unit unit = Unit::None) {
    facts.push_back({key, std::move(value), unit});
  }
};

/// Returns the cell without its unit, for example "1,234", "31.7%", "yes" or "unknown".
[[nodiscard]] std::string cellText(const Cell &cell);
/// Returns the cell as in a column: like cellText(cell), but ids (Unit::Id) have no commas ("1234"), durations
/// (Unit::Duration) have a unit ("1.23 s"), and lists of more than three spans (Unit::Spans) are cut ("3, 5-9, 12, 4
/// more").
[[nodiscard]] std::string cellText(const Cell &cell, const Column &column);
/// Returns the cell with its unit, for sentences: "1,234 B", "42 cycles", "1 tile".
[[nodiscard]] std::string cellText(const Cell &cell, Unit unit);
/// Returns a share in percent, rounded to one decimal: 31.7. Returns 0 if the whole is 0.
[[nodiscard]] double percentOf(const Share &share);
/// Returns a ratio in hundredths, with halves rounded away from zero. Returns 0 if the divisor is 0. If the result
/// needs more than 64 bits, returns the largest number of 64 bits.
[[nodiscard]] std::uint64_t hundredths(const Ratio &ratio);
/// Returns a line of Rows::lines with its facts inserted. A key without a fact is an internal error.
[[nodiscard]] std::string sentence(const Rows &rows, const std::string &line);
/// Returns the table with the columns that text and Markdown print (Column::inText).
[[nodiscard]] Table textTable(Table table);
/// Returns whether a column contains words (or yes and no) and no numbers. Also returns true for a table without rows.
/// The printers align a column of words to the left.
[[nodiscard]] bool holdsText(const Table &table, std::size_t column);

} // namespace popscope
