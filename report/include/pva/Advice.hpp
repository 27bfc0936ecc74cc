// Extension: explained liveness (engine option autoReport.outputLivenessExplanation). <pva/pva.hpp> includes this
// header. A program id is Program::_id(); intervals of program ids are half-open.
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
  std::shared_ptr<Program> born;       // the last program up to `firstProgram`, in the order of execution, that
                                       // replaced every element; null if there is no such program since the engine was
                                       // created
  std::shared_ptr<Program> read;       // the nearest later program that reads the variable
  std::shared_ptr<Program> failedKill; // the first program at or after `firstProgram`, on the way to `read`, that wrote
                                       // only a part of the variable; null if there is no such program
  std::vector<std::pair<std::uint64_t, std::uint64_t>> missed; // the first ranges (at most 8) of elements that
                                                               // failedKill did not write
  std::uint64_t missedElements;                                // number of all elements that failedKill did not write
  std::string carrier;                                         // the first construct that carries the value on its way
                                                               // to the read: "loop", "call", "next run" or "" for none
  std::shared_ptr<Program> carriedBy;                          // the program of the loop or call; null if no loop or
                                                               // call carries the value
};
/// Bytes that count as live at the programs [firstProgram, endProgram) because liveness treats each variable as a
/// whole, although no later program reads these bytes.
struct FalseLive {
  Variable variable;
  std::size_t firstProgram, endProgram;
  std::uint64_t bytes, bytesOnWorstTile;
};
/// The numbers of elements of one variable that a program reads, writes and undefines. Each number counts an element at
/// most once. 0 means that the program has no access of this kind.
struct VariableAccess {
  std::shared_ptr<Program> program;
  std::uint64_t elements; // number of the variable's elements
  std::uint64_t read, written, undefined;
};
/// A possible WriteUndef of a variable, directly before a program. This WriteUndef alone would lower the peak of live
/// variable bytes: by savedOnWorstTile on the worst tile, and by savedOnDevice on all tiles together.
struct UndefPlacement {
  Variable variable;
  std::shared_ptr<Program> before;
  std::uint64_t savedOnWorstTile, savedOnDevice; // if both are 0, this WriteUndef saves bytes only together with other
                                                 // WriteUndefs
  bool together; // true: belongs to a minimal set of placements that lowers a peak as far as all tried placements
                 // together. This peak is the worst tile's peak (LivenessAdvice::worstPeakAfterAll). If a single
                 // placement lowers the worst tile's peak as far, the set lowers the peak of all tiles together
                 // instead. If a single placement also lowers this second peak as far, there is no such set, and
                 // `together` is false for all placements
};
struct LivenessAdvice {
  bool present;                              // false: the profile contains no explanations, and the other members are
                                             // empty or 0
  std::vector<LiveExplanation> explanations; // Sorted by variable, then program.
  std::vector<FalseLive> falseLive;          // Sorted by variable, then program.
  std::vector<UndefPlacement> placements;    // WriteUndefs that save bytes, alone or with others; sorted by bytes
                                             // saved alone on the worst tile, then on the device, most first
  std::size_t worstTile;                     // the tile with the highest peak of live variable bytes
  std::shared_ptr<Program> worstProgram;     // the first program at which worstTile has this peak
  std::uint64_t worstPeak, falseLiveAtPeak, worstPeakAfterAll; // bytes on worstTile: its peak, the false-live bytes at
                                                               // the peak, and the peak with all tried placements
                                                               // applied
  std::uint64_t candidates, tried;                             // number of possible placements, and number of
                                                               // placements that were applied and measured
};

/// A trial compilation of the program with some changes (engine option popscope.tryAdvice).
struct AdviceTrial {
  std::string purpose;     // "unchanged", "alone", "together", "search", "smallest", "fit" or "fits";
                           // docs/FORMAT-pop.md (advice_trials) describes each
  std::string changes;     // a JSON array, in the form of popscope.applyAdvice
  std::string description; // the same changes in words, one line per change
  std::uint64_t numChanges;
  std::uint64_t tilesOutOfMemory, fullestTile;
  std::uint64_t fullestBytes, pastEndBytes, allTilesBytes, exchangeCodeBytes; // sizes in bytes
  std::uint64_t exchangeCycles; // cycles of the slowest tile in an exchange within IPUs, summed over these exchanges;
                                // each exchange counts once, not once per execution
};

} // namespace pva
#endif
