// IssueSlots: counts the issue slots that the modelled machine needs for the work of the stand-in's instructions. The
// instruction sets of the machine and of the stand-in differ. The interpreter passes each instruction to IssueSlots
// before execution. IssueSlots changes no result of the run.
//
//   stand-in                     machine                      slots
//   flw  ft1, 0(a0)              ld32step $a1, $mzero, $m0+=, 1   1
//   fadd.s ft1, ft1, ft0         f32add $a1, $a1, $a0             1
//   ...
//   addi a0, a0, 4                                                0   postIncrement
//   addi a1, a1, -1                                               0   countAndBranch
//   bnez a1, loop                brnzdec $m1, loop                1
//
// docs/inside/issue-slots.md has each rule and its source.
#pragma once
#include "graph/codelets/standin/IssueDecode.hpp"
#include "graph/codelets/standin/VectorLanes.hpp"
#include "target-models/model/StandInModel.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <string>

namespace popscope {

/// The rules for the issue slots that a machine needs for the instructions of one vertex class.
struct IssueRules {
  StandInModel model;
  std::uint32_t rptCountMax = 0, workerContexts = 6;
  bool supervisor = false; // true: the code has no hardware loops, no branches that decrement a counter, no bundles and
                           // no vectors
};

class IssueSlots {
public:
  /// Creates the counter. `librarySlots` returns the slots of a library function, or 0 if these slots are unknown.
  /// `librarySlots` may be an empty function, and must outlive this object.
  IssueSlots(const IssueRules &rules, const std::function<std::uint64_t(const std::string &)> &librarySlots);

  /// Counts the instruction `word` at address `pc`. `x` has the values of the integer registers before the instruction
  /// executes.
  void take(std::uint32_t word, std::uint32_t pc, const std::array<std::uint32_t, 32> &x);
  /// Returns the issue slots of all counted instructions, minus the number of these instructions.
  [[nodiscard]] std::int64_t beyond() const;
  /// Returns the cycles that a supervisor waits for results, in addition to the cycles of the supervisor's
  /// instructions. An access (StandInResult::accesses) takes IssueRules::workerContexts cycles. Any other instruction
  /// takes one cycle for each of its issue slots.
  [[nodiscard]] std::uint64_t waits() const { return waits_; }

private:
  /// A register that contains the sum of two registers. A later load or store may use this sum as its address.
  struct Sum {
    RegisterSet of = 0;           // the two registers that the addition reads
    bool isPartOfAddress = false; // true: the addition took no slot
  };
  struct Loop { // a loop that may be a hardware loop
    std::uint32_t branch = 0;
    std::uint64_t taken = 0, slots = 0; // number of executions of the branch; number of these executions that took a
                                        // slot
    bool constant = false;
  };

  [[nodiscard]] bool isStep(const DecodedIssue &i) const;
  [[nodiscard]] int counterOf(const DecodedIssue &branch) const;
  /// Returns the slots of the branch.
  std::int32_t branch(const DecodedIssue &i);
  void count(const DecodedIssue &branch, unsigned counter);
  void issue(const DecodedIssue &i, std::int32_t slots);
  /// Returns the number of slots that the instruction saves by joining earlier lanes of a vector instruction, or 0 if
  /// there are no lanes to join.
  [[nodiscard]] std::int32_t joinVector(const DecodedIssue &i, std::uint32_t address);
  void trackSums(const DecodedIssue &i);
  void trackBlock(const DecodedIssue &i, bool joined);
  void trackConstants(const DecodedIssue &i);
  void wait(const DecodedIssue &i, std::int32_t slots);
  void endLoop();
  void startBlock(std::uint32_t begin);

  const IssueRules rules_;
  const std::function<std::uint64_t(const std::string &)> &librarySlots_;
  std::uint64_t taken_ = 0;
  std::int64_t slots_ = 0;
  VectorLanes lanes_;
  std::array<DecodedIssue, 256> decoded_{}; // decoded instructions, by address, for reuse in loops

  // These members describe the instructions since the last instruction that may jump.
  std::uint32_t blockBegin_ = 0;
  bool blockEnded_ = true;
  RegisterSet bases_ = 0; // registers that contained the address of a load or store, and that no instruction has
                          // written since. A store of less than a word removes its address register, unless the store
                          // joins a vector instruction
  std::array<std::uint8_t, 32> baseBytes_{}; // per register of bases_: number of bytes that the last load or store at
                                             // the address in the register moved
  RegisterSet written_ = 0;
  RegisterSet used_ = 0;        // registers that an instruction has read, not counting branches and the addi of a
                                // register to itself
  RegisterSet stepped_ = 0;     // registers whose last write was an addi of the register to itself
  RegisterSet paid_ = 0;        // registers of stepped_ for which the addi took a separate slot
  RegisterSet openWritten_ = 0; // registers that the last instruction wrote, if another instruction may join its bundle
  bool isOpen_ = false, isOpenFloat_ = false;

  std::array<Sum, 32> sums_{};
  RegisterSet heldSums_ = 0; // registers that still hold a sum of two registers; neither of the two has changed since,
                             // and the sum was used only as an address
  RegisterSet constant_ = 1; // registers whose value is a constant that a compiler knows
  Loop loop_;

  std::array<std::uint64_t, 64> ready_{}; // cycle from which a supervisor may read the register
  std::uint64_t clock_ = 0, waits_ = 0;
};

} // namespace popscope
