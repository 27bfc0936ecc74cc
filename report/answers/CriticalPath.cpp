#include "report/answers/CriticalPath.hpp"

#include "base/Check.hpp"
#include "base/Extent.hpp"
#include "base/Parallel.hpp"
#include "base/WideLoops.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <set>

namespace popscope {
namespace {

constexpr std::size_t kPathBlock = 64;    // steps whose clocks are in memory at the same time
constexpr std::size_t kForgetSteps = 32;  // number of steps after which unreachable history is dropped
constexpr std::size_t kTaskSegments = 64; // minimum number of segments per task
constexpr std::size_t kNothingBefore = static_cast<std::size_t>(-1);
constexpr std::uint64_t kNever = ~std::uint64_t(0); // the slack of a tile without work

/// One step of a replay: its work, the clocks before it and the meetings of its tiles.
struct PassedStep : StepMeetings {
  const ReplayProgram *program = nullptr;
  TileNumbers cycles;
  std::span<const std::uint64_t> busy;
};

void pass(const RunReplay &replay, std::size_t step, TileClocks &clocks, PassedStep &passed) {
  passed.program = &replay.program(step);
  passed.cycles = replay.recordedCycles(step);
  passed.busy = passed.cycles.byTile();
  passStep(*passed.program, passed.busy, clocks, &passed);
}

// The kind of a tile's cycles: a StepCause, or reading counters; kRelease is the time of a barrier's signals.
enum : unsigned { kCounters = static_cast<unsigned>(StepCause::Control) + 1, kRelease, kAll };
using Part = std::pair<unsigned, std::uint64_t>; // (kind, cycles)

/// The history of each tile since its latest barrier. trace() looks backwards through the steps of the current block;
/// history from before the block is kept per tile.
class Histories {
public:
  Histories(std::size_t tiles, const std::vector<PassedStep> &block) : block_(block), before_(tiles) {}

  /// Begins a segment. Only the reading of counters precedes it.
  void begin(const std::vector<std::uint64_t> *counters) {
    counters_ = counters;
    if (long_)
      for (auto &parts : before_)
        parts.clear();
    long_ = false;
  }
  /// Calls visit(kind, cycles) for what `tile` did before step `end` of the block, the latest first, until the sum is
  /// `cycles`. Returns the cycles for which there is no history. If the tile waited in an exchange, its history during
  /// the wait is that of the tile that came last.
  template <class Visit>
  std::uint64_t trace(std::size_t tile, std::size_t end, std::uint64_t cycles, const Visit &visit) const {
    const auto take = [&](unsigned what, std::uint64_t most) {
      const std::uint64_t part = std::min(cycles, most);
      if (part != 0)
        visit(what, part);
      cycles -= part;
    };
    for (std::size_t i = end; cycles != 0 && i-- > 0;) {
      const PassedStep &step = block_[i];
      const ReplayProgram &program = *step.program;
      if (!program.counters.empty())
        take(kCounters, program.counters[tile]);
      if (program.kind == ReplayProgram::Kind::Barriers)
        return cycles; // no one waits for anything before a barrier
      const auto cause = static_cast<unsigned>(program.info->kind);
      if (step.count == 0) {
        take(cause, step.busy[tile]);
        continue;
      }
      if (step.busy[tile] == 0)
        continue;
      const TileMeeting &m = meetingOf(step, tile);
      take(cause, m.finish - m.begin);
      if (const std::uint64_t waited = std::min(cycles, m.begin - step.before[0][tile]); waited != 0) {
        const std::uint64_t left = trace(m.last, i, waited, visit);
        if (left != 0)
          visit(kRelease, left); // the other tile was released later
        cycles -= waited;
      }
    }
    if (long_)
      for (auto at = before_[tile].rbegin(); cycles != 0 && at != before_[tile].rend(); ++at)
        take(at->first, at->second);
    else if (counters_ != nullptr && !counters_->empty())
      take(kCounters, (*counters_)[tile]);
    return cycles;
  }
  /// Ends a block of `steps` steps before another one. Keeps the history that later waits can reach: from the clock
  /// that is furthest behind, minus the longest signal to a barrier, because a tile also waits for another tile's
  /// signal.
  void nextBlock(std::size_t steps, const std::vector<std::uint64_t> &clocks, std::uint64_t longestSignal) {
    std::uint64_t least = *std::min_element(clocks.begin(), clocks.end());
    least -= std::min(least, longestSignal);
    for (std::size_t tile = 0; tile < clocks.size(); ++tile) {
      std::vector<Part> &parts = kept_[tile % 2];
      parts.clear();
      (void)trace(tile, steps, clocks[tile] - least, [&](unsigned what, std::uint64_t cycles) {
        if (!parts.empty() && parts.back().first == what)
          parts.back().second += cycles;
        else
          parts.emplace_back(what, cycles);
      });
      next_.emplace_back(parts.rbegin(), parts.rend());
    }
    before_.swap(next_); // afterwards, because trace() reads the old history
    next_.clear();
    long_ = true;
  }

private:
  static const TileMeeting &meetingOf(const PassedStep &step, std::size_t tile) {
    const std::vector<TileMeeting> &met = step.met[0];
    return met[tile / (met[0].end - met[0].first)];
  }

