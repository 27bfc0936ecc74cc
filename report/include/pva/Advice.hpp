// Extension: explained liveness (engine option autoReport.outputLivenessExplanation). <pva/pva.hpp> includes it.
// Program ids are Program::_id(), and intervals of them are half-open.
#ifndef PVA_ADVICE_HPP
#define PVA_ADVICE_HPP

#include <pva/Liveness.hpp>

#include <string>
#include <utility>
#include <vector>

namespace pva {

/// The reason why a variable is live at the programs [firstProgram, endProgram).
struct LiveExplanation {
  Variable variable;
  std::size_t firstProgram, endProgram;
  std::shared_ptr<Program> born;       // the last program that replaced every element; null: none since the engine was
                                       // created
  std::shared_ptr<Program> read;       // the nearest program that reads it
  std::shared_ptr<Program> failedKill; // before that read, the last program that wrote only a part; null: none
  std::vector<std::pair<std::uint64_t, std::uint64_t>> missed; // the first (at most 8) ranges of elements that
                                                               // failedKill left out
  std::uint64_t missedElements;                                // the number of all elements that it left out
  std::string carrier;                                         // "loop", "call", "next run" or ""
  std::shared_ptr<Program> carriedBy;                          // the loop or call, or null
};
/// Bytes that are live by the array rule at the programs [firstProgram, endProgram), although no later program reads
/// them.
struct FalseLive {
  Variable variable;
  std::size_t firstProgram, endProgram;
  std::uint64_t bytes, bytesOnWorstTile;
};
/// The accesses of one program to a variable: numbers of elements, each counted once; 0: no such access.
struct VariableAccess {
  std::shared_ptr<Program> program;
  std::uint64_t elements; // the variable's elements
  std::uint64_t read, written, undefined;
};
/// A WriteUndef(variable) right before a program, and the bytes that it saved when it was applied.
struct UndefPlacement {
  Variable variable;
  std::shared_ptr<Program> before;
  std::uint64_t savedOnWorstTile, savedOnDevice;
};
struct LivenessAdvice {
  bool present;                              // false: the profile contains no explanations, and the rest is empty
  std::vector<LiveExplanation> explanations; // Sorted by variable, then program.
  std::vector<FalseLive> falseLive;          // Sorted by variable, then program.
  std::vector<UndefPlacement> placements;    // best first
  std::size_t worstTile;                     // the tile with the highest peak of live variable bytes
  std::shared_ptr<Program> worstProgram;     // the first program with that peak
  std::uint64_t worstPeak, falseLiveAtPeak, worstPeakAfterAll; // bytes on that tile
  std::uint64_t candidates, tried;                             // possible placements, and the number that was applied
                                                               // and measured
};

/// A trial compilation of the program with some changes (engine option popscope.tryAdvice).
struct AdviceTrial {
  std::string purpose;     // "unchanged", "alone", "together", "search", "smallest", "fit" or "fits"
  std::string changes;     // a JSON array, in the form of popscope.applyAdvice
  std::string description; // the same in words, one line per change
  std::uint64_t numChanges;
  std::uint64_t tilesOutOfMemory, fullestTile;
  std::uint64_t fullestBytes, pastEndBytes, allTilesBytes, exchangeCodeBytes; // bytes
  std::uint64_t exchangeCycles; // Cycles of exchanges within IPUs; each step counts once.
};

} // namespace pva
#endif
