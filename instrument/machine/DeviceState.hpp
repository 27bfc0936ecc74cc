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
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace popscope {

inline constexpr std::uint64_t kHomeAlignment = 32; // bytes
inline constexpr std::uint64_t kHomeSlack = 32;     // bytes

class DeviceState {
public:
  /// Memory of one replica. Allocates all homes, zero where no initial data is given. `program` is read during
  /// construction only. Throws poplar::poplar_error when the host has not enough memory.
  explicit DeviceState(const StepProgram &program, std::uint32_t replica = 0);

  /// Bytes of the home from `offset` on; valid as long as this lives.
  [[nodiscard]] std::uint8_t *at(HomeId home, Bytes offset = {}) const { return homes_[home] + offset.count(); }

  /// Copies between a home's range and `bytes` of host memory.
  void read(const HomeBytes &from, void *to) const;
  void write(const HomeBytes &to, const void *from) const;
  /// Value of one element of an integer type or bool, sign-extended.
  [[nodiscard]] std::int64_t readInteger(const HomeBytes &element, ElementType type) const;

private:
  void copyInitialData(const StepProgram &program, std::uint32_t replica);

  struct Free {
    void operator()(void *p) const { std::free(p); }
  };
  std::unique_ptr<void, Free> arena_;
  IdVector<HomeId, std::uint8_t *> homes_;
};

} // namespace popscope
