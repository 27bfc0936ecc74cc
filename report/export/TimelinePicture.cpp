// The picture of time: bulk-synchronous phases of a run.
#include "report/answers/RunsAnswer.hpp"
#include "report/export/Pictures.hpp"
#include "report/export/Svg.hpp"
#include "report/summary/Format.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace popscope {
namespace {

constexpr double kLaneHeight = 22, kIpuGap = 30;
constexpr std::pair<const char *, const char *> kLanes[] = {
    {"compute", "#4477aa"}, {"exchange", "#ee7733"}, {"exchange between IPUs", "#cc6644"},
    {"host", "#ddaa33"},    {"barrier", "#999999"},  {"control", "#aa3377"}};

/// A bar: slices of one lane that are nearer than half a pixel are joined.
struct Bar {
  std::uint64_t start = 0, end = 0, slices = 0;
  std::string name;
};
struct Lane {
  std::vector<Bar> bars;
  std::uint64_t busy = 0, covered = 0;
};

class Collect : public TimelineSink {
public:
  explicit Collect(std::uint64_t nearNs) : near_(nearNs) {}
  void process(std::uint32_t, const std::string &) override {}
  void lane(std::uint32_t process, std::uint32_t lane, const std::string &) override { processes_[lane] = process; }
  void begin(const Slice &) override {}
  void end(std::uint32_t, std::uint64_t) override {}
  void slice(const Slice &slice) override {
    if (slice.arguments.size() < 2) // a slice of the lane Program
      return;
    Lane &lane = lanes[{processes_[slice.lane], slice.category}];
    lane.busy += slice.end - std::min(slice.end, std::max(slice.start, lane.covered));
    lane.covered = std::max(lane.covered, slice.end);
    if (!lane.bars.empty() && slice.start <= lane.bars.back().end + near_) {
      Bar &bar = lane.bars.back();
      bar.end = std::max(bar.end, slice.end);
      ++bar.slices;
    } else
      lane.bars.push_back({slice.start, slice.end, 1, slice.name});
  }
  void counter(std::uint32_t, const std::string &, const char *, std::uint64_t,
               const std::vector<CounterValue> &) override {}

  std::map<std::pair<std::uint32_t, std::string>, Lane> lanes;

private:
  std::uint64_t near_;
  std::map<std::uint32_t, std::uint32_t> processes_;
};

std::size_t longestRun(const pva::Report &report, const TimelineOptions &options) {
  const auto chosen = selectedRuns(report, options.selection);
  if (chosen.empty())
    refuseWithoutRun(report);
  const auto runs = report.execution().runs();
  return *std::max_element(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) {
    return runs[a].totalCycles().total() < runs[b].totalCycles().total();
  });
}

} // namespace

// Writes the timeline of the longest selected run to bars, joined below half a pixel, and draws a lane per IPU and
// kind.
TimelineResult drawTimeline(std::ostream &out, const pva::Report &report, const TimelineOptions &options) {
  const std::size_t position = longestRun(report, options);
  const pva::Run run = report.execution().runs()[position];
  const std::uint64_t cycles = std::max<std::uint64_t>(1, run.totalCycles().total());
  TimelineOptions one = options;
  one.selection.runs = std::to_string(position);
  one.selection.tiles = one.pvti = "";
  one.byClock = false;
  one.maxEvents = 0;
  Collect collect(static_cast<std::uint64_t>(static_cast<double>(cycles) / Picture::plotWidth() / 2));
  TimelineResult result = writeTimeline(report, one, collect);
  std::map<std::uint32_t, std::vector<std::size_t>> rows; // kinds by process
  for (std::size_t kind = 0; kind < std::size(kLanes); ++kind)
    for (const auto &entry : collect.lanes)
      if (entry.first.second == kLanes[kind].first)
        rows[entry.first.first].push_back(kind);
  double height = 0;
  for (const auto &entry : rows)
    height += kIpuGap + kLaneHeight * static_cast<double>(entry.second.size());
  Picture picture(
      out,
      fmt::format("Run {}: {}", position, run.name().empty() ? "program " + std::to_string(run.program()) : run.name()),
      fmt::format("{}, {}; a bar lasts from the start of the first tile to the end of the last one; a bar of a "
                  "barrier begins when the last tile arrives",
                  counted(cycles, "cycle"), report.popscope().cycleProvenance()),
      std::max(40.0, height), {});
  picture.xAxis({"cycles since the run began", 0, static_cast<double>(cycles), AxisUnit::Number});
  double top = Picture::kTop;
  for (const auto &entry : rows) {
    picture.text(24, top + kIpuGap - 10, fmt::format("IPU {}", entry.first - 1), "start", "label");
    top += kIpuGap;
    for (const std::size_t kind : entry.second) {
      const Lane &lane = collect.lanes.at({entry.first, kLanes[kind].first});
      const bool wide = std::string(kLanes[kind].first).size() > 12;
      picture.text(
          Picture::kLeft - 6, top + 14,
          std::string(wide ? "links" : kLanes[kind].first) + " " + percent(std::min(lane.busy, cycles), cycles), "end");
      for (const Bar &bar : lane.bars) {
        const double x = picture.x(static_cast<double>(bar.start));
        picture.rect(x, top + 2, std::max(0.4, picture.x(static_cast<double>(bar.end)) - x), kLaneHeight - 6,
                     kLanes[kind].second,
                     fmt::format("{}{}, {} from {}", bar.name,
                                 bar.slices == 1 ? "" : fmt::format(" and {} more", bar.slices - 1),
                                 counted(bar.end - bar.start, "cycle"), commas(bar.start)));
        ++result.events;
      }
      top += kLaneHeight;
    }
  }
  return result;
}

} // namespace popscope
