#include "graph/codelets/standin/IssueDecode.hpp"

#include "graph/codelets/standin/Rv32Fields.hpp"

namespace popscope {
namespace {

constexpr unsigned kFloatBytes = 4, kHalfBytes = 2;

RegisterSet intBit(unsigned reg) { return reg == 0 ? 0 : RegisterSet(1) << reg; }
RegisterSet floatBit(unsigned reg) { return RegisterSet(1) << (kFloatRegisters + reg); }

/// Decodes a floating-point instruction that is neither load nor store. Sets the registers that the instruction reads
/// and writes. If the tile has a vector form of the instruction, also sets the kind and the width of that form.
void decodeFloating(DecodedIssue &i) {
  const std::uint32_t operation = floatOperation(i.word);
  const unsigned bytes = floatFormat(i.word) == kHalfFormat ? kHalfBytes : kFloatBytes;
  switch (operation) {
  case kFloatCompare:
    i.reads = floatBit(i.rs1) | floatBit(i.rs2);
    i.written = intBit(i.rd);
    return;
  case kFloatToInteger:
  case kFloatToBits:
    i.reads = floatBit(i.rs1);
    i.written = intBit(i.rd);
    return;
  case kFloatFromInteger:
  case kFloatFromBits:
    i.reads = intBit(i.rs1);
    i.written = floatBit(i.rd);
    return;
  case kFloatAdd: // f32v2add, f16v2add, f16v4add and so on
  case kFloatSubtract:
  case kFloatMultiply: i.vector = {1 + funct7(i.word), bytes, bytes}; break;
  case kFloatMinMax: i.vector = {0x100 + 8 * bytes + funct3(i.word), bytes, bytes}; break; // f32v2min, f16v2max
  case kFloatToFormat:                                                                     // f16v2tof32, f32v2tof16
    if (bytes == kHalfBytes || rs2(i.word) == kHalfFormat)
      i.vector = {0x200 + bytes, kFloatBytes + kHalfBytes - bytes, bytes};
    break;
  default: break;
  }
  if (operation == kFloatSquareRoot || operation == kFloatToFormat)
    i.rs2 = i.rs1; // these instructions have one operand
  i.isFloat = true;
  i.reads = floatBit(i.rs1) | floatBit(i.rs2);
  i.written = floatBit(i.rd);
}

/// Decodes, from the opcode, which registers the instruction reads and writes. For loads, stores and branches, also
/// decodes the offset and the number of bytes.
void decodeRegisters(DecodedIssue &i) {
  const std::uint32_t word = i.word;
  switch (word & 0x7fu) {
  case kLoad:
  case kLoadFp:
    i.kind = (word & 0x7fu) == kLoad ? IssueKind::Load : IssueKind::FloatLoad;
    i.reads = intBit(i.rs1);
    i.written = i.kind == IssueKind::Load ? intBit(i.rd) : floatBit(i.rd);
    i.offset = immI(word);
    i.bytes = static_cast<std::uint8_t>(1u << (funct3(word) & 3u));
    return;
  case kStore:
  case kStoreFp:
    i.kind = (word & 0x7fu) == kStore ? IssueKind::Store : IssueKind::FloatStore;
    i.reads = intBit(i.rs1) | (i.kind == IssueKind::Store ? intBit(i.rs2) : floatBit(i.rs2));
    i.offset = immS(word);
    i.bytes = static_cast<std::uint8_t>(1u << (funct3(word) & 3u));
    return;
  case kBranch:
    i.kind = IssueKind::Branch;
    i.reads = intBit(i.rs1) | intBit(i.rs2);
    i.offset = immB(word);
    return;
  case kJal:
  case kJalr:
    i.kind = IssueKind::Jump;
    i.reads = (word & 0x7fu) == kJalr ? intBit(i.rs1) : 0;
    i.written = intBit(i.rd);
    return;
  case kRegisters:
    i.reads = intBit(i.rs1) | intBit(i.rs2);
    i.written = intBit(i.rd);
    i.isComputed = true;
    i.isSum = funct7(word) == 0 && funct3(word) == 0 && i.rd != 0 && i.rs1 != 0 && i.rs2 != 0;
    return;
  case kImmediate:
    i.reads = intBit(i.rs1);
    i.written = intBit(i.rd);
    i.offset = immI(word);
    i.isComputed = true;
    i.isSelfStep = funct3(word) == 0 && i.rd == i.rs1 && i.rd != 0;
    return;
  case kLui:
  case kAuipc:
    i.written = intBit(i.rd);
    i.isComputed = (word & 0x7fu) == kLui;
    return;
  case kMadd:
  case kMsub:
  case kNmsub:
  case kNmadd:
    i.isFloat = true;
    i.reads = floatBit(i.rs1) | floatBit(i.rs2) | floatBit(word >> 27);
    i.written = floatBit(i.rd);
    return;
  case kFloating: return decodeFloating(i);
  default: return;
  }
}

/// Returns the number of moves between register files that the instruction needs, beyond one.
std::int32_t movesOf(const DecodedIssue &i) {
  switch (floatOperation(i.word)) {
  case kFloatCompare: return 1;                          // f32cmpXX, mov
  case kFloatToInteger: return 2;                        // f32int, f32toi32, mov
  case kFloatFromInteger: return 2;                      // st32, ld32, f32fromi32
  case kFloatToBits: return funct3(i.word) == 0 ? 0 : 1; // mov alone; else f32class, mov
  case kFloatFromBits: return i.rs1 == 0 ? 0 : 1;        // st32, ld32
  default: return 0;
  }
}

/// Returns how many more slots an operation on one half needs than the operation on one float. The half is paired for
/// an instruction on two halves, or converted to a float.
std::int32_t halvesOf(const DecodedIssue &i) {
  switch (floatOperation(i.word)) {
  case kFloatAdd:
  case kFloatSubtract:
  case kFloatMultiply: return 1;    // sort4x16lo, f16v2add
  case kFloatMinMax: return 2;      // two sort4x16lo, f16v2min
  case kFloatDivide: return 3;      // two f16tof32, f32div, f32tof16
  case kFloatSquareRoot: return 2;  // f16tof32, f32sqrt, f32tof16
  case kFloatCompare: return 2;     // two f16tof32, f32cmpXX
  case kFloatToInteger: return 1;   // f16tof32 before it
  case kFloatFromInteger: return 1; // f32tof16 after it
  default: return 0;
  }
}

const char *subWordStore(const DecodedIssue &i) {
  if (i.kind == IssueKind::FloatStore)
    return "__st16f";
  return i.bytes == 1 ? "__st8" : "__st16";
}

} // namespace

DecodedIssue decodeIssue(std::uint32_t word, std::uint32_t pc, const StandInModel &model,
                         const std::function<std::uint64_t(const std::string &)> &librarySlots) {
  DecodedIssue i;
  i.word = word;
  i.pc = pc;
  i.rd = static_cast<std::uint8_t>(rd(word));
  i.rs1 = static_cast<std::uint8_t>(rs1(word));
  i.rs2 = static_cast<std::uint8_t>(rs2(word));
  decodeRegisters(i);
  const std::uint32_t opcode = word & 0x7fu;
  if (opcode == kRegisters && funct7(word) == 1 && funct3(word) >= 4 && model.divisionCalls && librarySlots) {
    static constexpr const char *kDivisions[] = {"__divsi3", "__udivsi3", "__modsi3", "__umodsi3"};
    i.slots += static_cast<std::int32_t>(librarySlots(kDivisions[funct3(word) & 3u]));
  }
  if (opcode == kFloating && floatOperation(word) == kFloatDivide)
    i.slots += static_cast<std::int32_t>(model.floatDivideSlots) - 1;
  if (opcode == kFloating && model.registerMoves)
    i.slots += movesOf(i);
  if (opcode == kFloating && floatFormat(word) == kHalfFormat && model.halves)
    i.slots += halvesOf(i);
  if (i.storesPart() && model.subWordStores && librarySlots)
    i.slots += static_cast<std::int32_t>(librarySlots(subWordStore(i)));
  return i;
}

} // namespace popscope
