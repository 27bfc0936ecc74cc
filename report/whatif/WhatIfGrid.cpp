#include "report/whatif/WhatIfGrid.hpp"

#include "report/answers/RunsAnswer.hpp"
#include "report/whatif/MachineChange.hpp"
#include "report/whatif/Recost.hpp"
#include "report/whatif/WhatIfAnswers.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

namespace popscope {
namespace {

/// Maximum number of tile-steps for which all points are estimated: about a second.
constexpr std::uint64_t kMaxForAll = 30'000'000;

struct Point {
  std::uint32_t workers, exchange, sync;
};

/// Returns a quarter, a half, one time, twice and four times the recorded value, ascending. Leaves out values below
/// `least` and repeated values.
std::vector<std::uint32_t> around(std::uint32_t recorded, std::uint32_t least) {
  std::vector<std::uint32_t> values;
  for (const std::uint32_t value : {recorded / 4, recorded / 2, recorded, recorded * 2, recorded * 4})
    if (value >= least && (values.empty() || values.back() < value))
      values.push_back(value);
  return values;
}

TileMachine machineAt(const Request &request, const TileMachine &recorded, const Point &point) {
  Request asked = request;
  for (const ViewRow &view : whatIfViews())
    if (std::string_view(view.name) == "whatif")
      for (const ViewOption &option : view.options)
        asked.options[keyOf(option)] = "";
  asked.options["workers"] = std::to_string(point.workers);
  asked.options["exchange-bytes-per-cycle"] = std::to_string(point.exchange);
  asked.options["sync-delay"] = std::to_string(point.sync);
  std::vector<std::string> notes; // notes about fields of --set; none, because --set is empty
  return machineOf(asked, recorded, notes);
}

std::vector<Point> pointsAround(const TileMachine &recorded, bool all) {
  const Point here{recorded.workerContexts, recorded.exchange.bytesPerCycle, recorded.sync.minDelayCycles};
  std::vector<Point> points;
  for (const std::uint32_t workers : around(here.workers, 1))
    for (const std::uint32_t exchange : around(here.exchange, 1))
      for (const std::uint32_t sync : around(here.sync, 1)) {
        const int differs = int(workers != here.workers) + int(exchange != here.exchange) + int(sync != here.sync);
        if (all || differs <= 1)
          points.push_back({workers, exchange, sync});
      }
  return points;
}

constexpr std::array kKinds = {StepCause::Compute,      StepCause::Exchange, StepCause::GlobalExchange,
                               StepCause::HostExchange, StepCause::HostWait, StepCause::Barrier,
                               StepCause::Control};

// Re-simulates the recorded runs on a grid of machines around the recorded one, for the sliders of the viewer.
// Simulates all machines in one pass over the steps, with sums by cause. Large profiles get fewer points (kMaxForAll).
Rows collectGrid(const Request &request) {
  const TileMachine recorded = recordedMachine(request.report);
  Rows rows("whatifGrid");
  const std::vector<std::size_t> runs = runsToRecost(request.report, request.selection, rows);
  const auto recordedRuns = request.report.execution().runs();
  std::uint64_t steps = 0;
  for (const std::size_t run : runs)
    steps += recordedRuns[run].steps().size();
  if (steps == 0)
    refuseWithoutRun(request.report);
  const bool all = steps * tileCount(request.report) <= kMaxForAll;
  const std::vector<Point> points = pointsAround(recorded, all);
  std::vector<TileMachine> machines{recorded};
  for (const Point &point : points)
    machines.push_back(machineAt(request, recorded, point));
  MachineCosts costs(request.report, std::move(machines));
  StepPrograms programs;
  std::vector<std::array<std::uint64_t, kKinds.size()>> sums(costs.machines());
  std::uint64_t length = 0;
  for (const std::size_t run : runs) {
    const RunReplay replay(request.report, programs, run);
    const std::vector<std::vector<std::uint64_t>> parts = recostRun(replay, run, costs);
    length += replay.length();
    for (std::size_t s = 0; s < replay.steps(); ++s)
      for (std::size_t m = 0; m < parts.size(); ++m)
        sums[m][static_cast<std::size_t>(replay.program(s).info->kind)] += parts[m][s];
  }
  rows.fact("cycles", length, Unit::Cycles);
  rows.fact("workers", std::uint64_t(recorded.workerContexts));
  rows.fact("exchangeBytesPerCycle", std::uint64_t(recorded.exchange.bytesPerCycle));
  rows.fact("syncDelay", std::uint64_t(recorded.sync.minDelayCycles));
  rows.fact("allPoints", std::uint64_t(all ? 1 : 0));
  Table table{"points",
              "Runs on other machines",
              {{"workers", "Workers"},
               {"exchangeBytesPerCycle", "Bytes per cycle"},
               {"syncDelay", "Sync"},
               {"cycles", "Cycles", Unit::Cycles}}};
  for (const StepCause kind : kKinds)
    table.columns.push_back({stepCauseName(kind), stepCauseName(kind), Unit::Cycles});
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto &parts = sums[i + 1];
    std::vector<Cell> row{std::uint64_t(points[i].workers), std::uint64_t(points[i].exchange),
                          std::uint64_t(points[i].sync), std::accumulate(parts.begin(), parts.end(), std::uint64_t(0))};
    row.insert(row.end(), parts.begin(), parts.end());
    table.rows.push_back(std::move(row));
  }
  rows.tables.push_back(std::move(table));
  for (const std::string &kept : costs.kept())
    rows.notes.push_back("not computed again, because the file does not contain its cost: " + kept);
  if (costs.computeSetsKept())
    rows.notes.emplace_back(
        "not computed again for other worker threads, because the file does not contain their worker "
        "slots: compute sets");
  return rows;
}

} // namespace

const ViewRow &whatIfGridView() {
  static const ViewRow row{.name = "whatifGrid",
                           .help = "The recorded runs on a grid of machines",
                           .flags = 0,
                           .examples = {},
                           .collect = collectGrid};
  return row;
}

} // namespace popscope
