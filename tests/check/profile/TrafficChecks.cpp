#include "tests/check/profile/TrafficChecks.hpp"

#include <pva/pva.hpp>

namespace profile_check {
namespace {

void checkExchange(Findings &findings, const TrafficFacts &exchange) {
  const std::size_t groups = (exchange.receivedBy.size() + exchange.tilesPerGroup - 1) / exchange.tilesPerGroup;
  std::vector<std::uint64_t> in(groups), out(groups), received(groups), sent(groups);
  for (std::size_t i = 0; i < exchange.bytes.size(); ++i) {
    const std::string pair = exchange.name + ", pair " + std::to_string(i);
    if (exchange.from[i] >= groups || exchange.to[i] >= groups) {
      findings.push_back(pair + " is of tiles that there are not");
      continue;
    }
    out[exchange.from[i]] += exchange.bytes[i];
    in[exchange.to[i]] += exchange.bytes[i];
    expectAtLeast(findings, pair + ", bytes", exchange.bytes[i], 1);
    if (i != 0 && (exchange.from[i] < exchange.from[i - 1] ||
                   (exchange.from[i] == exchange.from[i - 1] && exchange.to[i] <= exchange.to[i - 1])))
      findings.push_back(pair + " is not after the one before");
  }
  for (std::size_t tile = 0; tile < exchange.receivedBy.size(); ++tile)
    received[tile / exchange.tilesPerGroup] += exchange.receivedBy[tile];
  for (std::size_t tile = 0; tile < exchange.sentBy.size(); ++tile)
    sent[tile / exchange.tilesPerGroup] += exchange.sentBy[tile];
  for (std::size_t g = 0; g < groups; ++g) {
    const std::string group = exchange.name + ", group " + std::to_string(g);
    expectEqual(findings, group + ", bytes to it and received", in[g], received[g]);
    expectAtLeast(findings, group + ", bytes from it and sent", out[g], sent[g]);
    expectEqual(findings, group + " sends", out[g] != 0 ? 1 : 0, sent[g] != 0 ? 1 : 0);
  }
}

struct Reader : pva::ProgramVisitor {
  std::vector<TrafficFacts> found;
  void visitDoExchange(const pva::DoExchangeProgram &program) override {
    const pva::TileTraffic traffic = program.traffic();
    TrafficFacts facts{
        program.name(), traffic.tilesPerGroup, traffic.fromGroups, traffic.toGroups, traffic.bytes, {}, {}};
    for (const std::uint64_t bytes : program.bytesSentByTile())
      facts.sentBy.push_back(bytes);
    for (const std::uint64_t bytes : program.bytesReceivedByTile())
      facts.receivedBy.push_back(bytes);
    found.push_back(std::move(facts));
  }
};

} // namespace

Findings checkTraffic(const std::vector<TrafficFacts> &exchanges) {
  Findings findings;
  for (const TrafficFacts &exchange : exchanges)
    checkExchange(findings, exchange);
  return findings;
}

std::vector<TrafficFacts> readTrafficFacts(const std::string &profile) {
  Reader reader;
  for (const auto &program : pva::openReport(profile).compilation().programs())
    program->accept(reader);
  return reader.found;
}

} // namespace profile_check
