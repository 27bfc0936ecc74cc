#include "instrument/machine/Clocks.hpp"

#include "base/Check.hpp"
#include "base/Extent.hpp"
#include "base/MaxRunCycles.hpp"
#include "target-models/timing/TileClocks.hpp"

#include <fmt/format.h>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace popscope {
namespace {

constexpr std::size_t kMaxKeptBytes = std::size_t(64) << 20; // bytes of all patterns together

/// Returns whether the times are equal. Compares them as plain numbers, with one comparison of memory.
bool same(std::span<const Cycles> a, std::span<const Cycles> b) {
  const std::span<const std::uint64_t> x = numbersOf(a), y = numbersOf(b);
  return std::equal(x.begin(), x.end(), y.begin(), y.end());
}

} // namespace

Clocks::Clocks(std::uint32_t numTiles, std::uint32_t tilesPerIpu, const CostModel &costs, Describe describe)
    : tilesPerIpu_(tilesPerIpu),
      limit_(std::min<std::uint64_t>(kMaxRunCycles, std::numeric_limits<std::int64_t>::max() / std::max(numTiles, 1U))),
      describe_(std::move(describe)), zero_(std::make_shared<TileTimes>(numTiles)), clock_(zero_), start_(numTiles),
      absolute_(numTiles), busy_(numTiles), counters_(numTiles), dataIn_(numTiles), dataOut_(numTiles) {
  POPSCOPE_CHECK(tilesPerIpu > 0 && numTiles % tilesPerIpu == 0, "{} tiles are not whole IPUs of {}", numTiles,
                 tilesPerIpu);
  for (std::uint32_t t = 0; t < numTiles; ++t) {
    arrival_.push_back(costs.syncArrival(TileId(t)).count());
    for (const SyncKind kind : kSyncKinds)
      release_[static_cast<std::size_t>(kind)].push_back(costs.syncRelease(kind, TileId(t)).count());
  }
}

void Clocks::addCounters(TileId tile, Cycles cycles) {
  counters_[tile.index()] += cycles;
  readsCounters_ = true;
}

void Clocks::start(EventSink *sink) {
  sink_ = sink;
  earlier_ += length_;
  length_ = {};
  origin_ = {};
  clock_ = zero_;
}

void Clocks::checkLength(StepIndex step, Cycles latest) {
  length_ = std::max(length_, latest);
  if (earlier_ + length_ > limit_)
    throw poplar::overflow_error(
        fmt::format("The timed runs of the program take {} cycles up to {}; all of them together may take {}, so that "
                    "sums over tiles do not overflow. Give vertices smaller estimates (setPerfEstimate), or time fewer "
                    "runs.",
                    (earlier_ + length_).count(), describe_ ? describe_(step) : fmt::format("step {}", step.index()),
                    limit_.count()));
}

std::span<const Cycles> Clocks::now() {
  for (std::size_t t = 0; t < absolute_.size(); ++t)
    absolute_[t] = origin_ + (*clock_)[t];
  return absolute_;
}

void Clocks::step(StepIndex step, TimeKind kind, std::optional<Cycles> threadCycles,
                  std::span<const StepEvent::TypeCycles> types, std::shared_ptr<const SlotCycles> slots) {
  StepWork rest;
  rest.threadCycles = threadCycles;
  rest.types.assign(types.begin(), types.end());
  rest.slots = std::move(slots);
  describeAndPass(step, {kind}, std::move(rest));
}

void Clocks::exchange(StepIndex step, TimeKind kind, bool global) { describeAndPass(step, {kind, true, global}, {}); }

void Clocks::sync(StepIndex step, std::span<const SyncKind> barriers) {
  describeAndPass(step, {TimeKind::Sync, false, false, {barriers.begin(), barriers.end()}}, {});
}

bool Clocks::repeat(StepIndex step, const std::shared_ptr<const SlotCycles> &slots) {
  if (step.index() >= places_.size() || places_[step.index()] < 2)
    return false;
  Known &known = known_[places_[step.index()] - 2];
  if (known.work->slots != slots)
    return false;
  pass(step, known);
  return true;
}

