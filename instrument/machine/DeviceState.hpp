// DeviceState: the tiles' memory while a program runs. Each home has one buffer, so that a codelet's pointer to an
// operand is a plain pointer into host memory.
//
// Buffers have the order of homes: those of one variable are neighbours. A compute set, which runs from tile to tile,
// thus streams through each of its variables. (An order by tile would take up to 1.7 times as long.)
//
//   arena   | home of a, tile 0 | slack | home of a, tile 1 | slack | home of b, tile 0 | slack | ...
//           ^ 32-byte aligned            ^ 32-byte aligned: a cache line holds homes of neighbouring tiles, and
//                                          threads work on ranges of tiles
//
// The slack is zero and belongs to no home: codelets may read past an operand's end, by a pair of the widest loads of a
// tile (16 bytes each).
//
// Offsets and sizes are those of a tile, where a half has two bytes. With halfAsFloat the homes of halves hold floats,
// in twice the space; the host always sends and receives halves of two bytes.
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
  /// Allocates the memory of one replica: all homes, zero if they have no initial data. Reads `program` during
  /// construction only. Throws poplar::poplar_error if the host has not enough memory.
  explicit DeviceState(const StepProgram &program, std::uint32_t replica = 0, bool halfAsFloat = false);

  /// Returns the contents of the home from `offset` on; valid as long as this object lives.
  [[nodiscard]] std::uint8_t *at(HomeId home, Bytes offset = {}) const {
    const std::uintptr_t entry = homes_[home];
    return reinterpret_cast<std::uint8_t *>(entry & ~kFloats) + (offset.count() << (entry & kFloats));
  }
  /// Returns true if the home holds floats for its halves.
  [[nodiscard]] bool holdsFloats(HomeId home) const { return (homes_[home] & kFloats) != 0; }

  /// Copies between a home's range and `bytes` of host memory, where a half has two bytes.
  void read(const HomeBytes &from, void *to) const;
  void write(const HomeBytes &to, const void *from) const;
  /// Copies from one home to another; they must not overlap. Converts between floats and the bits of halves if needed.
  void copy(HomeId to, Bytes toOffset, HomeId from, Bytes fromOffset, Bytes bytes) const {
    if (holdsFloats(to) == holdsFloats(from))
      std::memcpy(at(to, toOffset), at(from, fromOffset), bytes.count() << (holdsFloats(from) ? 1 : 0));
    else
      copyConverted(to, toOffset, from, fromOffset, bytes);
  }
  /// Appends the raw contents of a range to `values`, for a later put() to a home of any replica's state.
  void take(const HomeBytes &from, std::vector<std::uint8_t> &values) const;
  /// Writes raw contents that take() appended; `floats`: whether the source home held floats. Returns the number of
  /// bytes of `values` used.
  std::size_t put(const HomeBytes &to, const std::uint8_t *values, bool floats) const;
  /// Returns the value of one element of an integer type or bool, sign-extended.
  [[nodiscard]] std::int64_t readInteger(const HomeBytes &element, ElementType type) const;

private:
  void copyConverted(HomeId to, Bytes toOffset, HomeId from, Bytes fromOffset, Bytes bytes) const;
  void copyInitialData(const StepProgram &program, std::uint32_t replica);

  struct Free {
    void operator()(void *p) const { std::free(p); }
  };
  std::unique_ptr<void, Free> arena_;
  static constexpr std::uintptr_t kFloats = 1; // an address bit below the alignment
  IdVector<HomeId, std::uintptr_t> homes_;     // address of each home, with the bit kFloats
};

} // namespace popscope
