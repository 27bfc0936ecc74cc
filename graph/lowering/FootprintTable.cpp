#include "graph/lowering/FootprintTable.hpp"

#include <algorithm>

namespace popscope {
namespace {

std::uint64_t hashFootprint(const VertexFootprint &f) {
  std::uint64_t hash = 0;
  for (const Bytes32 n : {f.instanceState, f.fieldData, f.vectorListDescriptor, f.copyDescriptor, f.internalState,
                          f.edgePointers, f.copyPointers, f.padding, f.descriptors})
    hash = (hash ^ n.count()) * 0x100000001b3ULL;
  return hash;
}

} // namespace

FootprintTable::FootprintTable(std::vector<VertexFootprint> &rows) : rows_(rows) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    byHash_[hashFootprint(rows[i])].push_back(static_cast<std::uint32_t>(i));
}

std::uint32_t FootprintTable::numberOf(const VertexFootprint &footprint) {
  std::vector<std::uint32_t> &candidates = byHash_[hashFootprint(footprint)];
  const auto known =
      std::find_if(candidates.begin(), candidates.end(), [&](std::uint32_t row) { return rows_[row] == footprint; });
  if (known != candidates.end())
    return *known;
  candidates.push_back(static_cast<std::uint32_t>(rows_.size()));
  rows_.push_back(footprint);
  return candidates.back();
}

} // namespace popscope
