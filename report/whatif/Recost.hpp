// Re-simulates the runs of a profile with the costs of other machines: the cycles of each program, and the length of
// the runs.
//
//   machine (JSON in the profile) --+
//   other machines -----------------+--> MachineCosts --> runs replayed on the clocks of their tiles
//   messages, slots, links, barriers +
//
// The graph is not compiled again: mapping, exchanges, code and the thread cycles of vertices stay as recorded.
// Invariant: the cost of each exchange and host copy is first computed for the recorded machine. If the result differs
// from the recorded cycles, all machines use the recorded cycles for this step, and kept() reports the step.
//
// Idea: all machines replay a run together. If several machines have equal clocks and equal values in the fields on
// which a step depends, the step is replayed once for all these machines. For example, a constant of the host changes
// no exchange, and after an exchange of all tiles all clocks are equal. So the time of a replay grows with the number
// of these groups of machines, not with the number of machines. The segments of a run between barriers of all tiles are
// independent, so they are replayed in parallel.
#pragma once
#include "base/Parallel.hpp"
#include "report/answers/ReplayRun.hpp"
#include "report/answers/Rows.hpp"
#include "report/whatif/MessageCosts.hpp"
#include "target-models/costs/CostModel.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <set>

namespace popscope {

/// Returns the machine for which the profile was recorded. Throws AnswerError if the profile does not contain this
/// machine.
[[nodiscard]] TileMachine recordedMachine(const pva::Report &report);

/// The costs of a profile's programs on several machines. The first machine is the recorded machine. Thread-safe.
class MachineCosts {
public:
  MachineCosts(const pva::Report &report, std::vector<TileMachine> machines);
  [[nodiscard]] std::size_t machines() const { return kinds_.size(); }

  /// The class of a machine in five respects. Machines with equal numbers in a respect have equal costs in this
  /// respect. Number 0 stands for the costs on the recorded machine.
  struct Kinds {
    std::size_t workers = 0, exchange = 0, link = 0, host = 0, sync = 0;
  };
  [[nodiscard]] const Kinds &kindsOf(std::size_t machine) const { return kinds_[machine]; }
  /// Returns whether an IPU of some machine has more tiles than the program uses on this IPU.
  [[nodiscard]] bool hasIdleTiles() const;
  /// Returns the member of Kinds on which the busy cycles of the program depend.
  [[nodiscard]] std::size_t Kinds::*respectOf(const ReplayProgram &program) const;

