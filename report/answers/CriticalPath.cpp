#include "report/answers/CriticalPath.hpp"

#include "base/Check.hpp"
#include "base/Extent.hpp"
#include "base/Parallel.hpp"
#include "base/WideLoops.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>

namespace popscope {
namespace {

constexpr std::size_t kPathBlock = 64;              // steps whose clocks are in memory at the same time
constexpr std::size_t kForgetSteps = 32;            // number of steps after which unreachable history is dropped
constexpr std::size_t kTaskSegments = 64;           // minimum number of segments per task
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

// The kind of a tile's cycles: a StepCause, kCounters (the tile reads counters), or kRelease (signals of a barrier are
// in transit).
enum : unsigned { kCounters = static_cast<unsigned>(StepCause::Control) + 1, kRelease, kAll };

/// The activity of a tile: its kind, and the program if the kind is a StepCause (else null).
struct Label {
  unsigned what = kRelease;
  const ReplayProgram *program = nullptr;
  friend bool operator==(const Label &, const Label &) = default;
};
/// Returns the label for the cycles in which signals of the program's barriers are in transit. If the program waits for
/// the host, these cycles are the wait.
Label signalsOf(const ReplayProgram &program) {
  if (program.info->kind != StepCause::HostWait)
    return {};
  return {static_cast<unsigned>(StepCause::HostWait), &program};
}
using Part = std::pair<Label, std::uint64_t>; // a label and its cycles

/// Finds the activities that kept a tile busy before any moment of the current block, the latest activity first.
///
/// Idea: a tile's history leads back to its latest barrier. At this barrier, the tile's history continues with the
/// history of the barrier's controller. The history of controllers is one list per IPU: the work of the tile whose
/// signal came last, then the time of the signal. Each part has its exact place in time. So a wait between two moments
/// consists of the parts of the last tile between these moments. The history from before the block is kept per tile.
/// This history begins at the clock that is furthest behind, because no later wait reaches further back.
class Histories {
public:
  Histories(std::size_t tiles, std::size_t perIpu, const std::vector<PassedStep> &block)
      : block_(block), perIpu_(perIpu), controllers_(tiles / perIpu), marks_(block.size()), before_(tiles) {}

  /// Begins a segment. Its history begins with the signals and the reading of counters of `before` (null = the start of
  /// the run).
  void begin(const ReplayProgram *before) {
    counters_ = before == nullptr ? nullptr : &before->counters;
    released_ = before == nullptr ? Label() : signalsOf(*before);
    for (Controller &controller : controllers_)
      controller = {};
    if (long_)
      for (auto &parts : before_)
        parts.clear();
    long_ = false;
  }
  /// Returns what released the tiles at the start of the segment.
  [[nodiscard]] const Label &released() const { return released_; }
  /// Calls visit(label, cycles) for the activities that kept `tile` busy before step `end` of the block and before its
  /// barrier `barrier`. Visits the latest activity first, until the visited cycles add up to `cycles`. Returns the
  /// cycles for which there is no history.
  template <class Visit>
  std::uint64_t trace(std::size_t tile, std::size_t end, std::size_t barrier, std::uint64_t cycles,
                      const Visit &visit) const {
    std::size_t reached = 0;
    cycles = traceOwn(tile, end, barrier, cycles, visit, reached);
    return traceController(tile / perIpu_, reached, cycles, visit);
  }
  /// Adds the meetings of barrier `at` of step `step`.
  void passBarrier(std::size_t step, std::size_t at) {
    const PassedStep &passed = block_[step];
    const BarrierDelay &delay = *passed.program->barriers[at];
    for (const TileMeeting &m : passed.met[at]) {
      Controller &of = controllers_[m.last / perIpu_];
      const std::uint64_t arrived = passed.before[at][m.last];
      parts_.clear();
      const std::uint64_t left = trace(m.last, step, at, arrived - of.time,
                                       [this](const Label &label, std::uint64_t n) { parts_.emplace_back(label, n); });
      if (left != 0) // no later wait reaches this far back
        parts_.emplace_back(Label(), left);
      for (auto part = parts_.rbegin(); part != parts_.rend(); ++part)
        of.add(*part);
      of.add({signalsOf(*passed.program), delay.toController[m.last]});
      of.time = m.begin;
      if (m.end - m.first != perIpu_) { // all tiles were released together: no later wait concerns earlier work
        Controller all;
        all.time = m.begin;
        for (Controller &controller : controllers_) {
          all.dropped = controller.dropped + controller.parts.size();
          controller = all;
        }
      }
    }
    auto &marks = marks_[step];
    marks.resize(std::max(marks.size(), at + 1));
    marks[at].clear();
    for (const Controller &controller : controllers_)
      marks[at].push_back(controller.dropped + controller.parts.size());
  }
  /// Ends a block of `steps` steps, before the next block of the segment begins.
  void nextBlock(std::size_t steps, const std::vector<std::uint64_t> &clocks) {
    const std::uint64_t least = *std::min_element(clocks.begin(), clocks.end());
    for (std::size_t tile = 0; tile < clocks.size(); ++tile) {
      parts_.clear();
      std::size_t reached = 0;
      (void)traceOwn(
          tile, steps, 0, clocks[tile] - least,
          [this](const Label &label, std::uint64_t cycles) {
            if (!parts_.empty() && parts_.back().first == label)
              parts_.back().second += cycles;
            else
              parts_.emplace_back(label, cycles);
          },
          reached);
      next_.emplace_back(parts_.rbegin(), parts_.rend());
    }
    before_.swap(next_); // afterwards, because traceOwn() reads the old history
    next_.clear();
    long_ = true;
    for (Controller &controller : controllers_)
      controller.forget(least);
  }

private:
  /// The history of an IPU's tiles until the latest barrier; the latest part is the last one. `time`: the time at which
  /// the last signal of this barrier arrived.
  struct Controller {
    std::vector<Part> parts;
    std::size_t dropped = 0; // number of earlier parts that were removed
    std::size_t atStart = 0; // number of parts, with the dropped ones, at the start of the block
    std::uint64_t time = 0;

