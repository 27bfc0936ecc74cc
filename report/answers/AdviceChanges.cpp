#include "report/answers/AdviceChanges.hpp"

#include "base/JsonText.hpp"
#include "base/ReadNumber.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace popscope {
namespace {

constexpr std::size_t kMaxTiles = 1U << 20; // tiles of one change

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines(1);
  for (const char c : text)
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  return lines;
}

std::string textOf(const nlohmann::json &object, const char *key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Returns the tiles of a list such as "0,5-9". Returns no tiles for any other text.
std::vector<std::uint64_t> tilesOf(const std::string &list) {
  std::vector<std::uint64_t> tiles;
  std::string_view rest = list;
  while (!rest.empty()) {
    const auto first = takeWhole(rest);
    auto last = first;
    if (!rest.empty() && rest[0] == '-') {
      rest.remove_prefix(1);
      last = takeWhole(rest);
    }
    if (!first || !last || *last < *first || *last - *first >= kMaxTiles - std::min(kMaxTiles, tiles.size()))
      return {};
    for (std::uint64_t tile = *first; tile <= *last; ++tile)
      tiles.push_back(tile);
    if (!rest.empty() && rest[0] != ',')
      return {};
    rest.remove_prefix(rest.empty() ? 0 : 1);
  }
  return tiles;
}

TrialChange changeOf(const nlohmann::json &one, std::string description) {
  TrialChange change;
  change.description = std::move(description);
  change.kind = textOf(one, "kind");
  const bool vertices = change.kind == "moveVertices", variable = change.kind == "moveVariable";
  change.name = textOf(one, vertices ? "computeSet" : change.kind == "option" ? "option" : "variable");
  if (!vertices && !variable)
    return change;
  const std::vector<std::uint64_t> toTiles = tilesOf(textOf(one, "to"));
  change.from = tilesOf(textOf(one, "from"));
  change.tiles = change.from;
  change.tiles.insert(change.tiles.end(), toTiles.begin(), toTiles.end());
  if (const auto mapping = one.find("mapping"); mapping != one.end() && mapping->is_array())
    for (const nlohmann::json &row : *mapping)
      if (row.is_array() && row.size() == 3 && row[2].is_number_unsigned())
        change.tiles.push_back(row[2].get<std::uint64_t>());
  return change;
}

void addExecuted(const pva::Program &program, const StepChoice &steps, std::set<std::string> &names) {
  if (const auto *execute = dynamic_cast<const pva::OnTileExecuteProgram *>(&program);
      execute != nullptr && steps.contains(program._id()))
    names.insert(execute->computeset().name());
  for (const auto &child : program.children())
    addExecuted(*child, steps, names);
}

} // namespace

std::vector<TrialChange> changesOf(const pva::AdviceTrial &trial) {
  std::vector<TrialChange> changes;
  if (trial.numChanges == 0)
    return changes;
  const nlohmann::json all = jsonOf(trial.changes);
  std::vector<std::string> lines = linesOf(trial.description);
  const bool together = all.is_array() && all.size() == lines.size() &&
                        std::all_of(all.begin(), all.end(), [](const nlohmann::json &one) { return one.is_object(); });
  for (std::size_t i = 0; i < lines.size(); ++i)
    changes.push_back(changeOf(together ? all[i] : nlohmann::json::object(), std::move(lines[i])));
  return changes;
}

ChosenChanges::ChosenChanges(const Request &request) : request_(request), everyStep_(request.selection.everyStep()) {
  if (!request.selection.everyTile())
    tiles_ = tileMask(request.report, request.selection);
  if (everyStep_)
    return;
  const pva::CompilationReport compilation = request.report.compilation();
  const StepChoice steps(request.report, request.selection);
  for (const auto &step : compilation.livenessProgramSteps())
    liveSteps_.push_back(steps.contains(step.program()->_id()));
  for (const auto &program : compilation.controlPrograms())
    addExecuted(*program, steps, executed_);
  for (const auto &program : compilation.functionPrograms())
    addExecuted(*program, steps, executed_);
}

bool ChosenChanges::liesThere(const pva::Variable &variable) const {
  if (tiles_.empty())
    return true;
  const pva::Values tiles = variable.tiles();
  return std::any_of(tiles.begin(), tiles.end(),
                     [&](std::uint64_t tile) { return tile < tiles_.size() && tiles_[tile]; });
}

bool ChosenChanges::livesThen(const pva::Variable &variable) const {
  if (everyStep_)
    return true;
  for (const pva::StepInterval &span : variable.liveSteps())
    for (std::size_t step = span.start(); step < std::min<std::size_t>(span.end(), liveSteps_.size()); ++step)
      if (liveSteps_[step])
        return true;
  return false;
}

bool ChosenChanges::contains(const pva::Variable &variable) const {
  return nameMatches(request_.selection.name, variable.name()) && liesThere(variable) && livesThen(variable);
}

bool ChosenChanges::anyVariable(const TrialChange &change,
                                const std::function<bool(const pva::Variable &)> &holds) const {
  for (const auto &variable : request_.report.compilation().variables())
    if (variable.name() == change.name && holds(variable))
      return true;
  return false;
}

bool ChosenChanges::onTiles(const TrialChange &change) const {
  if (tiles_.empty() || change.kind == "option")
    return true;
  if (change.kind == "writeUndef")
    return anyVariable(change, [&](const pva::Variable &variable) { return liesThere(variable); });
  return std::any_of(change.tiles.begin(), change.tiles.end(),
                     [&](std::uint64_t tile) { return tile < tiles_.size() && tiles_[tile]; });
}

bool ChosenChanges::atSteps(const TrialChange &change) const {
  if (everyStep_ || change.kind == "option")
    return true;
  if (change.kind == "moveVertices")
    return executed_.count(change.name) != 0;
  return anyVariable(change, [&](const pva::Variable &variable) { return livesThen(variable); });
}

bool ChosenChanges::contains(const TrialChange &change) const {
  return nameMatches(request_.selection.name, change.name) && onTiles(change) && atSteps(change);
}

bool ChosenChanges::contains(const pva::AdviceTrial &trial) const {
  if (tiles_.empty() && everyStep_ && request_.selection.name.empty())
    return true;
  const std::vector<TrialChange> changes = changesOf(trial);
  return std::any_of(changes.begin(), changes.end(), [&](const TrialChange &change) { return contains(change); });
}

} // namespace popscope
