// Explained liveness as records (autoReport.outputLivenessExplanation). Program ids and half-open intervals of them.
#pragma once
#include "base/Units.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace popscope {

struct LiveExplanationRecord {
  std::uint32_t variable = 0; // LiveVariableRecord id
  std::uint32_t firstProgram = 0, endProgram = 0;
  std::int64_t born = -1;       // the program that last replaced every element; -1 = none since the engine started
  std::uint32_t read = 0;       // the nearest program that reads it
  std::int64_t failedKill = -1; // the nearest program before that read that wrote in part; -1 = none
  std::vector<std::pair<std::uint64_t, std::uint64_t>>
      missed;                       // the first elements that it left out; at most kMissedRanges
  std::uint64_t missedElements = 0; // all of them
  std::string carrier;              // "loop", "call", "next run" or ""
  std::int64_t carriedBy = -1;      // the loop or the call
};
inline constexpr std::size_t kMissedRanges = 8;
struct FalseLiveRecord {
  std::uint32_t variable = 0;
  std::uint32_t firstProgram = 0, endProgram = 0;
  Bytes bytes, bytesOnWorstTile;
};
/// What one program does to one variable: so many of its elements, each counted once; 0 = it does nothing of the kind.
struct VariableAccessRecord {
  std::uint32_t variable = 0, program = 0;
  std::uint64_t elements = 0; // of the variable
  std::uint64_t read = 0, written = 0, undefined = 0;
  friend bool operator==(const VariableAccessRecord &, const VariableAccessRecord &) = default;
};
struct UndefPlacementRecord {
  std::uint32_t variable = 0, before = 0; // WriteUndef right before this program
  Bytes savedOnWorstTile, savedOnDevice;
};
/// The program compiled once more with some changes (popscope.tryAdvice): what came of it.
struct AdviceTrialRecord {
  std::string purpose; // "unchanged", "alone", "together", "search", "smallest", "fit" or "fits"
  std::string changes; // as popscope.applyAdvice takes them: a JSON array
  std::string text;    // the same in words; a line for each change
  std::uint64_t numChanges = 0;
  std::uint64_t tilesOutOfMemory = 0, fullestTile = 0;
  Bytes fullestBytes;      // the highest address on that tile
  Bytes pastEndBytes;      // sum over tiles
  Bytes allTilesBytes;     // occupied addresses
  Bytes exchangeCodeBytes; // of exchanges within IPUs; each step of them once
  Cycles exchangeCycles;   // likewise
};

struct AdviceRecord {
  bool present = false;                            // false: nothing was explained
  std::vector<LiveExplanationRecord> explanations; // by variable, then program; without plain lives (isPlainLife)
  std::vector<FalseLiveRecord> falseLive;
  std::vector<VariableAccessRecord> accesses;   // by variable, then program; a row for each pair with an access
  std::vector<UndefPlacementRecord> placements; // best first
  std::uint64_t candidates = 0, tried = 0;
  std::uint32_t worstTile = 0,
                worstProgram = 0; // with the highest peak of live variable bytes, and the first program there
  Bytes worstPeak, falseLiveAtPeak, worstPeakAfterAll; // on that tile
  std::vector<AdviceTrialRecord> trials;               // the unchanged program first; empty: none were asked for
};

} // namespace popscope
