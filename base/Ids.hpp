// Strong ids: 32-bit indices. Each kind of index has its own type, so that indices of different kinds cannot be mixed
// up. Ids can be compared, but have no arithmetic. A table indexed by an id is an IdVector, which accepts no other
// index type.
#pragma once
#include "base/LargePages.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

namespace popscope {

template <class Tag> class Id {
public:
  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t index) : index_(index) {}
  static constexpr Id invalid() { return Id(); }
  [[nodiscard]] constexpr std::uint32_t index() const { return index_; }
  [[nodiscard]] constexpr bool valid() const { return index_ != kInvalid; }
  friend constexpr auto operator<=>(Id, Id) = default;

private:
  static constexpr std::uint32_t kInvalid = ~std::uint32_t(0);
  std::uint32_t index_ = kInvalid;
};

using TileId = Id<struct TileIdTag>; // global tile number: ipu * tilesPerIpu + tile within the IPU
using IpuId = Id<struct IpuIdTag>;
using NameId = Id<struct NameIdTag>;       // index into a StringTable
using VarId = Id<struct VarIdTag>;         // variable of a StepProgram
using HomeId = Id<struct HomeIdTag>;       // the part of one variable on one tile
using StepIndex = Id<struct StepIndexTag>; // index of a step in a StepProgram
using SourceId = Id<struct SourceIdTag>;   // one occurrence of an Execute or a Copy in the program
using GraphId = Id<struct GraphIdTag>;     // number of a graph; a process gives each number once
using ComputeSetId = Id<struct ComputeSetIdTag>;
using VertexTypeId = Id<struct VertexTypeIdTag>;
using StreamId = Id<struct StreamIdTag>;
using FunctionId = Id<struct FunctionIdTag>;
using LiveClassId = Id<struct LiveClassIdTag>; // class of variables or homes with equal live or occupied intervals

template <class IdT, class T> class IdVector {
  // std::vector<bool> packs bits, so its elements have no references, and threads that write neighbouring elements
  // race.
  static_assert(!std::is_same_v<T, bool>, "an IdVector of bool would pack bits: use IdVector<IdT, std::uint8_t>");

public:
  IdVector() = default;
  explicit IdVector(std::size_t n, const T &v = T()) : items_(n, v) {}
  T &operator[](IdT id) { return items_[id.index()]; }
  const T &operator[](IdT id) const { return items_[id.index()]; }
  IdT push(T v) {
    items_.push_back(std::move(v));
    return IdT(static_cast<std::uint32_t>(items_.size() - 1));
  }
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] bool empty() const { return items_.empty(); }
  void resize(std::size_t n) { items_.resize(n); }
  [[nodiscard]] IdT idAt(std::size_t i) const { return IdT(static_cast<std::uint32_t>(i)); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  LargeTable<T> &raw() { return items_; }
  const LargeTable<T> &raw() const { return items_; }

private:
  LargeTable<T> items_;
};

} // namespace popscope

template <class Tag> struct std::hash<popscope::Id<Tag>> {
  std::size_t operator()(popscope::Id<Tag> id) const noexcept { return id.index(); }
};
