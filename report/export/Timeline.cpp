#include "report/export/Timeline.hpp"

#include "base/Version.hpp"
#include "report/answers/RunsAnswer.hpp"
#include "report/export/LiveByCategory.hpp"
#include "report/export/StepWalk.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <pva/HostSamples.hpp>
#include <set>

namespace popscope {
namespace {

// The number of a process is 1 + IPU, or one of the first two constants. The number of a lane is unique over all
// processes, and never that of a process.
constexpr std::uint32_t kMemory = 1000000, kHost = 1000001;
constexpr std::uint32_t kLanesOfIpu = 2000000, kFirstTile = 1000000, kLanesOfKind = 100000;
constexpr std::uint32_t kHostLanes = 4000000000U;

std::uint32_t processOf(std::size_t ipu) { return static_cast<std::uint32_t>(1 + ipu); }
std::uint32_t programLane(std::size_t ipu) { return static_cast<std::uint32_t>(1 + ipu) * kLanesOfIpu; }

const char *laneName(StepCause cause) {
  switch (cause) {
  case StepCause::Compute: return "Compute";
  case StepCause::Exchange: return "Exchange";
  case StepCause::GlobalExchange: return "Exchange between IPUs";
  case StepCause::HostExchange: return "Host I/O";
  case StepCause::HostWait: return "Waiting for the host";
  case StepCause::Barrier: return "Sync";
  case StepCause::Control: break;
  }
  return "Control";
}
bool movesData(StepCause cause) {
  return cause == StepCause::Exchange || cause == StepCause::GlobalExchange || cause == StepCause::HostExchange;
}

class Writer {
public:
  Writer(const pva::Report &report, const TimelineOptions &options, TimelineSink &sink)
      : report_(report), options_(options), sink_(sink), target_(report.compilation().target()),
        ipus_(target_.ipusPerReplica()), tilesPerIpu_(std::max<std::uint64_t>(1, target_.tilesPerIpu())),
        chain_(report), live_(report), steps_(selectedSteps(options.selection)),
        runs_(selectedRuns(report, options.selection)), programs_(report), lanes_(ipus_), active_(ipus_, kUnset),
        arrow_(ipus_) {
    if (runs_.empty())
      refuseWithoutRun(report);
    if (!options.selection.tiles.empty())
      tiles_ = selectedTiles(report, options.selection);
    for (const std::size_t tile : tiles_) {
      chosen_.resize(std::max(chosen_.size(), tile + 1));
      chosen_[tile] = true;
    }
    byClock_ = (options.byClock || !options.pvti.empty()) && target_.clockFrequency() > 0;
  }

  TimelineResult write() {
    declare();
    samples_ = pva::hostSamples(report_);
    origin_ = samples_.size() == 0 ? kUnset : samples_[0].microseconds;
    if (samples_.size() != 0 || !options_.pvti.empty())
      sink_.process(kHost, "Host");
    if (!options_.pvti.empty())
      writeHost();
    writeSamples();
    for (std::size_t i = 0; i < runs_.size() && !result_.cut; ++i)
      writeRun(runs_[i]);
    return result_;
  }

private:
  static constexpr std::uint64_t kUnset = ~std::uint64_t(0);
  struct Arrow {
    std::uint64_t id = 0, start = 0;
  };

