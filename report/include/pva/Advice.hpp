// Extension: explained liveness (engine option autoReport.outputLivenessExplanation). Included by <pva/pva.hpp>.
// Program ids are Program::_id(); intervals of them are half-open.
#ifndef PVA_ADVICE_HPP
#define PVA_ADVICE_HPP

#include <pva/Liveness.hpp>

#include <string>
#include <utility>
#include <vector>

namespace pva {

/// Why a variable is live at the programs [firstProgram, endProgram).
struct LiveExplanation {
  Variable variable;
  std::size_t firstProgram, endProgram;
  std::shared_ptr<Program> born;       // last replaced every element; null: none since the engine started
  std::shared_ptr<Program> read;       // the nearest that reads it
  std::shared_ptr<Program> failedKill; // the nearest before that read that wrote in part; null: none
  std::vector<std::pair<std::uint64_t, std::uint64_t>> missed; // the first (at most 8) ranges of elements it left out
  std::uint64_t missedElements;                                // all of them
  std::string carrier;                                         // "loop", "call", "next run" or ""
  std::shared_ptr<Program> carriedBy;                          // the loop or call, or null
};
/// Bytes live by the array rule that no path reads, at the programs [firstProgram, endProgram).
struct FalseLive {
  Variable variable;
  std::size_t firstProgram, endProgram;
  std::uint64_t bytes, bytesOnWorstTile;
};
/// What one program does to a variable: so many of its elements, each counted once; 0: nothing of the kind.
struct VariableAccess {
  std::shared_ptr<Program> program;
  std::uint64_t elements; // of the variable
  std::uint64_t read, written, undefined;
};
/// WriteUndef(variable) right before a program, with the bytes that applying it saved.
struct UndefPlacement {
  Variable variable;
  std::shared_ptr<Program> before;
  std::uint64_t savedOnWorstTile, savedOnDevice;
};
struct LivenessAdvice {
  bool present;                              // false: the profile explains nothing, and the rest is empty
  std::vector<LiveExplanation> explanations; // by variable, then program
  std::vector<FalseLive> falseLive;          // by variable, then program
  std::vector<UndefPlacement> placements;    // best first
  std::size_t worstTile;                     // with the highest peak of live variable bytes
  std::shared_ptr<Program> worstProgram;     // the first with that peak
  std::uint64_t worstPeak, falseLiveAtPeak, worstPeakAfterAll; // bytes on that tile
  std::uint64_t candidates, tried;                             // placements possible, and applied and measured
};

/// The program compiled again with some changes (engine option popscope.tryAdvice).
struct AdviceTrial {
  std::string purpose;     // "unchanged", "alone", "together", "search", "smallest", "fit" or "fits"
  std::string changes;     // a JSON array, as popscope.applyAdvice takes it
  std::string description; // the same in words, a line for each change
  std::uint64_t numChanges;
  std::uint64_t tilesOutOfMemory, fullestTile;
  std::uint64_t fullestBytes, pastEndBytes, allTilesBytes, exchangeCodeBytes; // bytes
  std::uint64_t exchangeCycles; // of exchanges within IPUs, each step once
};

} // namespace pva
#endif
