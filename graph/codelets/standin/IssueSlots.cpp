#include "graph/codelets/standin/IssueSlots.hpp"

#include "base/Bits.hpp"
#include "graph/codelets/standin/Rv32Fields.hpp"

#include <algorithm>
#include <bit>

namespace popscope {
namespace {

// The largest step of ld32step, ldb16step, st32step and so on, in units of the moved data.
constexpr std::int32_t kMaxStep = 127;

RegisterSet bitOf(unsigned reg) { return RegisterSet(1) << reg; }

} // namespace

IssueSlots::IssueSlots(const IssueRules &rules, const std::function<std::uint64_t(const std::string &)> &librarySlots)
    : rules_(rules), librarySlots_(librarySlots) {}

std::int64_t IssueSlots::beyond() const { return slots_ - static_cast<std::int64_t>(taken_); }

bool IssueSlots::isStep(const DecodedIssue &i) const {
  if (!i.isSelfStep || !rules_.model.postIncrement || (bases_ & bitOf(i.rd)) == 0)
    return false;
  const auto step = static_cast<std::int32_t>(i.offset), unit = std::int32_t(baseBytes_[i.rd]);
  return step % unit == 0 && step >= -kMaxStep * unit && step <= kMaxStep * unit;
}

/// Returns the register that a backward branch counts by, or -1 if the branch does not count. The register is stepped
/// in the same block. The branch compares this register with zero or with a register that the block does not write.
int IssueSlots::counterOf(const DecodedIssue &branch) const {
  if (!rules_.model.countAndBranch || rules_.supervisor || static_cast<std::int32_t>(branch.offset) >= 0)
    return -1;
  const auto counts = [&](unsigned counter, unsigned bound) {
    return counter != 0 && (stepped_ & bitOf(counter)) != 0 && (bound == 0 || (written_ & bitOf(bound)) == 0);
  };
  return counts(branch.rs1, branch.rs2) ? branch.rs1 : counts(branch.rs2, branch.rs1) ? branch.rs2 : -1;
}

void IssueSlots::endLoop() {
  // A hardware loop: one instruction before the loop replaces the branch of each iteration. The compiler uses such a
  // loop only for a count that is known to fit.
  if (loop_.constant && loop_.taken > 1 && loop_.taken <= rules_.rptCountMax && loop_.slots > 1)
    slots_ -= static_cast<std::int64_t>(loop_.slots) - 1;
  loop_ = {};
}

std::int32_t IssueSlots::branch(const DecodedIssue &i) {
  const int counter = counterOf(i);
  if (counter >= 0) {
    count(i, static_cast<unsigned>(counter));
    return i.slots;
  }
  endLoop();
  const bool ordered = funct3(i.word) == 4 || funct3(i.word) == 5; // tiles have a branch for "below zero" but none for
                                                                   // "above zero"
  return i.slots + (rules_.model.compareThenBranch && i.rs2 != 0 && (i.rs1 != 0 || ordered) ? 1 : 0);
}

void IssueSlots::count(const DecodedIssue &branch, unsigned counter) {
  // The counter belongs to the branch: no other instruction may use its value.
  if ((paid_ & ~used_ & bitOf(counter)) != 0)
    slots_ -= 1;
  if (!rules_.model.repeatLoops || branch.pc + branch.offset < blockBegin_) // the branch goes to a block before this
                                                                            // one
    return endLoop();
  if (loop_.branch != branch.pc) {
    endLoop();
    loop_.branch = branch.pc;
    loop_.constant = (branch.reads & ~constant_) == 0;
  }
  ++loop_.taken;
}

/// Counts the slots of an instruction that was not joined to another, or puts the instruction into the bundle of the
/// previous instruction.
void IssueSlots::issue(const DecodedIssue &i, std::int32_t slots) {
  const bool fits = i.isFloat || slots == 1;
  const bool joins = isOpen_ && fits && isOpenFloat_ != i.isFloat && ((i.reads | i.written) & openWritten_) == 0 &&
                     i.kind != IssueKind::Jump;
  isOpen_ = rules_.model.bundles && !rules_.supervisor && !joins && fits && !i.jumps();
  isOpenFloat_ = i.isFloat;
  openWritten_ = i.written;
  slots -= joins ? 1 : 0;
  slots_ += slots;
  if (i.pc == loop_.branch && slots != 0)
    ++loop_.slots;
  if (i.isSelfStep)
    paid_ = slots != 0 ? paid_ | i.written : paid_ & ~i.written;
  if (i.isSum && slots != 0 && rules_.model.indexedAddresses) {
    sums_[i.rd] = {i.reads, false};
    heldSums_ |= i.written;
  }
}

/// Tracks sums that are only addresses. Such sums cost nothing, because loads and stores add base, delta and offset.
void IssueSlots::trackSums(const DecodedIssue &i) {
  const unsigned base = i.touchesMemory() ? i.rs1 : 0;
  const RegisterSet others = i.reads & ~(i.kind == IssueKind::Store && i.rs2 == base ? 0 : bitOf(base));
  eachBit(heldSums_, 0U, [&](unsigned r) {
    Sum &sum = sums_[r];
    if ((others & bitOf(r)) != 0) {
      slots_ += sum.isPartOfAddress ? 1 : 0; // the sum must be computed after all
      heldSums_ &= ~bitOf(r);
    } else if (r == base && !sum.isPartOfAddress) {
      slots_ -= 1;
      sum.isPartOfAddress = true;
    }
    if ((i.written & (bitOf(r) | sum.of)) != 0)
      heldSums_ &= ~bitOf(r);
  });
}

void IssueSlots::trackConstants(const DecodedIssue &i) {
  constant_ = i.isComputed && (i.reads & ~constant_) == 0 ? constant_ | i.written : constant_ & ~i.written;
}

void IssueSlots::trackBlock(const DecodedIssue &i, bool joined) {
  if (i.isSelfStep) {
    stepped_ |= i.written;
  } else {
    if (i.kind != IssueKind::Branch)
      used_ |= i.reads;
    stepped_ &= ~i.written;
  }
  bases_ &= ~i.written;
  written_ |= i.written;
  if (!i.touchesMemory() || i.rs1 == 0)
    return;
  if (i.storesPart() && !joined) { // an instruction that stores a part cannot step its address
    bases_ &= ~bitOf(i.rs1);
    return;
  }
  bases_ |= bitOf(i.rs1);
  baseBytes_[i.rs1] = i.bytes;
}

/// Waits for results. A supervisor alone issues each cycle, but the result of an instruction is readable only one round
/// later.
void IssueSlots::wait(const DecodedIssue &i, std::int32_t slots) {
  const std::uint64_t round = rules_.workerContexts;
  std::uint64_t begin = clock_;
  eachBit(i.reads, std::size_t(0), [&](std::size_t r) { begin = std::max(begin, ready_[r]); });
  waits_ += begin - clock_;
  if (i.kind == IssueKind::Branch && slots > 1) { // the comparison, and a wait for its result
    waits_ += round - 1;
    begin += round;
  }
  clock_ = begin + (i.touchesMemory() || i.jumps() ? round : static_cast<std::uint64_t>(slots));
  if (i.written != 0)
    ready_[static_cast<std::size_t>(std::countr_zero(i.written))] = std::max(clock_, begin + round);
}

void IssueSlots::startBlock(std::uint32_t begin) {
  blockBegin_ = begin;
  blockEnded_ = false;
  bases_ = written_ = used_ = stepped_ = paid_ = 0;
  isOpen_ = false;
  lanes_.clear();
}

void IssueSlots::take(std::uint32_t word, std::uint32_t pc, const std::array<std::uint32_t, 32> &x) {
  if (blockEnded_)
    startBlock(pc);
  DecodedIssue &i = decoded_[(pc / 4) % decoded_.size()];
  if (i.pc != pc)
    i = decodeIssue(word, pc, rules_.model, librarySlots_);
  ++taken_;
  if (heldSums_ != 0)
    trackSums(i);
  std::int32_t spared = 0, slots = i.slots;
  if (i.kind == IssueKind::Branch)
    slots = branch(i);
  else if (i.kind == IssueKind::Jump)
    endLoop();
  else if (rules_.model.vectors && !rules_.supervisor)
    spared = joinVector(i, x[i.rs1] + i.offset);
  if (spared != 0) {
    slots_ += slots - spared;
  } else if (!isStep(i)) {
    issue(i, slots);
    if (rules_.model.supervisorWaits && rules_.supervisor)
      wait(i, slots);
  }
  trackConstants(i);
  trackBlock(i, spared != 0);
  blockEnded_ = i.jumps();
}

std::int32_t IssueSlots::joinVector(const DecodedIssue &i, std::uint32_t address) {
  if (i.vector.kind != 0)
    return lanes_.operate(i.vector, i.rd, i.rs1, i.rs2, i.slots);
  switch (i.kind) {
  case IssueKind::FloatLoad: lanes_.load(i.rd, address, i.bytes); return 0;
  case IssueKind::FloatStore: return lanes_.store(i.rs2, address, i.bytes, i.slots);
  case IssueKind::Store: lanes_.forgetLoads(); return 0;
  case IssueKind::Other:
  case IssueKind::Load:
  case IssueKind::Branch:
  case IssueKind::Jump:
    if (i.writesFloat())
      lanes_.write(i.rd);
    break;
  }
  return 0;
}

} // namespace popscope