  void declare() {
    for (std::size_t ipu = 0; ipu < ipus_; ++ipu) {
      sink_.process(processOf(ipu), "IPU " + std::to_string(ipu));
      sink_.lane(processOf(ipu), programLane(ipu), "Program");
    }
    for (const std::size_t tile : tiles_)
      sink_.lane(processOf(tile / tilesPerIpu_), tileLane(tile), "Tile " + std::to_string(tile));
    sink_.process(kMemory, "Memory of a replica");
  }
  [[nodiscard]] std::uint32_t tileLane(std::size_t tile) const {
    return programLane(tile / tilesPerIpu_) + kFirstTile + static_cast<std::uint32_t>(tile % tilesPerIpu_);
  }
  [[nodiscard]] std::uint64_t nanoseconds(std::uint64_t cycles) const {
    if (!byClock_)
      return cycles;
    return static_cast<std::uint64_t>(
        static_cast<long double>(cycles) * 1e9L / static_cast<long double>(target_.clockFrequency()) + 0.5L);
  }
  [[nodiscard]] std::uint64_t at(std::uint64_t cycles) const { return base_ + nanoseconds(cycles); }
  [[nodiscard]] bool full(std::uint64_t more) const {
    return options_.maxEvents != 0 && result_.events + more > options_.maxEvents;
  }
  void slice(const Slice &slice) {
    sink_.slice(slice);
    ++result_.events;
  }

  void writeHost() {
    const pva::Trace trace = pva::openTrace(options_.pvti);
    for (const auto &process : trace.processes())
      for (const auto &thread : process.threads())
        for (const auto &event : thread.events())
          origin_ = std::min(origin_, event.timestamp());
    std::uint32_t lane = kHostLanes;
    for (const auto &process : trace.processes())
      for (const auto &thread : process.threads()) {
        sink_.lane(kHost, ++lane,
                   "Process " + std::to_string(process.pid()) + ", thread " + std::to_string(thread.tid()));
        for (const auto &event : thread.events())
          writeSpan(event, lane);
      }
    std::sort(calls_.begin(), calls_.end());
  }
  /// Writes counters of the host process. Time 0 is the first sample or the first span of the host, whichever is
  /// earlier. The use of processors and disks counts from the previous sample.
  void writeSamples() {
    for (std::size_t i = 0; i < samples_.size() && !full(1); ++i) {
      const pva::HostSample now = samples_[i], before = samples_[i == 0 ? 0 : i - 1];
      const std::uint64_t at = (now.microseconds - origin_) * 1000, took = now.microseconds - before.microseconds;
      const auto percent = [&](std::uint64_t to, std::uint64_t from) { return (to - from) * 100 / took; };
      const auto counter = [&](const char *name, const char *unit, const std::vector<CounterValue> &values) {
        sink_.counter(kHost, name, unit, at, values);
        ++result_.events;
      };
      if (now.cpuKnown && took != 0)
        counter("CPU Usage", "percent",
                {{"user", percent(now.userMicroseconds, before.userMicroseconds)},
                 {"system", percent(now.systemMicroseconds, before.systemMicroseconds)}});
      if (now.memoryKnown)
        counter("Memory Usage", "bytes", {{"resident", now.residentBytes}});
      if (now.diskKnown && took != 0)
        counter("Disk Usage", "bytes",
                {{"read", now.readBytes - before.readBytes}, {"written", now.writtenBytes - before.writtenBytes}});
    }
  }
  void writeSpan(const pva::Event &event, std::uint32_t lane) {
    if (event.channel() == "poplar" && event.label().rfind("run ", 0) == 0)
      calls_.push_back(event.timestamp());
    if (full(1))
      return;
    const std::uint64_t start = (event.timestamp() - origin_) * 1000;
    Slice span{lane, start, start + event.duration() * 1000, event.label(), "host", {{"channel", event.channel()}}};
    slice(span);
    for (const auto &child : event.children())
      writeSpan(child, lane);
  }

