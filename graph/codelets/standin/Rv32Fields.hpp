// The fields of a 32-bit RISC-V instruction. Chapters 2 and 24 of "The RISC-V Instruction Set Manual, Volume I"
// (version 20191213) define the fields.
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
inline std::uint32_t funct7(std::uint32_t w) { return w >> 25; }

inline std::uint32_t signExtend(std::uint32_t v, unsigned width) {
  const std::uint32_t sign = 1u << (width - 1);
  return (v ^ sign) - sign;
}
inline std::uint32_t immI(std::uint32_t w) { return signExtend(w >> 20, 12); }
inline std::uint32_t immS(std::uint32_t w) { return signExtend((funct7(w) << 5) | rd(w), 12); }
inline std::uint32_t immB(std::uint32_t w) {
  return signExtend((bits(w, 31, 1) << 12) | (bits(w, 7, 1) << 11) | (bits(w, 25, 6) << 5) | (bits(w, 8, 4) << 1), 13);
}
inline std::uint32_t immJ(std::uint32_t w) {
  return signExtend((bits(w, 31, 1) << 20) | (bits(w, 12, 8) << 12) | (bits(w, 20, 1) << 11) | (bits(w, 21, 10) << 1),
                    21);
}

enum Opcode : std::uint32_t {
  kLoad = 0x03,
  kLoadFp = 0x07,
  kFence = 0x0f,
  kImmediate = 0x13,
  kAuipc = 0x17,
  kStore = 0x23,
  kStoreFp = 0x27,
  kRegisters = 0x33,
  kLui = 0x37,
  kMadd = 0x43,
  kMsub = 0x47,
  kNmsub = 0x4b,
  kNmadd = 0x4f,
  kFloating = 0x53,
  kBranch = 0x63,
  kJalr = 0x67,
  kJal = 0x6f,
};

/// The operation of a kFloating instruction: funct7 without the format.
enum FloatOperation : std::uint32_t {
  kFloatAdd = 0x00,
  kFloatSubtract = 0x04,
  kFloatMultiply = 0x08,
  kFloatDivide = 0x0c,
  kFloatSign = 0x10,
  kFloatMinMax = 0x14,
  kFloatToFormat = 0x20, // conversion from the format that rs2 contains
  kFloatSquareRoot = 0x2c,
  kFloatCompare = 0x50,
  kFloatToInteger = 0x60,
  kFloatFromInteger = 0x68,
  kFloatToBits = 0x70, // also the operation of fclass
  kFloatFromBits = 0x78,
};
inline std::uint32_t floatOperation(std::uint32_t w) { return funct7(w) & ~3u; }

/// Floating-point formats, as the field "fmt" encodes them. For the source of a conversion, rs2 has the same codes.
constexpr std::uint32_t kSingleFormat = 0, kHalfFormat = 2;
inline std::uint32_t floatFormat(std::uint32_t w) { return bits(w, 25, 2); }

} // namespace popscope
