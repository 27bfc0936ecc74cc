// Records of explained liveness (autoReport.outputLivenessExplanation). Steps are program ids, and intervals are
// half-open.
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
  std::int64_t born = -1;       // the program that last replaced every element; -1 = none since the engine was created
  std::uint32_t read = 0;       // the nearest program that reads it
  std::int64_t failedKill = -1; // before that read, the nearest program that wrote a part only; -1 = none
  std::vector<std::pair<std::uint64_t, std::uint64_t>>
      missed;                       // the first elements that it left out; at most kMissedRanges
  std::uint64_t missedElements = 0; // the number of all elements that it left out
  std::string carrier;              // "loop", "call", "next run" or ""
  std::int64_t carriedBy = -1;      // the id of the loop or call
};
inline constexpr std::size_t kMissedRanges = 8;
struct FalseLiveRecord {
  std::uint32_t variable = 0;
  std::uint32_t firstProgram = 0, endProgram = 0;
  Bytes bytes, bytesOnWorstTile;
};
/// The accesses of one program to one variable: numbers of elements, each counted once; 0 = no such access.
struct VariableAccessRecord {
  std::uint32_t variable = 0, program = 0;
  std::uint64_t elements = 0; // the variable's elements
  std::uint64_t read = 0, written = 0, undefined = 0;
  friend bool operator==(const VariableAccessRecord &, const VariableAccessRecord &) = default;
};
struct UndefPlacementRecord {
  std::uint32_t variable = 0, before = 0; // a WriteUndef of the variable right before this program
  Bytes savedOnWorstTile, savedOnDevice;
};
/// A trial compilation of the program with some changes (popscope.tryAdvice), and its result.
struct AdviceTrialRecord {
  std::string purpose; // "unchanged", "alone", "together", "search", "smallest", "fit" or "fits"
  std::string changes; // a JSON array, in the form of popscope.applyAdvice
  std::string text;    // the changes in words; one line per change
  std::uint64_t numChanges = 0;
  std::uint64_t tilesOutOfMemory = 0, fullestTile = 0;
  Bytes fullestBytes;      // the highest address on that tile
  Bytes pastEndBytes;      // sum over tiles
  Bytes allTilesBytes;     // occupied addresses
  Bytes exchangeCodeBytes; // code of the exchanges within IPUs; each step counts once
  Cycles exchangeCycles;   // cycles of the same exchanges
};

struct AdviceRecord {
  bool present = false; // false: nothing was explained
  std::vector<LiveExplanationRecord>
      explanations; // sorted by variable, then program; without plain lives (isPlainLife)
  std::vector<FalseLiveRecord> falseLive;
  std::vector<VariableAccessRecord> accesses; // sorted by variable, then program; one row for each pair with an access
  std::vector<UndefPlacementRecord> placements; // best first
  std::uint64_t candidates = 0, tried = 0;
  std::uint32_t worstTile = 0,
                worstProgram = 0; // the tile with the highest peak of live variable bytes, and the first program with
                                  // that peak
  Bytes worstPeak, falseLiveAtPeak, worstPeakAfterAll; // of that tile
  std::vector<AdviceTrialRecord> trials;               // the unchanged program first; empty: no trial was requested
};

} // namespace popscope
