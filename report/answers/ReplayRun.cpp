#include "report/answers/ReplayRun.hpp"

#include <algorithm>
#include <array>

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
  switch (info.type) {
  case pva::Program::Type::DoExchange:
  case pva::Program::Type::StreamCopyMid: return ReplayProgram::Kind::Exchange;
  case pva::Program::Type::GlobalExchange: return ReplayProgram::Kind::ExchangeAcross;
  default: return ReplayProgram::Kind::Work;
  }
}

} // namespace

std::pair<std::uint64_t, std::uint64_t> extentOf(std::span<const std::uint64_t> numbers) {
  constexpr std::size_t kLanes = 4; // that do not wait for each other
  std::array<std::uint64_t, kLanes> least, most;
  least.fill(numbers.front());
  most.fill(numbers.front());
  std::size_t i = 0;
  for (; i + kLanes <= numbers.size(); i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      least[lane] = std::min(least[lane], numbers[i + lane]);
      most[lane] = std::max(most[lane], numbers[i + lane]);
    }
  for (; i < numbers.size(); ++i) {
    least[0] = std::min(least[0], numbers[i]);
    most[0] = std::max(most[0], numbers[i]);
  }
  return {*std::min_element(least.begin(), least.end()), *std::max_element(most.begin(), most.end())};
}

std::uint64_t TileClocks::latest() const { return extentOf(now_).second; }

bool TileClocks::level() const {
  return std::all_of(now_.begin(), now_.end(), [&](std::uint64_t clock) { return clock == now_.front(); });
}

void TileClocks::work(std::span<const std::uint64_t> busy) {
  for (std::size_t t = 0; t < now_.size(); ++t)
    now_[t] += busy[t];
}

void TileClocks::exchange(std::span<const std::uint64_t> busy, bool across, std::vector<TileMeeting> *met) {
  const std::size_t width = across ? now_.size() : perIpu_;
  for (std::size_t first = 0; first < now_.size(); first += width) {
    TileMeeting m{first, first + width};
    std::uint64_t longest = 0;
    for (std::size_t t = m.first; t < m.end; ++t) {
      m.begin = std::max(m.begin, busy[t] != 0 ? now_[t] : 0);
      longest = std::max(longest, busy[t]);
    }
    m.any = longest != 0;
    m.finish = m.begin + longest;
    if (met != nullptr && m.any) {
      for (m.last = m.first; busy[m.last] == 0 || now_[m.last] != m.begin;)
        ++m.last;
      for (m.longest = m.first; busy[m.longest] != longest;)
        ++m.longest;
    }
    for (std::size_t t = m.first; t < m.end; ++t)
      now_[t] = busy[t] != 0 ? m.finish : now_[t];
    if (met != nullptr)
      met->push_back(m);
  }
}

void TileClocks::barrier(const BarrierDelay &delay, std::vector<TileMeeting> *met) {
  const std::size_t width = delay.acrossIpus ? now_.size() : perIpu_;
  for (std::size_t first = 0; first < now_.size(); first += width) {
    TileMeeting m{first, first + width};
    m.any = true;
    for (std::size_t t = m.first; t < m.end; ++t)
      m.begin = std::max(m.begin, now_[t] + delay.toController[t]);
    if (met != nullptr)
      for (m.last = m.first; now_[m.last] + delay.toController[m.last] != m.begin;)
        ++m.last;
    for (std::size_t t = m.first; t < m.end; ++t)
      now_[t] = m.begin + delay.fromController[t];
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
  case ReplayProgram::Kind::Work: clocks.work(busy); break;
  case ReplayProgram::Kind::Exchange: clocks.exchange(busy, false, next()); break;
  case ReplayProgram::Kind::ExchangeAcross: clocks.exchange(busy, true, next()); break;
  case ReplayProgram::Kind::Barriers:
    for (const BarrierDelay *delay : program.barriers)
      clocks.barrier(*delay, next());
  }
  if (!program.counters.empty())
    clocks.work(program.counters);
}

void startAfter(const ReplayProgram &before, TileClocks &clocks) {
  clocks.set(before.barriers.back()->fromController);
  if (!before.counters.empty())
    clocks.work(before.counters);
}

BusyCycles::BusyCycles(pva::Values values, std::size_t tiles) : values_(std::move(values)) {
  if (values_.size() >= tiles) {
    all_ = {values_.data(), tiles};
    return;
  }
  filled_ = std::make_shared<const std::vector<std::uint64_t>>(firstOf(values_, tiles));
  all_ = *filled_;
}

RunReplay::RunReplay(const pva::Report &report, StepPrograms &programs, std::size_t run) {
  const pva::Target target = report.compilation().target();
  tiles_ = target.tilesPerReplica();
  perIpu_ = target.tilesPerIpu();
  if (tiles_ == 0 || perIpu_ == 0 || tiles_ % perIpu_ != 0)
    throw AnswerError("the profile's target has no whole IPUs");
  for (const pva::SyncDelay &delay : target.syncDelays())
    delays_[delay.kind()] = {firstOf(delay.toControllerByTile(), tiles_), firstOf(delay.fromControllerByTile(), tiles_),
                             delay.acrossIpus()};
  zeros_ = std::make_shared<const std::vector<std::uint64_t>>(tiles_);
  const pva::Run recorded = report.execution().runs()[run];
  length_ = recorded.totalCycles().total();
  list_ = recorded.steps();
  for (const pva::ExecutionStep &step : list_) {
    const auto program = step.program();
    auto [at, isNew] = programs_.try_emplace(program->_id());
    if (isNew) {
      ReplayProgram &p = at->second;
      p.info = &programs.of(*program);
      for (const std::string &kind : program->barriers()) {
        const auto delay = delays_.find(kind);
        if (delay == delays_.end())
          lacks_ = "the profile does not say how long a sync takes";
        else
          p.barriers.push_back(&delay->second);
      }
      p.kind = kindOfReplay(*p.info, !p.barriers.empty());
      if (p.info->kind == StepCause::Barrier && p.barriers.empty() && lacks_.empty())
        lacks_ = "a profile of format 3 or older does not say which barriers a step passes";
      const pva::Values counters = program->counterCyclesByTile();
      if (std::any_of(counters.begin(), counters.end(), [](std::uint64_t c) { return c != 0; }))
        p.counters = firstOf(counters, tiles_);
    }
    steps_.push_back(&at->second);
  }
}

BusyCycles RunReplay::recordedCycles(std::size_t step) const {
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
  return "its steps take " + std::to_string(end) + " cycles and the run " + std::to_string(length_) +
         ": the file does not hold all that passes time. The counters of an IPU device keep the last execution of each "
         "step, "
         "and the reading of those of control flow belongs to no step; an IPU Model records everything, unless "
         "categories were chosen";
}

} // namespace popscope
