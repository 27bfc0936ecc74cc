// StandInModel: how many issue slots of the modelled machine the stand-in's RV32 instructions take where the two
// instruction sets differ. docs/CYCLES.md, "Instructions of the stand-in", has each rule and its source.
#pragma once
#include <cstdint>

namespace popscope {

struct StandInModel {
  // One instruction of the stand-in that is several of the machine.
  bool compareThenBranch = false;     // branches test one register: comparing two is an instruction before
  bool registerMoves = false;         // integers and floats have registers of their own: what goes over is moved
  bool divisionCalls = false;         // integers are divided by a library function
  std::uint32_t floatDivideSlots = 1; // of a float division
  bool halves = false;                // one half is put beside another, or goes through a float
  bool subWordStores = false;         // less than a word is stored by a library function
  bool supervisorWaits = false;       // a supervisor waits a round for the result of the instruction before
  // Several of the stand-in that are one.
  bool postIncrement = false;    // a load or store adds to its address
  bool indexedAddresses = false; // ... or takes it as the sum of two registers
  bool countAndBranch = false;   // a loop's counter and its branch
  bool repeatLoops = false;      // loops of a constant count, at most rptCountMax, have neither
  bool vectors = false;          // two floats, or two or four halves, side by side
  bool bundles = false;          // an integer or memory instruction and a float one issue together
  friend bool operator==(const StandInModel &, const StandInModel &) = default;
};

} // namespace popscope