  const std::vector<PassedStep> &block_;
  const std::vector<std::uint64_t> *counters_ = nullptr; // counters that were read at the start
  bool long_ = false;                                    // there was an earlier block
  std::vector<std::vector<Part>> before_, next_;         // per tile, the latest last
  std::array<std::vector<Part>, 2> kept_;
};

/// Sums of work and waits over the counted tiles.
class WaitAccounts {
public:
  WaitAccounts(std::size_t tiles, const std::vector<bool> &counted) : mask_(tiles, ~std::uint64_t(0)) {
    for (std::size_t t = 0; t < std::min(tiles, counted.size()); ++t)
      mask_[t] = counted[t] ? ~std::uint64_t(0) : 0;
  }

  POPSCOPE_WIDE_LOOPS void worked(StepCause cause, std::span<const std::uint64_t> busy) {
    work_[static_cast<unsigned>(cause)] += sumOf(0, busy.size(), [&](std::size_t t) { return busy[t]; });
  }
  POPSCOPE_WIDE_LOOPS void readCounters(const std::vector<std::uint64_t> &cycles) {
    counters_ += sumOf(0, cycles.size(), [&](std::size_t t) { return cycles[t]; });
  }
  /// Adds waits: each tile of [first, end) waited cyclesOf(tile) cycles, until `last` was ready at step `step` of the
  /// block. The waits count for what `last` did meanwhile. kNothingBefore: right after a barrier.
  template <class CyclesOf>
  void waited(std::size_t first, std::size_t end, std::size_t last, const Histories &histories, std::size_t step,
              const CyclesOf &cyclesOf) {
    left_.resize(end - first);
    std::uint64_t *cyclesLeft = left_.data();
    const std::uint64_t *mask = mask_.data();
    std::uint64_t left = 0, most = 0;
    for (std::size_t t = first; t < end; ++t) {
      const std::uint64_t cycles = cyclesOf(t) & mask[t];
      cyclesLeft[t - first] = cycles;
      left += cycles;
      most = std::max(most, cycles);
    }
    share(left, step == kNothingBefore ? 0 : most, last, histories, step);
  }
  /// Adds waits of each tile of [first, end), cyclesOf(tile) cycles, for the longest schedule of an exchange.
  template <class CyclesOf>
  void waitedFor(StepCause cause, std::size_t first, std::size_t end, const CyclesOf &cyclesOf) {
    waits_[static_cast<unsigned>(cause)] += sumOf(first, end, cyclesOf);
  }
  POPSCOPE_WIDE_LOOPS void released(const BarrierDelay &delay, std::size_t first, std::size_t end) {
    const std::uint64_t *to = delay.toController.data(), *from = delay.fromController.data();
    waits_[kRelease] += sumOf(first, end, [=](std::size_t t) { return to[t] + from[t]; });
  }
  void addTo(CriticalPath &path) const {
    for (unsigned what = 0; what < kCounters; ++what) {
      if (work_[what] != 0)
        path.work[static_cast<StepCause>(what)] += work_[what];
      if (waits_[what] != 0)
        path.waits[static_cast<StepCause>(what)] += waits_[what];
    }
    path.counters += counters_;
    path.waitedForCounters += waits_[kCounters];
    path.released += waits_[kRelease];
  }

private:
  /// Divides the waits in left_, whose sum is `left` and maximum `most`, among what tile `last` did before the step.
  void share(std::uint64_t left, std::uint64_t most, std::size_t last, const Histories &histories, std::size_t step) {
    (void)histories.trace(last, step, most, [&](unsigned what, std::uint64_t part) {
      const std::uint64_t sum = takeEach(left_, part);
      waits_[what] += sum;
      left -= sum;
    });
    waits_[kRelease] += left; // released later
  }
  template <class CyclesOf>
  [[nodiscard]] std::uint64_t sumOf(std::size_t first, std::size_t end, const CyclesOf &cyclesOf) const {
    const std::uint64_t *mask = mask_.data();
    std::uint64_t sum = 0;
    for (std::size_t t = first; t < end; ++t)
      sum += cyclesOf(t) & mask[t];
    return sum;
  }
  /// Subtracts up to `most` from each number. Returns the sum of what was subtracted.
  POPSCOPE_WIDE_LOOPS static std::uint64_t takeEach(std::vector<std::uint64_t> &numbers, std::uint64_t most) {
    std::uint64_t sum = 0;
    for (std::uint64_t &number : numbers) {
      const std::uint64_t part = std::min(number, most);
      number -= part;
      sum += part;
    }
    return sum;
  }