    void add(const Part &part) {
      if (part.second != 0)
        parts.push_back(part);
    }
    void forget(std::uint64_t least) {
      std::size_t kept = parts.size();
      for (std::uint64_t at = time; kept != 0 && at > least; --kept)
        at -= std::min(at, parts[kept - 1].second);
      parts.erase(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(kept));
      dropped += kept;
      atStart = dropped + parts.size();
    }
  };

  template <class Visit>
  static void take(const Label &label, std::uint64_t most, std::uint64_t &cycles, const Visit &visit) {
    const std::uint64_t part = std::min(cycles, most);
    if (part != 0)
      visit(label, part);
    cycles -= part;
  }
  /// Visits the parts of the controller before `end`, the latest part first. Returns the rest of `cycles`, which these
  /// parts do not cover.
  template <class Visit>
  std::uint64_t traceController(std::size_t ipu, std::size_t end, std::uint64_t cycles, const Visit &visit) const {
    const Controller &of = controllers_[ipu];
    for (; cycles != 0 && end > of.dropped; --end)
      take(of.parts[end - 1 - of.dropped].first, of.parts[end - 1 - of.dropped].second, cycles, visit);
    return cycles;
  }
  /// Traces a tile back to its latest barrier. Sets `reached` to the end of the controller's history at this barrier.
  template <class Visit>
  std::uint64_t traceOwn(std::size_t tile, std::size_t end, std::size_t barrier, std::uint64_t cycles,
                         const Visit &visit, std::size_t &reached) const {
    const auto released = [&](std::size_t step, std::size_t at) {
      const ReplayProgram &program = *block_[step].program;
      take(signalsOf(program), program.barriers[at]->fromController[tile], cycles, visit);
      reached = marks_[step][at][tile / perIpu_];
      return cycles;
    };
    if (barrier != 0)
      return released(end, barrier - 1);
    for (std::size_t i = end; cycles != 0 && i-- > 0;) {
      const PassedStep &step = block_[i];
      const ReplayProgram &program = *step.program;
      if (!program.counters.empty())
        take({kCounters, nullptr}, program.counters[tile], cycles, visit);
      if (program.kind == ReplayProgram::Kind::Barriers)
        return released(i, step.count - 1);
      const Label label{static_cast<unsigned>(program.info->kind), &program};
      if (step.count == 0) {
        take(label, step.busy[tile], cycles, visit);
        continue;
      }
      if (step.busy[tile] == 0)
        continue;
      const TileMeeting &m = meetingOf(step, tile);
      take(label, m.finish - m.begin, cycles, visit);
      if (const std::uint64_t waited = std::min(cycles, m.begin - step.before[0][tile]); waited != 0) {
        if (const std::uint64_t left = trace(m.last, i, 0, waited, visit); left != 0)
          visit(released_, left); // the other tile was released later
        cycles -= waited;
      }
    }
    const Controller &of = controllers_[tile / perIpu_];
    reached = of.dropped; // an empty history, unless the block's start is reached
    if (cycles == 0)
      return 0;
    if (long_) {
      for (auto at = before_[tile].rbegin(); cycles != 0 && at != before_[tile].rend(); ++at)
        take(at->first, at->second, cycles, visit);
    } else if (counters_ != nullptr && !counters_->empty()) {
      take({kCounters, nullptr}, (*counters_)[tile], cycles, visit);
    }
    reached = of.atStart; // the tile passed no barrier earlier in this block
    return cycles;
  }
  static const TileMeeting &meetingOf(const PassedStep &step, std::size_t tile) {
    const std::vector<TileMeeting> &met = step.met[0];
    return met[tile / (met[0].end - met[0].first)];
  }

