#include "report/answers/PrintRows.hpp"

#include "base/ShownText.hpp"
#include "base/TerminalText.hpp"
#include "base/Utf8.hpp"
#include "report/summary/Format.hpp"

#include <pva/pva.hpp>

#include <algorithm>
#include <map>
#include <ostream>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

namespace popscope {
namespace {

constexpr std::size_t kGap = 2;

/// Returns the width below which no name is shortened: a third of a line, between 12 and 24 columns.
std::size_t leastName(std::size_t columns) { return std::clamp<std::size_t>(columns / 3, 12, 24); }

/// Returns a cell in printed form. Names may contain anything that a program or a file contains.
std::string shownCell(const Cell &cell, const Column &column) {
  return std::holds_alternative<std::string>(cell) ? shownName(cellText(cell, column)) : cellText(cell, column);
}

/// Returns half of a line: the maximum width of a column if the table continues below.
std::size_t halfLine(std::size_t columns, std::size_t column) { return columns / 2 - (column == 0 ? 0 : kGap); }

/// Returns the width of each column. A title that is wider than half a line takes several lines (titleLines).
std::vector<std::size_t> widthsOf(const Table &table, std::size_t columns) {
  std::vector<std::size_t> widths, least;
  std::size_t total = kGap * (table.columns.size() - 1), leastTotal = total;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::size_t title = displayColumns(table.columns[c].title), cells = 0;
    if (columns != 0)
      title = std::min(title, halfLine(columns, c));
    for (const auto &row : table.rows)
      cells = std::max(cells, displayColumns(shownCell(row[c], table.columns[c])));
    widths.push_back(std::max(title, cells));
    if (columns != 0 && holdsText(table, c))
      cells = std::min({cells, leastName(columns), halfLine(columns, c)});
    least.push_back(std::max(title, cells));
    total += widths[c];
    leastTotal += least[c];
  }
  if (columns != 0 && leastTotal > columns) { // the table continues below, so a name may take half a line
    for (std::size_t c = 0; c < widths.size(); ++c)
      widths[c] = std::min(widths[c], std::max(least[c], halfLine(columns, c)));
    return widths;
  }
  while (columns != 0 && total > columns) { // the longest names are shortened
    std::size_t longest = widths.size();
    for (std::size_t c = 0; c < widths.size(); ++c)
      if (widths[c] > least[c] && (longest == widths.size() || widths[c] > widths[longest]))
        longest = c;
    --widths[longest];
    --total;
  }
  return widths;
}

/// Splits the columns of a table into parts that are not wider than `columns`. Each part begins with the first column.
std::vector<std::vector<std::size_t>> blocksOf(const std::vector<std::size_t> &widths, std::size_t columns) {
  std::vector<std::vector<std::size_t>> blocks(1);
  std::size_t width = 0;
  for (std::size_t c = 0; c < widths.size(); ++c) {
    const bool fits = columns == 0 || blocks.back().size() <= 1 || width + kGap + widths[c] <= columns;
    if (!fits) {
      blocks.push_back({0});
      width = widths[0];
    }
    width += (blocks.back().empty() ? 0 : kGap) + widths[c];
    blocks.back().push_back(c);
  }
  return blocks;
}

/// Returns the lines of a column's title.
std::vector<std::string> titleLines(const std::string &title, std::size_t width) {
  std::istringstream wrapped(wrapLine(title, width, 0, LongWords::Broken));
  std::vector<std::string> lines;
  for (std::string line; std::getline(wrapped, line);)
    lines.push_back(line);
  return lines;
}

/// Shortens the text to `width` columns so that its columns from `at` on are shown: "Layer1/...0,2,4 (8)".
std::string shortenedAround(const std::string &text, std::size_t width, std::size_t at) {
  constexpr std::size_t kDots = 3, kBefore = 2; // columns that are shown before `at`
  const std::size_t all = displayColumns(text);
  if (all <= width || width <= 2 * kDots + kBefore)
    return shortened(text, width);
  const std::size_t front = std::min((width - kDots) / 3, at), room = width - front - kDots;
  const std::size_t from = std::min(std::max(at, front + kBefore) - kBefore, all - room);
  const bool toEnd = from + room == all;
  return columnSlice(text, 0, front) + "..." + columnSlice(text, from, toEnd ? room : room - kDots) +
         (toEnd ? "" : "...");
}

/// Shortens the text to `width` columns so that several places are shown: "Layer1/...7/Fwd...0,2,4 (8)". Leaves out the
/// first places if the width is too small for all of them.
std::string shortenedAround(const std::string &text, std::size_t width, std::vector<std::size_t> places) {
  constexpr std::size_t kDots = 3, kBefore = 2, kLeastPart = 6;
  const auto partOf = [&](std::size_t count) { return width / (count + 1) - std::min(width / (count + 1), 2 * kDots); };
  while (places.size() > 1 && partOf(places.size()) < kLeastPart)
    places.erase(places.begin());
  std::sort(places.begin(), places.end());
  const std::size_t all = displayColumns(text);
  if (places.size() == 1 || all <= width)
    return shortenedAround(text, width, places[0]);
  const std::size_t part = partOf(places.size());
  std::vector<std::pair<std::size_t, std::size_t>> parts = {{0, std::min(part, places[0])}}; // begin and end columns
  for (const std::size_t place : places) {
    const std::size_t end = parts.back().second;
    const std::size_t from = std::max(std::min(place - std::min(place, kBefore), all - part), end);
    const std::size_t to = std::max(std::min(from + part, all), end);
    if (from == end)
      parts.back().second = to;
    else
      parts.emplace_back(from, to);
  }
  std::string out;
  for (const auto &[from, to] : parts)
    out += (from == 0 ? "" : "...") + columnSlice(text, from, to - from);
  return out + (parts.back().second == all ? "" : "...");
}

bool isKindOfStep(const std::string &word) {
  for (int type = 0; type < static_cast<int>(pva::Program::Type::Unknown); ++type)
    if (pva::programTypeName(static_cast<pva::Program::Type>(type)) == word)
      return true;
  return false;
}

/// Removes the kind of a step from a cell of the form "Kind: name", and keeps an indent. Returns any other text
/// unchanged, for example a field with its shape, "points: float[2]".
std::string withoutKind(const std::string &text) {
  const std::size_t indent = std::min(text.find_first_not_of(' '), text.size()), colon = text.find(": ", indent);
  const bool hasKind =
      colon != std::string::npos && colon + 2 < text.size() && isKindOfStep(text.substr(indent, colon - indent));
  return hasKind ? text.substr(0, indent) + text.substr(colon + 2) : text;
}

/// Returns the cells of a column as they are before the cut. A step that is too wide loses its kind, because names
/// distinguish rows: "DoExchange: inout/ExchangePre" becomes "inout/ExchangePre". The kind stays if another row has the
/// same name and another kind.
std::vector<std::string> uncutText(const Table &table, std::size_t column, std::size_t width) {
  std::vector<std::string> texts;
  std::map<std::string, std::set<std::string>> ofName;
  for (const auto &row : table.rows) {
    texts.push_back(shownText(cellText(row[column], table.columns[column])));
    ofName[withoutKind(texts.back())].insert(texts.back());
  }
  for (std::string &text : texts)
    if (const std::string name = withoutKind(text); displayColumns(text) > width && ofName[name].size() == 1)
      text = name;
  return texts;
}

/// Returns the cells of a column, cut to its width. Different texts that would look the same when cut in the middle
/// show the parts in which they differ: "move \"input\", ... 0,2,4". Each round adds a place to show to each text that
/// still looks like another text, and keeps the earlier places.
std::vector<std::string> columnText(const Table &table, std::size_t column, std::size_t width) {
  constexpr int kRounds = 8; // each round separates some texts of a group
  const std::vector<std::string> texts = uncutText(table, column, width);
  std::vector<std::string> shown;
  std::vector<std::vector<std::size_t>> places(table.rows.size());
  for (const std::string &text : texts)
    shown.push_back(shortened(text, width));
  for (int round = 0; round < kRounds; ++round) {
    std::map<std::string, std::vector<std::size_t>> groups; // rows that look the same
    for (std::size_t r = 0; r < texts.size(); ++r)
      groups[shown[r]].push_back(r);
    bool changed = false;
    for (const auto &[text, rows] : groups) {
      std::size_t same = std::string::npos; // length of their common prefix; npos = they are equal
      for (const std::size_t r : rows) {
        const auto [a, b] =
            std::mismatch(texts[r].begin(), texts[r].end(), texts[rows[0]].begin(), texts[rows[0]].end());
        if (a != texts[r].end() || b != texts[rows[0]].end())
          same = std::min(same, static_cast<std::size_t>(a - texts[r].begin()));
      }
      if (same == std::string::npos)
        continue;
      const std::string &first = texts[rows[0]];
      while (same > 0 && same < first.size() && isContinuation(first[same]))
        --same; // the first byte of a character
      same = displayColumns(std::string_view(first).substr(0, same));
      for (const std::size_t r : rows) {
        std::erase(places[r], same);
        places[r].push_back(same); // the latest is the last to be left out
        const std::string before = std::exchange(shown[r], shortenedAround(texts[r], width, places[r]));
        changed = changed || before != shown[r];
      }
    }
    if (!changed)
      break;
  }
  return shown;
}

// Prints a table: text columns to the left and numbers to the right, in parts if it is too wide.
void printTable(std::ostream &out, const Table &table, const Style &style, std::size_t columns, bool counted) {
  const auto widths = widthsOf(table, columns);
  std::vector<bool> left;
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    left.push_back(holdsText(table, c));
  std::vector<std::vector<std::string>> cells, titles;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    cells.push_back(columnText(table, c, widths[c]));
    titles.push_back(titleLines(table.columns[c].title, widths[c]));
  }
  const auto line = [&](const std::vector<std::size_t> &block, const auto &cell) {
    std::string text;
    for (const std::size_t c : block) {
      const std::string shown = cell(c), spaces(widths[c] - std::min(widths[c], displayColumns(shown)), ' ');
      text += (text.empty() ? "" : std::string(kGap, ' ')) + (left[c] ? shown + spaces : spaces + shown);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  };
  out << style.heading(wrapLine(shownText(table.title), columns, 4, LongWords::Broken)) << "\n";
  if (table.rows.empty()) {
    out << "none\n";
    return;
  }
  bool first = true;
  for (const auto &block : blocksOf(widths, columns)) {
    out << (first ? "" : "\n");
    first = false;
    std::size_t titleRows = 0;
    for (const std::size_t c : block)
      titleRows = std::max(titleRows, titles[c].size());
    for (std::size_t r = 0; r < titleRows; ++r)
      out << style.part(line(block, [&](std::size_t c) { return r < titles[c].size() ? titles[c][r] : ""; })) << "\n";
    for (std::size_t r = 0; r < table.rows.size(); ++r)
      out << line(block, [&](std::size_t c) { return cells[c][r]; }) << "\n";
  }
  if (table.more != 0)
    out << commas(table.more) << (counted ? " more; -n 0 shows all\n" : " more\n");
}

/// Returns where further lines of a drawn line begin: below the text after its label, "label: text", or four columns to
/// the right of the line's begin.
std::size_t hangingIndent(const std::string &line) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size()), label = line.find(":  ", begin);
  return label == std::string::npos
             ? begin + 4
             : displayColumns(std::string_view(line).substr(0, line.find_first_not_of(' ', label + 1)));
}

