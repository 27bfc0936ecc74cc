// StandInModel: the issue slots that the modelled machine takes for the stand-in's RV32 instructions, where the two
// instruction sets differ. docs/inside/issue-slots.md lists each rule with its source.
#pragma once
#include <cstdint>

namespace popscope {

struct StandInModel {
  // With these rules, one instruction of the stand-in needs several instructions or issue slots of the machine.
  bool compareThenBranch = false;     // branches test only one register, and cannot test whether the register is above
                                      // zero. A test for above zero, or a comparison of two registers, takes one more
                                      // instruction
  bool registerMoves = false;         // integers and floats have separate registers: a float instruction that reads or
                                      // writes an integer register takes up to two more instructions
  bool divisionCalls = false;         // integers are divided by a library function
  std::uint32_t floatDivideSlots = 1; // issue slots of a float division
  bool halves = false;                // an operation on one half uses two halves or a float instead
  bool subWordStores = false;         // a store of less than a word calls a library function
  bool supervisorWaits = false;       // a supervisor can read the result of an instruction only workerContexts cycles
                                      // after the instruction began, and waits until then
  // With these rules, one instruction of the machine does the work of several instructions of the stand-in. For
  // supervisors, countAndBranch, repeatLoops, vectors and bundles have no effect.
  bool postIncrement = false;    // a load or store can also add to its address
  bool indexedAddresses = false; // a load or store can use the sum of two registers as its address
  bool countAndBranch = false;   // one instruction decrements the counter of a loop and branches
  bool repeatLoops = false;      // one instruction controls all iterations of a loop with a constant count of at most
                                 // rptCountMax; no effect without countAndBranch
  bool vectors = false;          // one instruction handles two floats, or two or four halves
  bool bundles = false;          // an integer or memory instruction and a float instruction can issue together
  friend bool operator==(const StandInModel &, const StandInModel &) = default;
};

} // namespace popscope
