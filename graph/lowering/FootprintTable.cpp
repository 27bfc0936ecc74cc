#include "graph/lowering/FootprintTable.hpp"

namespace popscope {
namespace {

std::uint64_t hashFootprint(const VertexFootprint &f) {
  std::uint64_t hash = 0;
  for (const Bytes32 n : {f.instanceState, f.fieldData, f.vectorListDescriptor, f.copyDescriptor, f.internalState,
                          f.edgePointers, f.copyPointers, f.padding, f.descriptors})
    hash = mixHash(hash, n.count());
  return hash;
}

} // namespace

FootprintTable::FootprintTable(std::vector<VertexFootprint> &rows) : rows_(rows) {
  for (std::uint32_t i = 0; i < rows.size(); ++i)
    index_.numberOf(hashFootprint(rows[i]), i, [](std::uint32_t) { return false; });
}

std::uint32_t FootprintTable::numberOf(const VertexFootprint &footprint) {
  const auto next = static_cast<std::uint32_t>(rows_.size());
  const std::uint32_t number =
      index_.numberOf(hashFootprint(footprint), next, [&](std::uint32_t known) { return rows_[known] == footprint; });
  if (number == next)
    rows_.push_back(footprint);
  return number;
}

} // namespace popscope
