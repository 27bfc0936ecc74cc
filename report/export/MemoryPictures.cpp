// Pictures of memory.
#include "report/answers/Statistics.hpp"
#include "report/export/LiveByCategory.hpp"
#include "report/export/Pictures.hpp"
#include "report/export/Svg.hpp"
#include "report/summary/Format.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace popscope {
namespace {

constexpr std::size_t kMaxRects = 20000;

struct Placed {
  std::uint64_t address, bytes, from, to; // the steps [from, to)
  std::string name, category;
  [[nodiscard]] std::uint64_t area() const { return bytes * (to - from); }
};

std::vector<Placed> placedOn(const pva::Report &report, std::size_t tile, std::uint64_t steps) {
  std::vector<Placed> all;
  for (const pva::LoweredVariable &v : report.compilation().loweredVariables().forTile(tile)) {
    Placed p{v.offset(), v.bytes(), 0, steps, v.name(), v.category()};
    if (v.alwaysLive())
      all.push_back(p);
    else
      for (const pva::StepInterval &span : v.equivalenceClass().steps()) {
        p.from = span.start();
        p.to = span.end();
        all.push_back(p);
      }
  }
  return all;
}

/// Returns, for each liveness step, the id of its program. Tools name steps by these ids.
std::vector<std::size_t> stepNames(const pva::Report &report) {
  std::vector<std::size_t> names;
  for (const auto &step : report.compilation().livenessProgramSteps())
    names.push_back(step.program()->_id());
  return names;
}
constexpr const char *kStepAxis = "step, by the id of its program (loops are not unrolled)";

std::vector<LegendEntry> legendOf(const std::set<std::string> &categories) {
  std::vector<LegendEntry> legend;
  for (const std::string &category : categories)
    legend.push_back({categoryColour(category), category});
  return legend;
}

std::string stepRange(const std::vector<std::size_t> &names, std::uint64_t from, std::uint64_t to) {
  const auto name = [&](std::uint64_t step) { return std::to_string(step < names.size() ? names[step] : step); };
  return from + 1 == to ? name(from) : name(from) + " to " + name(to - 1);
}

} // namespace

bool hasLoweredVariables(const pva::Report &report) {
  return !report.compilation().loweredVariables().allBriefVars().empty();
}

// Draws one rectangle per allocation of the tile, for the kMaxRects largest: steps to the right, addresses upwards.
TimelineResult drawMemoryFlow(std::ostream &out, const pva::Report &report, const TimelineOptions &options) {
  const std::size_t tile =
      options.selection.tiles.empty() ? fullestTiles(report).front() : selectedTiles(report, options.selection).front();
  const std::uint64_t steps = std::max<std::uint64_t>(1, report.compilation().livenessProgramSteps().size());
  std::vector<Placed> all = placedOn(report, tile, steps);
  std::stable_sort(all.begin(), all.end(), [](const Placed &a, const Placed &b) { return a.area() > b.area(); });
  const std::size_t left = all.size() - std::min(all.size(), kMaxRects);
  all.resize(all.size() - left);
  std::set<std::string> categories;
  std::uint64_t top = 1;
  for (const Placed &p : all) {
    categories.insert(p.category);
    top = std::max(top, p.address + p.bytes);
  }
  const std::vector<std::size_t> names = stepNames(report);
  const pva::Target target = report.compilation().target();
  const pva::MemorySize total = report.compilation().tiles()[tile].memory().total();
  Picture picture(
      out, fmt::format("Memory of tile {} over the program", tile),
      fmt::format("{} B used of {} B, {} B with gaps; each rectangle is an allocation while it is occupied{}",
                  commas(total.excludingGaps()), commas(target.bytesPerTile()), commas(total.includingGaps()),
                  left == 0 ? "" : fmt::format("; {} smallest left out", left)),
      460, legendOf(categories));
  picture.axes({kStepAxis, 0, static_cast<double>(steps), AxisUnit::Number, names},
               {"address (bytes)", 0, static_cast<double>(top), AxisUnit::Bytes});
  for (const Placed &p : all) {
    const double x = picture.x(static_cast<double>(p.from)), y = picture.y(static_cast<double>(p.address + p.bytes));
    const double width = std::max(0.5, picture.x(static_cast<double>(p.to)) - x),
                 height = std::max(0.5, picture.y(static_cast<double>(p.address)) - y);
    picture.rect(x, y, width, height, categoryColour(p.category),
                 fmt::format("{}: {}, {} B at {}, steps {}", p.category, p.name, commas(p.bytes), commas(p.address),
                             stepRange(names, p.from, p.to)),
                 width > 3 && height > 3 ? " stroke=\"#ffffff\" stroke-width=\"0.5\"" : "");
  }
  const auto mark = [&](std::uint64_t address, const char *text, const char *colour) {
    if (address == 0 || address > top)
      return;
    const double y = picture.y(static_cast<double>(address));
    picture.line(Picture::kLeft, y, Picture::kWidth - Picture::kRight, y, colour, true);
    picture.text(Picture::kWidth - Picture::kRight - 4, y - 4, text, "end");
  };
  mark(target.interleavedOffset(), "interleaved memory begins", "#333333");
  mark(target.bytesPerTile(), "end of the tile's memory", "#cc0000");
  TimelineResult result;
  result.events = all.size();
  return result;
}

