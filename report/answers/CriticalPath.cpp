#include "report/answers/CriticalPath.hpp"

#include "base/Check.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace popscope {
namespace {

constexpr std::size_t kPathBlock = 64;   // steps whose clocks are in memory at a time
constexpr std::size_t kForgetSteps = 32; // after which what can no longer be waited for is dropped

/// What each tile did since its latest barrier, and what the others waited for.
class WaitAccounts {
public:
  WaitAccounts(CriticalPath &path, std::size_t tiles, const std::vector<bool> &counted)
      : path_(path), since_(tiles), counted_(counted) {}

  void did(std::size_t tile, StepCause cause, std::uint64_t cycles) {
    if (counts(tile))
      work_[static_cast<unsigned>(cause)] += cycles;
    add(tile, static_cast<unsigned>(cause), cycles);
  }
  void readCounters(std::size_t tile, std::uint64_t cycles) {
    path_.counters += counts(tile) ? cycles : 0;
    add(tile, kCounters, cycles);
  }
  /// `tile` waited for what `last` has done in its latest cycles, which is kept as what `tile` did.
  void waited(std::size_t tile, std::size_t last, std::uint64_t cycles) {
    const auto &done = since_[last];
    parts_.clear();
    for (auto at = done.rbegin(); cycles != 0 && at != done.rend(); ++at) {
      const std::uint64_t part = std::min(cycles, at->second);
      count(tile, at->first, part);
      cycles -= part;
      parts_.emplace_back(at->first, part);
    }
    count(tile, kRelease, cycles); // it was released later
    add(tile, kRelease, cycles);
    for (auto part = parts_.rbegin(); part != parts_.rend(); ++part)
      add(tile, part->first, part->second);
  }
  /// Each tile of [first, end) waited cyclesOf(tile) for the latest that `last` has done. Nothing is kept.
  template <class CyclesOf>
  void waitedTogether(std::size_t first, std::size_t end, std::size_t last, const CyclesOf &cyclesOf) {
    left_.assign(end - first, 0);
    std::uint64_t left = 0;
    for (std::size_t t = first; t < end; ++t)
      if (counts(t))
        left += left_[t - first] = cyclesOf(t);
    const auto &done = since_[last];
    for (auto at = done.rbegin(); left != 0 && at != done.rend(); ++at) {
      std::uint64_t sum = 0;
      for (std::uint64_t &cycles : left_) {
        const std::uint64_t part = std::min(cycles, at->second);
        cycles -= part;
        sum += part;
      }
      waits_[at->first] += sum;
      left -= sum;
    }
    waits_[kRelease] += left; // they were released later
  }
  void waitedInExchange(std::size_t tile, StepCause cause, std::uint64_t cycles) {
    count(tile, static_cast<unsigned>(cause), cycles);
    add(tile, static_cast<unsigned>(cause), cycles);
  }
  void released(std::size_t tile, std::uint64_t cycles) {
    count(tile, kRelease, cycles);
    since_[tile].clear();
  }
  /// Drops what no wait can reach back to any more: what was done before the clock that is furthest behind, and the
  /// longest signal to a barrier before that, since a tile waits for the signal of another, too.
  void forget(const std::vector<std::uint64_t> &clocks, std::uint64_t longestSignal) {
    std::uint64_t least = *std::min_element(clocks.begin(), clocks.end());
    least -= std::min(least, longestSignal);
    for (std::size_t tile = 0; tile < since_.size(); ++tile) {
      auto &done = since_[tile];
      std::uint64_t kept = 0;
      auto from = done.end();
      while (from != done.begin() && kept < clocks[tile] - least)
        kept += (--from)->second;
      done.erase(done.begin(), from);
    }
  }
  /// Adds what was counted to the path. Once, at the end.
  void finish() {
    for (unsigned what = 0; what < kCounters; ++what) {
      if (work_[what] != 0)
        path_.work[static_cast<StepCause>(what)] += work_[what];
      if (waits_[what] != 0)
        path_.waits[static_cast<StepCause>(what)] += waits_[what];
    }
    path_.waitedForCounters += waits_[kCounters];
    path_.released += waits_[kRelease];
  }

private:
  using Part = std::pair<unsigned, std::uint64_t>;
  enum : unsigned { kCounters = static_cast<unsigned>(StepCause::Control) + 1, kRelease, kAll }; // behind the causes
  void add(std::size_t tile, unsigned what, std::uint64_t cycles) {
    auto &done = since_[tile];
    if (cycles == 0)
      return;
    if (!done.empty() && done.back().first == what)
      done.back().second += cycles;
    else
      done.emplace_back(what, cycles);
  }
  [[nodiscard]] bool counts(std::size_t tile) const { return counted_.empty() || counted_[tile]; }
  void count(std::size_t tile, unsigned what, std::uint64_t cycles) {
    if (counts(tile))
      waits_[what] += cycles;
  }

