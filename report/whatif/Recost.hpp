// A profile's runs with the costs of another machine: what each program costs on it, and how long the runs take then.
//
//   machine (JSON in the profile) --+
//   another machine ----------------+--> RecostedProfile --> runs passed again on the clocks of their tiles
//   messages, slots, links, barriers +
//
// The graph is not compiled again: mapping, exchanges and code stay as they are, and vertices take as many cycles of
// their threads. Each cost is first made for the recorded machine; where that does not give the recorded cycles, it
// stays as it was recorded and is named.
#pragma once
#include "report/answers/ReplayRun.hpp"
#include "target-models/costs/CostModel.hpp"

#include <memory>
#include <set>

namespace popscope {

/// The machine that the profile was made for. Throws AnswerError where the profile does not say.
[[nodiscard]] TileMachine recordedMachine(const pva::Report &report);

/// How long one run takes, in total and by the parts of its steps (StepTimes.hpp).
struct RecostedRun {
  std::uint64_t cycles = 0;
  std::map<std::size_t, std::uint64_t> partOf; // by id of the program
};

/// One machine's costs for the programs of a profile.
class MachineCosts {
public:
  MachineCosts(const pva::Report &report, const TileMachine &recorded, const TileMachine &machine);
  [[nodiscard]] const TileMachine &machine() const { return costs_.machine(); }

  /// Busy cycles of a step, by tile; nothing = as recorded.
  [[nodiscard]] const std::vector<std::uint64_t> *cyclesOf(const pva::ExecutionStep &step,
                                                           const ReplayProgram &program);
  /// The program with this machine's barriers and counters.
  [[nodiscard]] const ReplayProgram &programOf(const ReplayProgram &recorded, const pva::ExecutionStep &step);
  /// What stays as it was recorded, in words.
  [[nodiscard]] const std::set<std::string> &kept() const { return kept_; }

private:
  using Cycles64 = std::vector<std::uint64_t>;
  [[nodiscard]] Cycles64 exchangeCycles(const CostModel &costs, const pva::ExchangeProgram &program) const;
  [[nodiscard]] Cycles64 linkCycles(const CostModel &costs, const pva::ExchangeProgram &program) const;
  [[nodiscard]] Cycles64 hostCycles(const CostModel &costs, const pva::ExchangeProgram &program) const;
  [[nodiscard]] Cycles64 computeCycles(const pva::ExecutionStep &step) const;

  std::size_t tiles_;
  CostModel recorded_, costs_;
  bool sameExchanges_; // all that moves data takes as long as it was recorded
  std::vector<pva::MessageSizes> sizes_;
  std::map<std::string, BarrierDelay> delays_;
  std::map<std::size_t, ReplayProgram> programs_;
  std::map<std::size_t, std::unique_ptr<Cycles64>> exchanges_;  // by id of the program; null = as recorded
  std::map<std::uint64_t, std::unique_ptr<Cycles64>> computes_; // by id of the slots
  std::set<std::string> kept_;
};

/// Passes the run once for all machines. Throws AnswerError where the recorded cycles do not give the recorded length.
[[nodiscard]] std::vector<RecostedRun> recostRun(const RunReplay &replay, std::size_t run,
                                                 const std::vector<MachineCosts *> &machines);

} // namespace popscope