  std::vector<std::uint64_t> mask_; // per tile: all bits set if the tile counts
  std::vector<std::uint64_t> left_; // remaining waits per tile
  std::array<std::uint64_t, kAll> work_{}, waits_{};
  std::uint64_t counters_ = 0;
};

/// The tiles at which the path enters and leaves a segment, which join it to the previous one.
struct SegmentEnds {
  std::size_t firstTile = 0;    // the path's tile at the beginning of the segment
  std::size_t lastTile = 0;     // the tile whose signal came last at its end; in the last segment, the tile that ends
                                // the run
  std::uint64_t length = 0;     // until that signal arrived, or until the end of the run
  std::uint64_t signalling = 0; // duration of that signal; 0 in the last segment
};

/// Finds the path through segments of a run, one at a time, and what tiles waited for. One object per task, with sums
/// of its own.
///
/// Idea: a forward pass replays the segment and keeps the clocks at the start of each block of kPathBlock steps. A
/// backward pass then replays each block again, last block first, and goes back along the path. So memory is one block
/// plus one set of clocks per block, and time is two replays. Invariant: the path's pieces are contiguous, so it must
/// begin where the segment begins (checked).
class PathFinder {
public:
  PathFinder(const RunReplay &replay, const std::vector<bool> &counted, std::uint64_t longestSignal)
      : replay_(replay), longestSignal_(longestSignal), steps_(kPathBlock), histories_(replay.tiles(), steps_),
        waits_(replay.tiles(), counted), leastSlack_(replay.tiles(), kNever), slack_(replay.tiles()) {
    path_.cyclesOfTile.resize(replay.tiles());
  }

  SegmentEnds find(const RunSegment &segment) {
    const std::vector<std::vector<std::uint64_t>> starts = forward(segment);
    for (std::size_t block = starts.size(); block-- > 0;) {
      const std::size_t first = segment.first + block * kPathBlock, end = std::min(first + kPathBlock, segment.end);
      if (block + 1 != starts.size()) { // the last block is still in memory
        TileClocks clocks = replay_.clocks();
        clocks.set(starts[block]);
        for (std::size_t s = first; s < end; ++s)
          pass(replay_, s, clocks, steps_[s - first]);
      }
      for (std::size_t s = end; s-- > first;)
        back(s, steps_[s - first], !segment.last && s + 1 == segment.end);
    }
    const std::uint64_t begin = segment.before == nullptr ? 0 : start_[tile_];
    POPSCOPE_CHECK(now_ == begin, "the critical path begins at cycle {} instead of {}", now_, begin);
    ends_.firstTile = tile_;
    return ends_;
  }

  /// Adds the pieces that join a segment to the previous one: the path comes from the barrier between them.
  void join(const ReplayProgram &barrier, const SegmentEnds &before, const SegmentEnds &after) {
    if (!barrier.counters.empty())
      piece(barrier, after.firstTile, barrier.counters[after.firstTile], true);
    piece(barrier, before.lastTile, before.signalling + barrier.barriers.back()->fromController[after.firstTile],
          false);
  }