  /// Writes the slices of one run. With host events, the run begins when the host called the run. Without host events,
  /// the run begins when the previous run ended. A run is never drawn inside another run.
  void writeRun(std::size_t position) {
    const pva::Run run = report_.execution().runs()[position];
    if (!options_.pvti.empty()) { // at the host's call, but not before the previous run has ended
      if (const double called = run.microseconds().start(); called > static_cast<double>(origin_))
        base_ = std::max(base_, (static_cast<std::uint64_t>(called) - origin_) * 1000);
      else if (run.numberKnown() && run.number() < calls_.size())
        base_ = std::max(base_, (calls_[run.number()] - origin_) * 1000);
    }
    Slice whole{0,     base_,
                0,     run.label().empty() ? runTitle(run, position) : run.label(),
                "run", {{"run", std::uint64_t(position)}}};
    if (!run.label().empty()) {
      whole.arguments.push_back({"label", run.label()});
      whole.arguments.push_back({"name", run.name()});
    }
    for (std::size_t ipu = 0; ipu < ipus_; ++ipu)
      begin(whole, ipu);
    end_ = 0;
    arrow_.assign(ipus_, Arrow());
    tileEnds_.clear();
    received_.clear();
    for (auto &kinds : lanes_) // a run begins when all earlier ones have ended
      for (auto &entry : kinds)
        std::fill(entry.second.begin(), entry.second.end(), 0);
    writeSamples(run);
    walkRun(report_, position, programs_, [&](const WalkedStep &step) { return writeStep(step); });
    close_ = end_;
    chain_.leaveAll([this](std::size_t) { closeAll(); });
    end_ = std::max(end_, result_.cut ? 0 : run.totalCycles().total());
    for (std::size_t ipu = 0; ipu < ipus_; ++ipu)
      sink_.end(programLane(ipu), at(end_));
    base_ = at(end_);
  }

  void writeSamples(const pva::Run &run) {
    for (const pva::MemorySample &sample : run.memorySamples()) {
      if (full(1))
        return;
      if (!steps_.contains(sample.program->_id()))
        continue;
      sink_.counter(kMemory, "live bytes, sampled", "bytes", at(sample.cycle), {{"bytes", sample.bytes}});
      ++result_.events;
    }
  }

  bool writeStep(const WalkedStep &step) {
    if (!steps_.contains(step.program->id)) {
      end_ = std::max(end_, step.to);
      return true;
    }
    if (!step.timeKnown) {
      ++result_.stepsWithoutTime;
      return true;
    }
    if (full(ipus_ * 4 + tiles_.size() + chain_.open().size() + (tiles_.empty() ? 0 : pairsOf(step).size()))) {
      result_.cut = true;
      result_.cutRun = step.run;
      result_.cutStep = step.index;
      return false;
    }
    writeProgram(step);
    end_ = std::max(end_, step.to);
    for (std::size_t ipu = 0; ipu < std::min(ipus_, step.ipus.size()); ++ipu)
      writeOnIpu(step, ipu);
    if (!tiles_.empty())
      writeTiles(step);
    writeLive(step);
    return true;
  }

  void begin(Slice slice, std::size_t ipu) {
    slice.lane = programLane(ipu);
    sink_.begin(slice);
    ++result_.events;
  }
  void closeAll() {
    for (std::size_t ipu = 0; ipu < ipus_; ++ipu)
      sink_.end(programLane(ipu), at(close_));
  }
  void writeProgram(const WalkedStep &step) {
    close_ = step.from;
    chain_.enter(
        step.program->id, [this](std::size_t) { closeAll(); },
        [&](std::size_t id) {
          for (std::size_t ipu = 0; ipu < ipus_; ++ipu)
            begin({0, at(step.from), 0, chain_.infoOf(id).title, "program", {{"program", std::uint64_t(id)}}}, ipu);
        });
    for (std::size_t ipu = 0; ipu < ipus_; ++ipu)
      slice({programLane(ipu),
             at(step.from),
             at(step.to),
             step.program->title,
             stepCauseName(step.program->kind),
             {{"program", std::uint64_t(step.program->id)}}});
  }