namespace {

/// Returns a colour from almost white to dark blue.
std::string shade(double part) {
  const double p = std::clamp(part, 0.0, 1.0);
  const auto mix = [&](double from, double to) { return static_cast<int>(from + (to - from) * p + 0.5); };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(236, 8), mix(242, 48), mix(250, 107));
}

} // namespace

// Draws one cell per tile, in rows, for each IPU. If there are more than kMaxRects tiles, a cell shows the fullest of
// several tiles.
TimelineResult drawTileMap(std::ostream &out, const pva::Report &report, const TimelineOptions &options) {
  const pva::Target target = report.compilation().target();
  const std::uint64_t perIpu = std::max<std::uint64_t>(1, target.tilesPerIpu());
  const std::vector<std::size_t> chosen = selectedTiles(report, options.selection);
  const std::size_t group = (chosen.size() + kMaxRects - 1) / kMaxRects; // number of tiles in a cell
  const auto tiles = report.compilation().tiles();
  std::vector<std::uint64_t> bytes;
  std::uint64_t most = 1;
  for (const std::size_t tile : chosen) {
    bytes.push_back(tiles[tile].memory().total().excludingGaps());
    most = std::max(most, bytes.back());
  }
  std::vector<std::size_t> begins; // cells, as positions in `chosen`; a cell does not contain tiles of two IPUs
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (begins.empty() || i - begins.back() == group || chosen[i] / perIpu != chosen[begins.back()] / perIpu)
      begins.push_back(i);
  std::map<std::uint64_t, std::vector<std::size_t>> byIpu;
  for (std::size_t cell = 0; cell < begins.size(); ++cell)
    byIpu[chosen[begins[cell]] / perIpu].push_back(cell);
  constexpr std::size_t kColumns = 46; // 1,472 tiles: 32 rows
  const double side = Picture::plotWidth() / kColumns, gap = 26;
  double height = 0;
  for (const auto &ipu : byIpu)
    height += gap + side * static_cast<double>((ipu.second.size() + kColumns - 1) / kColumns);
  Picture picture(out, "Bytes used by tile",
                  fmt::format("white is 0, dark is {} B; a tile has {} B{}; a red frame: does not fit. A row is {} {}",
                              commas(most), commas(target.bytesPerTile()),
                              group == 1 ? "" : fmt::format("; a cell is the fullest of {} tiles", group), kColumns,
                              group == 1 ? "tiles" : "cells"),
                  height,
                  {{shade(0), "0 B"},
                   {shade(0.33), tickText(static_cast<double>(most) / 3, AxisUnit::Bytes)},
                   {shade(0.67), tickText(2 * static_cast<double>(most) / 3, AxisUnit::Bytes)},
                   {shade(1), tickText(static_cast<double>(most), AxisUnit::Bytes)}});
  double top = Picture::kTop;
  for (const auto &[ipu, cells] : byIpu) {
    picture.text(Picture::kLeft, top + gap - 8, fmt::format("IPU {}", ipu), "start", "label");
    top += gap;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::size_t begin = begins[cells[i]],
                        end = cells[i] + 1 < begins.size() ? begins[cells[i] + 1] : chosen.size();
      const std::size_t worst =
          static_cast<std::size_t>(std::max_element(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                                                    bytes.begin() + static_cast<std::ptrdiff_t>(end)) -
                                   bytes.begin());
      const double x = Picture::kLeft + static_cast<double>(i % kColumns) * side,
                   y = top + static_cast<double>(i / kColumns) * side;
      if (i % kColumns == 0)
        picture.text(Picture::kLeft - 8, y + side / 2 + 4, "tile " + std::to_string(chosen[begin]), "end");
      const bool over = tiles[chosen[worst]].memory().overflowed().excludingGaps() != 0;
      picture.rect(x, y, side - 1, side - 1, shade(static_cast<double>(bytes[worst]) / static_cast<double>(most)),
                   fmt::format("tile {}: {} B", chosen[worst], commas(bytes[worst])),
                   over ? " stroke=\"#cc0000\" stroke-width=\"2\"" : " stroke=\"#c8d0dc\" stroke-width=\"0.5\"");
    }
    top += side * static_cast<double>((cells.size() + kColumns - 1) / kColumns);
  }
  TimelineResult result;
  result.events = begins.size();
  return result;
}

