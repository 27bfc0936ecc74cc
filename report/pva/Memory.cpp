#include "report/pva/Model.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace pva {
namespace {

MemorySize regionSize(const popscope::TileMemoryRecord &m, popscope::AllocationRegion region) {
  const auto r = static_cast<std::size_t>(region);
  return MemorySize(m.includingGaps[r].count(), m.excludingGaps[r].count());
}

CategoryRegion categoryRegion(const std::array<popscope::Bytes, 2> &bytes) {
  return CategoryRegion(bytes[0].count(), bytes[1].count());
}

} // namespace

std::uint64_t Category::total() const {
  std::uint64_t sum = 0;
  for (const CategoryRegion *r : {&nonInterleaved_, &interleaved_, &overflowed_})
    sum += r->nonOverlapped() + r->overlapped();
  return sum;
}

Category Categories::byIndex(std::size_t index) const {
  const auto &categories = model_->tile(tile_).category;
  if (index >= categories.size())
    throw std::out_of_range(fmt::format("pva: no category {}: there are {}", index, categories.size()));
  const auto &bytes = categories[index];
  return Category(categoryRegion(bytes[0]), categoryRegion(bytes[1]), categoryRegion(bytes[2]));
}

std::string VertexType::name() const { return model_->vertexTypes().at(id_).name; }
std::uint64_t VertexType::size() const { return model_->vertexTypes().at(id_).stateBytes.count(); }
std::uint64_t VertexType::instances() const { return model_->vertexTypes().at(id_).instances; }
std::uint64_t VertexType::memoryBytes() const { return model_->vertexTypes().at(id_).memoryBytes.count(); }
std::string VertexType::cycleProvenance() const { return model_->vertexTypes().at(id_).cycleProvenance; }

VertexType VertexOnTile::type() const { return VertexType(model_, model_->verticesOnTile().at(row_).vertexType); }
std::uint64_t VertexOnTile::count() const { return model_->verticesOnTile().at(row_).count; }
std::uint64_t VertexOnTile::codeBytes() const { return model_->verticesOnTile().at(row_).codeBytes.count(); }
std::uint64_t VertexOnTile::vertexDataBytes() const { return model_->verticesOnTile().at(row_).internalState.count(); }
std::uint64_t VertexOnTile::edgePtrBytes() const { return model_->verticesOnTile().at(row_).edgePointers.count(); }
std::uint64_t VertexOnTile::copyPtrBytes() const { return model_->verticesOnTile().at(row_).copyPointers.count(); }
std::uint64_t VertexOnTile::paddingBytes() const { return model_->verticesOnTile().at(row_).padding.count(); }
std::uint64_t VertexOnTile::descriptorBytes() const { return model_->verticesOnTile().at(row_).descriptors.count(); }

MemorySize TileMemory::total() const {
  const auto &m = model_->tile(tile_);
  return MemorySize(m.totalIncludingGaps.count(), m.totalExcludingGaps.count());
}
MemorySize TileMemory::nonInterleaved() const {
  return regionSize(model_->tile(tile_), popscope::AllocationRegion::NonInterleaved);
}
MemorySize TileMemory::interleaved() const {
  return regionSize(model_->tile(tile_), popscope::AllocationRegion::Interleaved);
}
MemorySize TileMemory::overflowed() const {
  return regionSize(model_->tile(tile_), popscope::AllocationRegion::Overflowed);
}
std::uint64_t TileMemory::alwaysLiveBytes() const { return model_->tile(tile_).alwaysLiveBytes.count(); }
std::uint64_t TileMemory::notAlwaysLiveBytes() const { return model_->tile(tile_).maxNotAlwaysLiveBytes.count(); }
std::uint64_t TileMemory::afterOverlappingBytes() const { return model_->tile(tile_).afterOverlapping.count(); }
std::uint64_t TileMemory::lowerBoundOverlappedBytes() const { return model_->tile(tile_).lowerBoundOverlapped.count(); }
Categories TileMemory::category() const { return Categories(model_, tile_); }

std::vector<std::uint64_t> TileMemory::occupiedByCategory() const {
  std::vector<std::uint64_t> counts;
  for (const popscope::Bytes bytes : model_->tile(tile_).usedBy)
    counts.push_back(bytes.count());
  return counts;
}

List<VertexOnTile> TileMemory::vertices() const {
  const auto &rows = model_->verticesOnTile(); // sorted by tile
  const auto before = [](const auto &row, std::size_t tile) { return row.tile < tile; };
  const std::size_t tile = model_->storedTile(tile_);
  const auto first = std::lower_bound(rows.begin(), rows.end(), tile, before);
  const auto last = std::lower_bound(first, rows.end(), tile + 1, before);
  return detail::makeList<VertexOnTile>(static_cast<std::size_t>(last - first),
                                        [model = model_, start = static_cast<std::size_t>(first - rows.begin())](
                                            std::size_t i) { return VertexOnTile(model, start + i); });
}

} // namespace pva
