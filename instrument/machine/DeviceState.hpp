// DeviceState: the tiles' memory while a program runs. One buffer per home, so that a codelet's pointer to an operand
// is a plain pointer into host memory. In the order of homes: a variable's are neighbours, so that a compute set, which
// goes from tile to tile, streams through each of its variables. (By tile it took up to 1.7 times as long.)
//
//   arena   | home of a, tile 0 | slack | home of a, tile 1 | slack | home of b, tile 0 | slack | ...
//           ^ 32-byte aligned            ^ 32-byte aligned: a line of the cache has homes of neighbouring tiles, and
//                                          threads work on ranges of tiles
//
// The slack is zero and belongs to nobody: codelets may read past an operand's end, by a pair of the widest loads of a
// tile (16 bytes each).
//
// Offsets and sizes are a tile's, where a half has two bytes. With halfAsFloat the homes of halves hold floats, in
// twice the space; halves come from the host and go there with two bytes, as ever.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace popscope {

inline constexpr std::uint64_t kHomeAlignment = 32; // bytes
inline constexpr std::uint64_t kHomeSlack = 32;     // bytes

class DeviceState {
public:
  /// Memory of one replica. Allocates all homes, zero where no initial data is given. `program` is read during
  /// construction only. Throws poplar::poplar_error when the host has not enough memory.
  explicit DeviceState(const StepProgram &program, std::uint32_t replica = 0, bool halfAsFloat = false);

  /// What the home holds from `offset` on; valid as long as this lives.
  [[nodiscard]] std::uint8_t *at(HomeId home, Bytes offset = {}) const {
    const std::uintptr_t entry = homes_[home];
    return reinterpret_cast<std::uint8_t *>(entry & ~kFloats) + (offset.count() << (entry & kFloats));
  }
  /// True when the home holds floats for its halves.
  [[nodiscard]] bool holdsFloats(HomeId home) const { return (homes_[home] & kFloats) != 0; }

  /// Copies between a home's range and `bytes` of host memory, where a half has two bytes.
  void read(const HomeBytes &from, void *to) const;
  void write(const HomeBytes &to, const void *from) const;
  /// Copies from a home to another, which do not overlap. Between halves and what only has their bits it converts.
  void copy(HomeId to, Bytes toOffset, HomeId from, Bytes fromOffset, Bytes bytes) const {
    if (holdsFloats(to) == holdsFloats(from))
      std::memcpy(at(to, toOffset), at(from, fromOffset), bytes.count() << (holdsFloats(from) ? 1 : 0));
    else
      copyConverted(to, toOffset, from, fromOffset, bytes);
  }
  /// As they are held: read, then write to a home of any replica's state. `values` grows by them.
  void take(const HomeBytes &from, std::vector<std::uint8_t> &values) const;
  /// Returns the bytes used of `values`, which a home that holds floats or not has given.
  std::size_t put(const HomeBytes &to, const std::uint8_t *values, bool floats) const;
  /// Value of one element of an integer type or bool, sign-extended.
  [[nodiscard]] std::int64_t readInteger(const HomeBytes &element, ElementType type) const;

private:
  void copyConverted(HomeId to, Bytes toOffset, HomeId from, Bytes fromOffset, Bytes bytes) const;
  void copyInitialData(const StepProgram &program, std::uint32_t replica);

  struct Free {
    void operator()(void *p) const { std::free(p); }
  };
  std::unique_ptr<void, Free> arena_;
  static constexpr std::uintptr_t kFloats = 1; // a bit of an address below its alignment
  IdVector<HomeId, std::uintptr_t> homes_;     // addresses
};

} // namespace popscope
