#include "graph/codelets/standin/Rv32.hpp"

#include "graph/codelets/standin/IssueSlots.hpp"
#include "graph/codelets/standin/Rv32Fields.hpp"
#include "graph/codelets/standin/Rv32Numbers.hpp"

#include <cstring>
#include <fmt/format.h>

// Instruction formats: "The RISC-V Instruction Set Manual, Volume I", chapters 2 and 24.
namespace popscope {
namespace {

std::int32_t asSigned(std::uint32_t v) { return static_cast<std::int32_t>(v); }
std::uint32_t asUnsigned(std::int32_t v) { return static_cast<std::uint32_t>(v); }

bool touchesMemoryOrJumps(std::uint32_t word) {
  switch (word & 0x7fu) {
  case kLoad:
  case kLoadFp:
  case kStore:
  case kStoreFp:
  case kBranch:
  case kJal:
  case kJalr: return true;
  default: return false;
  }
}

/// Returns the number of operations of arithmetic on floats and halves. A fused multiply-add counts as two operations.
/// Moves, conversions, comparisons and changes of sign count as no operation.
std::uint64_t floatingPointOperations(std::uint32_t word) {
  switch (word & 0x7fu) {
  case kMadd:
  case kMsub:
  case kNmsub:
  case kNmadd: return 2;
  case kFloating:
    switch (floatOperation(word)) {
    case kFloatAdd:
    case kFloatSubtract:
    case kFloatMultiply:
    case kFloatDivide:
    case kFloatMinMax:
    case kFloatSquareRoot: return 1;
    default: return 0;
    }
  default: return 0;
  }
}

} // namespace

std::uint32_t Rv32Memory::load(std::uint32_t address, unsigned count) const {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + (address - base), count); // hosts are little-endian, like the image
  return value;
}

void Rv32Memory::store(std::uint32_t address, std::uint32_t value, unsigned count) {
  std::memcpy(bytes.data() + (address - base), &value, count);
}

bool Rv32::fail(const std::string &why) {
  problem_ = fmt::format("{} at address {:#x}", why, pc_);
  return false;
}

bool Rv32::unknown(std::uint32_t word) { return fail(fmt::format("unknown instruction {:#010x}", word)); }

void Rv32::set(std::uint32_t word, std::uint32_t value) {
  if (rd(word) != 0)
    x[rd(word)] = value;
}

// Interprets from `entry` until the function returns to kReturn, a trap ends the run, a fault occurs, or `limit`
// instructions have run. Addresses in [kTrapsBegin, kTrapsEnd) are calls of native functions.
Rv32Outcome Rv32::call(std::uint32_t entry, std::uint32_t stackTop, std::uint64_t limit) {
  Rv32Outcome outcome;
  problem_.clear();
  x[0] = 0;
  x[1] = kReturn;
  x[2] = stackTop & ~15u;
  pc_ = entry;
  while (pc_ != kReturn) {
    if (outcome.instructions >= limit) {
      outcome.problem = fmt::format("stopped after {} instructions", limit);
      return outcome;
    }
    if (pc_ >= kTrapsBegin && pc_ < kTrapsEnd) {
      if (!trap_(*this, pc_, outcome.instructions, outcome.problem))
        return outcome;
      pc_ = x[1];
      continue;
    }
    next_ = pc_ + 4;
    if (!memory_.contains(pc_, 4) || pc_ >= memory_.writableFrom) {
      fail("jump outside the code");
    } else {
      const std::uint32_t word = memory_.load(pc_, 4);
      outcome.accesses += touchesMemoryOrJumps(word) ? 1 : 0;
      outcome.flops += floatingPointOperations(word);
      if (issue_ != nullptr)
        issue_->take(word, pc_, x);
      step(word);
    }
    if (!problem_.empty()) {
      outcome.problem = problem_;
      return outcome;
    }
    ++outcome.instructions;
    pc_ = next_;
  }
  outcome.completed = true;
  return outcome;
}

bool Rv32::step(std::uint32_t word) {
  switch (word & 0x7fu) {
  case kLoad:
  case kLoadFp: return load(word);
  case kStore:
  case kStoreFp: return store(word);
  case kFence: return true;
  case kImmediate: return immediate(word);
  case kRegisters: return funct7(word) == 1 ? multiply(word) : registers(word);
  case kBranch: return branch(word);
  case kMadd:
  case kMsub:
  case kNmsub:
  case kNmadd: return fused(word);
  case kFloating: return floating(word);
  case kLui: return set(word, word & 0xfffff000u), true;
  case kAuipc: return set(word, pc_ + (word & 0xfffff000u)), true;
  case kJal:
    set(word, pc_ + 4);
    next_ = pc_ + immJ(word);
    return true;
  case kJalr: {
    const std::uint32_t target = (x[rs1(word)] + immI(word)) & ~1u;
    set(word, pc_ + 4);
    next_ = target;
    return true;
  }
  default: return unknown(word);
  }
}

