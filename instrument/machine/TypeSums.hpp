// The numbers and the cycles of the vertices of an OnTileExecute, summed per vertex type.
#pragma once
#include "instrument/machine/Events.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace popscope {

/// The sums, sorted by type. Neighbouring vertices often have the same type, so add() tries the type of the previous
/// vertex first.
class TypeSums {
public:
  void add(VertexTypeId type, std::optional<Cycles> cycles) { add({type, 1, cycles}); }
  void add(const StepEvent::TypeCycles &more) {
    if (at_ == rows_.size() || rows_[at_].type != more.type)
      find(more.type);
    StepEvent::TypeCycles &row = rows_[at_];
    row.instances += more.instances;
    if (row.cycles && more.cycles)
      *row.cycles += *more.cycles;
    else
      row.cycles.reset();
  }
  [[nodiscard]] const std::vector<StepEvent::TypeCycles> &rows() const { return rows_; }

private:
  void find(VertexTypeId type) {
    const auto it = std::lower_bound(rows_.begin(), rows_.end(), type,
                                     [](const StepEvent::TypeCycles &row, VertexTypeId id) { return row.type < id; });
    at_ = static_cast<std::size_t>(it - rows_.begin());
    if (it == rows_.end() || it->type != type)
      rows_.insert(it, {type, 0, Cycles()});
  }
  std::vector<StepEvent::TypeCycles> rows_;
  std::size_t at_ = 0;
};

} // namespace popscope
