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
  std::vector<bool> tiles(tileCount(request.report));
  for (const std::size_t tile : selectedTiles(request.report, request.selection))
    tiles[tile] = true;
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
  rows.notes.emplace_back(
      "the profile holds what each tile sends and receives, not from whom: a message to many tiles is sent once");
  rows.next = {commandFor(request, "top", "--of steps --by code"), commandFor(request, "loss")};
  return rows;
}

} // namespace popscope
