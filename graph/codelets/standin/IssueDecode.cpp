#include "graph/codelets/standin/IssueDecode.hpp"

#include "graph/codelets/standin/Rv32Fields.hpp"

namespace popscope {
namespace {

constexpr std::int32_t kMaxStep = 127 * 4; // bytes that ld32step and st32step can add

RegisterSet intBit(unsigned reg) { return reg == 0 ? 0 : RegisterSet(1) << reg; }
RegisterSet floatBit(unsigned reg) { return RegisterSet(1) << (kFloatRegisters + reg); }

void decodeFloating(DecodedIssue &i) {
  switch (funct7(i.word)) {
  case 0x50: // comparisons
    i.reads = floatBit(i.rs1) | floatBit(i.rs2);
    i.written = intBit(i.rd);
    return;
  case 0x60: // to an integer
  case 0x70:
    i.reads = floatBit(i.rs1);
    i.written = intBit(i.rd);
    return;
  case 0x68: // from one
  case 0x78:
    i.reads = intBit(i.rs1);
    i.written = floatBit(i.rd);
    return;
  case 0x00: // f32v2add, f32v2sub, f32v2mul
  case 0x04:
  case 0x08: i.vector = static_cast<std::uint8_t>(1 + funct7(i.word)); break;
  case 0x14: i.vector = static_cast<std::uint8_t>(0x80 + funct3(i.word)); break; // f32v2min, f32v2max
  default: break;
  }
  i.isFloat = true;
  i.reads = floatBit(i.rs1) | (funct7(i.word) == 0x2c ? 0 : floatBit(i.rs2));
  i.written = floatBit(i.rd);
}

void decodeRegisters(DecodedIssue &i) {
  const std::uint32_t word = i.word;
  switch (word & 0x7fu) {
  case kLoad:
  case kLoadFp:
    i.kind = (word & 0x7fu) == kLoad ? IssueKind::Load : IssueKind::FloatLoad;
    i.reads = intBit(i.rs1);
    i.written = i.kind == IssueKind::Load ? intBit(i.rd) : floatBit(i.rd);
    i.offset = immI(word);
    return;
  case kStore:
  case kStoreFp:
    i.kind = (word & 0x7fu) == kStore ? IssueKind::Store : IssueKind::FloatStore;
    i.reads = intBit(i.rs1) | (i.kind == IssueKind::Store ? intBit(i.rs2) : floatBit(i.rs2));
    i.offset = immS(word);
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
  case kImmediate: {
    i.reads = intBit(i.rs1);
    i.written = intBit(i.rd);
    i.isComputed = true;
    i.isSelfStep = funct3(word) == 0 && i.rd == i.rs1 && i.rd != 0;
    const auto step = static_cast<std::int32_t>(immI(word));
    i.isShortStep = i.isSelfStep && step % 4 == 0 && step >= -kMaxStep && step <= kMaxStep;
    return;
  }
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

/// Instructions of the machine that go from one register file to the other, beyond one.
std::int32_t movesOf(const DecodedIssue &i) {
  switch (funct7(i.word)) {
  case 0x50: return 1;                           // f32cmpXX, mov
  case 0x60: return 2;                           // f32int, f32toi32, mov
  case 0x68: return 2;                           // st32, ld32, f32fromi32
  case 0x70: return funct3(i.word) == 1 ? 1 : 0; // f32class, mov; else mov alone
  case 0x78: return i.rs1 == 0 ? 0 : 1;          // st32, ld32
  default: return 0;
  }
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
  if (opcode == kFloating && funct7(word) == 0x0c)
    i.slots += static_cast<std::int32_t>(model.floatDivideSlots) - 1;
  if (opcode == kFloating && model.registerMoves)
    i.slots += movesOf(i);
  return i;
}

} // namespace popscope
