// Collects the bytes that each exchange moves between tiles. The record is exact for few pairs of tiles, and by groups
// of neighbouring tiles otherwise, so that a profile of any program stays small.
#include "engine/collect/CollectTraffic.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <iterator>
#include <limits>

namespace popscope {
namespace {

constexpr std::size_t kPairsOfAll = std::size_t(1) << 20;  // approximate limit of a whole profile
constexpr std::size_t kMaxPairs = 4096, kFewestPairs = 64; // limits of one exchange

struct Pair {
  std::uint32_t from = 0, to = 0;
  Bytes bytes;
};

/// Sorts stably by the member `key`, whose values lie below `end`. Takes linear time.
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

/// Returns one more than the highest tile number of a sender or receiver.
std::uint32_t endOf(const std::vector<Pair> &pairs) {
  std::uint32_t end = 0;
  for (const Pair &pair : pairs)
    end = std::max({end, pair.from + 1, pair.to + 1});
  return end;
}

/// Sorts by sender, then receiver.
void sortPairs(std::vector<Pair> &pairs) {
  const std::uint32_t end = endOf(pairs);
  if (end / 4 < pairs.size()) {
    const auto precedes = [](const Pair &a, const Pair &b) { return a.to < b.to; };
    if (!std::is_sorted(pairs.begin(), pairs.end(), precedes)) // messages are often sorted
      countingSort(pairs, &Pair::to, end);
    countingSort(pairs, &Pair::from, end);
  } else {
    std::sort(pairs.begin(), pairs.end(),
              [](const Pair &a, const Pair &b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
  }
}

/// Sums up pairs with the same sender and receiver.
void joinPairs(std::vector<Pair> &pairs) {
  std::size_t kept = 0;
  for (std::size_t i = 1; i < pairs.size(); ++i) { // has no branch, because a branch would often be mispredicted
    const Pair pair = pairs[i], last = pairs[kept];
    const bool isSame = pair.from == last.from && pair.to == last.to;
    kept += isSame ? 0 : 1;
    pairs[kept] = {pair.from, pair.to, pair.bytes + (isSame ? last.bytes : Bytes())};
  }
  if (!pairs.empty())
    pairs.resize(kept + 1);
}

/// Returns the number of pairs of groups if each group has 2^level of the tiles below `end`.
std::size_t countGroups(const std::vector<Pair> &pairs, std::uint32_t end, unsigned level) {
  const std::uint64_t groups = (std::uint64_t(end) + (std::uint64_t(1) << level) - 1) >> level;
  const auto cellOf = [&](const Pair &pair) { return std::uint64_t(pair.from >> level) * groups + (pair.to >> level); };
  constexpr std::uint64_t kMaxCells = std::uint64_t(1) << 22; // each cell takes one bit
  if (groups * groups <= kMaxCells) {
    std::vector<bool> there(groups * groups);
    std::size_t count = 0;
    for (const Pair &pair : pairs) {
      const auto cell = there.begin() + static_cast<std::ptrdiff_t>(cellOf(pair));
      count += *cell ? 0 : 1;
      *cell = true;
    }
    return count;
  }
  std::vector<std::uint64_t> cells;
  std::transform(pairs.begin(), pairs.end(), std::back_inserter(cells), cellOf);
  std::sort(cells.begin(), cells.end());
  return static_cast<std::size_t>(std::unique(cells.begin(), cells.end()) - cells.begin());
}

/// Returns the lowest level with at most `most` pairs, by bisection. Level 0 must have more than `most` pairs.
unsigned levelFor(const std::vector<Pair> &pairs, std::size_t most) {
  const std::uint32_t end = endOf(pairs);
  unsigned tooFew = 0, enough = static_cast<unsigned>(std::bit_width(end));
  while (enough - tooFew > 1) {
    const unsigned level = tooFew + (enough - tooFew) / 2;
    (countGroups(pairs, end, level) <= most ? enough : tooFew) = level;
  }
  return enough;
}

// Returns the traffic of one exchange. The size of a group of tiles is the lowest power of two with which at most
// `most` pairs are left. Cost: linear in messages, or n log n if the exchange has few messages compared with tiles.
TrafficRecord trafficOf(const std::vector<TileMessage> &messages, std::size_t most) {
  std::vector<Pair> pairs;
  pairs.reserve(messages.size());
  for (const TileMessage &message : messages)
    pairs.push_back({message.from, message.to, message.bytes});
  sortPairs(pairs);
  joinPairs(pairs);
  TrafficRecord record;
  if (pairs.size() > most) {
    const unsigned level = levelFor(pairs, most);
    for (Pair &pair : pairs)
      pair = {pair.from >> level, pair.to >> level, pair.bytes};
    sortPairs(pairs);
    joinPairs(pairs);
    record.tilesPerGroup <<= level;
  }
  for (auto *list : {&record.fromGroups, &record.toGroups, &record.bytes})
    list->reserve(pairs.size());
  for (const Pair &pair : pairs) {
    if (pair.bytes.count() > std::numeric_limits<std::uint32_t>::max())
      return {}; // no traffic is recorded
    record.fromGroups.push_back(pair.from);
    record.toGroups.push_back(pair.to);
    record.bytes.push_back(narrow(pair.bytes).count());
  }
  return record;
}

bool isWithinReplica(const ExchangeStep &exchange) { return exchange.replicaMap < 0; }

} // namespace

TrafficCollector::TrafficCollector(const StepProgram &program) {
  std::size_t exchanges = 0;
  for (const Step &step : program.steps.raw())
    if (step.kind == StepKind::DoExchange || step.kind == StepKind::GlobalExchange)
      exchanges += isWithinReplica(program.exchanges[step.payload]) ? 1 : 0;
  most_ = std::clamp(kPairsOfAll / std::max<std::size_t>(exchanges, 1), kFewestPairs, kMaxPairs);
}

TrafficRecord TrafficCollector::of(const ExchangeStep &exchange, const std::vector<TileMessage> &messages) const {
  return isWithinReplica(exchange) ? trafficOf(messages, most_) : TrafficRecord();
}

} // namespace popscope