bool Rv32::load(std::uint32_t word) {
  const std::uint32_t address = x[rs1(word)] + immI(word), width = 1u << (funct3(word) & 3u);
  const bool isFloat = (word & 0x7fu) == kLoadFp;
  if (width > 4 || (isFloat && width == 1))
    return fail(fmt::format("unknown load {:#010x}", word));
  if (!memory_.contains(address, width))
    return fail(fmt::format("load of {} bytes outside the memory, from {:#x},", width, address));
  const std::uint32_t value = memory_.load(address, width);
  if (isFloat)
    f[rd(word)] = width == 2 ? boxHalf(value) : value;
  else
    set(word, width < 4 && (funct3(word) & 4u) == 0 ? signExtend(value, 8 * width) : value);
  return true;
}

bool Rv32::store(std::uint32_t word) {
  const std::uint32_t address = x[rs1(word)] + immS(word), width = 1u << (funct3(word) & 3u);
  const bool isFloat = (word & 0x7fu) == kStoreFp;
  if (width > 4 || (isFloat && width == 1))
    return fail(fmt::format("unknown store {:#010x}", word));
  if (!memory_.contains(address, width) || address < memory_.writableFrom)
    return fail(fmt::format("store of {} bytes outside the writable memory, to {:#x},", width, address));
  memory_.store(address, isFloat ? f[rs2(word)] : x[rs2(word)], width);
  return true;
}

bool Rv32::branch(std::uint32_t word) {
  const std::uint32_t a = x[rs1(word)], b = x[rs2(word)];
  bool taken = false;
  switch (funct3(word)) {
  case 0: taken = a == b; break;
  case 1: taken = a != b; break;
  case 4: taken = asSigned(a) < asSigned(b); break;
  case 5: taken = asSigned(a) >= asSigned(b); break;
  case 6: taken = a < b; break;
  case 7: taken = a >= b; break;
  default: return fail(fmt::format("unknown branch {:#010x}", word));
  }
  if (taken)
    next_ = pc_ + immB(word);
  return true;
}

bool Rv32::immediate(std::uint32_t word) {
  const std::uint32_t a = x[rs1(word)], b = immI(word), shift = rs2(word);
  switch (funct3(word)) {
  case 0: set(word, a + b); return true;
  case 1: set(word, a << shift); return true;
  case 2: set(word, asSigned(a) < asSigned(b)); return true;
  case 3: set(word, a < b); return true;
  case 4: set(word, a ^ b); return true;
  case 5: set(word, funct7(word) == 0x20 ? asUnsigned(asSigned(a) >> shift) : a >> shift); return true;
  case 6: set(word, a | b); return true;
  default: set(word, a & b); return true;
  }
}

bool Rv32::registers(std::uint32_t word) {
  const std::uint32_t a = x[rs1(word)], b = x[rs2(word)];
  const bool other = funct7(word) == 0x20;
  if (!other && funct7(word) != 0)
    return unknown(word);
  switch (funct3(word)) {
  case 0: set(word, other ? a - b : a + b); return true;
  case 1: set(word, a << (b & 31u)); return true;
  case 2: set(word, asSigned(a) < asSigned(b)); return true;
  case 3: set(word, a < b); return true;
  case 4: set(word, a ^ b); return true;
  case 5: set(word, other ? asUnsigned(asSigned(a) >> (b & 31u)) : a >> (b & 31u)); return true;
  case 6: set(word, a | b); return true;
  default: set(word, a & b); return true;
  }
}

bool Rv32::multiply(std::uint32_t word) {
  const std::uint32_t a = x[rs1(word)], b = x[rs2(word)];
  const std::int64_t sa = asSigned(a), sb = asSigned(b);
  const bool overflow = a == 0x80000000u && b == 0xffffffffu;
  switch (funct3(word)) {
  case 0: set(word, a * b); return true;
  case 1: set(word, static_cast<std::uint32_t>((sa * sb) >> 32)); return true;
  case 2: set(word, static_cast<std::uint32_t>((sa * static_cast<std::int64_t>(b)) >> 32)); return true;
  case 3: set(word, static_cast<std::uint32_t>((static_cast<std::uint64_t>(a) * b) >> 32)); return true;
  case 4: set(word, b == 0 ? ~0u : overflow ? a : asUnsigned(static_cast<std::int32_t>(sa / sb))); return true;
  case 5: set(word, b == 0 ? ~0u : a / b); return true;
  case 6: set(word, b == 0 ? a : overflow ? 0 : asUnsigned(static_cast<std::int32_t>(sa % sb))); return true;
  default: set(word, b == 0 ? a : a % b); return true;
  }
}

} // namespace popscope
