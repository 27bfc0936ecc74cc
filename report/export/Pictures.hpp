// The pictures of popscope export --format svg. Each throws AnswerError, before it writes anything, for a profile
// without what it shows.
#pragma once
#include "report/export/Timeline.hpp"

#include <iosfwd>

namespace popscope {

/// Addresses over steps on one tile: the first of --tiles, else the fullest.
TimelineResult drawMemoryFlow(std::ostream &out, const pva::Report &report, const TimelineOptions &options);
/// Bytes used by each tile.
TimelineResult drawTileMap(std::ostream &out, const pva::Report &report, const TimelineOptions &options);
/// Live bytes over steps, by storage category.
TimelineResult drawLiveness(std::ostream &out, const pva::Report &report, const TimelineOptions &options);
/// What each IPU did over the cycles of a run: the longest of --runs.
TimelineResult drawTimeline(std::ostream &out, const pva::Report &report, const TimelineOptions &options);
/// How many tiles use how many bytes.
TimelineResult drawHistogram(std::ostream &out, const pva::Report &report, const TimelineOptions &options);

[[nodiscard]] bool hasLoweredVariables(const pva::Report &report);

} // namespace popscope
