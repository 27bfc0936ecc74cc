// The pictures of popscope export --format svg. Each throws AnswerError, before it writes anything, if the profile
// lacks its data.
#pragma once
#include "report/export/Timeline.hpp"

#include <iosfwd>

namespace popscope {

/// Draws addresses over steps on one tile: the first of --tiles, or else the fullest.
TimelineResult drawMemoryFlow(std::ostream &out, const pva::Report &report, const TimelineOptions &options);
/// Draws the bytes used by each tile.
TimelineResult drawTileMap(std::ostream &out, const pva::Report &report, const TimelineOptions &options);
/// Draws live bytes over steps, by storage category.
TimelineResult drawLiveness(std::ostream &out, const pva::Report &report, const TimelineOptions &options);
/// Draws the activity of each IPU over the cycles of a run: the longest of --runs.
TimelineResult drawTimeline(std::ostream &out, const pva::Report &report, const TimelineOptions &options);
/// Draws the distribution of used bytes over tiles.
TimelineResult drawHistogram(std::ostream &out, const pva::Report &report, const TimelineOptions &options);

[[nodiscard]] bool hasLoweredVariables(const pva::Report &report);

} // namespace popscope
