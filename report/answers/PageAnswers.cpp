#include "report/answers/PageAnswers.hpp"

#include "report/answers/PrintRows.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace popscope {
namespace {

using PageJson = nlohmann::ordered_json;

/// A view of the page. Several views may use one command with different options.
struct PageView {
  const char *key, *view;
  std::vector<std::pair<const char *, const char *>> options;
};

const std::vector<PageView> &pageViews() {
  static const std::vector<PageView> all = {
      {"loss", "loss", {}},
      {"oom", "oom", {}},
      {"gap", "gap", {}},
      {"fit", "fit", {}},
      {"advise", "advise", {}},
      {"sensitivity", "sensitivity", {}},
      {"whatifGrid", "whatifGrid", {}},
      {"topVariables", "top", {{"of", "variables"}, {"by", "bytes"}}},
      {"topVertices", "top", {{"of", "vertex-types"}}},
      {"exchange", "exchange", {}},
  };
  return all;
}

constexpr std::size_t kMaxRunsShown = 32;  // the maximum number of runs with an answer of their own
constexpr std::size_t kMaxTilesShown = 16; // the maximum number of tiles that do not fit with an answer of their own

const ViewRow *shownView(const std::vector<ViewRow> &views, const std::string &name) {
  const auto at = std::find_if(views.begin(), views.end(), [&](const ViewRow &view) { return view.name == name; });
  return at == views.end() ? nullptr : &*at;
}

/// Returns the JSON of the command line, with the sentences and the titles of columns.
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

/// Returns the answer of a view. If the profile lacks data for the view, returns the reason, a string.
PageJson askFor(const pva::Report &report, const ViewRow &view, const Selection &selection,
                const std::vector<std::pair<const char *, const char *>> &options = {}) {
  Request request;
  request.report = report;
  request.profile = "profile.pop";
  request.selection = selection;
  for (const ViewOption &option : view.options)
    request.options[keyOf(option)] = option.usual;
  for (const auto &[key, value] : options)
    request.options[key] = value;
  try {
    return pageJson(view.collect(request));
  } catch (const AnswerError &reason) {
    return reason.what();
  }
}

/// Returns what `popscope oom --tiles T` answers for each tile T that does not fit, the fullest first. Each tile has
/// cuts of its own: cuts on one tile do not help another.
PageJson oomOfTiles(const pva::Report &report, const ViewRow &oom) {
  std::vector<std::uint32_t> tiles = report.popscope().tilesOutOfMemory();
  const auto bytesOf = [&](std::uint32_t tile) {
    return report.compilation().tiles()[tile].memory().total().includingGaps();
  };
  std::stable_sort(tiles.begin(), tiles.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return bytesOf(a) > bytesOf(b); });
  tiles.resize(std::min(tiles.size(), kMaxTilesShown));
  PageJson answers = PageJson::array();
  for (const std::uint32_t tile : tiles) {
    Selection selection;
    selection.tiles = std::to_string(tile);
    if (PageJson answer = askFor(report, oom, selection); answer.is_object())
      answers.push_back(std::move(answer));
  }
  return answers;
}

} // namespace

std::string pageAnswers(const pva::Report &report, const std::vector<ViewRow> &views,
                        const std::vector<ViewRow> &more) {
  PageJson answers = PageJson::object(), refused = PageJson::object(), ofRuns = PageJson::array();
  for (const PageView &page : pageViews()) {
    const ViewRow *own = shownView(views, page.view), *view = own != nullptr ? own : shownView(more, page.view);
    if (view == nullptr)
      continue;
    PageJson answer = askFor(report, *view, {}, page.options);
    PageJson &kept = answer.is_object() ? answers : refused; // an assignment would move `answer` before this question
    kept[page.key] = std::move(answer);
  }
  const std::size_t runs = report.execution().runs().size();
  if (const ViewRow *loss = shownView(views, "loss"); loss != nullptr && runs > 1 && runs <= kMaxRunsShown)
    for (std::size_t run = 0; run < runs; ++run) {
      Selection selection;
      selection.runs = std::to_string(run);
      PageJson answer = askFor(report, *loss, selection);
      ofRuns.push_back(answer.is_object() ? std::move(answer) : PageJson());
    }
  PageJson ofTiles = PageJson::array();
  if (const ViewRow *oom = shownView(views, "oom"); oom != nullptr)
    ofTiles = oomOfTiles(report, *oom);
  return PageJson{{"views", answers}, {"refused", refused}, {"lossOfRuns", ofRuns}, {"oomOfTiles", ofTiles}}.dump(
      -1, ' ', false, PageJson::error_handler_t::replace);
}

} // namespace popscope
