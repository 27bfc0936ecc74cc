#include "report/answers/OomAnswer.hpp"

#include "base/OperandBuffers.hpp"
#include "report/answers/LeastCuts.hpp"
#include "report/answers/MappingSkew.hpp"
#include "report/answers/Ranking.hpp"
#include "report/answers/TilePlaces.hpp"

#include <algorithm>
#include <map>

namespace popscope {
namespace {

constexpr std::size_t kUsualTiles = 5, kUsualVariables = 10;

struct OverTile {
  std::size_t tile = 0, step = 0; // a liveness step
  std::uint64_t over = 0, there = 0;
  TileGaps gaps;
  bool placed = false, thereKnown = true;
};

OverTile measure(const pva::Report &report, std::size_t tile, TileFacts &spans, const std::vector<bool> &steps) {
  OverTile o;
  o.tile = tile;
  const pva::TileMemory m = report.compilation().tiles()[tile].memory();
  const TilePlaces places(report, tile, spans, steps);
  const std::uint64_t memory = report.compilation().target().bytesPerTile();
  const std::uint64_t highest = places.highest();
  o.over = std::max(bytesPastEnd(report, tile), highest > memory ? highest - memory : 0);
  o.there = m.alwaysLiveBytes() + m.notAlwaysLiveBytes();
  o.placed = !places.places().empty();
  o.thereKnown = o.placed || steps.empty();
  if (o.placed) {
    o.gaps = places.gaps();
    o.there = places.bytesAt(places.worstStep());
  }
  return o;
}

/// Returns the first `count` of the measured tiles.
Table tileTable(const std::vector<OverTile> &measured, std::uint64_t memory, std::size_t count) {
  Table table{"tiles",
              "Tiles out of memory",
              {{"tile", "Tile", Unit::Id},
               {"over", "Past the end", Unit::Bytes},
               {"there", "Most at once", Unit::Bytes},
               {"tooMuch", "Too much", Unit::Bytes},
               {"gaps", "Gaps", Unit::Bytes},
               {"alignment", "Alignment", Unit::Bytes},
               {"elements", "Elements", Unit::Bytes},
               {"regionRules", "Regions", Unit::Bytes},
               {"fragmentation", "Fragments", Unit::Bytes}}};
  for (const OverTile &o : measured) {
    if (table.rows.size() < count)
      table.rows.push_back({std::uint64_t(o.tile), o.over, knownOr(o.thereKnown, o.there),
                            knownOr(o.thereKnown, o.there > memory ? o.there - memory : 0),
                            knownOr(o.placed, o.gaps.sum()), knownOr(o.placed, o.gaps.alignment),
                            knownOr(o.placed, o.gaps.elements), knownOr(o.placed, o.gaps.regions),
                            knownOr(o.placed, o.gaps.fragmentation)});
    else
      ++table.more;
  }
  return table;
}

/// The columns that state when a variable is live (as in every view) and when its bytes are occupied. Bytes are
/// occupied, for example, from the first write of a part on, and while they hold a value that is never read.
class LiveColumns {
public:
  LiveColumns(const pva::Report &report, std::size_t tile, const LiveTable &occupied, bool placed)
      : occupied_(occupied), placed_(placed) {
    const LiveTable live(report, tile, LiveMeasure::Values);
    for (const LiveVariable &v : live.variables())
      live_[v.variable._id()] = live.spansText(v);
  }
  void addTo(Table &table) const {
    table.columns.push_back({"live", "Live at steps", Unit::Spans});
    if (placed_)
      table.columns.push_back({"occupied", "Occupied at", Unit::Spans});
  }
  void addTo(std::vector<Cell> &row, const LiveVariable &v) const {
    row.emplace_back(live_.at(v.variable._id()));
    if (placed_)
      row.emplace_back(occupied_.spansText(v));
  }

private:
  const LiveTable &occupied_;
  bool placed_;
  std::map<std::size_t, std::string> live_; // by variable
};

Table fillingTable(const LiveTable &live, const LiveColumns &columns, std::size_t step, std::size_t tile,
                   std::size_t count, const std::string &name) {
  Table table{
      "filling",
      "What fills tile " + std::to_string(tile) + " at step " + std::to_string(live.programOf(step)),
      {{"name", "Name"}, {"category", "Category"}, {"bytes", "Bytes", Unit::Bytes}, {"share", "Share", Unit::Percent}}};
  columns.addTo(table);
  Ranking ranking(std::move(table));
  const std::uint64_t all = live.bytes()[step] + live.alwaysLiveBytes();
  for (const LiveVariable &v : live.variables()) // on one tile, a variable is live as a whole
    if (v.spanAt(step) != nullptr && nameMatches(name, v.variable.name())) {
      std::vector<Cell> row{v.variable.name(), v.variable.category(), v.bytes, Share{v.bytes, all}};
      columns.addTo(row, v);
      ranking.add(v.bytes, std::move(row));
    }
  return ranking.take(count);
}

Table cutTable(const LiveTable &live, const LiveColumns &columns, const std::vector<Cut> &cuts, const char *key,
               const std::string &title, std::size_t count) {
  Table table{key,
              title,
              {{"name", "Name"},
               {"bytes", "Bytes less", Unit::Bytes},
               {"has", "Bytes on the tile", Unit::Bytes},
               {"tiles", "On tiles", Unit::Tiles}}};
  columns.addTo(table);
  for (const Cut &cut : cuts) {
    const LiveVariable &v = live.variables()[cut.variable];
    const std::uint64_t tiles = v.variable.tiles().size();
    if (table.rows.size() < count) {
      table.rows.push_back({v.variable.name(), cut.bytes, v.bytes, tiles});
      columns.addTo(table.rows.back(), v);
    } else
      ++table.more;
  }
  return table;
}

/// Returns whether buffers for operands take most of the tile's bytes at the step, not counting variables and
/// constants.
bool buffersPrevail(const LiveTable &live, std::size_t step) {
  std::uint64_t buffers = 0, others = 0;
  for (const LiveVariable &v : live.variables())
    if (v.spanAt(step) != nullptr && !mayGo(v))
      (isOperandBuffer(v.variable.category()) ? buffers : others) += v.bytes;
  return buffers > others;
}

/// Adds the free bytes on the tiles that fit.
void addRoom(const pva::Report &report, Rows &rows) {
  const std::uint64_t memory = report.compilation().target().bytesPerTile();
  std::uint64_t room = 0, most = 0;
  for (std::size_t tile = 0; tile < tileCount(report); ++tile)
    if (const std::uint64_t used = report.compilation().tiles()[tile].memory().total().includingGaps(); used < memory) {
      room += memory - used;
      most = std::max(most, memory - used);
    }
  rows.fact("freeOnOtherTiles", room, Unit::Bytes);
  rows.fact("freeOnEmptiestTile", most, Unit::Bytes);
  rows.lines.emplace_back(
      "Behind their highest addresses, other tiles have {freeOnOtherTiles} free, the emptiest {freeOnEmptiestTile}.");
}

// Explains the tile that is furthest past the end: its worst step, the causes of its gaps, what fills it, and the
// minimum to remove.
void explainWorst(const Request &request, const OverTile &worst, Rows &rows) {
  const std::uint64_t memory = request.report.compilation().target().bytesPerTile();
  // If addresses are known, occupied addresses count: these are the figures of the table of tiles.
  const LiveTable live(request.report, worst.tile, worst.placed ? LiveMeasure::Addresses : LiveMeasure::Values);
  const StepChoice steps(request.report, request.selection);
  const std::size_t step = live.worstOf(steps);
  const std::uint64_t there = live.bytes()[step] + live.alwaysLiveBytes();
  rows.fact("worstTile", std::uint64_t(worst.tile), Unit::Id);
  rows.fact("bytesPastTheEnd", worst.over, Unit::Bytes);
  rows.fact("worstStep", std::uint64_t(live.programOf(step)), Unit::Id);
  rows.fact("worstProgram", live.titleOf(step));
  rows.fact("liveAtWorst", there, Unit::Bytes);
  rows.fact("alwaysLive", live.alwaysLiveBytes(), Unit::Bytes);
  rows.fact("tooMuchLive", there > memory ? there - memory : std::uint64_t(0), Unit::Bytes);
  rows.fact("gaps", knownOr(worst.placed, worst.gaps.sum()), Unit::Bytes);
  rows.lines.emplace_back("!The worst is tile {worstTile}: {bytesPastTheEnd} past the end.");
  rows.lines.emplace_back(
      std::string(worst.placed ? "Most bytes are occupied" : "Most bytes are live") +
      " at step {worstStep}, {worstProgram}: {liveAtWorst}, {alwaysLive} of them at every step" +
      std::string(there > memory ? "; that is {tooMuchLive} more than a tile has, whatever the packing."
                  : request.selection.everyStep() ? "; that would fit: gaps put the tile over."
                                                  : "; that would fit: other steps, or gaps, put the tile over."));
  if (worst.placed) {
    rows.fact("gapsFromAlignment", worst.gaps.alignment, Unit::Bytes);
    rows.fact("gapsFromElements", worst.gaps.elements, Unit::Bytes);
    rows.fact("gapsFromRegions", worst.gaps.regions, Unit::Bytes);
    rows.fact("gapsFromFragmentation", worst.gaps.fragmentation, Unit::Bytes);
    rows.lines.emplace_back("Gaps below the highest address: {gaps}; from alignment {gapsFromAlignment}, operands in "
                            "different memory elements {gapsFromElements}, rules of regions {gapsFromRegions}, "
                            "fragmentation {gapsFromFragmentation}.");
  }
  const std::size_t shown = request.selection.countOr(kUsualVariables);
  const LiveColumns columns(request.report, worst.tile, live, worst.placed);
  rows.tables.push_back(fillingTable(live, columns, step, worst.tile, shown, request.selection.name));
  if (there <= memory)
    return;
  const auto cuts = leastCuts(live, memory, steps);
  if (!cuts) {
    rows.lines.emplace_back(
        buffersPrevail(live, step)
            ? "!The tile does not fit even without its variables and constants, and buffers for operands take the most "
              "bytes: give its vertices smaller operands, or split the compute set into several that run one after the "
              "other."
            : "!The tile does not fit even without its variables and constants: run fewer vertices there.");
    return;
  }
  rows.tables.push_back(cutTable(live, columns, *cuts, "mustGo",
                                 "What must go from tile " + std::to_string(worst.tile) + " at least", shown));
  if (const auto alone = enoughAlone(live, memory, steps); alone.size() > 1)
    rows.tables.push_back(cutTable(live, columns, alone, "enoughAlone", "Each of these alone is enough", shown));
}

} // namespace

// Measures each selected tile that does not fit, the worst first, and explains the worst one.
Rows collectOom(const Request &request) {
  Rows rows("oom");
  const pva::Report &report = request.report;
  const std::uint64_t memory = report.compilation().target().bytesPerTile();
  const auto chosen = selectedTiles(report, request.selection);
  std::vector<std::size_t> over;
  for (const std::uint32_t tile : report.popscope().tilesOutOfMemory())
    if (std::binary_search(chosen.begin(), chosen.end(), std::size_t(tile)))
      over.push_back(tile);
  rows.fact("fits", over.empty());
  rows.fact("tiles", std::uint64_t(chosen.size()), Unit::Tiles);
  rows.fact("tilesOutOfMemory", std::uint64_t(over.size()), Unit::Tiles);
  rows.fact("tileMemory", memory, Unit::Bytes);
  if (over.empty()) {
    rows.tables.push_back(tileTable({}, memory, 0));
    rows.lines.emplace_back("{tiles} of {tileMemory}: none of them is out of memory.");
    suggest(rows, request, "gap");
    suggest(rows, request, "tile");
    return rows;
  }
  rows.lines.emplace_back("!{tilesOutOfMemory} out of memory, of {tiles} with {tileMemory} each.");
  TileFacts spans;
  const std::vector<bool> steps = livenessStepMask(report, request.selection);
  std::vector<OverTile> measured;
  for (const std::size_t tile : over)
    measured.push_back(measure(report, tile, spans, steps));
  std::stable_sort(measured.begin(), measured.end(),
                   [](const OverTile &a, const OverTile &b) { return a.over > b.over; });
  std::uint64_t sum = 0;
  for (const OverTile &o : measured)
    sum += o.over;
  rows.fact("overInAll", sum, Unit::Bytes);
  rows.tables.push_back(tileTable(measured, memory, request.selection.countOr(kUsualTiles)));
  explainWorst(request, measured.front(), rows);
  addMappingSkew(request, mappingSkew(report, request.selection), kUsualVariables, rows);
  addRoom(report, rows);
  if (!measured.front().placed)
    rows.notes.emplace_back(
        "the profile has no addresses; run the program with autoReport.outputLoweredVars to see the gaps");
  if (std::any_of(rows.tables.begin(), rows.tables.end(), [](const Table &t) { return t.key == "mustGo"; }))
    rows.notes.emplace_back(
        "\"Bytes less\" is the number of bytes by which a variable must shrink with the best packing, if nothing else "
        "changes. Gaps can require more: the program's out-of-memory message states, for the three worst tiles, what "
        "fits with this compiler's packing. To move the bytes to another tile can require more, too: a vertex then "
        "needs a buffer for what it reads or writes on that tile, unless it moves as well");
  const std::string tile = std::to_string(measured.front().tile);
  if (!canAnswer(report, "fit") && !report.popscope().adviceTrials().empty())
    rows.notes.emplace_back("no set of changes that popscope.tryAdvice compiled makes the program fit; " +
                            commandFor(request, "fit", "") + " lists the best one");
  else if (!canAnswer(report, "fit"))
    rows.notes.emplace_back("to find changes with which the program fits, compile with popscope.tryAdvice: "
                            "popscope run --set popscope.tryAdvice=64 -- PROGRAM");
  suggest(rows, request, "fit");
  suggest(rows, request, "advise");
  suggest(rows, request, "tile", tile);
  suggest(rows, request, "vars", "--tiles " + tile);
  suggest(rows, request, "gap", "--tiles " + tile);
  return rows;
}

} // namespace popscope
