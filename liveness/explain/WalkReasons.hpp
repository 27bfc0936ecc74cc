// For every block: why one variable is live at its end, and which write its value at the start comes from. Paths that
// enter a function by one call and leave it by another are no paths: the way back through a body ("passage") is found
// once a function, and joined to what is behind each call of it.
#pragma once
#include "liveness/explain/ExplainVariable.hpp"

#include <array>
#include <utility>
#include <vector>

namespace popscope {

// A read, a kill, the last step of a source that wrote in part, or the first by which a source had replaced every
// element
// (`whole`: a kill, or a write by a source that has read the variable before).
struct ReasonEvent {
  std::uint32_t step = 0;
  bool read = false, kill = false, whole = false, part = false;
  std::uint32_t firstMissed = 0, numMissed = 0;
};

// Why the variable is live at some point.
struct Reason {
  static constexpr std::uint32_t kNone = FlowGraph::kNone, kExit = kNone - 1;
  std::uint64_t distance = 0;   // steps to the read
  std::uint32_t read = kNone;   // kNone: not live; kExit, in passages only: what follows the function
  std::uint32_t failed = kNone; // index of an event
  Carrier carrier = Carrier::None;
  std::uint32_t carriedBy = kNone;
  [[nodiscard]] bool live() const { return read != kNone; }
};

/// Reusable between variables, not between threads. `context` must outlive it.
class ReasonWalk {
public:
  using EventIt = std::vector<ReasonEvent>::const_iterator;
  explicit ReasonWalk(const ExplainContext &context);
  /// Forgets what it knew. `events` must outlive all questions. Cost: events and blocks of the life times a logarithm,
  /// and calls of the functions there.
  void walk(const std::vector<ReasonEvent> &events);

  /// Blocks in which the variable may be live, ascending.
  [[nodiscard]] const std::vector<std::uint32_t> &blocks() const { return touched_; }

  [[nodiscard]] const Reason &atEnd(std::uint32_t block) const { return atEnd_[FromRead][block]; }
  /// The last full write before the block's start, or kNone.
  [[nodiscard]] std::uint32_t bornAtStart(std::uint32_t block) const;
  [[nodiscard]] std::pair<EventIt, EventIt> eventsOf(std::uint32_t block) const;
  /// Why it is live before the event's step, given why it is live after it.
  [[nodiscard]] Reason across(const ReasonEvent &e, Reason after, std::uint64_t stepsBetween) const;
  /// Whether the block is the second visit of a Repeat's step.
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
  std::vector<std::uint32_t> touched_;       // blocks of which anything is known
  std::vector<std::uint8_t> isTouched_;      // by block
  std::vector<std::uint32_t> passed_;        // functions whose passage is known
  std::array<std::vector<Reason>, 2> atEnd_; // by mode and block
  std::array<std::vector<std::uint8_t>, 2> done_;
  std::vector<Reason> passage_; // by function, at its start
  std::vector<std::uint8_t> passageKnown_;
  std::array<std::vector<std::uint32_t>, 2> bornAtStart_; // by birth and block
};

} // namespace popscope
