// DeviceState: the contents of the tiles' memory while a program runs. Each home has one buffer, so that a codelet's
// pointer to an operand is a plain pointer into host memory.
//
// Buffers are in the order of homes, so homes of one variable are neighbours. A compute set runs from tile to tile, so
// the compute set reads each of its variables sequentially. (With buffers in the order of tiles, a compute set would
// take up to 1.7 times as long.)
//
//   arena   | home of a, tile 0 | slack | home of a, tile 1 | slack | home of b, tile 0 | slack | ...
//           ^ 32-byte aligned            ^ 32-byte aligned: a cache line holds homes of neighbouring tiles, and
//                                          threads work on ranges of tiles
//
// The slack contains zeros and belongs to no home. Codelets may read up to 32 bytes past an operand's end. The slack
// has the size of two of the tile's widest loads, which read 16 bytes each.
//
// Offsets and sizes count bytes as on a tile, where a half has two bytes. With halfAsFloat, the homes of halves contain
// floats and take twice the space. The host always sends and receives halves of two bytes.
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
  /// Allocates the memory of one replica. Homes without initial data contain zeros; the homes of a variable with
  /// StepVar::replicaIndex contain `replica`. Reads `program` only during construction. Throws poplar::poplar_error if
  /// the host does not have enough memory.
  explicit DeviceState(const StepProgram &program, std::uint32_t replica = 0, bool halfAsFloat = false);

  /// Returns a pointer to the contents of the home at `offset`. The pointer is valid as long as this object lives.
  [[nodiscard]] std::uint8_t *at(HomeId home, Bytes offset = {}) const {
    const std::uintptr_t entry = homes_[home];
    return reinterpret_cast<std::uint8_t *>(entry & ~kFloats) + (offset.count() << (entry & kFloats));
  }
  /// Returns true if the home contains floats in place of halves.
  [[nodiscard]] bool holdsFloats(HomeId home) const { return (homes_[home] & kFloats) != 0; }

  /// read() copies a range of a home to host memory, and write() copies host memory to a range of a home. In host
  /// memory, a half has two bytes.
  void read(const HomeBytes &from, void *to) const;
  void write(const HomeBytes &to, const void *from) const;
  /// Copies bytes between two homes, or within one home. The ranges must not overlap. Converts between floats and the
  /// bits of halves if needed.
  void copy(HomeId to, Bytes toOffset, HomeId from, Bytes fromOffset, Bytes bytes) const {
    if (holdsFloats(to) == holdsFloats(from))
      std::memcpy(at(to, toOffset), at(from, fromOffset), bytes.count() << (holdsFloats(from) ? 1 : 0));
    else
      copyConverted(to, toOffset, from, fromOffset, bytes);
  }
  /// Appends the raw contents of a range to `values`. put() can later write these contents to a home of any replica.
  void take(const HomeBytes &from, std::vector<std::uint8_t> &values) const;
  /// Writes raw contents that take() appended. `floats` states whether the source home contained floats. Returns the
  /// number of bytes of `values` that put() read.
  std::size_t put(const HomeBytes &to, const std::uint8_t *values, bool floats) const;
  /// Returns the value of one element of an integer type or bool; signed types are sign-extended.
  [[nodiscard]] std::int64_t readInteger(const HomeBytes &element, ElementType type) const;

private:
  void copyConverted(HomeId to, Bytes toOffset, HomeId from, Bytes fromOffset, Bytes bytes) const;
  void copyInitialData(const StepProgram &program, std::uint32_t replica);

  struct Free {
    void operator()(void *p) const { std::free(p); }
  };
  std::unique_ptr<void, Free> arena_;
  static constexpr std::uintptr_t kFloats = 1; // marks an address in homes_; alignment keeps this bit free
  IdVector<HomeId, std::uintptr_t> homes_;     // per home: its address, plus kFloats if the home contains floats
};

} // namespace popscope
