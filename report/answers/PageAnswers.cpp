#include "report/answers/PageAnswers.hpp"

#include "report/answers/PrintRows.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace popscope {
namespace {

using PageJson = nlohmann::ordered_json;

constexpr std::array kPageViews = {"loss", "oom", "gap", "fit", "advise", "sensitivity"};
constexpr std::size_t kMaxRunsShown = 32; // of which each is asked about alone

const ViewRow *shownView(const std::vector<ViewRow> &views, const std::string &name) {
  const auto at = std::find_if(views.begin(), views.end(), [&](const ViewRow &view) { return view.name == name; });
  return at == views.end() ? nullptr : &*at;
}

/// The JSON of the command line, with the sentences and the titles of columns.
PageJson pageJson(const Rows &rows) {
  PageJson answer = PageJson::parse(toJson(rows)), lines = PageJson::array();
  for (const std::string &line : rows.lines)
    lines.push_back(sentence(rows, line));
  PageJson tables = PageJson::object();
  for (const Table &table : rows.tables) {
    PageJson columns = PageJson::array();
    for (const Column &column : table.columns)
      columns.push_back({{"key", column.key}, {"title", column.title}, {"unit", unitName(column.unit)}});
    const PageJson &from = answer["tables"][table.key];
    tables[table.key] = {{"title", table.title}, {"columns", columns}, {"rows", from["rows"]}, {"more", table.more}};
  }
  return {{"lines", lines}, {"facts", answer["facts"]}, {"tables", tables}, {"notes", answer["notes"]}};
}

/// Null where the profile lacks something for it.
PageJson askFor(const pva::Report &report, const ViewRow &view, const std::string &runs) {
  Request request;
  request.report = report;
  request.profile = "profile.pop";
  request.selection.runs = runs;
  for (const ViewOption &option : view.options)
    request.options[keyOf(option)] = option.usual;
  try {
    return pageJson(view.collect(request));
  } catch (const AnswerError &) {
    return {};
  }
}

} // namespace

std::string pageAnswers(const pva::Report &report, const std::vector<ViewRow> &views,
                        const std::vector<ViewRow> &more) {
  PageJson answers = PageJson::object(), ofRuns = PageJson::array();
  for (const char *name : kPageViews) {
    const ViewRow *own = shownView(views, name), *view = own != nullptr ? own : shownView(more, name);
    if (view == nullptr)
      continue;
    if (PageJson answer = askFor(report, *view, ""); !answer.is_null())
      answers[name] = std::move(answer);
  }
  const std::size_t runs = report.execution().runs().size();
  if (const ViewRow *loss = shownView(views, "loss"); loss != nullptr && runs > 1 && runs <= kMaxRunsShown)
    for (std::size_t run = 0; run < runs; ++run)
      ofRuns.push_back(askFor(report, *loss, std::to_string(run)));
  return PageJson{{"views", answers}, {"lossOfRuns", ofRuns}}.dump(-1, ' ', false, PageJson::error_handler_t::replace);
}

} // namespace popscope
