#include "liveness/analysis/PassFunctions.hpp"

#include "base/Bits.hpp"
#include "base/UniteRanges.hpp"

#include <algorithm>
#include <array>

namespace popscope {
namespace {

template <std::size_t kWords> using Row = std::array<std::uint64_t, kWords>;

template <std::size_t kWords> bool operator|=(Row<kWords> &a, const Row<kWords> &b) {
  std::uint64_t any = 0;
  for (std::size_t w = 0; w < kWords; ++w) {
    a[w] |= b[w];
    any |= a[w];
  }
  return any != 0;
}

// Calls use(lane) for each bit that is set in `now` and not in `other`.
template <std::size_t kWords, class Use> void eachNew(const Row<kWords> &now, const Row<kWords> &other, Use use) {
  for (std::size_t w = 0; w < kWords; ++w)
    eachBit(now[w] & ~other[w], kBitsOfWord * w, use);
}

} // namespace

FunctionPasses::FunctionPasses(const FlowGraph &flow) : flow_(flow) {
  for (std::uint32_t f = 0; f < flow.functions.size(); ++f)
    for (const StepInterval &i : flow.functions[f].through)
      through_.push_back({i.begin.index(), i.end.index(), f});
  std::sort(through_.begin(), through_.end(), [](const Through &a, const Through &b) { return a.begin < b.begin; });
}

std::vector<CallRange> FunctionPasses::callsWithin(const std::vector<StepInterval> &intervals) const {
  std::vector<CallRange> out;
  for (const StepInterval &i : intervals)
    if (const CallRange range{flow_.callsBefore(i.begin.index()), flow_.callsBefore(i.end.index())};
        range.begin < range.end)
      out.push_back(range);
  return out;
}

void FunctionPasses::complete(std::span<PassingLife> lives) const {
  for (std::size_t begin = 0; begin < lives.size(); begin += kTogether) {
    const auto some = lives.subspan(begin, std::min(kTogether, lives.size() - begin));
    if (some.size() <= 64)
      completeSome<1>(some);
    else
      completeSome<kTogether / 64>(some);
  }
  for (PassingLife &life : lives)
    uniteRanges(life.lives);
}

// Completes up to 64 * kWords lives at once; each life is one bit (lane) of a row. Makes three linear sweeps: over
// calls, over functions with their calls, and over the step intervals of all functions.
template <std::size_t kWords> void FunctionPasses::completeSome(std::span<PassingLife> lives) const {
  // First sweep: the row of a function gets the lives that pass one of its calls directly.
  std::vector<Row<kWords>> passes(flow_.functions.size(), Row<kWords>{});
  struct Change {
    std::uint32_t call, lane;
  };
  std::vector<Change> changes; // the calls at which a lane begins or ends to be live
  for (std::uint32_t lane = 0; lane < lives.size(); ++lane)
    for (const CallRange &r : lives[lane].passed) {
      changes.push_back({r.begin, lane});
      changes.push_back({r.end, lane});
    }
  std::sort(changes.begin(), changes.end(), [](const Change &a, const Change &b) { return a.call < b.call; });
  Row<kWords> now{};
  for (std::size_t i = 0; i < changes.size();) {
    const std::uint32_t from = changes[i].call;
    for (; i < changes.size() && changes[i].call == from; ++i)
      now[changes[i].lane / 64] ^= std::uint64_t(1) << (changes[i].lane % 64);
    const std::uint32_t to = i < changes.size() ? changes[i].call : from;
    for (std::uint32_t call = from; call < to; ++call)
      passes[flow_.calls[call].function] |= now;
  }
  // Second sweep, callers before callees: a life that passes a function also passes the functions that the function
  // calls.
  for (auto f = flow_.order.calleesFirst.rbegin(); f != flow_.order.calleesFirst.rend(); ++f) {
    const Row<kWords> row = passes[*f];
    if (row == Row<kWords>{})
      continue;
    for (const std::uint32_t call : flow_.functions[*f].throughCalls)
      passes[flow_.calls[call].function] |= row;
  }
  // Third sweep, over pieces in the order of steps: a life begins or ends where its bit in the row changes.
  std::vector<std::uint32_t> since(lives.size());
  const Row<kWords> none{};
  Row<kWords> before{};
  std::uint32_t end = 0;
  const auto endLives = [&](const Row<kWords> &still) {
    eachNew(before, still, [&](std::size_t lane) {
      lives[lane].lives.push_back({StepIndex(since[lane]), StepIndex(end)});
    });
  };
  for (const Through &steps : through_) {
    const Row<kWords> &row = passes[steps.function];
    if (steps.begin != end) {
      endLives(none);
      before = none;
    } else {
      endLives(row);
    }
    eachNew(row, before, [&](std::size_t lane) { since[lane] = steps.begin; });
    before = row;
    end = steps.end;
  }
  endLives(none);
}

} // namespace popscope