// Draws stacked areas, one per category, with always-live bytes at the bottom. If several steps share a pixel, the step
// with the most live bytes is drawn, so that the peak is visible.
TimelineResult drawLiveness(std::ostream &out, const pva::Report &report, const TimelineOptions &) {
  const LiveByCategory live(report);
  if (live.empty())
    throw AnswerError("the profile has no liveness to draw; record it with the engine option "
                      "autoReport.outputGraphProfile or autoReport.all");
  std::size_t peak = 0;
  std::set<std::string> names(live.categories().begin(), live.categories().end());
  for (std::size_t step = 0; step < live.steps(); ++step)
    if (live.total(step) > live.total(peak))
      peak = step;
  const double most = static_cast<double>(live.alwaysLive() + live.total(peak));
  names.insert("always live");
  Picture picture(out, "Live bytes over the program",
                  fmt::format("all tiles of a replica; most at step {}: {} B, of which {} B are always live",
                              live.programOf(peak), commas(live.alwaysLive() + live.total(peak)),
                              commas(live.alwaysLive())),
                  360, legendOf(names));
  picture.axes({kStepAxis, 0, static_cast<double>(live.steps()), AxisUnit::Number, stepNames(report)},
               {"live (bytes)", 0, most, AxisUnit::Bytes});
  constexpr std::size_t kPoints = 840; // if there are more steps, each pixel shows the step with the most bytes
  std::vector<std::size_t> shown;
  const std::size_t stride = (live.steps() + kPoints - 1) / kPoints;
  for (std::size_t from = 0; from < live.steps(); from += stride) {
    std::size_t best = from;
    for (std::size_t step = from; step < std::min(live.steps(), from + stride); ++step)
      if (live.total(step) > live.total(best))
        best = step;
    shown.push_back(best);
  }
  std::vector<double> base(shown.size(), 0.0);
  const auto layer = [&](const std::string &name, const auto &bytesAt) {
    std::string d, back;
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const double left = picture.x(static_cast<double>(i * stride)),
                   right = picture.x(static_cast<double>(std::min(live.steps(), (i + 1) * stride)));
      const double top = base[i] + static_cast<double>(bytesAt(shown[i]));
      d += fmt::format("{}{} {}H{}", d.empty() ? "M" : "L", coordinate(left), coordinate(picture.y(top)),
                       coordinate(right));
      back = fmt::format("L{} {}H{}", coordinate(right), coordinate(picture.y(base[i])), coordinate(left)) + back;
      base[i] = top;
    }
    picture.path(d + back + "Z", categoryColour(name), name);
  };
  layer("always live", [&](std::size_t) { return live.alwaysLive(); });
  for (std::size_t c = 0; c < live.categories().size(); ++c)
    layer(live.categories()[c], [&](std::size_t step) { return live.bytes(step, c); });
  const double at = picture.x(static_cast<double>(peak) + 0.5);
  picture.line(at, Picture::kTop, at, picture.bottom(), "#cc0000", true);
  const bool right = at > Picture::kWidth / 2;
  picture.text(at + (right ? -6 : 6), Picture::kTop + 12,
               fmt::format("most live: {} B", commas(live.alwaysLive() + live.total(peak))), right ? "end" : "start");
  TimelineResult result;
  result.events = shown.size();
  return result;
}

// Draws the distribution of used bytes over the selected tiles in bins of equal width.
TimelineResult drawHistogram(std::ostream &out, const pva::Report &report, const TimelineOptions &options) {
  constexpr std::size_t kBins = 40;
  const auto tiles = report.compilation().tiles();
  std::vector<std::uint64_t> bytes;
  for (const std::size_t tile : selectedTiles(report, options.selection))
    bytes.push_back(tiles[tile].memory().total().excludingGaps());
  const Statistics statistics = bytes.empty() ? Statistics{} : statisticsOf(bytes);
  const std::uint64_t most = std::max<std::uint64_t>(1, statistics.max), width = most / kBins + 1;
  std::vector<std::uint64_t> count((most + width) / width);
  for (const std::uint64_t b : bytes)
    ++count[b / width];
  const std::uint64_t fullest = *std::max_element(count.begin(), count.end());
  Picture picture(out, "Tiles by bytes used",
                  bytes.empty() ? "no tiles"
                                : fmt::format("{}; least {} B, median {} B, most {} B; a bar is {} B wide",
                                              counted(bytes.size(), "tile"), commas(statistics.min),
                                              commas(statistics.median), commas(statistics.max), commas(width)),
                  320, {});
  picture.axes({"bytes used on a tile", 0, static_cast<double>(count.size() * width), AxisUnit::Bytes},
               {"tiles", 0, static_cast<double>(fullest), AxisUnit::Number});
  for (std::size_t bin = 0; bin < count.size(); ++bin) {
    if (count[bin] == 0)
      continue;
    const double left = picture.x(static_cast<double>(bin * width)),
                 right = picture.x(static_cast<double>((bin + 1) * width)),
                 top = picture.y(static_cast<double>(count[bin]));
    picture.rect(
        left + 0.5, top, std::max(1.0, right - left - 1), picture.bottom() - top, "#4477aa",
        fmt::format("{} to {} B: {}", commas(bin * width), commas((bin + 1) * width - 1), counted(count[bin], "tile")));
  }
  TimelineResult result;
  result.events = bytes.size();
  return result;
}

} // namespace popscope