  CriticalPath &path_;
  std::vector<std::vector<Part>> since_;
  std::vector<Part> parts_;         // of one wait, the latest first
  std::vector<std::uint64_t> left_; // of waits together, by tile
  std::array<std::uint64_t, kAll> work_{}, waits_{};
  const std::vector<bool> &counted_;
};

/// The work of a step beside the clocks before it and the meetings of its tiles.
struct PassedStep : StepMeetings {
  std::vector<std::uint64_t> busy;
};

PassedStep pass(const RunReplay &replay, std::size_t step, TileClocks &clocks) {
  PassedStep passed;
  passed.busy = replay.recordedCycles(step);
  passStep(replay.program(step), passed.busy, clocks, &passed);
  return passed;
}

class PathFinder {
public:
  PathFinder(const RunReplay &replay, const std::vector<bool> &counted) : replay_(replay), counted_(counted) {
    path_.cyclesOfTile.resize(replay.tiles());
    leastSlack_.resize(replay.tiles(), kNever);
  }

  CriticalPath find() {
    path_.whyNot = replay_.lacks();
    if (!path_.whyNot.empty())
      return std::move(path_);
    const std::vector<std::vector<std::uint64_t>> starts = forward();
    path_.whyNot = replay_.whyNot(now_);
    if (!path_.whyNot.empty())
      return std::move(path_);
    for (std::size_t block = starts.size(); block-- > 0;) {
      TileClocks clocks = replay_.clocks();
      clocks.set(starts[block]);
      const std::size_t first = block * kPathBlock, end = std::min(first + kPathBlock, replay_.steps());
      std::vector<PassedStep> steps;
      for (std::size_t s = first; s < end; ++s)
        steps.push_back(pass(replay_, s, clocks));
      for (std::size_t s = end; s-- > first;)
        back(s, steps[s - first]);
    }
    POPSCOPE_CHECK(now_ == 0, "the critical path begins at cycle {}", now_);
    for (const std::uint64_t slack : leastSlack_)
      path_.slackOfTile.push_back(slack == kNever ? std::nullopt : std::optional(slack));
    return std::move(path_);
  }

private:
  [[nodiscard]] std::uint64_t longestSignal() const {
    std::set<const BarrierDelay *> delays;
    for (std::size_t s = 0; s < replay_.steps(); ++s)
      delays.insert(replay_.program(s).barriers.begin(), replay_.program(s).barriers.end());
    std::uint64_t longest = 0;
    for (const BarrierDelay *delay : delays)
      for (const std::uint64_t cycles : delay->toController)
        longest = std::max(longest, cycles);
    return longest;
  }
  /// Passes the run, accounts for waiting, and keeps the clocks at the start of each block.
  std::vector<std::vector<std::uint64_t>> forward() {
    TileClocks clocks = replay_.clocks();
    WaitAccounts waits(path_, replay_.tiles(), counted_);
    std::vector<std::vector<std::uint64_t>> starts;
    const std::uint64_t longest = longestSignal();
    for (std::size_t s = 0; s < replay_.steps(); ++s) {
      if (s % kPathBlock == 0)
        starts.push_back(clocks.now());
      account(replay_.program(s), pass(replay_, s, clocks), waits);
      if (s % kForgetSteps == 0)
        waits.forget(clocks.now(), longest);
    }
    const auto end = std::max_element(clocks.now().begin(), clocks.now().end());
    now_ = *end;
    tile_ = static_cast<std::size_t>(end - clocks.now().begin());
    for (const std::uint64_t clock : clocks.now())
      slack_.push_back(now_ - clock);
    waits.waitedTogether(0, slack_.size(), tile_, [&](std::size_t t) { return slack_[t]; });
    waits.finish();
    return starts;
  }
  static void account(const ReplayProgram &program, const PassedStep &passed, WaitAccounts &waits) {
    const StepCause cause = program.info->kind;
    for (std::size_t t = 0; passed.met.empty() && t < passed.busy.size(); ++t)
      waits.did(t, cause, passed.busy[t]);
    for (std::size_t i = 0; i < passed.met.size(); ++i)
      for (const TileMeeting &m : passed.met[i]) {
        if (program.kind == ReplayProgram::Kind::Barriers)
          accountBarrier(*program.barriers[i], m, passed.before[i], waits);
        else
          accountExchange(cause, m, passed, waits);
      }
    for (std::size_t t = 0; t < program.counters.size(); ++t)
      waits.readCounters(t, program.counters[t]);
  }
  static void accountBarrier(const BarrierDelay &delay, const TileMeeting &m, const std::vector<std::uint64_t> &before,
                             WaitAccounts &waits) {
    waits.waitedTogether(m.first, m.end, m.last,
                         [&](std::size_t t) { return m.begin - delay.toController[t] - before[t]; });
    for (std::size_t t = m.first; t < m.end; ++t) // now that nobody looks back
      waits.released(t, delay.toController[t] + delay.fromController[t]);
  }
  static void accountExchange(StepCause cause, const TileMeeting &m, const PassedStep &passed, WaitAccounts &waits) {
    for (std::size_t t = m.first; t < m.end; ++t)
      if (passed.busy[t] != 0 && t != m.last)
        waits.waited(t, m.last, m.begin - passed.before[0][t]);
    for (std::size_t t = m.first; t < m.end; ++t) {
      if (passed.busy[t] == 0)
        continue;
      waits.did(t, cause, passed.busy[t]);
      waits.waitedInExchange(t, cause, m.finish - m.begin - passed.busy[t]);
    }
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
    now_ -= cycles;
  }
  void noteSlack(const ReplayProgram &program, std::uint64_t slack) {
    const auto [at, isNew] = path_.slack.try_emplace(program.info->id, slack);
    if (!isNew)
      at->second = std::min(at->second, slack);
  }
  /// Of the tiles of [first, end) that work in the step.
  template <class SlackOf>
  void noteSlackOf(const ReplayProgram &program, const PassedStep &passed, std::size_t first, std::size_t end,
                   const SlackOf &slackOf) {
    std::uint64_t least = kNever;
    for (std::size_t t = first; t < end; ++t)
      if (passed.busy[t] != 0) {
        const std::uint64_t slack = slackOf(t);
        leastSlack_[t] = std::min(leastSlack_[t], slack);
        least = std::min(least, slack);
      }
    if (least != kNever)
      noteSlack(program, least);
  }

