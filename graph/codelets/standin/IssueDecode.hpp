// IssueDecode: decodes an instruction into the properties that IssueSlots needs. These properties do not depend on the
// values in registers or memory.
#pragma once
#include "graph/codelets/standin/VectorLanes.hpp"
#include "target-models/model/StandInModel.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace popscope {

/// Bit r stands for x[r], and bit 32 + r stands for f[r].
using RegisterSet = std::uint64_t;
constexpr unsigned kFloatRegisters = 32; // bit number of f[0]

enum class IssueKind : std::uint8_t { Other, Load, FloatLoad, Store, FloatStore, Branch, Jump };

struct DecodedIssue {
  std::uint32_t word = 0, pc = 1; // 1 means empty, because no instruction has address 1
  RegisterSet reads = 0, written = 0;
  std::uint32_t offset = 0; // the offset of a load, store or branch, or the number that addi adds
  std::int32_t slots = 1;   // slots on the machine if the instruction is not joined to another instruction; the slots
                            // of a comparison that the machine needs before a branch do not count
  std::uint8_t rd = 0, rs1 = 0, rs2 = 0;
  IssueKind kind = IssueKind::Other;
  std::uint8_t bytes = 0;  // number of bytes that a load or store moves
  bool isFloat = false;    // true: the float pipeline executes the instruction
  bool isSelfStep = false; // true: an addi with one register as source and destination
  bool isSum = false;      // true: an addition of two registers
  bool isComputed = false; // true: integer arithmetic, whose result is constant if the operands are constant
  LaneOperation vector;    // the vector operation of which the instruction may be a lane; kind 0 means none
  [[nodiscard]] bool touchesMemory() const { return kind >= IssueKind::Load && kind <= IssueKind::FloatStore; }
  /// Returns whether the instruction stores less than a word.
  [[nodiscard]] bool storesPart() const {
    return (kind == IssueKind::Store || kind == IssueKind::FloatStore) && bytes < 4;
  }
  [[nodiscard]] bool jumps() const { return kind >= IssueKind::Branch; }
  [[nodiscard]] bool writesFloat() const { return (written >> kFloatRegisters) != 0; }
};

/// Decodes an instruction. `librarySlots`, which may be an empty function, returns the slots of a library function, or
/// 0 if these slots are unknown.
DecodedIssue decodeIssue(std::uint32_t word, std::uint32_t pc, const StandInModel &model,
                         const std::function<std::uint64_t(const std::string &)> &librarySlots);

} // namespace popscope
