// StandInModel: the issue slots of the modelled machine for the stand-in's RV32 instructions, where the two instruction
// sets differ. docs/inside/issue-slots.md has each rule and its source.
#pragma once
#include <cstdint>

namespace popscope {

struct StandInModel {
  // Rules for one instruction of the stand-in that takes several of the machine.
  bool compareThenBranch = false;     // branches test one register, so a comparison of two takes one more instruction
  bool registerMoves = false;         // integers and floats have separate registers, and a move between them takes an
                                      // instruction
  bool divisionCalls = false;         // a library function divides integers
  std::uint32_t floatDivideSlots = 1; // slots of a float division
  bool halves = false;                // a half is packed with another one, or converted through a float
  bool subWordStores = false;         // a library function stores less than a word
  bool supervisorWaits = false;       // a supervisor waits a round for the result of the previous instruction
  // Rules for several instructions of the stand-in that take one of the machine.
  bool postIncrement = false;    // a load or store also adds to its address
  bool indexedAddresses = false; // a load or store may take the sum of two registers as its address
  bool countAndBranch = false;   // one instruction counts down a loop's counter and branches
  bool repeatLoops = false;      // loops of a constant count, at most rptCountMax, need neither
  bool vectors = false;          // two floats, or two or four halves, are handled at once
  bool bundles = false;          // an integer or memory instruction and a float instruction issue together
  friend bool operator==(const StandInModel &, const StandInModel &) = default;
};

} // namespace popscope
