#include "report/answers/MappingSkew.hpp"

#include "report/answers/LeastCuts.hpp"
#include "report/answers/Ranking.hpp"

#include <algorithm>

namespace popscope {
namespace {

constexpr std::uint64_t kSkewed = 2; // a tile or variable is skewed from this multiple of an even distribution on

/// The variables that make a mapping skewed, and the bytes that an even distribution of these variables leaves on the
/// tile.
class Spread {
public:
  Spread(const Request &request, const MappingSkew &skew)
      : live_(request.report, skew.tile, LiveMeasure::Values), tiles_(skew.allTiles) {
    std::vector<std::int64_t> change(live_.bytes().size() + 1); // change of the bytes per step, if the variables are
                                                                // spread
    std::uint64_t always = live_.alwaysLiveBytes();
    for (const LiveVariable &v : live_.variables()) {
      if (!mayGo(v) || v.bytes <= kSkewed * evenShare(v))
        continue;
      variables_.push_back(&v);
      if (v.variable.alwaysLive())
        always -= less(v);
      else
        for (const pva::StepInterval &span : v.spans) {
          change[span.start()] -= static_cast<std::int64_t>(less(v));
          change[span.end()] += static_cast<std::int64_t>(less(v));
        }
    }
    const StepChoice steps(request.report, request.selection);
    std::int64_t sum = 0;
    for (std::size_t s = 0; s < live_.bytes().size(); ++s) {
      sum += change[s];
      if (steps.contains(live_.programOf(s)))
        left_ = std::max(left_, live_.bytes()[s] + always - static_cast<std::uint64_t>(-sum));
    }
  }
  [[nodiscard]] std::size_t count() const { return variables_.size(); }
  /// Returns the largest number of live bytes on the tile at a selected step, after the variables are spread.
  [[nodiscard]] std::uint64_t left() const { return left_; }
  [[nodiscard]] Table table(const Request &request, const MappingSkew &skew, std::size_t usual) const {
    Ranking ranking({"spread",
                     "Variables to map to more tiles, which make tile " + std::to_string(skew.tile) + " full",
                     {{"name", "Name"},
                      {"bytes", "Bytes on the tile", Unit::Bytes},
                      {"size", "Of", Unit::Bytes},
                      {"tiles", "On tiles", Unit::Tiles},
                      {"evenShare", "Even share", Unit::Bytes},
                      {"less", "Bytes less", Unit::Bytes}}});
    for (const LiveVariable *v : variables_)
      if (nameMatches(request.selection.name, v->variable.name()))
        ranking.add(less(*v), {v->variable.name(), v->bytes, v->variable.size(),
                               std::uint64_t(v->variable.tiles().size()), evenShare(*v), less(*v)});
    return ranking.take(request.selection.countOr(usual));
  }

private:
  [[nodiscard]] std::uint64_t evenShare(const LiveVariable &v) const {
    return (v.variable.size() + tiles_ - 1) / tiles_;
  }
  [[nodiscard]] std::uint64_t less(const LiveVariable &v) const { return v.bytes - evenShare(v); }

  LiveTable live_;
  std::uint64_t tiles_, left_ = 0;
  std::vector<const LiveVariable *> variables_; // pointers into live_
};

} // namespace

MappingSkew mappingSkew(const pva::Report &report, const Selection &selection) {
  MappingSkew skew;
  const auto chosen = selectedTiles(report, selection);
  const auto over = report.popscope().tilesOutOfMemory(); // the fullest first
  const auto fullest = std::find_if(over.begin(), over.end(), [&](std::uint32_t tile) {
    return std::binary_search(chosen.begin(), chosen.end(), std::size_t(tile));
  });
  skew.allTiles = tileCount(report);
  if (fullest == over.end() || skew.allTiles == 0)
    return skew;
  const auto upTo = [&](std::size_t tile) {
    return report.compilation().tiles()[tile].memory().total().includingGaps();
  };
  std::uint64_t sum = 0;
  for (std::size_t tile = 0; tile < skew.allTiles; ++tile)
    sum += upTo(tile);
  skew.tile = *fullest;
  skew.bytes = upTo(skew.tile);
  skew.mean = sum / skew.allTiles;
  skew.skewed = skew.bytes >= kSkewed * skew.mean;
  return skew;
}

void addMappingSkew(const Request &request, const MappingSkew &skew, std::size_t usual, Rows &rows) {
  if (skew.bytes == 0)
    return;
  rows.fact("meanPerTile", skew.mean, Unit::Bytes);
  rows.fact("allTiles", skew.allTiles, Unit::Tiles);
  rows.fact("mappingSkewed", skew.skewed);
  if (!skew.skewed) {
    rows.lines.emplace_back("The highest addresses of all {allTiles} have a mean of {meanPerTile}.");
    return;
  }
  rows.fact("skewedTile", std::uint64_t(skew.tile), Unit::Id);
  rows.fact("skewedTileBytes", skew.bytes, Unit::Bytes);
  rows.lines.emplace_back("!The mapping is skewed: the highest address of tile {skewedTile} is {skewedTileBytes}, and "
                          "the mean of all {allTiles} is {meanPerTile}.");
  const std::uint64_t memory = request.report.compilation().target().bytesPerTile();
  const Spread spread(request, skew);
  const bool fits = spread.left() <= memory;
  rows.fact("variablesToSpread", std::uint64_t(spread.count()));
  rows.fact("liveAfterSpreading", spread.left(), Unit::Bytes);
  rows.fact("mend",
            spread.count() == 0
                ? std::string("Map the vertices of this tile to more tiles (Graph::setTileMapping): its variables are "
                              "already on many tiles.")
                : std::string("Map the variables of the table below to more tiles (Graph::setTileMapping), and the "
                              "vertices that use them, too."));
  rows.lines.emplace_back("{mend}");
  if (spread.count() != 0) {
    const bool one = spread.count() == 1;
    rows.lines.push_back(
        std::string(one ? "If this variable is spread" : "If these {variablesToSpread} variables are spread") +
        " evenly over all tiles, with the vertices that use " + (one ? "it" : "them") +
        ", at most {liveAfterSpreading} are live at one time on this tile, " +
        (fits ? "which fits." : "which is more than it has: move its vertices to other tiles."));
    rows.tables.push_back(spread.table(request, skew, usual));
  }
}

} // namespace popscope