  /// Returns the result. Call it once, at the end.
  CriticalPath take() {
    waits_.addTo(path_);
    for (const std::uint64_t slack : leastSlack_)
      path_.slackOfTile.push_back(slack == kNever ? std::nullopt : std::optional(slack));
    return std::move(path_);
  }

private:
  /// Replays the segment, accounts for waits, and returns the clocks at the start of each block.
  std::vector<std::vector<std::uint64_t>> forward(const RunSegment &segment) {
    TileClocks clocks = replay_.clocks();
    histories_.begin(segment.before == nullptr ? nullptr : &segment.before->counters);
    if (segment.before != nullptr) {
      startAfter(*segment.before, clocks);
      start_ = clocks.now();
      waits_.readCounters(segment.before->counters);
    }
    std::vector<std::vector<std::uint64_t>> starts;
    for (std::size_t s = segment.first; s < segment.end; ++s) {
      const std::size_t i = (s - segment.first) % kPathBlock;
      if (i == 0) {
        if (s != segment.first)
          histories_.nextBlock(kPathBlock, clocks.now(), longestSignal_);
        starts.push_back(clocks.now());
      }
      pass(replay_, s, clocks, steps_[i]);
      account(i);
      if (segment.last || s + 1 != segment.end) // otherwise they belong to the next segment
        waits_.readCounters(steps_[i].program->counters);
    }
    if (segment.last)
      endOfRun(segment, clocks);
    else
      endOfSegment(segment);
    return starts;
  }
  void endOfRun(const RunSegment &segment, const TileClocks &clocks) {
    const auto end = std::max_element(clocks.now().begin(), clocks.now().end());
    now_ = *end;
    tile_ = static_cast<std::size_t>(end - clocks.now().begin());
    for (std::size_t t = 0; t < slack_.size(); ++t)
      slack_[t] = now_ - clocks.now()[t];
    const std::size_t steps = segment.end - segment.first;
    waits_.waited(0, slack_.size(), tile_, histories_, steps == 0 ? 0 : (steps - 1) % kPathBlock + 1,
                  [&](std::size_t t) { return slack_[t]; });
    ends_ = {0, tile_, now_, 0};
  }
  /// Places the end of the path at the tile whose signal comes last, at the time when it sends the signal.
  void endOfSegment(const RunSegment &segment) {
    const PassedStep &passed = steps_[(segment.end - 1 - segment.first) % kPathBlock];
    const TileMeeting &m = passed.met[passed.count - 1].front();
    tile_ = m.last;
    now_ = passed.before[passed.count - 1][m.last];
    ends_ = {0, tile_, m.begin, m.begin - now_};
  }

  /// Accounts for step `at` of the block.
  POPSCOPE_WIDE_LOOPS void account(std::size_t at) {
    const PassedStep &passed = steps_[at];
    const ReplayProgram &program = *passed.program;
    if (program.kind == ReplayProgram::Kind::Barriers) {
      for (std::size_t i = 0; i < passed.count; ++i)
        for (const TileMeeting &m : passed.met[i])
          accountBarrier(*program.barriers[i], m, passed.before[i], i == 0 ? at : kNothingBefore);
      return;
    }
    waits_.worked(program.info->kind, passed.busy);
    if (passed.count == 0)
      return;
    for (const TileMeeting &m : passed.met[0]) {
      const std::uint64_t *busy = passed.busy.data(), *before = passed.before[0].data();
      const std::uint64_t begin = m.begin, length = m.finish - m.begin;
      waits_.waited(m.first, m.end, m.last, histories_, at,
                    [=](std::size_t t) { return (begin - before[t]) & maskOf(busy[t] != 0); });
      waits_.waitedFor(program.info->kind, m.first, m.end,
                       [=](std::size_t t) { return (length - busy[t]) & maskOf(busy[t] != 0); });
    }
  }
  POPSCOPE_WIDE_LOOPS void accountBarrier(const BarrierDelay &delay, const TileMeeting &m,
                                          const std::vector<std::uint64_t> &before, std::size_t step) {
    const std::uint64_t *to = delay.toController.data(), *clocks = before.data(), begin = m.begin;
    waits_.waited(m.first, m.end, m.last, histories_, step, [=](std::size_t t) { return begin - to[t] - clocks[t]; });
    waits_.released(delay, m.first, m.end);
  }

