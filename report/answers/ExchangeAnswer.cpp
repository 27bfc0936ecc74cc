#include "report/answers/ExchangeAnswer.hpp"

#include "base/Parallel.hpp"
#include "report/answers/MovedNames.hpp"
#include "report/answers/Ranking.hpp"
#include "report/answers/RunsAnswer.hpp"
#include "report/answers/StepTimes.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>

namespace popscope {
namespace {

constexpr std::size_t kUsualExchangeRows = 10;
constexpr std::size_t kTaskExchanges = 64; // minimum number of exchanges per task
/// An exchange is scattered if a tile receives at least kManyPieces pieces, of at most kSmallPiece bytes on average.
/// The receiver needs up to two cycles for a control between pieces (docs/inside/cost-model.md), as many cycles as two
/// words take.
constexpr std::uint64_t kManyPieces = 16, kSmallPiece = 8;

struct Hottest {
  std::size_t tile = 0;
  std::uint64_t bytes = 0;
};

struct Traffic {
  std::uint64_t sent = 0, received = 0, code = 0, pieces = 0;
};

/// The data that one exchange moves to and from the requested tiles.
struct Moved {
  Traffic all;
  Hottest most;                  // the tile that receives most
  bool piecesKnown = false;      // the profile contains the pieces, or nothing is received
  std::uint64_t mostPieces = 0;  // the largest number of pieces that one of the tiles receives
  std::uint64_t betweenIpus = 0; // see TrafficSums::bytesBetweenIpus
};

/// Sums over exchanges. One object per thread.
class TrafficSums {
public:
  TrafficSums(const std::vector<bool> &tiles, std::uint64_t ipusPerReplica)
      : ipusPerReplica_(ipusPerReplica), byTile_(tiles.size()) {
    for (std::size_t tile = 0; tile < tiles.size(); ++tile)
      if (tiles[tile])
        asked_.push_back(tile);
  }

  Moved add(const pva::ExchangeProgram &exchange) {
    Moved moved;
    const pva::Values received = exchange.bytesReceivedByTile();
    moved.all.sent = addTo(&Traffic::sent, exchange.bytesSentByTile());
    moved.all.received = addTo(&Traffic::received, received);
    moved.all.code = addTo(&Traffic::code, exchange.codeBytesByTile());
    const pva::Values pieces = exchange.messagesReceivedByTile();
    moved.piecesKnown = sumOf(pieces) != 0 || sumOf(received) == 0;
    moved.all.pieces = addTo(&Traffic::pieces, pieces);
    for (const std::size_t tile : asked_)
      moved.mostPieces = std::max(moved.mostPieces, tile < pieces.size() ? pieces[tile] : 0);
    for (const std::size_t tile : asked_)
      if (tile < received.size() && received[tile] > moved.most.bytes)
        moved.most = {tile, received[tile]};
    moved.betweenIpus = bytesBetweenIpus(exchange);
    return moved;
  }
  void addFrom(const TrafficSums &other) {
    for (std::size_t tile = 0; tile < byTile_.size(); ++tile) {
      byTile_[tile].sent += other.byTile_[tile].sent;
      byTile_[tile].received += other.byTile_[tile].received;
      byTile_[tile].code += other.byTile_[tile].code;
    }
  }
  [[nodiscard]] const std::vector<Traffic> &byTile() const { return byTile_; }

private:
  std::uint64_t addTo(std::uint64_t Traffic::*what, const pva::Values &values) {
    std::uint64_t sum = 0;
    for (const std::size_t tile : asked_) {
      const std::uint64_t value = tile < values.size() ? values[tile] : 0;
      byTile_[tile].*what += value;
      sum += value;
    }
    return sum;
  }

  /// Returns the bytes that a GlobalExchange moves from one IPU to another, in the transfers in which one of the
  /// requested tiles takes part. If several replicas send, returns the bytes of the replica that sends most. In most
  /// programs, all replicas send the same number of bytes.
  [[nodiscard]] std::uint64_t bytesBetweenIpus(const pva::ExchangeProgram &exchange) const {
    std::map<std::uint64_t, std::uint64_t> byReplica;
    std::uint64_t most = 0;
    if (exchange.type() != pva::Program::Type::GlobalExchange)
      return most;
    for (const pva::LinkTransfer &link : exchange.linkTransfers()) {
      const bool asked = std::any_of(asked_.begin(), asked_.end(), [&](std::size_t tile) {
        return tile < link.tiles.size() && link.tiles[tile] != 0;
      });
      if (asked && link.fromIpu != link.toIpu)
        most = std::max(most, byReplica[link.fromIpu / ipusPerReplica_] += link.bytes);
    }
    return most;
  }

