// Graph: queries about the memory order of tensors.
#include "base/CheckedSize.hpp"
#include "graph/api/Describe.hpp"
#include "graph/api/GraphAccess.hpp"
#include "graph/api/GraphShared.hpp"
#include "graph/api/SortedRegions.hpp"
#include "graph/ir/MemoryOrder.hpp"
#include "graph/ir/ViewOps.hpp"

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

using popscope::GraphAccess;
using popscope::PieceReader;
using popscope::TensorData;
using popscope::View;
using popscope::ViewPiece;

namespace poplar {

namespace {

/// Returns the parts of the pieces that lie in `regions`, sorted by variable and element. The cost depends only on
/// these parts, because clients query one tile after the other.
std::vector<ViewPiece> cutToRegions(const TensorData &t, ArrayRef<Interval> regions) {
  std::vector<ViewPiece> cut;
  for (const Interval &region : regions) {
    if (region.begin() > region.end() || region.end() > t.view.elements())
      throw poplar_error(fmt::format("getSortedContiguousRegions: [{},{}) is not within {}, which has {} elements.",
                                     region.begin(), region.end(), popscope::describe(t), t.view.elements()));
    if (region.size() > popscope::kMaxRuns)
      popscope::checkListable(t.view);
    PieceReader reader(t.view.runs, region.begin(), region.end());
    while (const auto piece = reader.next())
      cut.push_back(*piece);
  }
  std::sort(cut.begin(), cut.end(), popscope::liesBefore);
  return cut;
}

/// Returns an empty list of groups that has capacity for one group. The bytes of this capacity are 0, and libstdc++
/// reads these bytes as an empty group. Some clients read the first group of a tile before they check that the group
/// exists (createSliceableTensorFromSlice of PopLibs). Without this capacity, such clients would read foreign memory.
std::vector<std::vector<Interval>> noGroups() {
  std::vector<std::vector<Interval>> none;
  none.reserve(1);
  std::memset(static_cast<void *>(none.data()), 0, sizeof(std::vector<Interval>));
  return none;
}

} // namespace

std::vector<std::vector<Interval>> Graph::getSortedContiguousRegions(const Tensor &t, ArrayRef<Interval> regions,
                                                                     bool removeAliasedIntervals,
                                                                     std::vector<std::size_t> *aliases) const {
  std::vector<std::vector<Interval>> groups =
      popscope::sortedRegions(cutToRegions(GraphAccess::data(t), regions), removeAliasedIntervals, aliases);
  // Clients query the regions of a tile, skip the tile if there is no group, and treat one group as one piece of
  // memory. There is one group without intervals only if regions exist but are empty.
  if (regions.empty())
    return noGroups();
  if (groups.empty())
    groups.emplace_back();
  return groups;
}

void Graph::reorderToSimplify(Tensor *t, ArrayRef<Tensor *> ts, bool) const {
  const Tensor self = *t; // a copy, because `ts` may contain t
  const TensorData &data = GraphAccess::data(self);
  for (const Tensor *other : ts)
    if (other->numElements() != t->numElements())
      throw poplar_error(fmt::format("reorderToSimplify: {} and {} have different numbers of elements.",
                                     popscope::describe(data), popscope::describe(*other)));
  const popscope::MemoryOrder order(data.view);
  for (Tensor *other : ts)
    *other = GraphAccess::derived(GraphAccess::data(*other), order.of(GraphAccess::data(*other).view));
  *t = GraphAccess::derived(data, order.of(data.view));
}

Tensor Graph::findUnbroadcastTensor(const Tensor &t) const {
  const TensorData &data = GraphAccess::data(t);
  View view = data.view;
  for (unsigned d = 0; d < view.shape.size(); ++d) {
    const std::size_t n = view.shape[d];
    // Finds the shortest period p that divides the dimension, so that the view is its first p elements, broadcast n / p
    // times.
    for (std::size_t p = 1; p < n; ++p) {
      if (n % p != 0)
        continue;
      const View part = popscope::slice(view, 0, p, d);
      if (popscope::sameElements(popscope::broadcast(part, n / p, d), view)) {
        view = part;
        break;
      }
    }
  }
  return GraphAccess::derived(data, std::move(view));
}

} // namespace poplar
