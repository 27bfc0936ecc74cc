// Liveness of one variable in one look at its accesses: the usual case, in which nothing is needed before the first of
// them.
//
//   write           The write kills, and all other kills are on its level: the same region of the program. Reads may be
//   in Repeat { read } controls of the level: in a loop they need the variable to the loop's end, in the arms of an If
//   that is If { read }     the last to read it, to the last read of each arm.
#pragma once
#include "liveness/analysis/BuildFlowGraph.hpp"
#include "liveness/analysis/CollectAccesses.hpp"

#include <vector>

namespace popscope {

/// Reusable between variables, not between threads. `program` and `flow` must outlive it.
class LevelWalker {
public:
  LevelWalker(const StepProgram &program, const FlowGraph &flow) : program_(program), flow_(flow) {}

  /// Finds lives() and says true; says false where it is not the usual case. Linear in entries times depth.
  bool walk(const AccessTable::Entry *begin, const AccessTable::Entry *end);

  /// Steps at which the variable is live-in or live-out, normalised.
  [[nodiscard]] const std::vector<StepInterval> &lives() const { return lives_; }

private:
  static constexpr std::uint32_t kNone = FlowGraph::kNone;
  // Of the source at hand: the step of its last write; its first read or its kill, behind which no write of it kills.
  struct OfSource {
    std::uint32_t source = kNone, written = kNone;
    const AccessTable::Entry *settled = nullptr;
  };
  static OfSource first(const AccessTable::Entry &entry, std::uint32_t source); // behind the source's first entry
  bool walkOn(std::uint32_t run, const AccessTable::Entry *begin, const AccessTable::Entry *end, OfSource done);
  bool read(std::uint32_t step, std::uint32_t run, const FlowRegion *inside);
  bool kill(std::uint32_t step, const FlowRegion *inside);
  void endInArms();
  void endLife();
  [[nodiscard]] const FlowRegion *insideLevel(std::uint32_t level, std::uint32_t inner) const;

  [[nodiscard]] bool isUndef(const AccessTable::Entry &entry) const {
    return program_.accesses[entry.access].kind == AccessKind::Undef;
  }

  /// Of sources that were merged: which of them, see Access.
  [[nodiscard]] std::uint32_t member(const AccessTable::Entry &entry) const {
    return program_.accesses[entry.access].member;
  }

  const StepProgram &program_;
  const FlowGraph &flow_;
  std::vector<StepInterval> lives_;
  // Of walkOn.
  std::uint32_t kill_ = kNone;      // the last kill on the level
  std::uint32_t from_ = 0, to_ = 0; // the life so far
  bool deadKill_ = false;           // a kill in a control of the level stands behind the last read
  std::uint32_t armControl_ = kNone;
  std::vector<StepInterval> inArms_; // how far the last reads need it in the arms of armControl_, behind to_
};

} // namespace popscope
