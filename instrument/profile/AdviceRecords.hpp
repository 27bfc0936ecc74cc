// Records of explained liveness (autoReport.outputLivenessExplanation) and of trial compilations (popscope.tryAdvice).
// A step is given as a program id. Intervals of steps are half-open.
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
  std::int64_t born = -1;       // the last program up to firstProgram, in the order of execution, that replaced every
                                // element; -1 = none since the engine was created
  std::uint32_t read = 0;       // nearest later program that reads the variable
  std::int64_t failedKill = -1; // first program from firstProgram on, on the way to `read`, that wrote only a part of
                                // the variable; -1 = none
  /// The first ranges of elements that failedKill did not write (at most kMissedRanges ranges).
  std::vector<std::pair<std::uint64_t, std::uint64_t>> missed;
  std::uint64_t missedElements = 0; // number of all elements that failedKill did not write
  std::string carrier;              // the first construct that carries the value on its way to the read: "loop",
                                    // "call", "next run" or "" for none
  std::int64_t carriedBy = -1;      // program id of the loop or call; -1 = none
};
inline constexpr std::size_t kMissedRanges = 8;
struct FalseLiveRecord {
  std::uint32_t variable = 0;
  std::uint32_t firstProgram = 0, endProgram = 0;
  Bytes bytes, bytesOnWorstTile;
};
/// The accesses of one program to one variable, in numbers of elements. Each element counts once. The number 0 means
/// that the program has no access of this kind.
struct VariableAccessRecord {
  std::uint32_t variable = 0, program = 0;
  std::uint64_t elements = 0; // number of the variable's elements
  std::uint64_t read = 0, written = 0, undefined = 0;
  friend bool operator==(const VariableAccessRecord &, const VariableAccessRecord &) = default;
};
struct UndefPlacementRecord {
  std::uint32_t variable = 0, before = 0; // a WriteUndef of the variable directly before program `before`
  Bytes savedOnWorstTile, savedOnDevice;  // bytes that this WriteUndef alone saves
  bool together = false;                  // as UndefPlacement::together
};
/// A trial compilation of the program with some changes (popscope.tryAdvice), and its result.
struct AdviceTrialRecord {
  std::string purpose; // "unchanged", "alone", "together", "search", "smallest", "fit" or "fits"
  std::string changes; // a JSON array, in the form of popscope.applyAdvice
  std::string text;    // the changes in words, one line per change
  std::uint64_t numChanges = 0;
  std::uint64_t tilesOutOfMemory = 0, fullestTile = 0;
  Bytes fullestBytes;      // occupied bytes and gaps up to the highest used address on fullestTile
  Bytes pastEndBytes;      // bytes beyond the memory of a tile, summed over tiles
  Bytes allTilesBytes;     // occupied bytes, summed over tiles
  Bytes exchangeCodeBytes; // code of the exchanges within IPUs; code that several steps share counts once
  Cycles exchangeCycles;   // cycles of the slowest tile in an exchange within IPUs, summed over these exchanges; each
                           // exchange counts once, not once per execution
};

struct AdviceRecord {
  bool present = false; // false: the liveness was not explained
  /// Sorted by variable, then program. Plain lives (isPlainLife) are left out.
  std::vector<LiveExplanationRecord> explanations;
  std::vector<FalseLiveRecord> falseLive;
  std::vector<VariableAccessRecord> accesses;   // sorted by variable, then program; one record for each pair with an
                                                // access
  std::vector<UndefPlacementRecord> placements; // sorted by bytes saved on the worst tile, then on the device, most
                                                // first
  std::uint64_t candidates = 0, tried = 0; // number of possible placements; number of placements that were applied and
                                           // measured
  /// The tile with the highest peak of live variable bytes, and the first program at which the tile has this peak.
  std::uint32_t worstTile = 0, worstProgram = 0;
  Bytes worstPeak, falseLiveAtPeak, worstPeakAfterAll; // bytes on worstTile: its peak, the false-live bytes at the
                                                       // peak, and the peak with all tried placements applied
  std::vector<AdviceTrialRecord> trials;               // the unchanged program first; empty = no trial was requested
};

} // namespace popscope
