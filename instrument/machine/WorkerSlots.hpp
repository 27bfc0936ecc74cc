// The worker slots of one tile while vertices are dealt to them: each goes to the least loaded slot, the lowest on
// ties.
#pragma once
#include "instrument/machine/SlotCycles.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace popscope {

class WorkerSlots {
public:
  explicit WorkerSlots(std::uint32_t slots) : load_(slots) {}
  void clear() {
    std::fill(load_.begin(), load_.end(), Cycles());
    dealt_.clear();
    vertices_ = 0;
  }
  void deal(Cycles threadCycles) {
    Cycles *least = load_.data();
    for (Cycles &slot : load_)
      least = slot < *least ? &slot : least;
    *least += threadCycles;
    if (threadCycles == Cycles())
      return; // changes nothing, however many slots there are
    ++vertices_;
    if (dealt_.empty() || dealt_.back().threadCycles != threadCycles)
      dealt_.push_back({threadCycles, 0});
    ++dealt_.back().vertices;
  }
  [[nodiscard]] const std::vector<Cycles> &load() const { return load_; }
  /// What was dealt, where the load does not tell: see SlotCycles::dealt.
  [[nodiscard]] std::vector<DealtRun> dealt() const {
    return vertices_ > load_.size() ? dealt_ : std::vector<DealtRun>();
  }
  [[nodiscard]] Cycles tileCycles() const { return load_.size() * *std::max_element(load_.begin(), load_.end()); }

private:
  std::vector<Cycles> load_; // thread cycles
  std::vector<DealtRun> dealt_;
  std::uint64_t vertices_ = 0; // that take time
};

} // namespace popscope