  std::uint64_t ipusPerReplica_;
  std::vector<std::size_t> asked_;
  std::vector<Traffic> byTile_;
};

/// An exchange of many pieces of few bytes.
struct Scattered {
  std::uint64_t step = 0, cycles = 0, pieces = 0, bytes = 0;
  std::string program;
  std::optional<std::string> variables;
};

bool isScattered(const Moved &moved) {
  return moved.mostPieces >= kManyPieces && moved.all.received <= kSmallPiece * moved.all.pieces;
}

/// Appends the cells of the columns pieces, bytesPerPiece and moves. `variables`: the moved variables; `namesKnown`:
/// whether the profile contains the accesses from which these names come.
void addPieces(const pva::ExchangeProgram &exchange, const Moved &moved, const std::optional<std::string> &variables,
               bool namesKnown, std::vector<Cell> &row) {
  const bool inPieces = stepCauseOf(exchange) != StepCause::HostExchange; // a host copy has no pieces
  const bool known = inPieces && moved.piecesKnown;
  row.push_back(known ? Cell(moved.all.pieces) : Cell(Unknown{inPieces}));
  row.push_back(known && moved.all.pieces != 0 ? Cell(Ratio{moved.all.received, moved.all.pieces})
                                               : Cell(Unknown{inPieces && !known}));
  row.push_back(variables ? Cell(*variables) : Cell(Unknown{!namesKnown}));
}

/// Adds the sentence that names the slowest scattered exchange, and states how to change this exchange.
void addScattered(const Scattered &worst, Rows &rows) {
  rows.fact("scatteredStep", worst.step, Unit::Id);
  rows.fact("scatteredProgram", worst.program);
  rows.fact("scatteredVariables", worst.variables ? Cell(*worst.variables) : Cell(Unknown()));
  rows.fact("scatteredPieces", worst.pieces);
  rows.fact("scatteredMean", Ratio{worst.bytes, worst.pieces}, Unit::Bytes);
  rows.lines.push_back(std::string("Step {scatteredStep}, {scatteredProgram}, moves ") +
                       (worst.variables ? "{scatteredVariables} in " : "") +
                       "{scatteredPieces:piece} of {scatteredMean} on average.");
  rows.notes.emplace_back("each piece takes cycles and exchange code of its own: map the variables so that elements "
                          "that are adjacent in the data are adjacent on one tile, and move in contiguous runs");
}

/// Traffic between tiles over several exchanges, in the coarsest groups of tiles that one of the exchanges has.
class Pairs {
public:
  explicit Pairs(std::vector<bool> tiles) : tiles_(std::move(tiles)) {}

  void add(const pva::TileTraffic &traffic) {
    while (perGroup_ < traffic.tilesPerGroup)
      widen();
    const std::uint64_t groups = perGroup_ / traffic.tilesPerGroup;
    for (std::size_t i = 0; i < traffic.bytes.size(); ++i)
      if (selected(traffic.fromGroups[i], traffic.tilesPerGroup) ||
          selected(traffic.toGroups[i], traffic.tilesPerGroup))
        bytes_[{traffic.fromGroups[i] / groups, traffic.toGroups[i] / groups}] += traffic.bytes[i];
  }

  [[nodiscard]] bool empty() const { return bytes_.empty(); }

  [[nodiscard]] Ranking ranking() const {
    Ranking pairs({"pairs",
                   "Who sends to whom: bytes that arrive, each exchange once",
                   {{"from", "From tiles"}, {"to", "To tiles"}, {"bytes", "Bytes", Unit::Bytes}}});
    for (const auto &[ends, bytes] : bytes_)
      pairs.add(bytes, {range(ends.first), range(ends.second), bytes});
    return pairs;
  }

private:
  std::vector<bool> tiles_; // the requested tiles
  std::uint64_t perGroup_ = 1;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> bytes_; // by sender and receiver

  [[nodiscard]] bool selected(std::uint64_t group, std::uint64_t perGroup) const {
    const std::size_t end = std::min<std::size_t>((group + 1) * perGroup, tiles_.size());
    for (std::size_t tile = group * perGroup; tile < end; ++tile)
      if (tiles_[tile])
        return true;
    return false;
  }