/// Stores the described work, from the second execution of the step on. Returns null if the work is not stored.
Clocks::Known *Clocks::keep(StepIndex step, const Form &form, StepWork &&rest) {
  if (form.kind == TimeKind::Compute && !rest.slots)
    return nullptr; // the work may differ at each execution
  if (step.index() >= places_.size())
    places_.resize(std::size_t(step.index()) + 1, 0);
  std::uint32_t &place = places_[step.index()];
  if (place < 2) {
    // Vectors of a pattern: an exchange has its work, data in and out, start, end, and the clocks after it.
    const std::size_t vectors = form.aligned ? 6 : 3, bytes = vectors * sizeof(Cycles) * busy_.size();
    if (std::exchange(place, 1) == 0 || keptBytes_ + bytes > kMaxKeptBytes)
      return nullptr;
    keptBytes_ += bytes;
    known_.push_back({form, nullptr, nullptr});
    place = static_cast<std::uint32_t>(known_.size() + 1);
  }
  Known &known = known_[place - 2];
  rest.busy = form.barriers.empty() ? std::make_shared<TileTimes>(busy_) : zero_;
  rest.longest = mostOf(std::span(*rest.busy));
  if (readsCounters_)
    rest.counters = counters_;
  if (movesData_) {
    rest.dataIn = dataIn_;
    rest.dataOut = dataOut_;
  }
  known.work = std::make_shared<StepWork>(std::move(rest));
  known.pattern.reset(); // the pattern belonged to other work
  return &known;
}

// Describes the step by its work, advances the clocks and emits the event. Stores repeated work as a pattern.
void Clocks::describeAndPass(StepIndex step, Form form, StepWork &&rest) {
  if (Known *known = keep(step, form, std::move(rest))) {
    forgetDescription();
    return pass(step, *known);
  }
  StepEvent event;
  event.step = step;
  event.kind = form.kind;
  event.origin = origin_;
  event.busy = busy_;
  if (movesData_) {
    event.dataIn = dataIn_;
    event.dataOut = dataOut_;
  }
  if (readsCounters_)
    event.counters = counters_;
  event.threadCycles = rest.threadCycles;
  event.types = rest.types;
  event.slots = std::move(rest.slots);
  const auto end = unused();
  advance(form, {event.busy, event.counters}, start_, *end);
  checkLength(step, origin_ + mostOf(std::span<const Cycles>(*end)));
  const SharedTimes before = std::exchange(clock_, end);
  event.begin = *before;
  event.start = form.aligned || !form.barriers.empty() ? start_ : *before;
  event.end = *end;
  sink_->step(event);
  forgetDescription();
}

// Advances the clocks by known work. If the differences between the clocks are the same as at the last execution, emits
// the pattern of that execution again with another origin. Finding this out takes constant time if the differences are
// the same object, and otherwise one comparison of memory. In all other cases, makes a new pattern in time linear in
// tiles.
void Clocks::pass(StepIndex step, Known &known) {
  if (known.pattern && (known.pattern->before == clock_ || same(*known.pattern->before, *clock_)))
    return tell(step, known.form, known.pattern);
  auto pattern = std::make_shared<StepPattern>();
  pattern->work = known.work;
  pattern->before = clock_;
  auto start = std::make_shared<TileTimes>(), end = std::make_shared<TileTimes>(clock_->size());
  const bool ownStart = known.form.aligned || !known.form.barriers.empty();
  if (ownStart)
    start->resize(clock_->size());
  advance(known.form, {*known.work->busy, known.work->counters}, *start, *end);
  std::tie(pattern->advance, pattern->latest) = extentOf(std::span<const Cycles>(*end));
  pattern->start = !ownStart ? clock_ : same(*start, *end) ? SharedTimes(end) : start;
  pattern->end = end;
  if (pattern->advance != Cycles()) {
    const auto after = std::make_shared<TileTimes>(*end);
    for (Cycles &clock : *after)
      clock -= pattern->advance;
    pattern->after = after;
  } else {
    pattern->after = end;
  }
  // Uses the known object, so that the next step finds its pattern by address.
  if (known.pattern && same(*known.pattern->after, *pattern->after))
    pattern->after = known.pattern->after;
  else if (same(*pattern->after, *clock_))
    pattern->after = clock_;
  known.pattern = std::move(pattern);
  tell(step, known.form, known.pattern);
}

