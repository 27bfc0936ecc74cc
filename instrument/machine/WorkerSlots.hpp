// The worker slots of one tile while vertices are dealt to them: each goes to the least loaded slot, the lowest on
// ties.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace popscope {

class WorkerSlots {
public:
  explicit WorkerSlots(std::uint32_t slots) : load_(slots, 0) {}
  void clear() { std::fill(load_.begin(), load_.end(), 0); }
  void deal(std::uint64_t threadCycles) {
    std::uint64_t *least = load_.data();
    for (std::uint64_t &slot : load_)
      least = slot < *least ? &slot : least;
    *least += threadCycles;
  }
  [[nodiscard]] const std::vector<std::uint64_t> &load() const { return load_; }
  [[nodiscard]] std::uint64_t tileCycles() const {
    return load_.size() * *std::max_element(load_.begin(), load_.end());
  }

private:
  std::vector<std::uint64_t> load_; // thread cycles
};

} // namespace popscope