  void widen() {
    perGroup_ *= 2;
    decltype(bytes_) wide;
    for (const auto &[ends, bytes] : bytes_)
      wide[{ends.first / 2, ends.second / 2}] += bytes;
    bytes_ = std::move(wide);
  }

  /// Returns the tiles of a group in the form of --tiles.
  [[nodiscard]] std::string range(std::uint64_t group) const {
    const std::uint64_t first = group * perGroup_;
    const std::uint64_t last = std::min<std::uint64_t>(first + perGroup_, tiles_.size()) - 1;
    return first == last ? std::to_string(first) : std::to_string(first) + "-" + std::to_string(last);
  }
};

} // namespace

// Collects the answer: each exchange with its traffic and busiest tile, the pairs of tiles that exchange most, and
// totals.
Rows collectExchange(const Request &request) {
  Rows rows("exchange");
  StepTimes times = readStepTimes(request.report, request.selection);
  struct Executed {
    std::uint64_t times = 0, cycles = 0;
    bool known = true;
  };
  std::map<std::size_t, Executed> executed; // by program
  for (const StepTime &step : times.steps) {
    Executed &sum = executed[step.program->id];
    ++sum.times;
    sum.cycles += step.part;
    sum.known = sum.known && step.timeKnown;
  }
  const bool ran = !times.steps.empty(); // false: the profile has no execution
  const std::vector<bool> tiles = tileMask(request.report, request.selection);
  const NumberSet steps = selectedSteps(request.selection);
  const pva::Target target = request.report.compilation().target();
  const bool severalIpus = target.numIPUs() > 1;
  std::vector<Column> columns = {{"step", "Step", Unit::Id},
                                 {"program", "Program"},
                                 {"executions", "Times"},
                                 {"cycles", "Cycles", Unit::Cycles},
                                 {"sent", "Sent", Unit::Bytes},
                                 {"received", "Received", Unit::Bytes},
                                 {"hottestTile", "Top tile", Unit::Id},
                                 {"hottestBytes", "It gets", Unit::Bytes},
                                 {"code", "Code", Unit::Bytes}};
  if (severalIpus)
    columns.push_back({"betweenIpus", "Between IPUs", Unit::Bytes});
  columns.push_back({"pieces", "Pieces"});
  columns.push_back({"bytesPerPiece", "Mean bytes", Unit::Bytes});
  columns.push_back({"moves", "Moves"});
  Ranking exchanges({"exchanges", "Exchanges by bytes received", columns});
  std::vector<std::shared_ptr<pva::Program>> asked;
  MovedNames names(request.report);
  for (const auto &program : allPrograms(request.report))
    if (dynamic_cast<const pva::ExchangeProgram *>(program.get()) != nullptr && steps.contains(program->_id()) &&
        names.matches(request.selection.name, *program))
      asked.push_back(program);
  TrafficSums traffic(tiles, target.ipusPerReplica());
  std::vector<Moved> moved(asked.size());
  std::mutex joined; // sums do not depend on the order
  parallelRanges({}, asked.size(), kTaskExchanges, [&](std::size_t first, std::size_t end) {
    TrafficSums part(tiles, target.ipusPerReplica());
    for (std::size_t i = first; i < end; ++i)
      moved[i] = part.add(dynamic_cast<const pva::ExchangeProgram &>(*asked[i]));
    const std::lock_guard guard(joined);
    traffic.addFrom(part);
  });
  Pairs pairs(tiles);
  bool unknownPairs = false, betweenReplicas = false;
  Traffic all;
  std::uint64_t count = 0, betweenIpus = 0;
  const bool namesKnown = request.report.popscope().hasVariableAccesses();
  std::optional<Scattered> scattered;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto &exchange = dynamic_cast<const pva::ExchangeProgram &>(*asked[i]);
    const Traffic &sums = moved[i].all;
    if (sums.sent + sums.received + sums.code == 0)
      continue;
    ++count;
    all.sent += sums.sent;
    all.received += sums.received;
    all.code += sums.code;
    if (const pva::TileTraffic ends = exchange.traffic(); !ends.bytes.empty())
      pairs.add(ends);
    else
      (exchange.type() == pva::Program::Type::DoExchange ? unknownPairs : betweenReplicas) |=
          sums.received != 0 && exchange.type() != pva::Program::Type::StreamCopyMid;
    const Hottest most = moved[i].most;
    const Executed of = executed[exchange._id()];
    const std::string title = names.titleOf(exchange);
    std::vector<Cell> row = {std::uint64_t(exchange._id()),
                             title,
                             knownOr(ran, of.times),
                             knownOr(ran && of.known, of.cycles),
                             sums.sent,
                             sums.received,
                             most.bytes == 0 ? Cell(Unknown{false}) : Cell(std::uint64_t(most.tile)),
                             most.bytes,
                             sums.code};
    betweenIpus += moved[i].betweenIpus;
    if (severalIpus)
      row.emplace_back(moved[i].betweenIpus);
    const Scattered one{exchange._id(), of.cycles, sums.pieces,
                        sums.received,  title,     names.variablesOf(exchange._id())};
    addPieces(exchange, moved[i], one.variables, namesKnown, row);
    exchanges.add(sums.received, std::move(row));
    if (isScattered(moved[i]) &&
        (!scattered || std::tie(scattered->cycles, scattered->pieces) < std::tie(one.cycles, one.pieces)))
      scattered = one;
  }
  Ranking hot({"tiles",
               "Tiles by bytes sent and received, each exchange once",
               {{"tile", "Tile", Unit::Id},
                {"sent", "Sent", Unit::Bytes},
                {"received", "Received", Unit::Bytes},
                {"code", "Exchange code", Unit::Bytes}}});
  for (std::size_t tile = 0; tile < tiles.size(); ++tile)
    if (const Traffic &t = traffic.byTile()[tile]; t.sent + t.received != 0)
      hot.add(t.sent + t.received, {std::uint64_t(tile), t.sent, t.received, t.code});
  rows.fact("exchanges", count);
  rows.fact("sent", all.sent, Unit::Bytes);
  rows.fact("received", all.received, Unit::Bytes);
  rows.fact("code", all.code, Unit::Bytes);
  const Selection &s = request.selection;
  const bool everything = s.everyTile() && s.everyStep() && s.name.empty();
  rows.lines.emplace_back(
      count == 0 && !everything
          ? "No exchange or host copy of the selection moves bytes; without --name, --tiles, --ipu, "
            "--steps and --runs, popscope exchange lists all of them."
      : count == 0 ? "The profile contains no bytes of exchanges or host copies."
      : count == 1 ? "{exchanges} exchange or host copy sends {sent} and receives {received}. Its "
                     "code takes {code}."
                   : "If each of the {exchanges} exchanges and host copies runs once, they send "
                     "{sent} and receive {received}. Their code takes {code}.");
  if (severalIpus && count != 0) {
    rows.fact("betweenIpus", betweenIpus, Unit::Bytes);
    rows.lines.emplace_back(betweenIpus == 0 ? "No data goes from one IPU to another."
                                             : "{betweenIpus} go from one IPU to another.");
  }
  if (scattered)
    addScattered(*scattered, rows);
  if (!namesKnown && count != 0)
    rows.notes.emplace_back(
        "which variables an exchange moves is not in the profile (autoReport.outputLivenessExplanation)");
  const std::size_t shown = request.selection.countOr(kUsualExchangeRows);
  rows.tables.push_back(exchanges.take(shown));
  rows.tables.push_back(hot.take(std::min<std::size_t>(shown, request.selection.count ? shown : 5)));
  if (!pairs.empty()) {
    rows.tables.push_back(pairs.ranking().take(std::min<std::size_t>(shown, request.selection.count ? shown : 5)));
    rows.notes.emplace_back("data for several tiles counts once as sent, and at each receiver as received; --steps N "
                            "shows one exchange with finer groups of tiles");
  }
  if (ran)
    rows.notes.emplace_back("cycles are the part that a step adds to the length of its runs; popscope stats --report "
                            "exchanges --of span has each execution from its start to its end");
  noteCutRuns(request.report, request.selection, rows);
  if (betweenIpus != 0 && !request.selection.everyTile())
    rows.notes.emplace_back("bytes between IPUs are the bytes of all transfers in which a selected tile takes part");
  noteReplica(rows, request);
  if (all.code != 0)
    noteNoCode(rows, request);
  if (unknownPairs)
    rows.notes.emplace_back("for some exchanges, the profile does not contain who sends to whom");
  if (betweenReplicas)
    rows.notes.emplace_back("copies between replicas are not part of the table of who sends to whom");
  suggest(rows, request, "top", "--of steps --by code");
  suggest(rows, request, "loss");
  return rows;
}

} // namespace popscope