  /// Returns a lane of this kind that is free from `start` on.
  std::uint32_t laneFor(std::size_t ipu, StepCause cause, std::uint64_t start, std::uint64_t end) {
    auto &ends = lanes_[ipu][cause];
    std::size_t lane = 0;
    while (lane < ends.size() && ends[lane] > start)
      ++lane;
    const std::uint32_t number =
        programLane(ipu) + (1 + static_cast<std::uint32_t>(cause)) * kLanesOfKind + static_cast<std::uint32_t>(lane);
    if (lane == ends.size()) {
      ends.push_back(0);
      sink_.lane(processOf(ipu), number,
                 std::string(laneName(cause)) + (lane == 0 ? "" : " " + std::to_string(lane + 1)));
    }
    ends[lane] = end;
    return number;
  }
  // Writes one step on one IPU as a slice, from the start of the first tile to the end of the last tile. The slice of a
  // barrier begins when the last tile arrives. An IPU of which no tile works in the step has no slice; at level "device",
  // the slice is on the IPU that has the times of the device. An arrow leads from a step that moves data to the next
  // step with work.
  void writeOnIpu(const WalkedStep &step, std::size_t ipu) {
    const pva::ExecutionStepIpu &on = step.ipus[ipu];
    const auto range = timesOnIpu(on);
    if (!range)
      return;
    const StepCause cause = step.program->kind;
    const bool meets = cause == StepCause::Barrier || cause == StepCause::HostWait;
    const std::uint64_t from = meets ? range->from().max() : range->from().min(), to = range->to().max();
    if (to <= from)
      return;
    if (!isWork(cause) || hasWork(on))
      writeSlice(step, ipu, from, to);
    if (active_[ipu] != on.activeTiles()) {
      active_[ipu] = on.activeTiles();
      sink_.counter(processOf(ipu), "active tiles", "tiles", at(from), {{"tiles", on.activeTiles()}});
      ++result_.events;
    }
  }
  void writeSlice(const WalkedStep &step, std::size_t ipu, std::uint64_t from, std::uint64_t to) {
    const pva::ExecutionStepIpu &on = step.ipus[ipu];
    const StepCause cause = step.program->kind;
    Slice s{laneFor(ipu, cause, from, to),
            at(from),
            at(to),
            step.program->name.empty() ? step.program->title : step.program->name,
            stepCauseName(cause),
            {{"program", std::uint64_t(step.program->id)},
             {"step", std::uint64_t(step.index)},
             {"cycles", on.cycles()},
             {"activeTiles", on.activeTiles()}}};
    if (on.busyCyclesKnown())
      s.arguments.push_back({"busyTileCycles", on.busyCycles()});
    if (on.dataIn() + on.dataOut() != 0) {
      s.arguments.push_back({"bytesReceived", on.dataIn()});
      s.arguments.push_back({"bytesSent", on.dataOut()});
    }
    const bool mover = movesData(cause) && on.dataIn() + on.dataOut() != 0;
    if (s.end > s.start && (mover || cause == StepCause::Compute)) {
      if (arrow_[ipu].id != 0 &&
          arrow_[ipu].start <= s.start) // on some tiles, a step can begin before the previous step does
        s.flowsIn.push_back(arrow_[ipu].id);
      if (mover)
        s.flowsOut.push_back(++arrows_);
      arrow_[ipu] = {mover ? arrows_ : 0, s.start};
    }
    slice(s);
  }
  struct Pair {
    std::size_t from = 0, to = 0;
  };
  /// Returns the pairs of selected tiles that exchange data, by sender.
  const std::vector<Pair> &pairsOf(const WalkedStep &step) {
    const auto [at, isNew] = pairs_.try_emplace(step.program->id);
    if (!isNew)
      return at->second;
    const auto program = step.step.program();
    const auto *exchange = dynamic_cast<const pva::ExchangeProgram *>(program.get());
    if (exchange == nullptr)
      return at->second;
    const pva::TileTraffic traffic = exchange->traffic();
    if (traffic.tilesPerGroup != 1 && !traffic.bytes.empty())
      byGroups_.insert(step.program->id);
    else
      for (std::size_t i = 0; i < traffic.bytes.size(); ++i)
        if (const Pair pair{traffic.fromGroups[i], traffic.toGroups[i]};
            pair.from != pair.to && isChosen(pair.from) && isChosen(pair.to))
          at->second.push_back(pair);
    return at->second;
  }
  [[nodiscard]] bool isChosen(std::size_t tile) const { return tile < chosen_.size() && chosen_[tile]; }
  /// Adds arrows from a sender to its receivers. Each arrow ends at the next slice of its receiver.
  void sendFrom(const std::vector<Pair> &pairs, Slice &s, std::size_t tile) {
    const auto first = std::lower_bound(pairs.begin(), pairs.end(), tile,
                                        [](const Pair &pair, std::size_t from) { return pair.from < from; });
    for (auto pair = first; pair != pairs.end() && pair->from == tile; ++pair) {
      s.flowsOut.push_back(++arrows_);
      sent_.push_back({pair->to, {arrows_, s.start}});
      ++result_.events;
    }
  }
  // Writes one step on the selected tiles, each with its own cycles. Arrows lead from a sender in an exchange to the
  // receiver's next slice.
  void writeTiles(const WalkedStep &step) {
    const pva::Values cycles = step.step.cyclesByTile();
    const std::vector<Pair> &pairs = pairsOf(step);
    result_.exchangesByGroups += byGroups_.count(step.program->id);
    sent_.clear();
    for (const std::size_t tile : tiles_) {
      const std::size_t ipu = tile / tilesPerIpu_;
      if (tile >= cycles.size() || cycles[tile] == 0 || ipu >= step.ipus.size())
        continue;
      const pva::CycleRange range = step.ipus[ipu].activeCycles();
      const std::uint64_t last = range.to().max(), longest = std::min(cycles[tile], last);
      // The file states when the first tile began and the last one ended. The slice of this tile begins at the first
      // start, but not before the tile leaves the previous step.
      std::uint64_t &before = tileEnds_[tile];
      const std::uint64_t from = std::max(before, std::min(range.from().min(), last - longest));
      before = from + cycles[tile];
      Slice s{tileLane(tile),
              at(from),
              at(from + cycles[tile]),
              step.program->name.empty() ? step.program->title : step.program->name,
              stepCauseName(step.program->kind),
              {{"program", std::uint64_t(step.program->id)}}};
      if (const auto waiting = received_.find(tile); waiting != received_.end()) {
        auto &arrows = waiting->second; // an arrow whose sender begins later than this slice stays
        const auto ends = std::stable_partition(arrows.begin(), arrows.end(),
                                                [&](const Arrow &arrow) { return arrow.start <= s.start; });
        for (auto arrow = arrows.begin(); arrow != ends; ++arrow)
          s.flowsIn.push_back(arrow->id);
        arrows.erase(arrows.begin(), ends);
      }
      if (s.end > s.start)
        sendFrom(pairs, s, tile);
      slice(s);
    }
    for (const auto &[tile, arrow] : sent_)
      received_[tile].push_back(arrow);
  }
  void writeLive(const WalkedStep &step) {
    if (live_.empty())
      return;
    const auto now = live_.stepOf(step.program->id);
    if (!now)
      return;
    if (shown_.empty()) {
      sink_.counter(kMemory, "always-live bytes", "bytes", at(step.from), {{"bytes", live_.alwaysLive()}});
      ++result_.events;
      shown_.assign(live_.categories().size() + 1, kUnset);
    }
    std::vector<CounterValue> changed;
    for (std::size_t c = 0; c < live_.categories().size(); ++c)
      if (const std::uint64_t bytes = live_.bytes(*now, c); shown_[c] != bytes) {
        shown_[c] = bytes;
        changed.push_back({live_.categories()[c], bytes});
      }
    if (changed.empty())
      return;
    sink_.counter(kMemory, "live bytes", "bytes", at(step.from), changed);
    ++result_.events;
    if (const std::uint64_t total = live_.total(*now); total != shownTotal_) {
      shownTotal_ = total;
      sink_.counter(kMemory, "live bytes, all categories", "bytes", at(step.from), {{"bytes", total}});
      ++result_.events;
    }
  }

