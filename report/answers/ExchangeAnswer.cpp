#include "report/answers/ExchangeAnswer.hpp"

#include "report/answers/Ranking.hpp"
#include "report/answers/StepTimes.hpp"

#include <algorithm>

namespace popscope {
namespace {

constexpr std::size_t kUsualExchangeRows = 10;

struct Hottest {
  std::size_t tile = 0;
  std::uint64_t bytes = 0;
};

Hottest hottest(const pva::Values &values, const std::vector<bool> &tiles) {
  Hottest found;
  for (std::size_t tile = 0; tile < std::min(values.size(), tiles.size()); ++tile)
    if (tiles[tile] && values[tile] > found.bytes)
      found = {tile, values[tile]};
  return found;
}

std::uint64_t sumOn(const pva::Values &values, const std::vector<bool> &tiles) {
  std::uint64_t sum = 0;
  for (std::size_t tile = 0; tile < std::min(values.size(), tiles.size()); ++tile)
    sum += tiles[tile] ? values[tile] : 0;
  return sum;
}

struct Traffic {
  std::uint64_t sent = 0, received = 0, code = 0;
};

/// Who sends to whom, over several exchanges, in the coarsest groups of tiles that one of them has.
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
                   {{"from", "From tiles"}, {"to", "To tiles"}, {"bytes", "Bytes", Unit::Bytes}},
                   {}});
    for (const auto &[ends, bytes] : bytes_)
      pairs.add(bytes, {range(ends.first), range(ends.second), bytes});
    return pairs;
  }

private:
  std::vector<bool> tiles_; // that were asked for
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

  /// As --tiles takes it.
  [[nodiscard]] std::string range(std::uint64_t group) const {
    const std::uint64_t first = group * perGroup_;
    const std::uint64_t last = std::min<std::uint64_t>(first + perGroup_, tiles_.size()) - 1;
    return first == last ? std::to_string(first) : std::to_string(first) + "-" + std::to_string(last);
  }
};

} // namespace

Rows collectExchange(const Request &request) {
  Rows rows;
  rows.view = "exchange";
  StepTimes times;
  readStepTimes(request.report, request.selection, times);
  std::map<std::size_t, std::pair<std::uint64_t, std::uint64_t>> executed; // executions, cycles
  for (const StepTime &step : times.steps) {
    ++executed[step.program->id].first;
    executed[step.program->id].second += step.cycles;
  }
  const std::vector<bool> tiles = tileMask(request.report, request.selection);
  const NumberSet steps = selectedSteps(request.selection);
  Ranking exchanges({"exchanges",
                     "Exchanges by bytes received",
                     {{"step", "Step", Unit::Id},
                      {"program", "Program"},
                      {"executions", "Times"},
                      {"cycles", "Cycles", Unit::Cycles},
                      {"sent", "Sent", Unit::Bytes},
                      {"received", "Received", Unit::Bytes},
                      {"hottestTile", "Hottest", Unit::Id},
                      {"hottestBytes", "Gets", Unit::Bytes},
                      {"code", "Code", Unit::Bytes}},
                     {}});
  std::vector<Traffic> traffic(tiles.size());
  Pairs pairs(tiles);
  bool unknownPairs = false;
  Traffic all;
  std::uint64_t count = 0;
  for (const auto &program : allPrograms(request.report)) {
    const auto *exchange = dynamic_cast<const pva::ExchangeProgram *>(program.get());
    const std::string name = program->name();
    if (exchange == nullptr || !steps.contains(program->_id()) ||
        (!request.selection.name.empty() && !nameMatches(request.selection.name, name)))
      continue;
    const pva::Values sent = exchange->bytesSentByTile(), received = exchange->bytesReceivedByTile(),
                      code = exchange->codeBytesByTile();
    const std::uint64_t out = sumOn(sent, tiles), in = sumOn(received, tiles), codeBytes = sumOn(code, tiles);
    if (out + in + codeBytes == 0)
      continue;
    ++count;
    all.sent += out;
    all.received += in;
    all.code += codeBytes;
    for (std::size_t tile = 0; tile < tiles.size(); ++tile)
      if (tiles[tile]) {
        traffic[tile].sent += tile < sent.size() ? sent[tile] : 0;
        traffic[tile].received += tile < received.size() ? received[tile] : 0;
        traffic[tile].code += tile < code.size() ? code[tile] : 0;
      }
    if (const pva::TileTraffic ends = exchange->traffic(); !ends.bytes.empty())
      pairs.add(ends);
    else
      unknownPairs = unknownPairs || (exchange->type() == pva::Program::Type::DoExchange && in != 0);
    const Hottest most = hottest(received, tiles);
    const auto run = executed.find(program->_id());
    exchanges.add(in, {std::uint64_t(program->_id()), programTitle(*program),
                       run == executed.end() ? std::uint64_t(0) : run->second.first,
                       run == executed.end() ? std::uint64_t(0) : run->second.second, out, in,
                       most.bytes == 0 ? Cell(Unknown()) : Cell(std::uint64_t(most.tile)), most.bytes, codeBytes});
  }
  Ranking hot({"tiles",
               "Tiles by bytes sent and received, each exchange once",
               {{"tile", "Tile", Unit::Id},
                {"sent", "Sent", Unit::Bytes},
                {"received", "Received", Unit::Bytes},
                {"code", "Exchange code", Unit::Bytes}},
               {}});
  for (std::size_t tile = 0; tile < traffic.size(); ++tile)
    if (const Traffic &t = traffic[tile]; t.sent + t.received != 0)
      hot.add(t.sent + t.received, {std::uint64_t(tile), t.sent, t.received, t.code});
  rows.fact("exchanges", count);
  rows.fact("sent", all.sent, Unit::Bytes);
  rows.fact("received", all.received, Unit::Bytes);
  rows.fact("code", all.code, Unit::Bytes);
  rows.lines.emplace_back(
      "{exchanges} exchanges and host copies; each once: {sent} sent, {received} received, {code} of code.");
  const std::size_t shown = request.selection.countOr(kUsualExchangeRows);
  rows.tables.push_back(exchanges.take(shown));
  rows.tables.push_back(hot.take(std::min<std::size_t>(shown, request.selection.count ? shown : 5)));
  if (!pairs.empty()) {
    rows.tables.push_back(pairs.ranking().take(std::min<std::size_t>(shown, request.selection.count ? shown : 5)));
    rows.notes.emplace_back(
        "what goes to several tiles is sent once and arrives at each; --steps N shows one exchange, "
        "where tiles are told apart more finely");
  }
  if (unknownPairs)
    rows.notes.emplace_back("the profile does not tell who sends to whom in all of them: its format is 6 or older");
  rows.next = {commandFor(request, "top", "--of steps --by code"), commandFor(request, "loss")};
  return rows;
}

} // namespace popscope
