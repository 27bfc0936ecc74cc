// WorkerSlots: the loads of one tile's worker slots (target-models/timing/TileClocks.hpp), and the order in which
// vertices were assigned to these slots.
#pragma once
#include "instrument/machine/SlotCycles.hpp"
#include "target-models/timing/TileClocks.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

class WorkerSlots {
public:
  explicit WorkerSlots(std::uint32_t slots) : loads_(slots) {}
  void clear() {
    loads_.clear();
    dealt_.clear();
    vertices_ = 0;
  }
  void deal(Cycles threadCycles) {
    loads_.deal(threadCycles.count());
    if (threadCycles == Cycles())
      return; // a vertex without cycles is not recorded, because it never changes the load of a slot
    ++vertices_;
    if (dealt_.empty() || dealt_.back().threadCycles != threadCycles)
      dealt_.push_back({threadCycles, 0});
    ++dealt_.back().vertices;
  }
  /// Returns the thread cycles of each slot.
  [[nodiscard]] const std::vector<std::uint64_t> &load() const { return loads_.load(); }
  /// Returns the assigned vertices (see SlotCycles::dealt), or an empty list if each vertex is alone in its slot.
  [[nodiscard]] std::vector<DealtRun> dealt() const {
    return vertices_ > loads_.load().size() ? dealt_ : std::vector<DealtRun>();
  }
  [[nodiscard]] Cycles tileCycles() const { return Cycles(loads_.tileCycles()); }

private:
  SlotLoads loads_;
  std::vector<DealtRun> dealt_;
  std::uint64_t vertices_ = 0; // number of assigned vertices that take time
};

} // namespace popscope
