// The registers of a tile. Programs read and write these registers with <poplar/CycleCount.hpp>,
// <poplar/RandomSeed.hpp> and <poplar/CSRFunctions.hpp>. A word has 32 bits.
//
//   CycleCounter   2 words: low, high; read only
//   Seeds          4 words per worker context, workers in order
//   FpControl      1 word, in the layout of Target::makeFpIctlValue
#pragma once
#include <cstdint>

namespace popscope {

enum class TileRegister : std::uint8_t { CycleCounter, Seeds, FpControl };

[[nodiscard]] constexpr const char *tileRegisterName(TileRegister r) {
  switch (r) {
  case TileRegister::CycleCounter: return "CycleCounter";
  case TileRegister::Seeds: return "Seeds";
  case TileRegister::FpControl: return "FpControl";
  }
  return "unknown";
}
/// Returns the number of 32-bit words of the register on one tile.
[[nodiscard]] constexpr std::uint32_t tileRegisterWords(TileRegister r, std::uint32_t workers) {
  return r == TileRegister::CycleCounter ? 2 : r == TileRegister::Seeds ? 4 * workers : 1;
}

} // namespace popscope