  /// Adds a piece of the path and goes back by its length.
  void leg(const ReplayProgram &program, std::size_t tile, std::uint64_t cycles, bool counters) {
    piece(program, tile, cycles, counters);
    now_ -= cycles;
  }
  void piece(const ReplayProgram &program, std::size_t tile, std::uint64_t cycles, bool counters) {
    if (cycles == 0)
      return;
    PathSums &sums = path_.byProgram[program.info->id];
    sums.cycles += cycles;
    sums.counters += counters ? cycles : 0;
    ++sums.pieces;
    sums.byTile[tile] += cycles;
    path_.cyclesOfTile[tile] += cycles;
  }
  void noteSlack(const ReplayProgram &program, std::uint64_t slack) {
    const auto [at, isNew] = path_.slack.try_emplace(program.info->id, slack);
    if (!isNew)
      at->second = std::min(at->second, slack);
  }
  /// Records the slack of the tiles of [first, end) that work in the step.
  template <class SlackOf>
  void noteSlackOf(const ReplayProgram &program, const PassedStep &passed, std::size_t first, std::size_t end,
                   const SlackOf &slackOf) {
    const std::uint64_t *busy = passed.busy.data();
    std::uint64_t *leastOfTile = leastSlack_.data();
    std::uint64_t least = kNever;
    for (std::size_t t = first; t < end; ++t) {
      const std::uint64_t slack = slackOf(t) | maskOf(busy[t] == 0); // all bits set: does not count
      leastOfTile[t] = std::min(leastOfTile[t], slack);
      least = std::min(least, slack);
    }
    if (least != kNever)
      noteSlack(program, least);
  }

  /// Goes back over one step. `closes`: its last barrier is the segment's end, where the path already is.
  POPSCOPE_WIDE_LOOPS void back(std::size_t step, const PassedStep &passed, bool closes) {
    const ReplayProgram &program = replay_.program(step);
    if (!closes && !program.counters.empty())
      leg(program, tile_, program.counters[tile_], true);
    if (program.kind == ReplayProgram::Kind::Barriers) {
      std::size_t left = passed.count;
      if (closes) {
        --left;
        noteSlack(program, 0); // the path passes through it
        const TileMeeting &m = passed.met[left].front();
        beforeBarrier(*program.barriers[left], passed.before[left], m, 0);
      }
      while (left-- > 0)
        backBarrier(program, *program.barriers[left], passed.before[left], passed.met[left]);
    } else if (passed.count != 0) {
      backExchange(program, passed);
    } else {
      leg(program, tile_, passed.busy[tile_], false);
      noteSlackOf(program, passed, 0, slack_.size(), [slack = slack_.data()](std::size_t t) { return slack[t]; });
    }
  }
  POPSCOPE_WIDE_LOOPS void beforeBarrier(const BarrierDelay &delay, const std::vector<std::uint64_t> &before,
                                         const TileMeeting &m, std::uint64_t least) {
    const std::uint64_t *to = delay.toController.data(), *clocks = before.data(), most = least + m.begin;
    std::uint64_t *slack = slack_.data();
    for (std::size_t t = m.first, end = m.end; t < end; ++t)
      slack[t] = most - to[t] - clocks[t];
  }
  void backBarrier(const ReplayProgram &program, const BarrierDelay &delay, const std::vector<std::uint64_t> &before,
                   const std::vector<TileMeeting> &met) {
    for (const TileMeeting &m : met) {
      if (tile_ >= m.first && tile_ < m.end) {
        leg(program, m.last, now_ - before[m.last], false);
        tile_ = m.last;
      }
      const std::uint64_t least = extentOf(std::span(slack_).subspan(m.first, m.end - m.first)).first;
      noteSlack(program, least);
      beforeBarrier(delay, before, m, least);
    }
  }
  POPSCOPE_WIDE_LOOPS void backExchange(const ReplayProgram &program, const PassedStep &passed) {
    const std::uint64_t *busy = passed.busy.data(), *clocks = passed.before[0].data();
    std::uint64_t *slack = slack_.data();
    for (const TileMeeting &m : passed.met[0]) {
      if (!m.any)
        continue;
      if (tile_ >= m.first && tile_ < m.end && passed.busy[tile_] != 0) {
        leg(program, m.longest, now_ - m.begin, false);
        tile_ = m.last;
      }
      const std::size_t first = m.first, end = m.end;
      std::uint64_t least = kNever;
      for (std::size_t t = first; t < end; ++t)
        least = std::min(least, slack[t] | maskOf(busy[t] == 0));
      const std::uint64_t ofLongest = least + (m.finish - m.begin), ofFirst = least + m.begin;
      noteSlackOf(program, passed, first, end, [=](std::size_t t) { return ofLongest - busy[t]; });
      for (std::size_t t = first; t < end; ++t)
        slack[t] = busy[t] != 0 ? ofFirst - clocks[t] : slack[t];
    }
  }