  const std::vector<PassedStep> &block_;
  std::size_t perIpu_;
  std::vector<Controller> controllers_;                      // per IPU
  std::vector<std::vector<std::vector<std::size_t>>> marks_; // per step, barrier and IPU: the end of the IPU's history
  const std::vector<std::uint64_t> *counters_ = nullptr;     // counters that were read at the start
  Label released_;                                           // what released the tiles at the start
  bool long_ = false;                                        // true: the segment has an earlier block
  std::vector<std::vector<Part>> before_, next_;             // per tile, the latest last
  std::vector<Part> parts_;
};

/// The compute work of each tile since the latest barrier of its IPU, by program.
class WorkSinceBarrier {
public:
  WorkSinceBarrier(std::size_t tiles, std::size_t perIpu) : perIpu_(perIpu), ipus_(tiles / perIpu) {}

  POPSCOPE_WIDE_LOOPS void add(const ReplayProgram &program, std::span<const std::uint64_t> busy) {
    for (std::size_t ipu = 0; ipu < ipus_.size(); ++ipu) {
      std::vector<Entry> &entries = ipus_[ipu];
      auto at = std::find_if(entries.rbegin(), entries.rend(), [&](const Entry &e) { return e.program == &program; });
      if (at == entries.rend()) {
        entries.push_back({&program, std::vector<std::uint64_t>(perIpu_)});
      } else {
        std::rotate(at.base() - 1, at.base(), entries.end());
      }
      std::uint64_t *work = entries.back().work.data();
      const std::uint64_t *more = busy.data() + ipu * perIpu_;
      for (std::size_t t = 0; t < perIpu_; ++t)
        work[t] += more[t];
    }
  }
  /// Forgets the work of the IPUs with the tiles [first, end).
  void forget(std::size_t first, std::size_t end) {
    for (std::size_t ipu = first / perIpu_; ipu * perIpu_ < end; ++ipu)
      ipus_[ipu].clear();
  }
  /// Calls visit(program, work) for the programs that the IPU executed, the latest first, until `visit` returns false.
  template <class Visit> void each(std::size_t ipu, const Visit &visit) const {
    for (auto at = ipus_[ipu].rbegin(); at != ipus_[ipu].rend(); ++at)
      if (!visit(*at->program, at->work.data()))
        return;
  }
  [[nodiscard]] std::size_t perIpu() const { return perIpu_; }

private:
  struct Entry {
    const ReplayProgram *program;
    std::vector<std::uint64_t> work; // per tile of the IPU
  };
  std::size_t perIpu_;
  std::vector<std::vector<Entry>> ipus_; // in the order of the latest execution
};

/// Sums of work and waits over the counted tiles.
///
/// A wait counts for the cause that keeps the last tile busy in that time. If the cause is compute, and the waiting
/// tile is on the same IPU, the wait is attributed to the programs in which the last tile worked longer than the
/// waiting tile. The latest of these programs comes first. So a balanced compute set that a late tile begins late is
/// not blamed.
class WaitAccounts {
public:
  WaitAccounts(std::size_t tiles, std::size_t perIpu, const std::vector<bool> &counted)
      : mask_(tiles, ~std::uint64_t(0)), own_(tiles, perIpu) {
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
  /// block, before its barrier `barrier`. The waits count for the activities that kept `last` busy during that time.
  template <class CyclesOf>
  void waited(std::size_t first, std::size_t end, std::size_t last, const Histories &histories, std::size_t step,
              std::size_t barrier, const CyclesOf &cyclesOf) {
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
    const std::size_t ipu = last / own_.perIpu();
    // The waiting tiles on the IPU of `last`; none if no tile of that IPU waits.
    const std::size_t from = std::clamp(ipu * own_.perIpu(), first, end) - first;
    const std::size_t to = std::clamp((ipu + 1) * own_.perIpu(), first, end) - first;
    compute_.assign(to - from, 0);
    Label latest; // the latest compute step in the history of `last`
    std::uint64_t blamed = 0;
    (void)histories.trace(last, step, barrier, most, [&](const Label &label, std::uint64_t part) {
      std::uint64_t near = 0;
      if (label.what == static_cast<unsigned>(StepCause::Compute)) {
        near = moveEach(std::span(left_).subspan(from, to - from), compute_, part);
        waits_[label.what] += near;
        blamed += near;
        latest = latest.program == nullptr ? label : latest;
      }
      const std::uint64_t sum = takeEach(left_, part, from, near != 0 ? to : from);
      add(label, sum);
      left -= sum + near;
    });
    add(histories.released(), left); // `last` was released later than the waiting tiles
    if (blamed != 0)
      blame(ipu, first + from, last, blamed, latest);
  }
  /// Adds the work of a compute step, to which later waits can be attributed.
  void addOwn(const ReplayProgram &program, std::span<const std::uint64_t> busy) { own_.add(program, busy); }
  void forgetOwn(std::size_t first, std::size_t end) { own_.forget(first, end); }
  /// Adds waits for the longest schedule of an exchange: cyclesOf(tile) cycles of each tile of [first, end).
  template <class CyclesOf>
  void waitedFor(const ReplayProgram &program, std::size_t first, std::size_t end, const CyclesOf &cyclesOf) {
    add({static_cast<unsigned>(program.info->kind), &program}, sumOf(first, end, cyclesOf));
  }
  /// Adds the cycles in which signals of the program's barriers are in transit: cyclesOf(tile) cycles of each tile of
  /// [first, end).
  template <class CyclesOf>
  void released(const ReplayProgram &program, std::size_t first, std::size_t end, const CyclesOf &cyclesOf) {
    add(signalsOf(program), sumOf(first, end, cyclesOf));
  }
  void addTo(CriticalPath &path) const {
    for (unsigned what = 0; what < kCounters; ++what) {
      if (work_[what] != 0)
        path.work[static_cast<StepCause>(what)] += work_[what];
      if (waits_[what] != 0)
        path.waits[static_cast<StepCause>(what)] += waits_[what];
    }
    for (const auto &[id, cycles] : waitsFor_)
      path.waitsFor[id] += cycles;
    path.counters += counters_;
    path.waitedForCounters += waits_[kCounters];
    path.released += waits_[kRelease];
  }

private:
  /// Divides the waits in compute_ among the programs in which tile `last` worked longer than the waiting tile, the
  /// latest first. `first`: the first waiting tile; `left`: the sum of the waits. The rest counts for `latest`.
  void blame(std::size_t ipu, std::size_t first, std::size_t last, std::uint64_t left, const Label &latest) {
    const std::size_t base = ipu * own_.perIpu();
    own_.each(ipu, [&](const ReplayProgram &program, const std::uint64_t *work) {
      const std::uint64_t ofLast = work[last - base], *own = work + (first - base);
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < compute_.size(); ++i) {
        const std::uint64_t part = std::min(compute_[i], ofLast - std::min(ofLast, own[i]));
        compute_[i] -= part;
        sum += part;
      }
      if (sum != 0)
        waitsFor_[program.info->id] += sum;
      left -= sum;
      return left != 0;
    });
    if (left != 0)
      waitsFor_[latest.program->info->id] += left;
  }
  /// Moves up to `most` from each number of `from` to the same position of `to`. Returns the sum of the moved numbers.
  POPSCOPE_WIDE_LOOPS static std::uint64_t moveEach(std::span<std::uint64_t> from, std::vector<std::uint64_t> &to,
                                                    std::uint64_t most) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::uint64_t part = std::min(from[i], most);
      from[i] -= part;
      to[i] += part;
      sum += part;
    }
    return sum;
  }
  void add(const Label &label, std::uint64_t sum) {
    waits_[label.what] += sum;
    if (label.program != nullptr && sum != 0)
      waitsFor_[label.program->info->id] += sum;
  }
  template <class CyclesOf>
  [[nodiscard]] std::uint64_t sumOf(std::size_t first, std::size_t end, const CyclesOf &cyclesOf) const {
    const std::uint64_t *mask = mask_.data();
    std::uint64_t sum = 0;
    for (std::size_t t = first; t < end; ++t)
      sum += cyclesOf(t) & mask[t];
    return sum;
  }
  /// Subtracts up to `most` from each number, except those of [first, end). Returns the sum of the subtracted numbers.
  POPSCOPE_WIDE_LOOPS static std::uint64_t takeEach(std::vector<std::uint64_t> &numbers, std::uint64_t most,
                                                    std::size_t first, std::size_t end) {
    std::uint64_t sum = 0;
    const auto take = [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) {
        const std::uint64_t part = std::min(numbers[i], most);
        numbers[i] -= part;
        sum += part;
      }
    };
    take(0, first);
    take(end, numbers.size());
    return sum;
  }

  std::vector<std::uint64_t> mask_; // per tile: all bits set if the tile counts
  WorkSinceBarrier own_;
  std::vector<std::uint64_t> left_;    // remaining waits per tile
  std::vector<std::uint64_t> compute_; // waits for compute, per waiting tile on the last tile's IPU
  std::array<std::uint64_t, kAll> work_{}, waits_{};
  std::map<std::size_t, std::uint64_t> waitsFor_; // by program id
  std::uint64_t counters_ = 0;
};

