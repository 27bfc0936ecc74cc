#include "report/answers/ChangePlaces.hpp"

#include <algorithm>

namespace popscope {

ChangePlaces::ChangePlaces(const pva::Report &report) : report_(report) {
  const pva::CompilationReport compilation = report.compilation();
  for (const auto &variable : compilation.variables())
    variables_.push_back(variable);
  for (const auto &step : compilation.livenessProgramSteps())
    steps_.push_back(step.program());
  for (const auto &tile : compilation.tiles())
    used_.push_back(tile.memory().total().excludingGaps());
}

std::vector<const pva::Variable *> ChangePlaces::changed(const TrialChange &change) const {
  std::vector<const pva::Variable *> found;
  if (change.kind == "moveVariable" || change.kind == "writeUndef")
    for (const pva::Variable &variable : variables_)
      if (variable.name() == change.name)
        found.push_back(&variable);
  return found;
}

// Returns, per liveness step, whether the changed object is live on the tile. The list is empty if the object is always
// live on the tile, or at no step.
std::vector<bool> ChangePlaces::stepsOf(const TrialChange &change, std::uint64_t tile) const {
  std::vector<bool> there(steps_.size(), false);
  for (const pva::Variable *variable : changed(change)) {
    if (variable->bytesOn(tile) == 0)
      continue;
    if (variable->alwaysLive())
      return {};
    for (const pva::StepInterval &span : variable->liveStepsOn(tile))
      for (std::size_t step = span.start(); step < std::min<std::size_t>(span.end(), there.size()); ++step)
        there[step] = true;
  }
  if (change.kind == "moveVertices")
    for (std::size_t step = 0; step < steps_.size(); ++step)
      if (const auto *execute = dynamic_cast<const pva::OnTileExecuteProgram *>(steps_[step].get()))
        there[step] = execute->computeset().name() == change.name;
  return std::find(there.begin(), there.end(), true) == there.end() ? std::vector<bool>() : there;
}

ChangePlace ChangePlaces::of(const TrialChange &change) {
  std::vector<std::uint64_t> tiles = change.from;
  if (tiles.empty())
    for (const pva::Variable *variable : changed(change)) {
      const pva::Values holds = variable->tiles();
      tiles.insert(tiles.end(), holds.begin(), holds.end());
    }
  ChangePlace place;
  for (const std::uint64_t tile : tiles)
    if (tile < used_.size() && (!place.tile || bytesOn(tile) > bytesOn(*place.tile) ||
                                (bytesOn(tile) == bytesOn(*place.tile) && tile < *place.tile)))
      place.tile = tile;
  if (!place.tile)
    return place;
  const TilePlaces onTile(report_, *place.tile, spans_, stepsOf(change, *place.tile));
  if (!onTile.places().empty() && onTile.worstStep() < steps_.size())
    place.step = steps_[onTile.worstStep()]->_id();
  return place;
}

} // namespace popscope
