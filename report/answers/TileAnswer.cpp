#include "report/answers/TileAnswer.hpp"

#include "base/ReadNumber.hpp"
#include "report/answers/LiveTable.hpp"
#include "report/answers/Ranking.hpp"
#include "report/answers/TilePlaces.hpp"

#include <algorithm>
#include <cstdio>

namespace popscope {
namespace {

constexpr std::size_t kUsualTileRows = 10, kMapChars = 1024;
constexpr std::size_t kMaxLineChars = 64, kMinLineChars = 8;
constexpr const char *kPastTheEnd = " past the end";
constexpr char kFree = '.', kSeveral = '+';

/// Returns the letter of a category on the map.
char letterOf(const std::string &category) {
  const auto ends = [&](const char *end) {
    const std::string tail = end;
    return category.size() >= tail.size() && category.compare(category.size() - tail.size(), tail.size(), tail) == 0;
  };
  if (category == "variable" || category == "constant")
    return category[0] == 'v' ? 'v' : 'k';
  if (ends("ExchangeCode"))
    return 'X';
  if (ends("Code") || category == "sharedCodeStorage")
    return 'C';
  if (ends("essage"))
    return 'm';
  if (category == "rearrangement" || category == "outputEdge")
    return 'r';
  if (category == "stack")
    return 'S';
  if (category.rfind("vertex", 0) == 0 || category == "copyDescriptor" || category == "sharedDataStorage" ||
      category == "vectorListDescriptor")
    return 'd';
  return 'o';
}
constexpr const char *kLegend = "v variable  k constant  m message  r rearranged  C code  X exchange code  S stack  d "
                                "vertex data  o other  + several  . free";

/// Returns the places that are occupied at a step, by address.
std::vector<Place> placesAt(const TilePlaces &tile, std::size_t step) {
  std::vector<Place> there;
  std::copy_if(tile.places().begin(), tile.places().end(), std::back_inserter(there),
               [&](const Place &p) { return p.thereAt(step); });
  return there;
}

struct FreeBytes {
  std::uint64_t count = 0, bytes = 0, largest = 0;
};

/// Returns the free bytes below the highest address in use.
FreeBytes freeBytesOf(const std::vector<Place> &places) {
  FreeBytes gaps;
  std::uint64_t end = 0;
  for (const Place &p : places) {
    if (p.begin > end) {
      ++gaps.count;
      gaps.bytes += p.begin - end;
      gaps.largest = std::max(gaps.largest, p.begin - end);
    }
    end = std::max(end, p.end);
  }
  return gaps;
}

/// Returns the address of a line of the map, such as "0x000400 ".
std::string lineAddress(std::uint64_t address) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%06llx ", static_cast<unsigned long long>(address));
  return text;
}

/// Draws the map. Each character stands for the same number of bytes: a power of two with which at most kMapChars
/// characters show all addresses. A line has as many characters as `columns` permits (0 = no limit): a power of two, so
/// that addresses stay round.
void draw(const TilePlaces &tile, const std::vector<Place> &places, std::uint64_t memory, std::uint64_t step,
          std::size_t columns, Rows &rows) {
  std::uint64_t top = 1;
  for (const Place &p : places)
    top = std::max(top, p.end);
  std::uint64_t unit = 4;
  while (unit * kMapChars < top)
    unit *= 2;
  const std::size_t around = lineAddress(top).size() + (top > memory ? std::string(kPastTheEnd).size() : 0);
  std::size_t lineChars = kMaxLineChars;
  while (columns != 0 && lineChars > kMinLineChars && around + lineChars > columns)
    lineChars /= 2;
  const std::uint64_t lines = (top + unit * lineChars - 1) / (unit * lineChars);
  std::string map(lines * lineChars, kFree);
  for (const Place &p : places) {
    const char letter = letterOf(tile.categoryOf(p));
    for (std::uint64_t c = p.begin / unit; c < (p.end + unit - 1) / unit; ++c)
      map[c] = map[c] == kFree || map[c] == letter ? letter : kSeveral;
  }
  rows.fact("bytesOfACharacter", unit, Unit::Bytes);
  rows.picture.push_back("Addresses at step " + std::to_string(step) + ", " + cellText(unit, Unit::Bytes) +
                         " a character");
  for (std::uint64_t line = 0; line < lines; ++line) {
    const std::uint64_t address = line * unit * lineChars;
    rows.picture.push_back(lineAddress(address) + map.substr(line * lineChars, lineChars) +
                           (address >= memory ? kPastTheEnd : ""));
  }
  const std::string legend = kLegend;
  rows.picture.push_back(legend.substr(0, legend.find("  X")));
  rows.picture.push_back(legend.substr(legend.find("  X") + 2));
}

/// Returns the fullest of the requested tiles, or of all tiles.
std::size_t fullestOf(const Request &request) {
  const auto chosen = selectedTiles(request.report, request.selection);
  for (const std::size_t tile : fullestTiles(request.report))
    if (std::binary_search(chosen.begin(), chosen.end(), tile))
      return tile;
  throw AnswerError("the profile has no memory data for this tile");
}

} // namespace

