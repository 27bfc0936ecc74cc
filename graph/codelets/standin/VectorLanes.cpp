#include "graph/codelets/standin/VectorLanes.hpp"

#include <algorithm>
#include <bit>

namespace popscope {
namespace {

constexpr unsigned kVectorBytes = 8;  // bytes of the widest register
constexpr std::size_t kRemember = 32; // lanes; no register still holds an older lane

template <class T> T &remember(std::vector<T> &list, const T &item) {
  if (list.size() == kRemember)
    list.erase(list.begin());
  return list.emplace_back(item);
}
unsigned lanesOf(unsigned bytes) { return kVectorBytes / bytes; }
unsigned allLanes(unsigned bytes) { return (1u << lanesOf(bytes)) - 1; }
unsigned bitOfLane(unsigned lane) { return 1u << lane; }
/// Returns the mask of the lane and of its neighbour in the pair.
unsigned twoLanes(unsigned lane) { return 3u << (lane & ~1u); }
std::uint32_t vectorAt(std::uint32_t address) { return address & ~(kVectorBytes - 1); }
unsigned laneAt(std::uint32_t address, unsigned bytes) { return address % kVectorBytes / bytes; }

/// Returns the slots of `lanes`: one for a whole vector, one for each pair of half lanes, otherwise `alone` each.
std::int32_t slotsOf(unsigned lanes, unsigned bytes, std::int32_t alone) {
  if (lanes == allLanes(bytes))
    return 1;
  std::int32_t slots = 0;
  for (unsigned lane = 0; lane < lanesOf(bytes); lane += 2) {
    const unsigned two = lanes & twoLanes(lane);
    slots += two == twoLanes(lane) ? 1 : std::popcount(two) * alone;
  }
  return slots;
}

/// Returns the slots that the lanes of `after` save, in addition to those that the lanes of `before` save. `alone` is
/// the slots of one lane.
std::int32_t sparedBy(unsigned before, unsigned after, unsigned bytes, std::int32_t alone) {
  return std::popcount(after & ~before) * alone - (slotsOf(after, bytes, alone) - slotsOf(before, bytes, alone));
}

} // namespace

void VectorLanes::clear() {
  if (groups_.size() == 1 && stores_.empty() && version_ == 0)
    return;
  lanes_.fill({});
  groups_.assign(1, {});
  loads_.clear();
  stores_.clear();
  operations_.clear();
  version_ = 0;
}

std::uint32_t VectorLanes::newGroup(unsigned bytes, bool isLoaded) {
  groups_.push_back({bytes, 0, isLoaded, 0});
  return static_cast<std::uint32_t>(groups_.size() - 1);
}

void VectorLanes::set(unsigned rd, std::uint32_t group, unsigned lane) {
  lanes_[rd] = {group, ++version_, lane};
  groups_[group].present |= group == 0 ? 0 : bitOfLane(lane);
}

void VectorLanes::write(unsigned rd) { set(rd, 0, 0); }

void VectorLanes::load(unsigned rd, std::uint32_t address, unsigned bytes) {
  const unsigned lane = laneAt(address, bytes);
  const auto beside = std::find_if(loads_.begin(), loads_.end(), [&](const Load &l) {
    const Group &group = groups_[l.group];
    return l.address == vectorAt(address) && group.bytes == bytes && (group.present & bitOfLane(lane)) == 0;
  });
  if (beside == loads_.end())
    return set(rd, remember(loads_, {vectorAt(address), newGroup(bytes, true)}).group, lane);
  set(rd, beside->group, lane);
  if (groups_[beside->group].present == allLanes(bytes))
    loads_.erase(beside);
}

std::int32_t VectorLanes::store(unsigned rs, std::uint32_t address, unsigned bytes, std::int32_t slots) {
  forgetLoads();
  const Lane value = lanes_[rs];
  const unsigned lane = laneAt(address, bytes);
  // A pair of halves may go to either half of 8 bytes.
  if (!isVector(value) || groups_[value.group].bytes != bytes || value.lane % 2 != lane % 2)
    return 0;
  auto at = std::find_if(stores_.begin(), stores_.end(), [&](const Store &s) {
    return s.address == vectorAt(address) && s.group == value.group && (s.stored & bitOfLane(lane)) == 0;
  });
  if (at == stores_.end()) {
    remember(stores_, {vectorAt(address), value.group, bytes, bitOfLane(lane)});
    return 0;
  }
  const unsigned before = at->stored;
  at->stored |= bitOfLane(lane);
  const std::int32_t spared = sparedBy(before, at->stored, bytes, slots);
  if (at->stored == allLanes(bytes))
    stores_.erase(at);
  return spared;
}

/// Returns whether the neighbouring lane also exists.
bool VectorLanes::isVector(const Lane &lane) const {
  return lane.group != 0 && (groups_[lane.group].present & twoLanes(lane.lane)) == twoLanes(lane.lane);
}

/// Returns whether `second` may be another lane of `first`. The operands of both must be lanes of one vector, the same
/// register twice, or two scalars that may have been computed into lanes of one vector. At least one operand must be a
/// vector.
bool VectorLanes::isBeside(const Operation &first, const Operation &second) const {
  const unsigned results = lanesOf(first.operation.resultBytes);
  if (first.operation.kind != second.operation.kind || (first.done & bitOfLane(second.lane)) != 0 ||
      first.lane / results != second.lane / results)
    return false;
  unsigned vectors = 0;
  for (unsigned k = 0; k != 2; ++k) {
    const Lane &a = first.operands[k], &b = second.operands[k];
    const bool isA = isVector(a), isB = isVector(b);
    if (isA && a.group == b.group && a.lane == first.lane && b.lane == second.lane)
      ++vectors;
    else if (!(first.registers[k] == second.registers[k] && a.version == b.version) && (isA || isB))
      return false;
  }
  return vectors != 0;
}

/// Returns the slots that are saved if the loads of an operand's two lanes become one load, independently of other
/// uses.
std::int32_t VectorLanes::joinLoads(const Lane &operand) {
  Group &group = groups_[operand.group];
  if (!isVector(operand) || !group.isLoaded)
    return 0;
  const unsigned before = group.joined;
  group.joined |= twoLanes(operand.lane);
  return sparedBy(before, group.joined, group.bytes, 1);
}

std::int32_t VectorLanes::operate(const LaneOperation &operation, unsigned rd, unsigned rs1, unsigned rs2,
                                  std::int32_t slots) {
  Operation now;
  now.operation = operation;
  now.registers = {rs1, rs2};
  now.operands = {lanes_[rs1], lanes_[rs2]};
  if (!isVector(now.operands[0]) && !isVector(now.operands[1])) {
    write(rd);
    return 0;
  }
  now.lane = isVector(now.operands[0]) ? now.operands[0].lane : now.operands[1].lane;
  now.done = bitOfLane(now.lane);
  const unsigned resultLane = now.lane % lanesOf(operation.resultBytes);
  const auto first =
      std::find_if(operations_.begin(), operations_.end(), [&](const Operation &o) { return isBeside(o, now); });
  if (first == operations_.end()) {
    now.result = newGroup(operation.resultBytes, false);
    set(rd, remember(operations_, now).result, resultLane);
    return 0;
  }
  const unsigned before = first->done;
  first->done |= now.done;
  std::int32_t spared = sparedBy(before, first->done, operation.bytes, slots);
  if (spared != 0)
    for (const Lane &operand : now.operands)
      spared += joinLoads(operand);
  set(rd, first->result, resultLane);
  if (groups_[first->result].present == allLanes(operation.resultBytes))
    operations_.erase(first);
  return spared;
}

} // namespace popscope