void Clocks::tell(StepIndex step, const Form &form, std::shared_ptr<const StepPattern> pattern) {
  const StepPattern &p = *pattern;
  checkLength(step, origin_ + p.latest);
  StepEvent event;
  event.step = step;
  event.kind = form.kind;
  event.origin = origin_;
  event.begin = *p.before;
  event.end = *p.end;
  event.start = *p.start;
  event.busy = *p.work->busy;
  event.counters = p.work->counters;
  event.dataIn = p.work->dataIn;
  event.dataOut = p.work->dataOut;
  event.threadCycles = p.work->threadCycles;
  event.types = p.work->types;
  event.slots = p.work->slots;
  origin_ += p.advance;
  clock_ = p.after;
  event.pattern = std::move(pattern);
  sink_->step(event);
}

void Clocks::advance(const Form &form, const Work &work, TileTimes &start, TileTimes &end) {
  end = *clock_;
  const std::span<std::uint64_t> clock = numbersIn(end);
  const std::span<const std::uint64_t> busy = numbersOf(work.busy);
  if (form.aligned) {
    start = *clock_;
    const std::size_t width = form.global ? clock.size() : tilesPerIpu_;
    for (std::size_t first = 0; first < clock.size(); first += width) {
      const TileRange group{first, first + width};
      const ExchangeTimes times = timesOfExchange(clock, busy, group);
      passExchange(numbersIn(start), busy, group, {times.begin, 0});
      passExchange(clock, busy, group, times);
    }
  } else if (!form.barriers.empty()) {
    for (const SyncKind kind : form.barriers)
      barrier(kind, clock);
    start = end;
  } else {
    (void)passWork(clock, busy);
  }
  if (!work.counters.empty())
    (void)passWork(clock, numbersOf(work.counters));
}

void Clocks::block(StepIndex step, BlockEdge edge) {
  StepEvent event;
  event.step = step;
  event.edge = edge;
  read(event);
}

void Clocks::controlFlow(StepIndex step, const ControlFlowResult &result) {
  StepEvent event;
  event.step = step;
  event.kind = TimeKind::ControlFlow;
  event.controlFlow = result;
  read(event);
}

void Clocks::read(StepEvent &event) {
  const SharedTimes before = clock_;
  if (readsCounters_) {
    const auto end = unused();
    for (std::size_t t = 0; t < end->size(); ++t)
      (*end)[t] = (*before)[t] + counters_[t];
    clock_ = end;
    event.counters = counters_;
  }
  event.origin = origin_;
  event.begin = event.start = *before;
  event.end = *clock_;
  event.busy = *zero_;
  sink_->step(event);
  forgetDescription();
}

void Clocks::forgetDescription() {
  std::fill(busy_.begin(), busy_.end(), Cycles());
  if (readsCounters_)
    std::fill(counters_.begin(), counters_.end(), Cycles());
  readsCounters_ = false;
  if (movesData_) {
    std::fill(dataIn_.begin(), dataIn_.end(), Bytes());
    std::fill(dataOut_.begin(), dataOut_.end(), Bytes());
    movesData_ = false;
  }
}

std::shared_ptr<TileTimes> Clocks::unused() {
  for (auto &times : pool_) {
    if (!times)
      times = std::make_shared<TileTimes>(zero_->size());
    if (times.use_count() == 1)
      return times;
  }
  return pool_.front() = std::make_shared<TileTimes>(zero_->size()); // patterns hold all pooled objects
}

void Clocks::barrier(SyncKind kind, std::span<std::uint64_t> clock) const {
  const std::size_t width = kind == SyncKind::Internal ? tilesPerIpu_ : clock.size();
  for (std::size_t first = 0; first < clock.size(); first += width) {
    const TileRange group{first, first + width};
    releaseTiles(clock, release_[static_cast<std::size_t>(kind)], group, lastSignal(clock, arrival_, group));
  }
}

} // namespace popscope
