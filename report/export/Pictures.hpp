// The pictures of popscope export --format svg. drawLiveness throws AnswerError for a profile without liveness.
// drawTimeline throws AnswerError if no run is selected. Both functions throw before they write anything. Call
// drawMemoryFlow only if hasLoweredVariables() returns true.
#pragma once
#include "report/export/Timeline.hpp"

#include <iosfwd>

namespace popscope {

/// Draws one tile's occupied addresses over steps. The tile is the first tile of --tiles or, without --tiles, the
/// fullest tile.
TimelineResult drawMemoryFlow(std::ostream &out, const pva::Report &report, const TimelineOptions &options);
/// Draws the bytes used by each selected tile.
TimelineResult drawTileMap(std::ostream &out, const pva::Report &report, const TimelineOptions &options);
/// Draws live bytes over steps, by storage category.
TimelineResult drawLiveness(std::ostream &out, const pva::Report &report, const TimelineOptions &options);
/// Draws the activity of each IPU over the cycles of one run: the longest run of --runs.
TimelineResult drawTimeline(std::ostream &out, const pva::Report &report, const TimelineOptions &options);
/// Draws a histogram of the used bytes of the selected tiles.
TimelineResult drawHistogram(std::ostream &out, const pva::Report &report, const TimelineOptions &options);

[[nodiscard]] bool hasLoweredVariables(const pva::Report &report);

} // namespace popscope