  void back(std::size_t step, const PassedStep &passed) {
    const ReplayProgram &program = replay_.program(step);
    if (!program.counters.empty())
      piece(program, tile_, program.counters[tile_], true);
    if (program.kind == ReplayProgram::Kind::Barriers) {
      for (std::size_t i = passed.met.size(); i-- > 0;)
        backBarrier(program, *program.barriers[i], passed.before[i], passed.met[i]);
    } else if (!passed.met.empty()) {
      backExchange(program, passed);
    } else {
      piece(program, tile_, passed.busy[tile_], false);
      noteSlackOf(program, passed, 0, slack_.size(), [&](std::size_t t) { return slack_[t]; });
    }
  }
  void backBarrier(const ReplayProgram &program, const BarrierDelay &delay, const std::vector<std::uint64_t> &before,
                   const std::vector<TileMeeting> &met) {
    for (const TileMeeting &m : met) {
      if (tile_ >= m.first && tile_ < m.end) {
        piece(program, m.last, now_ - before[m.last], false);
        tile_ = m.last;
      }
      const std::uint64_t least = *std::min_element(slack_.begin() + static_cast<std::ptrdiff_t>(m.first),
                                                    slack_.begin() + static_cast<std::ptrdiff_t>(m.end));
      noteSlack(program, least);
      for (std::size_t t = m.first; t < m.end; ++t)
        slack_[t] = least + (m.begin - delay.toController[t] - before[t]);
    }
  }
  void backExchange(const ReplayProgram &program, const PassedStep &passed) {
    for (const TileMeeting &m : passed.met[0]) {
      if (!m.any)
        continue;
      if (tile_ >= m.first && tile_ < m.end && passed.busy[tile_] != 0) {
        piece(program, m.longest, now_ - m.begin, false);
        tile_ = m.last;
      }
      std::uint64_t least = kNever;
      for (std::size_t t = m.first; t < m.end; ++t)
        if (passed.busy[t] != 0)
          least = std::min(least, slack_[t]);
      noteSlackOf(program, passed, m.first, m.end,
                  [&](std::size_t t) { return least + (m.finish - m.begin - passed.busy[t]); });
      for (std::size_t t = m.first; t < m.end; ++t)
        if (passed.busy[t] != 0)
          slack_[t] = least + (m.begin - passed.before[0][t]);
    }
  }

  static constexpr std::uint64_t kNever = ~std::uint64_t(0); // the slack of no work

  const RunReplay &replay_;
  const std::vector<bool> &counted_;
  CriticalPath path_;
  std::vector<std::uint64_t> leastSlack_; // of the work of each tile
  std::vector<std::uint64_t> slack_;      // of each tile, behind the steps that are still to be looked at
  std::size_t tile_ = 0;                  // where the path is
  std::uint64_t now_ = 0;
};

} // namespace

CriticalPath findCriticalPath(const RunReplay &replay, const std::vector<bool> &counted) {
  POPSCOPE_CHECK(counted.empty() || counted.size() >= replay.tiles(), "{} of {} tiles", counted.size(), replay.tiles());
  return PathFinder(replay, counted).find();
}

} // namespace popscope
