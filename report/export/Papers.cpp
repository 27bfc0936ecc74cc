#include "report/export/Papers.hpp"

#include "report/answers/PrintRows.hpp"
#include "report/answers/View.hpp"
#include "report/export/Text.hpp"

#include <algorithm>
#include <cctype>
#include <ostream>

namespace popscope {
namespace {

struct Chapter {
  const char *view, *title;
  std::map<std::string, std::string> options;
  bool needsRuns;
};

std::vector<Rows> answers(const pva::Report &report, const TimelineOptions &options, std::vector<std::string> &titles) {
  const std::vector<Chapter> chapters = {{"info", "Overview", {}, false},
                                         {"top", "Compute sets by cycles", {{"of", "compute-sets"}}, true},
                                         {"loss", "Where the cycles of all tiles went", {}, true},
                                         {"top", "Variables by bytes", {{"of", "variables"}}, false},
                                         {"peak", "Most live", {}, false},
                                         {"exchange", "Exchanges", {}, false}};
  std::vector<Rows> all;
  const bool ran = !selectedRuns(report, options.selection).empty();
  for (const Chapter &chapter : chapters)
    for (const ViewRow &view : views())
      if (std::string(view.name) == chapter.view && (ran || !chapter.needsRuns)) {
        Request request;
        request.report = report;
        request.selection = options.selection;
        for (const ViewOption &option : view.options)
          request.options[std::string(option.name).substr(2)] = option.usual;
        for (const auto &[key, value] : chapter.options)
          request.options[key] = value;
        try {
          all.push_back(view.collect(request));
          titles.emplace_back(chapter.title);
        } catch (const AnswerError &) { // the profile lacks the data: the chapter is left out
        }
      }
  return all;
}

std::string latexTable(const Table &table) {
  std::string text = "\\begin{table}\n  \\centering\n  \\caption{" + latexText(table.title) +
                     "}\n"
                     // a table wider than the text is made smaller
                     "  \\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n  \\begin{tabular}{",
              heads;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const Column &column = table.columns[c];
    text += column.unit == Unit::Id || holdsText(table, c) ? 'l' : 'r';
    const std::string unit = unitName(column.unit);
    std::string title = column.title;
    std::transform(title.begin(), title.end(), title.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    const bool said = unit.empty() || unit == "percent" || title.find(unit) != std::string::npos;
    heads += (heads.empty() ? "" : " & ") + latexText(column.title + (said ? "" : " (" + unit + ")"));
  }
  text += "}\n    \\toprule\n    " + heads + " \\\\\n    \\midrule\n";
  for (const auto &cells : table.rows) {
    std::string row;
    for (std::size_t c = 0; c < cells.size(); ++c)
      row += (c == 0 ? "" : " & ") + latexText(cellText(cells[c], table.columns[c]));
    text += "    " + row + " \\\\\n";
  }
  return text + "    \\bottomrule\n  \\end{tabular}}\n\\end{table}\n";
}

/// Writes line by line, because names can contain bytes that are no UTF-8.
void writeLines(std::ostream &out, const std::string &text) {
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = std::min(text.find('\n', from), text.size());
    out << plainText(std::string_view(text).substr(from, to - from)) << "\n";
    from = to + 1;
  }
}

} // namespace

TimelineResult writeMarkdownTables(std::ostream &out, const pva::Report &report, const TimelineOptions &options) {
  std::vector<std::string> titles;
  const std::vector<Rows> all = answers(report, options, titles);
  TimelineResult result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    out << (i == 0 ? "# " : "\n## ") << titles[i] << "\n\n";
    writeLines(out, toMarkdown(all[i]));
    result.events += all[i].tables.size();
  }
  return result;
}

TimelineResult writeLatexTables(std::ostream &out, const pva::Report &report, const TimelineOptions &options) {
  std::vector<std::string> titles;
  const std::vector<Rows> all = answers(report, options, titles);
  out << "% Tables of a Popscope profile. The preamble needs \\usepackage{booktabs,graphicx}.\n";
  TimelineResult result;
  for (const Rows &rows : all)
    for (const Table &table : rows.tables) {
      if (table.rows.empty())
        continue;
      out << "\n" << latexTable(table);
      ++result.events;
    }
  return result;
}

} // namespace popscope