/// The tiles at which the path enters and leaves a segment. These tiles join the segment to the previous segment.
struct SegmentEnds {
  std::size_t firstTile = 0;    // the path's tile at the beginning of the segment
  std::size_t lastTile = 0;     // the tile whose signal came last at the segment's end; in the last segment, the tile
                                // that ends the run
  std::uint64_t length = 0;     // cycles until that signal arrived, or until the end of the run
  std::uint64_t signalling = 0; // duration of that signal; 0 in the last segment
};

/// Finds the path through segments of a run, one segment at a time. Also finds the causes of the tiles' waits. Each
/// task has its own object with its own sums.
///
/// Idea: a forward pass replays the segment and keeps the clocks at the start of each block of kPathBlock steps. A
/// backward pass then replays each block again, last block first, and goes back along the path. So memory is one block
/// plus one set of clocks per block, and time is two replays. Invariant: the path's pieces are contiguous, so the path
/// must begin where the segment begins (checked).
class PathFinder {
public:
  PathFinder(const RunReplay &replay, const std::vector<bool> &counted)
      : replay_(replay), steps_(kPathBlock), histories_(replay.tiles(), replay.tilesPerIpu(), steps_),
        waits_(replay.tiles(), replay.tilesPerIpu(), counted), leastSlack_(replay.tiles(), kNever),
        slack_(replay.tiles()) {
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

  /// Adds the pieces that join a segment to the previous segment: the path comes from the barrier between the two
  /// segments.
  void join(const ReplayProgram &barrier, const SegmentEnds &before, const SegmentEnds &after) {
    if (!barrier.counters.empty())
      piece(barrier, after.firstTile, barrier.counters[after.firstTile], true);
    piece(barrier, before.lastTile, before.signalling + barrier.barriers.back()->fromController[after.firstTile],
          false);
  }

  /// Returns the result. Call take() once, at the end.
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
    histories_.begin(segment.before);
    waits_.forgetOwn(0, replay_.tiles());
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
          histories_.nextBlock(kPathBlock, clocks.now());
        starts.push_back(clocks.now());
      }
      pass(replay_, s, clocks, steps_[i]);
      account(i);
      if (segment.last || s + 1 != segment.end) // otherwise the reading belongs to the next segment
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
    waits_.waited(0, slack_.size(), tile_, histories_, steps == 0 ? 0 : (steps - 1) % kPathBlock + 1, 0,
                  [&](std::size_t t) { return slack_[t]; });
    ends_ = {0, tile_, now_, 0};
  }
  /// Places the end of the path at the tile whose signal comes last, at the time when this tile sends the signal.
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
      for (std::size_t i = 0; i < passed.count; ++i) {
        for (const TileMeeting &m : passed.met[i])
          accountBarrier(program, m, passed.before[i], at, i);
        histories_.passBarrier(at, i);
        for (const TileMeeting &m : passed.met[i])
          waits_.forgetOwn(m.first, m.end);
      }
      return;
    }
    waits_.worked(program.info->kind, passed.busy);
    if (passed.count == 0) {
      if (program.info->kind == StepCause::Compute)
        waits_.addOwn(program, passed.busy);
      return;
    }
    for (const TileMeeting &m : passed.met[0]) {
      const std::uint64_t *busy = passed.busy.data(), *before = passed.before[0].data();
      const std::uint64_t begin = m.begin, length = m.finish - m.begin;
      waits_.waited(m.first, m.end, m.last, histories_, at, 0,
                    [=](std::size_t t) { return (begin - before[t]) & maskOf(busy[t] != 0); });
      waits_.waitedFor(program, m.first, m.end,
                       [=](std::size_t t) { return (length - busy[t]) & maskOf(busy[t] != 0); });
    }
  }
  /// Accounts for the waits at a barrier. Until the last tile arrives, the cause of a wait is the work of the last
  /// tile. After this arrival, the tiles wait for signals until they are released.
  POPSCOPE_WIDE_LOOPS void accountBarrier(const ReplayProgram &program, const TileMeeting &m,
                                          const std::vector<std::uint64_t> &before, std::size_t step,
                                          std::size_t barrier) {
    const std::uint64_t *from = program.barriers[barrier]->fromController.data(), *clocks = before.data();
    const std::uint64_t begin = m.begin, arrived = clocks[m.last];
    waits_.waited(m.first, m.end, m.last, histories_, step, barrier,
                  [=](std::size_t t) { return arrived - std::min(arrived, clocks[t]); });
    waits_.released(program, m.first, m.end,
                    [=](std::size_t t) { return begin - std::max(arrived, clocks[t]) + from[t]; });
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

  /// Goes back over one step. `closes` is true if the step's last barrier is the end of the segment; the path is
  /// already at this barrier.
  POPSCOPE_WIDE_LOOPS void back(std::size_t step, const PassedStep &passed, bool closes) {
    const ReplayProgram &program = replay_.program(step);
    if (!closes && !program.counters.empty())
      leg(program, tile_, program.counters[tile_], true);
    if (program.kind == ReplayProgram::Kind::Barriers) {
      std::size_t left = passed.count;
      if (closes) {
        --left;
        noteSlack(program, 0); // the path passes through the barrier
        const TileMeeting &m = passed.met[left].front();
        beforeBarrier(*program.barriers[left], passed.before[left], m, 0);
      }
      while (left-- > 0)
        backBarrier(program, *program.barriers[left], passed.before[left], passed.met[left]);
    } else if (passed.count != 0) {
      backExchange(program, passed);
    } else {
      if (passed.busy[tile_] != 0)
        path_.byProgram[program.info->id].even += evenWork(passed.busy);
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
        path_.byProgram[program.info->id].even += evenWork(passed.busy);
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
  std::vector<PassedStep> steps_; // steps of the current block
  Histories histories_;
  CriticalPath path_;
  WaitAccounts waits_;
  std::vector<std::uint64_t> leastSlack_; // per tile: least slack of its work
  std::vector<std::uint64_t> slack_;      // per tile: slack at the point that the walk backwards has reached
  std::vector<std::uint64_t> start_;      // clocks at the start of the segment
  std::size_t tile_ = 0;                  // the path's current tile
  std::uint64_t now_ = 0;                 // the current time, from the start of the segment
  SegmentEnds ends_;
};

} // namespace

void addPath(const CriticalPath &part, CriticalPath &all) {
  for (const auto &[id, sums] : part.byProgram) {
    PathSums &to = all.byProgram[id];
    to.cycles += sums.cycles;
    to.counters += sums.counters;
    to.even += sums.even;
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
  for (const auto &[id, cycles] : part.waitsFor)
    all.waitsFor[id] += cycles;
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
  std::vector<SegmentEnds> ends(segments.size());
  std::mutex joined; // sums and minima do not depend on the order
  parallelRanges(threads, segments.size(), kTaskSegments, [&](std::size_t first, std::size_t end) {
    PathFinder finder(replay, counted);
    for (std::size_t i = first; i < end; ++i)
      ends[i] = finder.find(segments[i]);
    const CriticalPath part = finder.take();
    const std::lock_guard guard(joined);
    addPath(part, all);
  });
  PathFinder joints(replay, counted);
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
