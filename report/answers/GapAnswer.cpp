#include "report/answers/GapAnswer.hpp"

#include "report/answers/Ranking.hpp"
#include "report/answers/TilePlaces.hpp"

#include <algorithm>

namespace popscope {
namespace {

constexpr std::size_t kUsualGapRows = 10;

struct TileGap {
  std::uint64_t bound = 0, highest = 0;
  bool placed = false, known = false; // placed: addresses are known, hence gaps and step; known: the bound is known
  TileGaps gaps;
  std::size_t step = 0;
};

TileGap gapOf(const pva::Report &report, std::size_t tile, TileFacts &spans, const std::vector<bool> &steps) {
  TileGap gap;
  const TilePlaces places(report, tile, spans, steps);
  const pva::TileMemory m = report.compilation().tiles()[tile].memory();
  gap.highest = m.total().includingGaps();
  gap.bound = steps.empty() ? m.alwaysLiveBytes() + m.notAlwaysLiveBytes() : 0;
  gap.placed = !places.places().empty();
  if (gap.placed) {
    gap.gaps = places.gaps();
    gap.highest = places.highest();
    gap.bound = places.highest() - gap.gaps.sum();
    gap.step = places.worstStep();
  }
  gap.known = gap.bound != 0 && gap.bound <= gap.highest; // not every profile contains the variables of a tile
  return gap;
}

struct Sums {
  std::uint64_t highest = 0, bound = 0, over = 0, couldFit = 0;
  TileGaps gaps;
};

/// Returns the selected tiles that hold a part of a variable with a selected name. Without --name, returns the selected
/// tiles.
std::vector<std::size_t> tilesToTell(const Request &request) {
  std::vector<std::size_t> tiles = selectedTiles(request.report, request.selection);
  if (request.selection.name.empty())
    return tiles;
  std::vector<bool> holds(tileCount(request.report));
  for (const auto &variable : request.report.compilation().variables())
    if (nameMatches(request.selection.name, variable.name()))
      for (const std::uint64_t tile : variable.tiles())
        if (tile < holds.size())
          holds[tile] = true;
  tiles.erase(std::remove_if(tiles.begin(), tiles.end(), [&](std::size_t tile) { return !holds[tile]; }), tiles.end());
  return tiles;
}

void addFacts(Rows &rows, const Sums &sums, std::size_t tiles, bool placed, bool known, bool everyStep) {
  rows.fact("tiles", std::uint64_t(tiles), Unit::Tiles);
  rows.fact("highest", sums.highest, Unit::Bytes);
  rows.fact("lowerBound", knownOr(known, sums.bound), Unit::Bytes);
  rows.fact("difference", knownOr(known, sums.highest - std::min(sums.bound, sums.highest)), Unit::Bytes);
  rows.fact("differenceShare", shareOr(known, sums.highest - std::min(sums.bound, sums.highest), sums.highest));
  const std::string subject =
      tiles == 1 ? "{tiles}: its highest address is {highest}" : "{tiles}: their highest addresses add up to {highest}";
  const char *atOnce = !known && tiles == 1 ? "; the bytes at one time are not known."
                       : !known             ? "; the bytes at one time are not known for all of them."
                       : tiles == 1 ? ". Of these bytes, {lowerBound} are occupied at its worst step; the difference "
                                      "is {difference} ({differenceShare})."
                                    : ". Of these bytes, {lowerBound} are occupied at each tile's worst step; the "
                                      "difference is {difference} ({differenceShare}).";
  rows.lines.push_back(subject + atOnce);
  rows.fact("alignment", knownOr(placed, sums.gaps.alignment), Unit::Bytes);
  rows.fact("elements", knownOr(placed, sums.gaps.elements), Unit::Bytes);
  rows.fact("regionRules", knownOr(placed, sums.gaps.regions), Unit::Bytes);
  rows.fact("fragmentation", knownOr(placed, sums.gaps.fragmentation), Unit::Bytes);
  if (placed)
    rows.lines.emplace_back(
        "Causes of the gaps: {alignment} from alignment, {elements} from operands in different memory elements, "
        "{regionRules} from rules of regions (code, data, interleaved), {fragmentation} from fragmentation.");
  rows.fact("tilesOutOfMemory", sums.over, Unit::Tiles);
  rows.fact("tilesThatCouldFit", knownOr(everyStep, sums.couldFit), Unit::Tiles);
  if (!everyStep)
    rows.lines.emplace_back("The bytes at one time are those of the selected steps: only all steps together show "
                            "whether a better packing would help.");
  else if (sums.over == 0)
    rows.lines.emplace_back("All of them fit: a better packing would only leave more free memory.");
  else
    rows.lines.emplace_back(sums.couldFit == 0 ? "!{tilesOutOfMemory} out of memory, and no packing would help: at one "
                                                 "step, more is occupied than a tile has."
                                               : "!{tilesOutOfMemory} out of memory; a better packing would help on "
                                                 "{tilesThatCouldFit}, whose bytes at the worst step fit.");
}

} // namespace

// Collects the answer: for each selected tile its highest address, its lower bound, and the gap between them by cause.
Rows collectGap(const Request &request) {
  Rows rows("gap");
  const pva::Report &report = request.report;
  const auto tiles = tilesToTell(request);
  if (tiles.empty() && request.selection.name.empty())
    throw AnswerError("the profile has no memory data for these tiles");
  const std::uint64_t memory = report.compilation().target().bytesPerTile();
  const auto steps = report.compilation().livenessProgramSteps();
  Ranking ranking({"tiles",
                   "Tiles by gap",
                   {{"tile", "Tile", Unit::Id},
                    {"lowerBound", "Peak", Unit::Bytes},
                    {"highest", "Up to", Unit::Bytes},
                    {"difference", "Difference", Unit::Bytes},
                    {"alignment", "Alignment", Unit::Bytes},
                    {"elements", "Elements", Unit::Bytes},
                    {"regionRules", "Regions", Unit::Bytes},
                    {"fragmentation", "Fragments", Unit::Bytes},
                    {"over", "Over", Unit::Bytes},
                    {"step", "At step", Unit::Id},
                    {"pays", "Pays"}}});
  Sums sums;
  TileFacts spans;
  const std::vector<bool> chosen = livenessStepMask(report, request.selection);
  bool placed = false, known = true;
  for (const std::size_t tile : tiles) {
    const TileGap g = gapOf(report, tile, spans, chosen);
    const std::uint64_t over = g.highest > memory ? g.highest - memory : 0,
                        difference = g.known ? g.highest - g.bound : 0;
    const bool pays = g.known && over != 0 && g.bound <= memory && chosen.empty();
    known = known && (g.known || g.highest == 0);
    placed = placed || g.placed;
    sums.highest += g.highest;
    sums.bound += g.bound;
    sums.gaps.alignment += g.gaps.alignment;
    sums.gaps.elements += g.gaps.elements;
    sums.gaps.regions += g.gaps.regions;
    sums.gaps.fragmentation += g.gaps.fragmentation;
    sums.over += over != 0 ? 1 : 0;
    sums.couldFit += pays ? 1 : 0;
    const bool stepKnown = g.placed && g.step < steps.size();
    const std::uint64_t step = stepKnown ? steps[g.step].program()->_id() : 0;
    ranking.add(g.known ? std::optional(difference) : std::nullopt,
                {std::uint64_t(tile), knownOr(g.known, g.bound), g.highest, knownOr(g.known, difference),
                 knownOr(g.placed, g.gaps.alignment), knownOr(g.placed, g.gaps.elements),
                 knownOr(g.placed, g.gaps.regions), knownOr(g.placed, g.gaps.fragmentation), over,
                 knownOr(stepKnown, step), chosen.empty() ? Cell(pays) : Cell(Unknown())});
  }
  rows.tables.push_back(ranking.take(request.selection.countOr(kUsualGapRows)));
  if (tiles.empty()) {
    rows.fact("tiles", std::uint64_t(0), Unit::Tiles);
    rows.lines.emplace_back("No variable that --name selects lies on the tiles chosen.");
    suggest(rows, request, "vars");
    return rows;
  }
  addFacts(rows, sums, tiles.size(), placed, known, chosen.empty());
  if (!placed)
    rows.notes.emplace_back("no addresses in the profile; write it with autoReport.outputLoweredVars to know the gap");
  else
    rows.notes.emplace_back("fragmentation is memory that is occupied at other steps, or free between allocations; how "
                            "much of it a better packing could remove is unknown");
  suggest(rows, request, "tile",
          rows.tables[0].rows.empty() ? std::string() : cellText(rows.tables[0].rows[0][0], Unit::Id));
  if (sums.over != 0)
    suggest(rows, request, "oom");
  return rows;
}

} // namespace popscope
