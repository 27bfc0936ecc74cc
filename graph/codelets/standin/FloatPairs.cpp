#include "graph/codelets/standin/FloatPairs.hpp"

#include <algorithm>

namespace popscope {
namespace {

constexpr unsigned kBothLanes = 8;    // bytes
constexpr std::size_t kRemember = 32; // halves: an older one is in no register any more

template <class T> void remember(std::vector<T> &halves, const T &half) {
  if (halves.size() == kRemember)
    halves.erase(halves.begin());
  halves.push_back(half);
}
unsigned laneAt(std::uint32_t address) { return address % kBothLanes == 0 ? 0 : 1; }
std::uint32_t besides(std::uint32_t address) { return address ^ 4u; }

} // namespace

void FloatPairs::clear() {
  if (pairs_.size() == 1 && stores_.empty() && version_ == 0)
    return;
  lanes_.fill({});
  pairs_.assign(1, {});
  loads_.clear();
  stores_.clear();
  operations_.clear();
  version_ = 0;
}

std::uint32_t FloatPairs::newPair() {
  pairs_.emplace_back();
  return static_cast<std::uint32_t>(pairs_.size() - 1);
}

void FloatPairs::set(unsigned rd, std::uint32_t pair, unsigned lane) { lanes_[rd] = {pair, ++version_, lane}; }

void FloatPairs::write(unsigned rd) { set(rd, 0, 0); }

void FloatPairs::load(unsigned rd, std::uint32_t address) {
  const auto half =
      std::find_if(loads_.begin(), loads_.end(), [&](const Half &h) { return h.address == besides(address); });
  if (half == loads_.end()) {
    remember(loads_, {address, newPair()});
    return set(rd, loads_.back().pair, laneAt(address));
  }
  pairs_[half->pair] = {true, true};
  set(rd, half->pair, laneAt(address));
  loads_.erase(half);
}

unsigned FloatPairs::store(unsigned rs, std::uint32_t address) {
  forgetLoads();
  const Lane value = lanes_[rs];
  if (!isFull(value) || value.lane != laneAt(address))
    return 0;
  const auto half = std::find_if(stores_.begin(), stores_.end(),
                                 [&](const Half &h) { return h.address == besides(address) && h.pair == value.pair; });
  if (half == stores_.end()) {
    remember(stores_, {address, value.pair});
    return 0;
  }
  stores_.erase(half);
  return 1;
}

bool FloatPairs::isFull(const Lane &lane) const { return lane.pair != 0 && pairs_[lane.pair].full; }

/// Operands of both lanes: halves of one pair, the same register twice, or two scalars, which may have been put into
/// halves of a pair where they were computed. One at least is a pair.
bool FloatPairs::isOther(const Operation &first, const Operation &second) const {
  if (first.operation != second.operation || first.lane == second.lane)
    return false;
  unsigned pairs = 0;
  for (unsigned k = 0; k != 2; ++k) {
    const Lane &a = first.operands[k], &b = second.operands[k];
    const bool isA = isFull(a), isB = isFull(b);
    if (isA && a.pair == b.pair && a.lane == first.lane && b.lane == second.lane)
      ++pairs;
    else if (!(first.registers[k] == second.registers[k] && a.version == b.version) && (isA || isB))
      return false;
  }
  return pairs != 0;
}

unsigned FloatPairs::operate(std::uint32_t operation, unsigned rd, unsigned rs1, unsigned rs2) {
  Operation now;
  now.operation = operation;
  now.registers = {rs1, rs2};
  now.operands = {lanes_[rs1], lanes_[rs2]};
  if (!isFull(now.operands[0]) && !isFull(now.operands[1])) {
    write(rd);
    return 0;
  }
  now.lane = isFull(now.operands[0]) ? now.operands[0].lane : now.operands[1].lane;
  const auto first =
      std::find_if(operations_.begin(), operations_.end(), [&](const Operation &o) { return isOther(o, now); });
  if (first == operations_.end()) {
    now.result = newPair();
    remember(operations_, now);
    set(rd, now.result, now.lane);
    return 0;
  }
  unsigned spared = 1;
  for (const Lane &operand : now.operands)
    if (operand.pair != 0 && pairs_[operand.pair].loaded) {
      pairs_[operand.pair].loaded = false; // one load for both, wherever else they are used
      ++spared;
    }
  pairs_[first->result].full = true;
  set(rd, first->result, now.lane);
  operations_.erase(first);
  return spared;
}

} // namespace popscope
