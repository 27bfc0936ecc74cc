// Finds, for one variable and every block, why the variable is live at the block's end, and which write produced the
// variable's value at the block's start.
//
// Idea: a shortest-path search (Dijkstra) backwards from the reads gives the nearest read. A breadth-first search
// forwards from full writes gives the births, which are the writes that produced the values. A path counts only if the
// path leaves each function by the call by which the path entered the function. So the walk searches each function's
// body once, backwards from its end to its start. The walk then combines the result (the `passage` of the function)
// with the reason after each call of the function.
#pragma once
#include "liveness/explain/ExplainVariable.hpp"

#include <array>
#include <utility>
#include <vector>

namespace popscope {

// A step with an event. `read`: the step reads the variable. `kill`: the step kills the variable. `whole`: by this
// step, a source has replaced every element, by a kill or by writes that follow the source's own read of the variable.
// `part`: the step has the last write of a source that wrote only a part of the variable.
struct ReasonEvent {
  std::uint32_t step = 0;
  bool read = false, kill = false, whole = false, part = false;
  std::uint32_t firstMissed = 0, numMissed = 0;
};

// The reason why the variable is live at one program point.
struct Reason {
  static constexpr std::uint32_t kNone = FlowGraph::kNone, kExit = kNone - 1;
  std::uint64_t distance = 0;   // number of steps to the read
  std::uint32_t read = kNone;   // kNone = not live; kExit = a read after the function (only in passages)
  std::uint32_t failed = kNone; // index of the event of the first incomplete write on the way to the read, or kNone
  Carrier carrier = Carrier::None;
  std::uint32_t carriedBy = kNone;
  [[nodiscard]] bool live() const { return read != kNone; }
};

/// A walk for one variable at a time. One object serves many variables, but only one thread. `context` must outlive the
/// object.
class ReasonWalk {
public:
  using EventIt = std::vector<ReasonEvent>::const_iterator;
  explicit ReasonWalk(const ExplainContext &context);
  /// Does the walk for a new variable, and forgets the results for the previous variable. `events` must outlive all
  /// queries. Cost: O(n log n), where n counts the events and blocks of the life; plus the number of calls of the
  /// functions in the life.
  void walk(const std::vector<ReasonEvent> &events);

  /// Returns the blocks in which the variable may be live, in ascending order.
  [[nodiscard]] const std::vector<std::uint32_t> &blocks() const { return touched_; }

  [[nodiscard]] const Reason &atEnd(std::uint32_t block) const { return atEnd_[FromRead][block]; }
  /// Returns the step of the full write that reaches the block's start through the fewest blocks, or kNone. In a
  /// function, a write in the function or its callees has priority over a write before a call of the function.
  [[nodiscard]] std::uint32_t bornAtStart(std::uint32_t block) const;
  [[nodiscard]] std::pair<EventIt, EventIt> eventsOf(std::uint32_t block) const;
  /// Returns the reason before the event's step. `after` is the reason at a point after this step. `stepsBetween` is
  /// the number of steps from the event's step up to this point.
  [[nodiscard]] Reason across(const ReasonEvent &e, Reason after, std::uint64_t stepsBetween) const;
  /// Returns whether the block is the second visit of a Repeat's step.
  [[nodiscard]] bool isEcho(std::uint32_t block) const;

private:
  enum Mode : std::uint8_t { FromRead, Passage };
  enum Birth : std::uint8_t { Here, ByCaller };
  struct Candidate {
    std::uint32_t block;
    bool start;
    Reason reason;
  };
  class Queue;

  void touch(std::uint32_t block);
  void forget();
  void walkBack(Queue &queue, Mode mode);
  void expand(std::uint32_t block, const Reason &reason, Mode mode, Queue &queue);
  const Reason &passage(std::uint32_t function);
  void addWhatFollowsFunctions();
  [[nodiscard]] Reason behindCalls(std::uint32_t function) const;
  void walkOnFromKills();
  [[nodiscard]] Reason atStart(std::uint32_t block, Mode mode) const;
  [[nodiscard]] Reason carried(Reason reason, std::uint32_t from, std::uint32_t to) const;

  const ExplainContext &c_;
  const std::vector<ReasonEvent> *events_ = nullptr;
  std::vector<std::uint32_t> touched_;       // blocks with a known reason or birth
  std::vector<std::uint8_t> isTouched_;      // per block
  std::vector<std::uint32_t> passed_;        // functions for which passage_ is known
  std::array<std::vector<Reason>, 2> atEnd_; // [mode][block]
  std::array<std::vector<std::uint8_t>, 2> done_;
  std::vector<Reason> passage_; // per function: the reason at the function's start in mode Passage
  std::vector<std::uint8_t> passageKnown_;
  std::array<std::vector<std::uint32_t>, 2> bornAtStart_; // [birth][block]
};

} // namespace popscope