  const pva::Report &report_;
  const TimelineOptions &options_;
  TimelineSink &sink_;
  pva::Target target_;
  std::size_t ipus_;
  std::uint64_t tilesPerIpu_;
  ProgramChain chain_;
  LiveByCategory live_;
  NumberSet steps_;
  std::vector<std::size_t> runs_, tiles_;
  NamedPrograms programs_;
  bool byClock_ = false;
  std::uint64_t base_ = 0, origin_ = 0; // base_: begin of the run, in ns; origin_: earliest time of the host, in us
  std::vector<std::uint64_t> calls_;    // times of the host's calls of Engine::run, in us
  std::uint64_t end_ = 0, close_ = 0;   // cycles of the run
  std::vector<std::map<StepCause, std::vector<std::uint64_t>>> lanes_; // by IPU: the end of each lane of a kind
  std::vector<std::uint64_t> active_;                                  // by IPU
  std::vector<Arrow> arrow_; // by IPU: from the last step that moved data; id 0 = none
  std::uint64_t arrows_ = 0;
  std::map<std::size_t, std::uint64_t> tileEnds_;
  std::vector<bool> chosen_;                           // per tile of tiles_
  std::map<std::size_t, std::vector<Pair>> pairs_;     // by program
  std::set<std::size_t> byGroups_;                     // programs for which the file has groups of tiles only
  std::vector<std::pair<std::size_t, Arrow>> sent_;    // in this step, by receiver
  std::map<std::size_t, std::vector<Arrow>> received_; // per tile: arrows that end at its next slice
  pva::List<pva::HostSample> samples_;
  std::vector<std::uint64_t> shown_; // by category
  std::uint64_t shownTotal_ = kUnset;
  TimelineResult result_;
};

} // namespace

TimelineSink::~TimelineSink() = default;

TimelineResult writeTimeline(const pva::Report &report, const TimelineOptions &options, TimelineSink &sink) {
  return Writer(report, options, sink).write();
}

std::uint64_t estimateTimelineEvents(const pva::Report &report, const TimelineOptions &options) {
  const std::uint64_t ipus = report.compilation().target().ipusPerReplica();
  const std::uint64_t tiles = options.selection.tiles.empty() ? 0 : selectedTiles(report, options.selection).size();
  const auto runs = report.execution().runs();
  std::uint64_t steps = 0;
  for (const std::size_t run : selectedRuns(report, options.selection))
    steps += runs[run].steps().size();
  const std::uint64_t events = steps * (3 * ipus + tiles) + 2;
  return options.maxEvents == 0 ? events : std::min(events, options.maxEvents);
}

std::vector<TraceFact> traceFacts(const pva::Report &report, const TimelineOptions &options,
                                  const TimelineResult &result) {
  const pva::Target target = report.compilation().target();
  const double clock = target.clockFrequency();
  const bool byClock = (options.byClock || !options.pvti.empty()) && clock > 0;
  return {{"tool", std::string("popscope ") + kVersionText, {}},
          {"target", target.architectureName(), {}},
          {"clockHz", "", clock > 0 && clock < 1e18 ? static_cast<std::uint64_t>(std::llround(clock)) : 0},
          {"timeUnit", byClock ? "ns by the clock" : "1 cycle = 1 ns", {}},
          {"cycles", report.popscope().cycleProvenance(), {}},
          {"events", "", result.events},
          {"stepsWithoutTime", "", result.stepsWithoutTime},
          {"exchangesByGroups", "", result.exchangesByGroups},
          {"cut",
           result.cut ? fmt::format("at --max-events: run {}, step {}", result.cutRun, result.cutStep) : std::string(),
           {}}};
}

} // namespace popscope