  using Cycles64 = std::vector<std::uint64_t>;
  /// Busy cycles per tile, with their minimum and maximum. If all tiles of a replica start a DoExchange together and
  /// are all busy in the DoExchange, the minimum and maximum suffice, and `byTile` is empty.
  struct Busy {
    explicit Busy(Cycles64 cycles);
    Busy(std::uint64_t fewest, std::uint64_t longest, Cycles64 cycles)
        : byTile(std::move(cycles)), least(fewest), most(longest) {}
    Cycles64 byTile;
    std::uint64_t least = 0, most = 0;
  };
  /// Busy cycles of a step, by kind of machine. respectOf() returns the member of Kinds that contains the index. If an
  /// entry is missing or null, the step has the recorded cycles.
  using ByKind = std::vector<std::shared_ptr<const Busy>>;
  /// Returns the cycles of a step. `only` contains the recorded cycles per tile if the run executes the program only
  /// once. If the run executes the program several times, `only` is empty.
  [[nodiscard]] std::shared_ptr<const ByKind> cyclesOf(const RunReplay &replay, std::size_t step,
                                                       std::span<const std::uint64_t> only, MessageCosts &costs);
  [[nodiscard]] const BarrierDelay &delayOf(const BarrierDelay &recorded, const Kinds &kinds) const;
  /// Returns a table of costs for one thread. The table refers to this object.
  [[nodiscard]] MessageCosts messageCosts() const;
  /// Returns the recorded program with the barriers and counter reads of a machine of these kinds.
  [[nodiscard]] const ReplayProgram &programOf(const ReplayProgram &recorded, const pva::ExecutionStep &step,
                                               const Kinds &kinds);
  /// Returns descriptions of the exchanges and host copies whose cycles were not computed again. For these steps, all
  /// machines have the recorded cycles.
  [[nodiscard]] const std::set<std::string> &kept() const { return kept_; }
  /// computeSetsDealt() returns whether the vertices of some compute sets were assigned again, to a number of worker
  /// slots that differs from the recorded number. computeSetsKept() returns whether some compute sets kept the recorded
  /// cycles. A compute set keeps the recorded cycles if the profile does not contain its worker slots.
  [[nodiscard]] bool computeSetsDealt() const { return setsDealt_; }
  [[nodiscard]] bool computeSetsKept() const { return setsKept_; }

private:
  /// The data that an exchange moves, per tile.
  struct Moves;
  /// Returns whether the sizes of all received messages are known. `sizes` and `distance` are per tile.
  [[nodiscard]] bool areSizesKnown(std::span<const std::uint64_t> sizes, std::span<const std::uint64_t> distance) const;
  [[nodiscard]] std::uint64_t exchangeCycles(std::size_t kind, const TileMessages &messages) const;
  [[nodiscard]] Cycles64 linkCycles(std::size_t kind, const Moves &moves) const;
  [[nodiscard]] Cycles64 hostCycles(std::size_t kind, const Moves &moves) const;
  [[nodiscard]] Cycles64 computeCycles(const pva::WorkerSlots &slots, std::uint32_t workers) const;
  [[nodiscard]] ByKind exchangeByKind(const pva::ExecutionStep &step, const ReplayProgram &program,
                                      std::span<const std::uint64_t> only, MessageCosts &costs);
  [[nodiscard]] ByKind tileExchangeByKind(const pva::ExchangeProgram &exchange, const ReplayProgram &program,
                                          std::span<const std::uint64_t> only, MessageCosts &costs);
  [[nodiscard]] ByKind computeByKind(const pva::WorkerSlots &slots) const;
  void keepAsRecorded(const std::string &what);

  /// Precomputed cycles of exchanges on one kind of machine.
  struct ExchangeTable {
    std::vector<std::uint64_t> transfer; // index: TileMessages::sizes
    std::vector<std::uint64_t> latency;  // index: distance in tiles
    std::vector<std::uint64_t> sent;     // index: number of bytes, for small numbers
  };

  std::size_t tiles_;
  std::uint32_t tilesPerIpu_; // number of tiles per IPU of the recorded machine
  std::uint64_t replicas_;
  bool oneIpu_;
  std::vector<Kinds> kinds_;                                     // per machine
  std::vector<CostModel> exchangeCosts_, linkCosts_, hostCosts_; // index: number in Kinds
  std::vector<std::uint32_t> workers_;
  std::vector<std::map<std::string, BarrierDelay>> delays_; // index: Kinds::sync; key: kind of barrier
  std::vector<pva::MessageSizes> sizes_;
  std::vector<ExchangeTable> exchangeTables_;
  std::atomic<bool> setsDealt_ = false, setsKept_ = false;
  std::mutex mutex_; // protects the following members
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, ReplayProgram> programs_; // key: program id,
                                                                                        // Kinds::sync, Kinds::workers
  std::map<std::size_t, std::shared_ptr<const ByKind>> exchanges_;                      // by program id
  std::map<std::uint64_t, std::shared_ptr<const ByKind>> computes_;                     // key: id of the worker slots
  std::set<std::string> kept_;
};

/// Returns the positions of the selected runs that can be re-simulated: the runs that ended. If runs that did not end
/// were selected, adds a note about these runs to `rows`. Throws AnswerError if the profile has no run, or if no
/// selected run ended.
[[nodiscard]] std::vector<std::size_t> runsToRecost(const pva::Report &report, const Selection &selection, Rows &rows);

/// Returns, per machine and step of the run, the cycles that the step adds to the length of the run (StepTimes.hpp).
/// Throws AnswerError if the profile lacks data for a replay, or if a replay with the recorded cycles does not give the
/// recorded length.
[[nodiscard]] std::vector<std::vector<std::uint64_t>> recostRun(const RunReplay &replay, std::size_t run,
                                                                MachineCosts &costs);

} // namespace popscope