  const RunReplay &replay_;
  std::uint64_t longestSignal_;
  std::vector<PassedStep> steps_; // steps of the current block
  Histories histories_;
  CriticalPath path_;
  WaitAccounts waits_;
  std::vector<std::uint64_t> leastSlack_; // per tile: of its work
  std::vector<std::uint64_t> slack_;      // per tile: after the steps that are still to be visited
  std::vector<std::uint64_t> start_;      // clocks at the start of the segment
  std::size_t tile_ = 0;                  // the path's current tile
  std::uint64_t now_ = 0;                 // the current time, from the start of the segment
  SegmentEnds ends_;
};

std::uint64_t longestSignalOf(const RunReplay &replay) {
  std::set<const BarrierDelay *> delays;
  for (std::size_t s = 0; s < replay.steps(); ++s)
    delays.insert(replay.program(s).barriers.begin(), replay.program(s).barriers.end());
  std::uint64_t longest = 0;
  for (const BarrierDelay *delay : delays)
    for (const std::uint64_t cycles : delay->toController)
      longest = std::max(longest, cycles);
  return longest;
}

} // namespace

void addPath(const CriticalPath &part, CriticalPath &all) {
  for (const auto &[id, sums] : part.byProgram) {
    PathSums &to = all.byProgram[id];
    to.cycles += sums.cycles;
    to.counters += sums.counters;
    to.pieces += sums.pieces;
    for (const auto &[tile, cycles] : sums.byTile)
      to.byTile[tile] += cycles;
  }
  for (const auto &[id, slack] : part.slack) {
    const auto [at, isNew] = all.slack.try_emplace(id, slack);
    at->second = std::min(at->second, slack);
  }
  all.cyclesOfTile.resize(std::max(all.cyclesOfTile.size(), part.cyclesOfTile.size()));
  all.slackOfTile.resize(std::max(all.slackOfTile.size(), part.slackOfTile.size()));
  for (std::size_t t = 0; t < part.cyclesOfTile.size(); ++t)
    all.cyclesOfTile[t] += part.cyclesOfTile[t];
  for (std::size_t t = 0; t < part.slackOfTile.size(); ++t)
    if (part.slackOfTile[t])
      all.slackOfTile[t] = std::min(all.slackOfTile[t].value_or(*part.slackOfTile[t]), *part.slackOfTile[t]);
  for (const auto &[cause, cycles] : part.work)
    all.work[cause] += cycles;
  for (const auto &[cause, cycles] : part.waits)
    all.waits[cause] += cycles;
  all.waitedForCounters += part.waitedForCounters;
  all.released += part.released;
  all.counters += part.counters;
}

// Finds the path in parallel tasks over segments, then joins the segments serially. Sums and minima do not depend on
// the order of tasks.
CriticalPath findCriticalPath(const RunReplay &replay, const std::vector<bool> &counted, Threads threads) {
  POPSCOPE_CHECK(counted.empty() || counted.size() >= replay.tiles(), "{} of {} tiles", counted.size(), replay.tiles());
  CriticalPath all;
  all.whyNot = replay.lacks();
  if (!all.whyNot.empty())
    return all;
  const std::vector<RunSegment> segments = replay.segments();
  const std::uint64_t longest = longestSignalOf(replay);
  std::vector<SegmentEnds> ends(segments.size());
  std::mutex joined; // sums and minima do not depend on the order
  parallelRanges(threads, segments.size(), kTaskSegments, [&](std::size_t first, std::size_t end) {
    PathFinder finder(replay, counted, longest);
    for (std::size_t i = first; i < end; ++i)
      ends[i] = finder.find(segments[i]);
    const CriticalPath part = finder.take();
    const std::lock_guard guard(joined);
    addPath(part, all);
  });
  PathFinder joints(replay, counted, longest);
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    length += ends[i].length;
    if (i != 0)
      joints.join(*segments[i].before, ends[i - 1], ends[i]);
  }
  addPath(joints.take(), all);
  if (const std::string why = replay.whyNot(length); !why.empty()) {
    all = {};
    all.whyNot = why;
  }
  return all;
}

} // namespace popscope
