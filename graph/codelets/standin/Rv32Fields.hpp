// The fields of a 32-bit RISC-V instruction that several formats share: "The RISC-V Instruction Set Manual, Volume I",
// chapter 2.
#pragma once
#include <cstdint>

namespace popscope {

inline std::uint32_t bits(std::uint32_t word, unsigned low, unsigned count) {
  return (word >> low) & ((1u << count) - 1u);
}
inline std::uint32_t rd(std::uint32_t w) { return bits(w, 7, 5); }
inline std::uint32_t rs1(std::uint32_t w) { return bits(w, 15, 5); }
inline std::uint32_t rs2(std::uint32_t w) { return bits(w, 20, 5); }
inline std::uint32_t funct3(std::uint32_t w) { return bits(w, 12, 3); }
} // namespace popscope