/// Wraps a note. The words of a command for the reader to run, from its first word to the placeholder PROGRAM, stay on
/// one line, so that the line can be pasted into a shell.
std::string wrapNote(std::string note, std::size_t columns) {
  const std::string fixed = "\u00a0"; // a blank at which no line ends
  for (const char *first : {"POPLAR_ENGINE_OPTIONS=", "popscope run "})
    if (const std::size_t begin = note.find(first); columns != 0 && begin != std::string::npos)
      if (const std::size_t end = note.find(" PROGRAM", begin); end != std::string::npos)
        for (std::size_t at = note.find(' ', begin); at <= end; at = note.find(' ', at))
          note.replace(at, 1, fixed);
  const bool hasCommand = note.find(fixed) != std::string::npos;
  note = wrapLine("Note: " + note, columns, 6, hasCommand ? LongWords::Kept : LongWords::Broken);
  for (std::size_t at = note.find(fixed); at != std::string::npos; at = note.find(fixed, at))
    note.replace(at, fixed.size(), " ");
  return note;
}

} // namespace

// Prints lines, tables or picture, notes and next commands, in this order.
void printText(std::ostream &out, const Rows &rows, const Style &style, std::size_t columns) {
  bool blank = false;
  const auto part = [&] {
    if (blank)
      out << "\n";
    blank = true;
  };
  if (!rows.lines.empty())
    part();
  for (const std::string &line : rows.lines) {
    const bool alarm = !line.empty() && line[0] == '!';
    const std::string text =
        wrapLine(shownText(sentence(rows, alarm ? line.substr(1) : line)), columns, 4, LongWords::Broken);
    out << (alarm ? style.alarm(text) : text) << "\n";
  }
  if (!rows.drawn)
    for (const Table &table : rows.tables) {
      part();
      printTable(out, textTable(table), style, columns, rows.counted);
    }
  if (!rows.picture.empty())
    part();
  for (const std::string &drawn : rows.picture) {
    const std::string shown = shownText(drawn);
    const std::string line = wrapLine(shown, columns, std::min(hangingIndent(shown), columns / 2), LongWords::Broken);
    out << (rows.drawn && !line.empty() && line[0] != ' ' ? style.part(line) : line) << "\n";
  }
  if (!rows.notes.empty())
    part();
  for (const std::string &note : rows.notes)
    out << wrapNote(shownText(note), columns) << "\n";
  if (!rows.next.empty())
    part();
  for (std::size_t i = 0; i < rows.next.size(); ++i)
    out << (i == 0 ? "Next: " : "      ") << shownText(rows.next[i]) << "\n";
}

} // namespace popscope
