#include "report/answers/ReplayRun.hpp"

#include "base/Extent.hpp"
#include "base/Parallel.hpp"
#include "report/answers/Rows.hpp"
#include "target-models/timing/TileClocks.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

namespace popscope {
namespace {

std::vector<std::uint64_t> firstOf(const pva::Values &values, std::size_t count) {
  std::vector<std::uint64_t> result(values.begin(), values.begin() + std::min(count, values.size()));
  result.resize(count);
  return result;
}

ReplayProgram::Kind kindOfReplay(const StepProgramInfo &info, bool barriers) {
  if (barriers)
    return ReplayProgram::Kind::Barriers;
  using Step = pva::Program::Type;
  if (info.type == Step::DoExchange || info.type == Step::StreamCopyMid)
    return ReplayProgram::Kind::Exchange;
  return info.type == Step::GlobalExchange ? ReplayProgram::Kind::ExchangeAcross : ReplayProgram::Kind::Work;
}

/// Returns why the work of the step on each tile is unknown, or "" if the work is known or if another reason applies.
/// The file keeps 32 bits for the work of a tile (docs/FORMAT-pop.md, steps_by_tile).
std::string whyNoWorkByTile(const pva::ExecutionStep &step) {
  std::uint64_t longest = 0;
  for (const pva::ExecutionStepIpu &on : step.ipus())
    longest = std::max(longest, on.cycles());
  if (longest >> 32 == 0 || step.cyclesByTile().size() != 0)
    return "";
  return "step " + std::to_string(step.program()->_id()) + " takes " + cellText(longest, Unit::Cycles) +
         ", and a profile has no cycles per tile for a step in which a tile works 2^32 (4,294,967,296) cycles or more";
}

/// Returns whether the program was compiled to record blocks.
bool recordsBlocks(const pva::Report &report) {
  for (const pva::Option &option : report.compilation().engineOptions())
    if (option.key == "profiler.blocks.filter")
      return !option.value.empty();
  return false;
}

} // namespace

std::string whyCountersLack(const pva::InstrumentationSettings &settings) {
  using Level = pva::ComputeInstrumentationLevel;
  const Level level = settings.compute();
  if (level == Level::Ipu || level == Level::Device)
    return std::string("compute was recorded at level \"") + (level == Level::Ipu ? "ipu" : "device") +
           "\", which records only the longest tile; set debug.computeInstrumentationLevel to \"tile\" and run again";
  if (level == Level::Off)
    return "the device did not count compute; set debug.instrumentCompute, or debug.instrument, to \"true\" and run "
           "again";
  if (settings.externalExchange() == pva::ExternalExchangeInstrumentationLevel::Off)
    return "the device did not count exchanges between IPUs and with the host; set "
           "debug.instrumentExternalExchange, or debug.instrument, to \"true\" and run again";
  return "the profile does not contain the time of all tiles in all steps; an IPU Model records it, and an IPU device "
         "at "
         "debug.computeInstrumentationLevel \"tile\"";
}

std::uint64_t TileClocks::latest() const { return std::max(mostOf(now_), mostOf(idle_)); }

std::uint64_t TileClocks::lastSignal(const BarrierDelay &delay) const { return lastSignal(delay, 0, now_.size()); }

std::uint64_t TileClocks::lastSignal(const BarrierDelay &delay, std::size_t first, std::size_t end) const {
  std::uint64_t last = popscope::lastSignal(now_, delay.toController, {first, end});
  if (delay.idle)
    for (std::size_t ipu = first / perIpu_; ipu < end / perIpu_; ++ipu)
      last = std::max(last, idle_[ipu] + delay.idle->toController);
  return last;
}

void TileClocks::startAfter(const BarrierDelay &delay) {
  now_ = delay.fromController;
  idle_.assign(idle_.size(), delay.idle ? delay.idle->fromController : 0);
}

bool TileClocks::level() const {
  return std::all_of(now_.begin(), now_.end(), [&](std::uint64_t clock) { return clock == now_.front(); });
}

std::uint64_t TileClocks::work(std::span<const std::uint64_t> busy) {
  return std::max(passWork(now_, busy), mostOf(idle_));
}

void TileClocks::exchange(std::span<const std::uint64_t> busy, bool across, std::vector<TileMeeting> *met) {
  const std::size_t width = across ? now_.size() : perIpu_;
  for (std::size_t first = 0; first < now_.size(); first += width) {
    TileMeeting m{first, first + width};
    const ExchangeTimes times = timesOfExchange(now_, busy, {m.first, m.end});
    m.begin = times.begin;
    m.any = times.longest != 0;
    m.finish = times.begin + times.longest;
    if (met != nullptr && m.any) {
      for (m.last = m.first; busy[m.last] == 0 || now_[m.last] != m.begin;)
        ++m.last;
      for (m.longest = m.first; busy[m.longest] != times.longest;)
        ++m.longest;
    }
    passExchange(now_, busy, {m.first, m.end}, times);
    if (met != nullptr)
      met->push_back(m);
  }
}

void TileClocks::barrier(const BarrierDelay &delay, std::vector<TileMeeting> *met) {
  const std::size_t width = delay.acrossIpus ? now_.size() : perIpu_;
  for (std::size_t first = 0; first < now_.size(); first += width) {
    TileMeeting m{first, first + width};
    m.any = true;
    m.begin = lastSignal(delay, m.first, m.end);
    if (met != nullptr)
      for (m.last = m.first; now_[m.last] + delay.toController[m.last] != m.begin;)
        ++m.last;
    releaseTiles(now_, delay.fromController, {m.first, m.end}, m.begin);
    if (delay.idle)
      std::fill(idle_.begin() + static_cast<std::ptrdiff_t>(m.first / perIpu_),
                idle_.begin() + static_cast<std::ptrdiff_t>(m.end / perIpu_), m.begin + delay.idle->fromController);
    if (met != nullptr)
      met->push_back(m);
  }
}

std::vector<TileMeeting> &StepMeetings::next(const TileClocks &clocks) {
  if (count == met.size()) {
    before.emplace_back();
    met.emplace_back();
  }
  before[count] = clocks.now();
  met[count].clear();
  return met[count++];
}

void passStep(const ReplayProgram &program, std::span<const std::uint64_t> busy, TileClocks &clocks,
              StepMeetings *seen) {
  if (seen != nullptr)
    seen->count = 0;
  const auto next = [&] { return seen == nullptr ? nullptr : &seen->next(clocks); };
  switch (program.kind) {
  case ReplayProgram::Kind::Work: (void)clocks.work(busy); break;
  case ReplayProgram::Kind::Exchange: clocks.exchange(busy, false, next()); break;
  case ReplayProgram::Kind::ExchangeAcross: clocks.exchange(busy, true, next()); break;
  case ReplayProgram::Kind::Barriers:
    for (const BarrierDelay *delay : program.barriers)
      clocks.barrier(*delay, next());
  }
  if (!program.counters.empty())
    (void)clocks.work(program.counters);
}

std::uint64_t evenWork(std::span<const std::uint64_t> busy) {
  const std::uint64_t sum = std::accumulate(busy.begin(), busy.end(), std::uint64_t(0));
  return (sum + busy.size() - 1) / busy.size();
}

void startAfter(const ReplayProgram &before, TileClocks &clocks) {
  clocks.startAfter(*before.barriers.back());
  if (!before.counters.empty())
    (void)clocks.work(before.counters);
}

TileNumbers::TileNumbers(pva::Values values, std::size_t tiles) : values_(std::move(values)) {
  if (values_.size() >= tiles) {
    all_ = {values_.data(), tiles};
    return;
  }
  filled_ = std::make_shared<const std::vector<std::uint64_t>>(firstOf(values_, tiles));
  all_ = *filled_;
}

// Reads each distinct program of the run once, in parallel, with its barriers and counters. Sets lacks_ if the profile
// does not contain the data that a replay needs.
RunReplay::RunReplay(const pva::Report &report, StepPrograms &programs, std::size_t run) {
  const pva::Target target = report.compilation().target();
  tiles_ = target.tilesPerReplica();
  perIpu_ = target.tilesPerIpu();
  if (tiles_ == 0 || perIpu_ == 0 || tiles_ % perIpu_ != 0)
    throw AnswerError("the profile's target has no whole IPUs");
  for (const pva::SyncDelay &delay : target.syncDelays())
    delays_[delay.kind()] = {delay.kind(), firstOf(delay.toControllerByTile(), tiles_),
                             firstOf(delay.fromControllerByTile(), tiles_), delay.acrossIpus()};
  zeros_ = std::make_shared<const std::vector<std::uint64_t>>(tiles_);
  const pva::InstrumentationSettings settings = report.instrumentationSettings();
  using Level = pva::ComputeInstrumentationLevel;
  const bool device = target.type() == pva::Target::Type::Ipu;
  if (device && (settings.compute() == Level::Ipu || settings.compute() == Level::Device))
    lacks_ = whyCountersLack(settings);
  const pva::Run recorded = report.execution().runs()[run];
  length_ = recorded.totalCycles().total();
  list_ = recorded.steps();
  controlCounted_ = device && !recorded.controlFlow().empty();
  std::vector<std::shared_ptr<pva::Program>> distinct;
  std::vector<ReplayProgram *> passed;
  steps_.reserve(list_.size());
  for (const pva::ExecutionStep &step : list_) {
    if (lacks_.empty())
      lacks_ = whyNoWorkByTile(step);
    auto program = step.program();
    const auto [at, isNew] = programs_.try_emplace(program->_id());
    steps_.push_back(&at->second);
    if (isNew) {
      passed.push_back(&at->second);
      distinct.push_back(std::move(program));
    }
  }
  programs.add(distinct);
  std::atomic<bool> unknownDelay = false, unknownBarriers = false;
  parallelRanges({}, distinct.size(), StepPrograms::kTaskPrograms, [&](std::size_t first, std::size_t end) {
    pva::Values none; // numbers that are all 0: most programs share them
    for (std::size_t i = first; i < end; ++i) {
      ReplayProgram &p = *passed[i];
      p.info = programs.find(distinct[i]->_id());
      for (const std::string &kind : distinct[i]->barriers()) {
        const auto delay = delays_.find(kind);
        if (delay == delays_.end())
          unknownDelay = true;
        else
          p.barriers.push_back(&delay->second);
      }
      p.kind = kindOfReplay(*p.info, !p.barriers.empty());
      if (p.info->kind == StepCause::Barrier && p.barriers.empty())
        unknownBarriers = true;
      const pva::Values counters = distinct[i]->counterCyclesByTile();
      if (counters.data() == none.data())
        continue;
      if (mostOf({counters.data(), counters.size()}) != 0)
        p.counters = firstOf(counters, tiles_);
      else
        none = counters;
    }
  });
  const bool toOutside = std::any_of(programs_.begin(), programs_.end(), [](const auto &entry) {
    const pva::Program::Type type = entry.second.info->type;
    return type == pva::Program::Type::StreamCopyMid || type == pva::Program::Type::GlobalExchange;
  });
  if (device && (settings.compute() == Level::Off ||
                 (toOutside && settings.externalExchange() == pva::ExternalExchangeInstrumentationLevel::Off)))
    uncounted_ = whyCountersLack(settings);
  blocksRecorded_ = device && recordsBlocks(report);
  if (!lacks_.empty())
    return;
  if (unknownDelay)
    lacks_ = "the profile does not contain the cycles of a sync";
  else if (unknownBarriers)
    lacks_ = "the profile does not say which barriers a step passes";
}

TileNumbers RunReplay::recordedCycles(std::size_t step) const {
  if (steps_[step]->kind == ReplayProgram::Kind::Barriers)
    return {pva::Values(zeros_), tiles_};
  return {list_[step].cyclesByTile(), tiles_};
}

std::vector<RunSegment> RunReplay::segments() const {
  std::vector<RunSegment> all;
  RunSegment segment;
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    const ReplayProgram &program = *steps_[s];
    if (program.kind != ReplayProgram::Kind::Barriers || !ofAllTiles(*program.barriers.back()))
      continue;
    segment.end = s + 1;
    all.push_back(segment);
    segment = {s + 1, 0, &program, false};
  }
  segment.end = steps_.size();
  segment.last = true;
  all.push_back(segment);
  return all;
}

std::string RunReplay::whyNot(std::uint64_t end) const {
  if (end == length_)
    return "";
  const std::string times =
      "its steps take " + cellText(end, Unit::Cycles) + " and the run " + cellText(length_, Unit::Cycles);
  if (!uncounted_.empty())
    return times + ": " + uncounted_;
  std::string what, remedy;
  const auto add = [&](bool applies, const std::string &time, const std::string &setting) {
    if (!applies)
      return;
    what += (what.empty() ? "" : " and for ") + time;
    remedy += (remedy.empty() ? "the engine option " : " and ") + setting;
  };
  add(controlCounted_, "reading the counters of control flow", "debug.instrumentControlFlow set to \"false\"");
  add(blocksRecorded_, "recording blocks", "profiler.blocks.filter set to \"\"");
  if (!what.empty())
    return times + ": no step contains the time for " + what + ". Compile and run the program with " + remedy;
  return times + ", so the file lacks some times. An IPU Model records all times, unless "
                 "popscope.profileCategories chose some";
}

} // namespace popscope
