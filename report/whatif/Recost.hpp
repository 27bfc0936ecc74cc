// A profile's runs with the costs of other machines: what each program costs on them, and how long the runs take then.
//
//   machine (JSON in the profile) --+
//   other machines -----------------+--> MachineCosts --> runs passed again on the clocks of their tiles
//   messages, slots, links, barriers +
//
// The graph is not compiled again: mapping, exchanges and code stay as they are, and vertices take as many cycles of
// their threads. Each cost is first made for the recorded machine; where that does not give the recorded cycles, it
// stays as it was recorded and is named.
//
// All machines pass a run together. Those that agree in what a step depends on, and whose clocks stand alike, pass it
// once: a constant of the host changes no exchange, and after an exchange of all tiles all clocks are equal.
#pragma once
#include "base/Parallel.hpp"
#include "report/answers/ReplayRun.hpp"
#include "report/whatif/MessageCosts.hpp"
#include "target-models/costs/CostModel.hpp"

#include <memory>
#include <mutex>
#include <set>

namespace popscope {

/// The machine that the profile was made for. Throws AnswerError where the profile does not say.
[[nodiscard]] TileMachine recordedMachine(const pva::Report &report);

/// What the programs of a profile cost on some machines, of which the first is the recorded one. Every function may be
/// called from several threads.
class MachineCosts {
public:
  MachineCosts(const pva::Report &report, std::vector<TileMachine> machines);
  [[nodiscard]] std::size_t machines() const { return kinds_.size(); }

  /// What tells machines apart in one respect: those with the same number cost the same in it; 0: as recorded.
  struct Kinds {
    std::size_t workers = 0, exchange = 0, link = 0, host = 0, sync = 0;
  };
  [[nodiscard]] const Kinds &kindsOf(std::size_t machine) const { return kinds_[machine]; }
  /// Which of these numbers says what the step's busy cycles are.
  [[nodiscard]] std::size_t Kinds::*respectOf(const ReplayProgram &program) const;

  using Cycles64 = std::vector<std::uint64_t>;
  /// Busy cycles by tile, with the least and the most of them. An exchange of all tiles that all take part in needs no
  /// more than these two, and has nothing by tile.
  struct Busy {
    explicit Busy(Cycles64 cycles);
    Busy(std::uint64_t fewest, std::uint64_t longest, Cycles64 cycles)
        : byTile(std::move(cycles)), least(fewest), most(longest) {}
    Cycles64 byTile;
    std::uint64_t least = 0, most = 0;
  };
  /// By number of that respect; null: as recorded.
  using ByKind = std::vector<std::shared_ptr<const Busy>>;
  /// `only`: of a program that is executed once, what that took by tile.
  [[nodiscard]] std::shared_ptr<const ByKind> cyclesOf(const RunReplay &replay, std::size_t step,
                                                       std::span<const std::uint64_t> only, MessageCosts &costs);
  [[nodiscard]] const BarrierDelay &delayOf(const BarrierDelay &recorded, const Kinds &kinds) const;
  /// For one thread; refers to this.
  [[nodiscard]] MessageCosts messageCosts() const;
  /// The program with the barriers of a kind of sync, and the counters of a number of workers.
  [[nodiscard]] const ReplayProgram &programOf(const ReplayProgram &recorded, const pva::ExecutionStep &step,
                                               const Kinds &kinds);
  /// What stays as it was recorded, in words.
  [[nodiscard]] const std::set<std::string> &kept() const { return kept_; }

private:
  /// Of one exchange, by tile.
  struct Moves;
  /// Of all that tiles receive in an exchange. Both by tile.
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

  /// What an exchange costs on one kind of machine, looked up.
  struct ExchangeTable {
    std::vector<std::uint64_t> transfer; // by number of the sizes
    std::vector<std::uint64_t> latency;  // by distance
    std::vector<std::uint64_t> sent;     // by bytes, of the first few
  };

  std::size_t tiles_;
  bool oneIpu_;
  std::vector<Kinds> kinds_;                                     // by machine
  std::vector<CostModel> exchangeCosts_, linkCosts_, hostCosts_; // by number of the kind
  std::vector<std::uint32_t> workers_;
  std::vector<std::map<std::string, BarrierDelay>> delays_; // by kind of sync
  std::vector<pva::MessageSizes> sizes_;
  std::vector<ExchangeTable> exchangeTables_;
  std::mutex mutex_;                                                                    // of what follows
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, ReplayProgram> programs_; // by id, sync, workers
  std::map<std::size_t, std::shared_ptr<const ByKind>> exchanges_;                      // by id of the program
  std::map<std::uint64_t, std::shared_ptr<const ByKind>> computes_;                     // by id of the slots
  std::set<std::string> kept_;
};

/// By machine, then by step of the run: the part that the step has in the length of the run (StepTimes.hpp). Throws
/// AnswerError where the recorded cycles do not give the recorded length.
[[nodiscard]] std::vector<std::vector<std::uint64_t>> recostRun(const RunReplay &replay, std::size_t run,
                                                                MachineCosts &costs, Threads threads = {});

} // namespace popscope
