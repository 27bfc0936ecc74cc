#include "report/answers/ReplayRun.hpp"

#include <algorithm>

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

void TileClocks::work(const std::vector<std::uint64_t> &busy) {
  for (std::size_t t = 0; t < now_.size(); ++t)
    now_[t] += busy[t];
}

std::vector<TileMeeting> TileClocks::exchange(const std::vector<std::uint64_t> &busy, bool across) {
  std::vector<TileMeeting> met;
  const std::size_t width = across ? now_.size() : perIpu_;
  for (std::size_t first = 0; first < now_.size(); first += width) {
    TileMeeting m{first, first + width};
    for (std::size_t t = m.first; t < m.end; ++t) {
      if (busy[t] == 0)
        continue;
      if (!m.any || now_[t] > m.begin) {
        m.begin = now_[t];
        m.last = t;
      }
      if (!m.any || busy[t] > busy[m.longest])
        m.longest = t;
      m.any = true;
    }
    m.finish = m.begin + (m.any ? busy[m.longest] : 0);
    for (std::size_t t = m.first; t < m.end; ++t)
      if (busy[t] != 0)
        now_[t] = m.finish;
    met.push_back(m);
  }
  return met;
}

std::vector<TileMeeting> TileClocks::barrier(const BarrierDelay &delay) {
  std::vector<TileMeeting> met;
  const std::size_t width = delay.acrossIpus ? now_.size() : perIpu_;
  for (std::size_t first = 0; first < now_.size(); first += width) {
    TileMeeting m{first, first + width};
    m.any = true;
    m.last = first;
    for (std::size_t t = m.first; t < m.end; ++t)
      if (const std::uint64_t arrives = now_[t] + delay.toController[t]; arrives > m.begin) {
        m.begin = arrives;
        m.last = t;
      }
    for (std::size_t t = m.first; t < m.end; ++t)
      now_[t] = m.begin + delay.fromController[t];
    met.push_back(m);
  }
  return met;
}

void passStep(const ReplayProgram &program, const std::vector<std::uint64_t> &busy, TileClocks &clocks,
              StepMeetings *seen) {
  const auto begin = [&] {
    if (seen != nullptr)
      seen->before.push_back(clocks.now());
  };
  const auto meet = [&](std::vector<TileMeeting> met) {
    if (seen != nullptr)
      seen->met.push_back(std::move(met));
  };
  switch (program.kind) {
  case ReplayProgram::Kind::Work:
    begin();
    clocks.work(busy);
    break;
  case ReplayProgram::Kind::Exchange:
  case ReplayProgram::Kind::ExchangeAcross:
    begin();
    meet(clocks.exchange(busy, program.kind == ReplayProgram::Kind::ExchangeAcross));
    break;
  case ReplayProgram::Kind::Barriers:
    for (const BarrierDelay *delay : program.barriers) {
      begin();
      meet(clocks.barrier(*delay));
    }
  }
  if (!program.counters.empty())
    clocks.work(program.counters);
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

std::vector<std::uint64_t> RunReplay::recordedCycles(std::size_t step) const {
  if (steps_[step]->kind == ReplayProgram::Kind::Barriers)
    return std::vector<std::uint64_t>(tiles_);
  return firstOf(list_[step].cyclesByTile(), tiles_);
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
