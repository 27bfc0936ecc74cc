#include "report/answers/StepTimes.hpp"

#include "base/MaxRunCycles.hpp"
#include "base/Parallel.hpp"
#include "report/answers/RunCategories.hpp"

#include <algorithm>
#include <limits>

namespace popscope {

const char *stepCauseName(StepCause kind) {
  switch (kind) {
  case StepCause::Compute: return "compute";
  case StepCause::Exchange: return "exchange";
  case StepCause::GlobalExchange: return "exchange between IPUs";
  case StepCause::HostExchange: return "host";
  case StepCause::HostWait: return "waiting for the host";
  case StepCause::Barrier: return "barrier";
  case StepCause::Control: break;
  }
  return "control";
}

namespace {

/// Returns the cause of a program of this type, without regard to waits for the host.
StepCause causeOfType(pva::Program::Type type) {
  using Type = pva::Program::Type;
  switch (type) {
  case Type::OnTileExecute:
  case Type::OnTileCopy: return StepCause::Compute;
  case Type::DoExchange: return StepCause::Exchange;
  case Type::GlobalExchange: return StepCause::GlobalExchange;
  case Type::StreamCopyMid: return StepCause::HostExchange;
  case Type::StreamCopyBegin:
  case Type::StreamCopyEnd:
  case Type::Sync:
  case Type::SyncAns:
  case Type::Sans: return StepCause::Barrier;
  case Type::Repeat:
  case Type::Sequence:
  case Type::OnEveryTileSwitch:
  case Type::Call:
  case Type::Copy:
  case Type::CopySharedStructure:
  case Type::CrossReplicaCopy:
  case Type::Execute:
  case Type::OnTileSwitch:
  case Type::RepeatWhile:
  case Type::SetLocalConsensus:
  case Type::SetLocalConsensusFromVar:
  case Type::GetGlobalConsensus:
  case Type::WriteUndef:
  case Type::AssumeEqualAcrossReplicas:
  case Type::Switch:
  case Type::While:
  case Type::Block:
  case Type::If:
  case Type::Abort:
  case Type::AbortOnCondition:
  case Type::ErrorProgram:
  case Type::PrintTensor:
  case Type::WhileTest:
  case Type::TileRegister:
  case Type::Unknown: break;
  }
  return StepCause::Control;
}

} // namespace

// A barrier at which the device waits for the host takes some 80,000 cycles, a barrier between tiles some 100. So the
// whole step counts as a wait for the host.
StepCause stepCauseOf(const pva::Program &program) {
  const StepCause cause = causeOfType(program.type());
  if (cause != StepCause::Barrier)
    return cause;
  const std::vector<std::string> kinds = program.barriers();
  const bool waits = std::any_of(kinds.begin(), kinds.end(),
                                 [](const std::string &k) { return k == "host request" || k == "host answer"; });
  return waits ? StepCause::HostWait : cause;
}

bool isWork(StepCause kind) {
  return kind != StepCause::HostWait && kind != StepCause::Barrier && kind != StepCause::Control;
}

bool isLoop(pva::Program::Type type) {
  using Type = pva::Program::Type;
  return type == Type::Repeat || type == Type::RepeatWhile || type == Type::While;
}

std::uint64_t StepProgramInfo::vertices() const {
  if (!vertices_) {
    vertices_ = 0;
    if (set)
      for (const auto &of : set->vertices())
        for (const std::uint64_t count : of.countByTile())
          *vertices_ += count;
  }
  return *vertices_;
}

namespace {

StepProgramInfo readProgram(const pva::Program &program) {
  StepProgramInfo info;
  info.id = program._id();
  info.type = program.type();
  info.kind = stepCauseOf(program);
  info.name = program.name();
  info.title = pva::programTypeName(info.type) + (info.name.empty() ? "" : ": " + info.name);
  if (const auto *execute = dynamic_cast<const pva::OnTileExecuteProgram *>(&program)) {
    info.set = execute->computeset();
    info.computeSet = static_cast<std::int64_t>(info.set->_id());
  }
  return info;
}

} // namespace

const StepProgramInfo &StepPrograms::of(const pva::Program &program) {
  const auto found = known_.find(program._id());
  if (found != known_.end())
    return found->second;
  return known_.emplace(program._id(), readProgram(program)).first->second;
}

void StepPrograms::add(const std::vector<std::shared_ptr<pva::Program>> &programs) {
  std::vector<StepProgramInfo *> added(programs.size());
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const auto [at, isNew] = known_.try_emplace(programs[i]->_id());
    added[i] = isNew ? &at->second : nullptr;
  }
  parallelRanges({}, programs.size(), kTaskPrograms, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i)
      if (added[i] != nullptr)
        *added[i] = readProgram(*programs[i]);
  });
}

namespace {

/// Adds tile cycles to a sum. Throws AnswerError if the sum exceeds 2^63 - 1, which only a corrupt profile reaches.
void addWork(std::uint64_t &sum, std::uint64_t cycles) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (cycles > kMost - sum)
    throw AnswerError("the profile is corrupt: its steps take more than 2^63 - 1 tile cycles together");
  sum += cycles;
}