// Collects the use of one tile, its categories, what is live at its worst step and, if the profile has addresses, its
// gaps and the map.
Rows collectTile(const Request &request) {
  Rows rows("tile");
  const pva::Report &report = request.report;
  const std::size_t count = tileCount(report);
  if (count == 0)
    throw AnswerError("the profile has no memory part");
  const auto asked = request.argument.empty() || request.argument == "worst"
                         ? std::optional<std::uint64_t>(fullestOf(request))
                         : readWhole(request.argument, {0, count - 1});
  if (!asked)
    throw AnswerError("there is no tile \"" + request.argument + "\"; give " + describeRange({0, count - 1}) +
                      ", or worst");
  const auto tile = static_cast<std::size_t>(*asked);
  if (!tileMask(report, request.selection)[tile])
    throw AnswerError("tile " + std::to_string(tile) + " is not among the tiles that --tiles and --ipu choose");
  const pva::TileMemory m = report.compilation().tiles()[tile].memory();
  const std::uint64_t memory = report.compilation().target().bytesPerTile(), used = m.total().excludingGaps();
  const LiveTable live(report, tile, LiveMeasure::Values);
  const bool hasSteps = !live.bytes().empty(); // false: the program has no steps, so all variables are always live
  const std::size_t worst = hasSteps ? live.worstOf(StepChoice(report, request.selection)) : 0;
  rows.fact("tile", std::uint64_t(tile), Unit::Id);
  rows.fact("memory", memory, Unit::Bytes);
  rows.fact("used", used, Unit::Bytes);
  rows.fact("usedShare", Share{used, memory});
  rows.fact("usedIncludingGaps", m.total().includingGaps(), Unit::Bytes);
  rows.fact("multiple", m.category().multiple().total(), Unit::Bytes);
  rows.fact("pastTheEnd", bytesPastEnd(report, tile), Unit::Bytes);
  rows.fact("alwaysLive", live.alwaysLiveBytes(), Unit::Bytes);
  if (hasSteps) {
    rows.fact("worstStep", std::uint64_t(live.programOf(worst)), Unit::Id);
    rows.fact("worstProgram", live.titleOf(worst));
    rows.fact("liveAtWorst", live.bytes()[worst] + live.alwaysLiveBytes(), Unit::Bytes);
  }
  rows.lines.emplace_back(
      used > memory ? "Tile {tile}: {used} used, more than its {memory}, up to address {usedIncludingGaps}."
                    : "Tile {tile}: {used} of {memory} used ({usedShare}), up to address {usedIncludingGaps}.");
  if (m.category().multiple().total() != 0)
    rows.lines.emplace_back("{multiple} of them serve several categories at different times.");
  if (bytesPastEnd(report, tile) != 0)
    rows.lines.emplace_back("!Out of memory: {pastTheEnd} past the end.");
  rows.lines.emplace_back(hasSteps ? "Most bytes are live at step {worstStep}, {worstProgram}: {liveAtWorst}, "
                                     "{alwaysLive} of them at every step."
                                   : "The program has no steps, and {alwaysLive} are always live.");
  TileFacts spans;
  const TilePlaces addresses(report, tile, spans);
  const auto places = hasSteps ? placesAt(addresses, worst) : std::vector<Place>();
  Ranking categories({"categories",
                      "Allocations by category (allocations that share addresses over time all count)",
                      {{"category", "Category"},
                       {"bytes", "Bytes", Unit::Bytes},
                       {"shared", "Shared over time", Unit::Bytes},
                       {"letter", "On the map"}}});
  const auto names = pva::storageCategoryNames();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const pva::Category c = m.category().byIndex(i);
    if (c.total() != 0 && names[i] != "multiple") // no allocation has this category
      categories.add(c.total(),
                     {names[i], c.total(),
                      c.nonInterleaved().overlapped() + c.interleaved().overlapped() + c.overflowed().overlapped(),
                      std::string(1, letterOf(names[i]))});
  }
  Ranking variables({"variables",
                     hasSteps ? "Live at step " + std::to_string(live.programOf(worst)) : "Always live",
                     {{"name", "Name"},
                      {"category", "Category"},
                      {"variables", "Variables"},
                      {"bytes", "Bytes", Unit::Bytes},
                      {"live", "Live at steps", Unit::Spans}}});
  for (const LiveGroup &group : live.groupsAt(worst, request.selection.name))
    variables.add(group.bytes, {group.name, group.category, group.variables, group.bytes, group.spans});
  const std::size_t shown = request.selection.countOr(kUsualTileRows);
  rows.tables.push_back(variables.take(shown));
  rows.tables.push_back(categories.take(shown));
  if (!hasSteps)
    rows.notes.emplace_back("the map shows the addresses at a step, and the program has no steps");
  else if (places.empty())
    rows.notes.emplace_back(
        "the profile has no addresses, so there is no map; run the program with autoReport.outputLoweredVars");
  else {
    const FreeBytes gaps = freeBytesOf(places);
    rows.fact("gaps", gaps.count);
    rows.fact("gapBytes", gaps.bytes, Unit::Bytes);
    rows.fact("largestGap", gaps.largest, Unit::Bytes);
    rows.lines.emplace_back("Below the highest address in use at that step, {gapBytes} are free (gaps: {gaps}, the "
                            "largest of {largestGap}).");
    draw(addresses, places, memory, live.programOf(worst), request.columns, rows);
  }
  suggest(rows, request, "vars", "--tiles " + std::to_string(tile));
  suggest(rows, request, "live", "--tiles " + std::to_string(tile));
  return rows;
}

} // namespace popscope
