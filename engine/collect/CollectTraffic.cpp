// From which tiles to which each exchange moves how much: exactly where few pairs of tiles take part, else in groups of
// neighbours, so that a profile of any program stays small.
#include "engine/collect/CollectTraffic.hpp"

#include <algorithm>
#include <limits>

namespace popscope {
namespace {

constexpr std::size_t kPairsOfAll = std::size_t(1) << 20;   // of a profile, about
constexpr std::size_t kMostPairs = 4096, kFewestPairs = 64; // that an exchange may have

struct Pair {
  std::uint32_t from = 0, to = 0;
  Bytes bytes;
};

/// In ascending order of a number below `end`; those with the same keep their order.
void countingSort(std::vector<Pair> &pairs, std::uint32_t Pair::*key, std::uint32_t end) {
  std::vector<std::uint32_t> next(end + std::size_t(1), 0);
  for (const Pair &pair : pairs)
    ++next[pair.*key + std::size_t(1)];
  for (std::uint32_t k = 0; k < end; ++k)
    next[k + std::size_t(1)] += next[k];
  std::vector<Pair> sorted(pairs.size());
  for (const Pair &pair : pairs)
    sorted[next[pair.*key]++] = pair;
  pairs.swap(sorted);
}

/// Sums what goes between the same two, by sender, then receiver.
void mergePairs(std::vector<Pair> &pairs) {
  std::uint32_t end = 0;
  for (const Pair &pair : pairs)
    end = std::max({end, pair.from + 1, pair.to + 1});
  if (end / 4 < pairs.size()) {
    countingSort(pairs, &Pair::to, end);
    countingSort(pairs, &Pair::from, end);
  } else {
    std::sort(pairs.begin(), pairs.end(),
              [](const Pair &a, const Pair &b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
  }
  std::size_t kept = 0;
  for (const Pair &pair : pairs)
    if (kept != 0 && pairs[kept - 1].from == pair.from && pairs[kept - 1].to == pair.to)
      pairs[kept - 1].bytes += pair.bytes;
    else
      pairs[kept++] = pair;
  pairs.resize(kept);
}

TrafficRecord trafficOf(const StepProgram &program, const ExchangeStep &exchange, std::size_t most) {
  std::vector<Pair> pairs;
  pairs.reserve(exchange.numMessages);
  for (std::uint32_t m = exchange.firstMessage; m < exchange.firstMessage + exchange.numMessages; ++m) {
    const Message &message = program.messages[m];
    pairs.push_back({program.homes[message.src].tile.index(), program.homes[message.dst].tile.index(), message.bytes});
  }
  mergePairs(pairs);
  TrafficRecord record;
  while (pairs.size() > most) {
    record.tilesPerGroup *= 2;
    for (Pair &pair : pairs)
      pair = {pair.from / 2, pair.to / 2, pair.bytes};
    mergePairs(pairs);
  }
  for (const Pair &pair : pairs) {
    if (pair.bytes.count() > std::numeric_limits<std::uint32_t>::max())
      return {}; // not recorded
    record.fromGroups.push_back(pair.from);
    record.toGroups.push_back(pair.to);
    record.bytes.push_back(narrow(pair.bytes).count());
  }
  return record;
}

/// The exchange of a step within a replica; null = it has none.
const ExchangeStep *exchangeOf(const StepProgram &program, const Step &step) {
  if (step.kind != StepKind::DoExchange && step.kind != StepKind::GlobalExchange)
    return nullptr;
  const ExchangeStep &exchange = program.exchanges[step.payload];
  return exchange.replicaMap < 0 ? &exchange : nullptr;
}

} // namespace

TrafficCollector::TrafficCollector(const StepProgram &program) : program_(program) {
  std::size_t exchanges = 0;
  for (const Step &step : program.steps.raw())
    exchanges += exchangeOf(program, step) != nullptr ? 1 : 0;
  most_ = std::clamp(kPairsOfAll / std::max<std::size_t>(exchanges, 1), kFewestPairs, kMostPairs);
}

TrafficRecord TrafficCollector::of(const Step &step) const {
  const ExchangeStep *exchange = exchangeOf(program_, step);
  return exchange != nullptr ? trafficOf(program_, *exchange, most_) : TrafficRecord();
}

} // namespace popscope