StepTime readStep(const pva::ExecutionStep &step, const std::optional<std::uint64_t> &ipu, StepParts &parts) {
  StepTime time;
  StepParts::Step part;
  std::uint64_t ipus = 0, withCycles = 0, withTime = 0;
  for (const pva::ExecutionStepIpu &on : step.ipus()) {
    withCycles += on.cyclesKnown() ? 1 : 0;
    withTime += on.timeKnown() ? 1 : 0;
    if (const std::uint64_t number = ipus++; ipu && number != *ipu)
      continue;
    time.known = time.known && on.cyclesKnown() && on.busyCyclesKnown();
    addWork(time.busy, on.busyCycles());
    time.dataIn += on.dataIn();
    time.dataOut += on.dataOut();
    time.activeTiles += on.activeTiles();
    part.add(on);
  }
  // One IPU may stand for the device: it then has the longest tile of the device, and nothing is known about a single
  // IPU.
  const auto known = [&](std::uint64_t count) { return count == ipus || (count != 0 && !ipu); };
  time.cyclesKnown = known(withCycles);
  time.timeKnown = known(withTime);
  part.timeKnown = time.timeKnown;
  time.cycles = part.cycles;
  time.part = parts.partOf(part);
  time.threadsKnown = step.threadCyclesKnown();
  time.threads = step.threadCycles();
  return time;
}

} // namespace

bool hasEveryStep(const pva::Run &run) { return run.categories().size() == kAllCategories; }

bool hasWork(const pva::ExecutionStepIpu &on) { return on.activeTiles() != 0 || on.cycles() != 0; }

std::optional<pva::CycleRange> timesOnIpu(const pva::ExecutionStepIpu &on) {
  if (!on.timeKnown())
    return std::nullopt;
  if (hasWork(on))
    return on.activeCycles();
  return on.busyCyclesKnown() ? std::optional(on.allCycles()) : std::nullopt;
}

void checkCycles(std::uint64_t cycles) {
  if (cycles > kMaxRunCycles)
    throw AnswerError("the profile is corrupt: a step takes more than 2^48 cycles");
}

void StepParts::Step::add(const pva::ExecutionStepIpu &on) {
  cycles = std::max(cycles, on.cycles());
  enters = std::max(enters, on.allCycles().from().max());
  last = std::max({last, on.allCycles().to().max(), on.activeCycles().to().max()});
  checkCycles(std::max({cycles, enters, last}));
}

std::uint64_t StepParts::partOf(const Step &step) {
  const std::uint64_t begin = unknownBefore_ ? std::max(end_, step.enters) : end_;
  const std::uint64_t part = step.last > begin ? step.last - begin : 0;
  end_ = std::max(begin, step.last);
  unknownBefore_ = !step.timeKnown;
  return everyStep_ || step.cycles == 0 ? part : std::min(part, step.cycles);
}

StepTimes readStepTimes(const pva::Report &report, const Selection &selection) {
  StepTimes times;
  times.runs = summedRuns(report, selection);
  const auto runs = report.execution().runs();
  std::uint64_t work = 0;
  for (const std::size_t run : times.runs) {
    StepParts parts(hasEveryStep(runs[run]));
    for (const pva::ExecutionStep &step : runs[run].steps()) {
      times.steps.push_back(readStep(step, selection.ipu, parts));
      addWork(work, times.steps.back().busy);
      times.steps.back().run = run;
      times.steps.back().program = &times.programs.of(*step.program());
    }
    const bool complete = runs[run].complete();
    const pva::CycleTotals totals = complete ? runs[run].totalCycles() : pva::CycleTotals();
    times.cycles += complete ? totals.total() : parts.end();
    times.lengthKnown = times.lengthKnown && (!complete || totals.totalKnown());
  }
  times.cycles = times.lengthKnown ? times.cycles : 0;
  return times;
}

void eachVertexTypes(const pva::Report &report, const Selection &selection, StepPrograms &programs,
                     const std::function<void(std::size_t run, const StepProgramInfo &program,
                                              const pva::List<pva::VertexTypeCycles> &types)> &use) {
  const auto runs = report.execution().runs();
  const NumberSet steps = selectedSteps(selection);
  for (const std::size_t run : summedRuns(report, selection))
    for (const pva::ExecutionStep &step : runs[run].steps())
      if (const auto types = step.vertexTypes(); !types.empty())
        if (const StepProgramInfo &program = programs.of(*step.program()); steps.contains(program.id))
          use(run, program, types);
}

std::map<StepCause, TileWork> readTileWork(const pva::Report &report, const Selection &selection) {
  std::map<StepCause, TileWork> work;
  const NumberSet steps = selectedSteps(selection);
  const auto runs = report.execution().runs();
  StepPrograms programs;
  for (const std::size_t run : summedRuns(report, selection))
    for (const pva::ExecutionStep &step : runs[run].steps()) {
      const StepProgramInfo &program = programs.of(*step.program());
      if (!steps.contains(program.id) || !isWork(program.kind))
        continue;
      TileWork &sum = work[program.kind];
      sum.cycles.resize(tileCount(report));
      const pva::Values cycles = step.cyclesByTile();
      for (const pva::ExecutionStepIpu &on : step.ipus())
        sum.known =
            sum.known && on.cyclesKnown() && on.busyCyclesKnown() && (cycles.size() != 0 || on.busyCycles() == 0);
      for (std::size_t tile = 0; tile < std::min(cycles.size(), sum.cycles.size()); ++tile)
        sum.cycles[tile] += cycles[tile];
    }
  return work;
}

void readChosenWork(const pva::Report &report, const Selection &selection, StepTimes &times) {
  const std::vector<bool> chosen = tileMask(report, selection);
  const auto runs = report.execution().runs();
  auto time = times.steps.begin();
  for (const std::size_t run : times.runs)
    for (const pva::ExecutionStep &step : runs[run].steps()) {
      const pva::Values cycles = step.cyclesByTile();
      time->known = time->known && (cycles.size() != 0 || time->busy == 0);
      for (std::size_t tile = 0; tile < std::min(cycles.size(), chosen.size()); ++tile)
        if (chosen[tile]) {
          time->chosenWork += cycles[tile];
          time->chosenMost = std::max(time->chosenMost, cycles[tile]);
        }
      ++time;
    }
}

} // namespace popscope
