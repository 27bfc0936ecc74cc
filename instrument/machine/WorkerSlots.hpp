// WorkerSlots: the slots of one tile (target-models/timing/TileClocks.hpp), with the vertices dealt to them.
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
      return; // returns early: the number of slots has no effect
    ++vertices_;
    if (dealt_.empty() || dealt_.back().threadCycles != threadCycles)
      dealt_.push_back({threadCycles, 0});
    ++dealt_.back().vertices;
  }
  /// Returns the thread cycles per slot.
  [[nodiscard]] const std::vector<std::uint64_t> &load() const { return loads_.load(); }
  /// Returns the dealt vertices if the load does not determine them: see SlotCycles::dealt.
  [[nodiscard]] std::vector<DealtRun> dealt() const {
    return vertices_ > loads_.load().size() ? dealt_ : std::vector<DealtRun>();
  }
  [[nodiscard]] Cycles tileCycles() const { return Cycles(loads_.tileCycles()); }

private:
  SlotLoads loads_;
  std::vector<DealtRun> dealt_;
  std::uint64_t vertices_ = 0; // vertices that take time
};

} // namespace popscope
