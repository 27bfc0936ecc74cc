#include "report/pva/Model.hpp"

#include "report/pop/ExtensionRows.hpp"

#include <map>
#include <stdexcept>

namespace pva {

using detail::Model;

namespace {

ExecutionStep makeStep(const detail::Owner &model, const popscope::StoredStep &row) {
  return ExecutionStep(model, row.id, row.program, row.computeSet, row.threadCycles.has_value(),
                       row.threadCycles.value_or(0));
}

List<ExecutionStep> stepList(const detail::Owner &model, popscope::StepIds ids) {
  return detail::makeList<ExecutionStep>(ids.end - ids.first, [model, first = ids.first](std::size_t i) {
    return makeStep(model, model->step(first + i));
  });
}

List<VertexTypeCycles> typeList(const detail::Owner &model, const std::vector<popscope::VertexTypeCycles> &rows) {
  std::vector<VertexTypeCycles> result;
  for (const popscope::VertexTypeCycles &row : rows) {
    VertexTypeCycles v;
    v.type = VertexType(model, row.vertexType);
    v.instances = row.instances;
    v.known = row.cycles.has_value();
    v.cycles = row.cycles.value_or(popscope::Cycles()).count();
    result.push_back(v);
  }
  return detail::listOf(std::move(result));
}

CycleRange range(popscope::Cycles fromMin, popscope::Cycles fromMax, popscope::Cycles toMin, popscope::Cycles toMax) {
  return CycleRange(CycleLimits(fromMin.count(), fromMax.count()), CycleLimits(toMin.count(), toMax.count()));
}

Block::Kind kindOf(popscope::BlockRecord::Kind kind) {
  switch (kind) {
  case popscope::BlockRecord::Kind::Common: return Block::Kind::Common;
  case popscope::BlockRecord::Kind::StreamCopy: return Block::Kind::StreamCopy;
  case popscope::BlockRecord::Kind::BlockFlush: return Block::Kind::BlockFlush;
  case popscope::BlockRecord::Kind::Overflow: return Block::Kind::Overflow;
  }
  return Block::Kind::Common;
}

} // namespace

std::shared_ptr<Program> ExecutionStep::program() const { return model_->program(program_); }

List<ExecutionStepIpu> ExecutionStep::ipus() const {
  std::vector<ExecutionStepIpu> result;
  for (const auto &s : model_->stepIpus(id_))
    result.emplace_back(s.cycles.count(), s.activeTiles, s.busyCycles.count(),
                        range(s.allFromMin, s.allFromMax, s.allToMin, s.allToMax),
                        range(s.activeFromMin, s.activeFromMax, s.activeToMin, s.activeToMax), s.dataIn.count(),
                        s.dataOut.count(), s.maxTileData.count(), model_->target().tilesPerIpu,
                        s.detail != popscope::TimeDetail::Nothing,
                        s.detail == popscope::TimeDetail::EveryTile || s.detail == popscope::TimeDetail::Duration,
                        s.detail >= popscope::TimeDetail::Longest);
  return detail::listOf(std::move(result));
}

List<ExecutionComputeSet> ExecutionStep::computeSets() const {
  std::vector<ExecutionComputeSet> result;
  if (computeSet_ >= 0)
    result.emplace_back(ComputeSet(model_, static_cast<std::size_t>(computeSet_)), cyclesByTile());
  return detail::listOf(std::move(result));
}

Values ExecutionStep::cyclesByTile() const { return model_->values(Model::StepCycles(), id_); }

List<VertexTypeCycles> ExecutionStep::vertexTypes() const {
  return typeList(model_, popscope::readStepVertexTypes(model_->file(), model_->limits(), id_));
}

WorkerSlots ExecutionStep::workerSlots() const {
  const auto id = model_->step(id_).slotCycles;
  return id ? WorkerSlots(model_, *id) : WorkerSlots();
}

std::size_t WorkerSlots::count() const {
  return known_ ? static_cast<std::size_t>(model_->target().workerContexts) : 0;
}
Values WorkerSlots::threadCyclesByTile(std::size_t slot) const {
  if (slot >= count())
    throw std::out_of_range("pva: no worker slot " + std::to_string(slot) + ": there are " + std::to_string(count()));
  auto cycles = popscope::readSlotCycles(model_->file(), model_->limits(), id_, popscope::kFullestSlot);
  const auto less = popscope::readSlotCycles(model_->file(), model_->limits(), id_, popscope::kFirstSlot + slot);
  for (std::size_t t = 0; t < cycles.size(); ++t) {
    if (less[t] > cycles[t])
      popscope::failProfile(model_->file(),
                            "the profile is corrupt: a worker slot has more cycles than the fullest one");
    cycles[t] -= less[t];
  }
  return Values(std::make_shared<const std::vector<std::uint64_t>>(std::move(cycles)));
}
Values WorkerSlots::supervisorCyclesByTile() const {
  if (!known_)
    return Values();
  return Values(std::make_shared<const std::vector<std::uint64_t>>(
      popscope::readSlotCycles(model_->file(), model_->limits(), id_, popscope::kFirstSlot + count())));
}

DealtVertices WorkerSlots::dealtVertices() const {
  DealtVertices result;
  if (!known_)
    return result;
  auto stored = popscope::readDealtVertices(model_->file(), model_->limits(), id_);
  if (!stored.patternByTile.empty())
    result.patternByTile = Values(std::make_shared<const std::vector<std::uint64_t>>(std::move(stored.patternByTile)));
  for (const auto &runs : stored.patterns) {
    auto &pattern = result.patterns.emplace_back();
    for (const popscope::DealtRun &run : runs) {
      DealtRun r;
      r.threadCycles = run.threadCycles.count();
      r.vertices = run.vertices;
      pattern.push_back(r);
    }
  }
  return result;
}

void CycleTotals::add(const CycleTotals &other) {
  known_ = known_ || other.known_; // an unknown run has flags of true and figures of 0
  totalKnown_ = totalKnown_ && other.totalKnown_;
  threadKnown_ = threadKnown_ && other.threadKnown_;
  computeKnown_ = computeKnown_ && other.computeKnown_;
  externalKnown_ = externalKnown_ && other.externalKnown_;
  const auto sum = [](bool known, std::uint64_t &figure, std::uint64_t more) { figure = known ? figure + more : 0; };
  sum(totalKnown_, total_, other.total_);
  sum(computeKnown_, compute_, other.compute_);
  sum(threadKnown_, thread_, other.thread_);
  sum(externalKnown_, globalExchange_, other.globalExchange_);
  sum(externalKnown_, hostExchange_, other.hostExchange_);
  sum(computeKnown_ && externalKnown_, sync_, other.sync_);
  exchange_ += other.exchange_;
  sharedStructureCopy_ += other.sharedStructureCopy_;
  unattributed_ += other.unattributed_;
  counterReads_ += other.counterReads_;
  controlFlowReads_ += other.controlFlowReads_;
}

CycleTotals CycleTotals::ofRun(const Model &model, std::size_t run) {
  const auto execution = model.execution();
  const popscope::StoredRun &row = execution->runs.at(run);
  CycleTotals t;
  if (!row.hasTotals)
    return t;
  t.known_ = true;
  t.totalKnown_ = row.totals.totalKnown;
  t.total_ = row.totals.totalCycles.count();
  t.compute_ = row.totals.compute.count();
  t.threadKnown_ = row.totals.threadCycles.has_value();
  t.thread_ = row.totals.threadCycles.value_or(popscope::Cycles()).count();
  t.exchange_ = row.totals.exchange.count();
  t.globalExchange_ = row.totals.globalExchange.count();
  t.hostExchange_ = row.totals.hostExchange.count();
  t.sharedStructureCopy_ = row.totals.sharedStructureCopy.count();
  t.sync_ = row.totals.sync.count();
  t.unattributed_ = row.totals.unattributed.count();
  t.counterReads_ = row.totals.counterReads.count();
  t.controlFlowReads_ = row.totals.controlFlowReads.count();
  t.computeKnown_ = row.totals.computeKnown;
  t.externalKnown_ = row.totals.externalKnown;
  return t;
}

std::string Run::name() const { return model_->execution()->runs.at(run_).run.name; }
std::uint64_t Run::program() const { return model_->execution()->runs.at(run_).run.program; }
bool Run::complete() const { return model_->execution()->runs.at(run_).complete; }
CycleTotals Run::totalCycles() const { return CycleTotals::ofRun(*model_, run_); }
bool Run::numberKnown() const { return model_->execution()->runs.at(run_).numberKnown; }
std::uint64_t Run::number() const { return model_->execution()->runs.at(run_).run.number; }
std::string Run::label() const { return model_->execution()->runs.at(run_).run.label; }
Microseconds Run::microseconds() const {
  const auto execution = model_->execution();
  const auto &run = execution->runs.at(run_).run;
  const double start = run.startMicroseconds.value_or(0);
  return Microseconds(start, run.endMicroseconds.value_or(start));
}
List<ExecutionStep> Run::steps() const { return stepList(model_, model_->execution()->stepsOfRun.at(run_)); }

List<ControlFlow> Run::controlFlow() const {
  std::vector<ControlFlow> result;
  for (const auto &row :
       popscope::readControlFlow(model_->file(), model_->limits(), model_->execution()->runs.at(run_).id)) {
    ControlFlow c;
    c.program = model_->program(row.program);
    c.cycles = row.cycles.count();
    c.takenKnown = row.taken.has_value();
    c.taken = row.taken.value_or(0);
    result.push_back(c);
  }
  return detail::listOf(std::move(result));
}
List<ProgramExecutions> Run::executions() const {
  std::vector<ProgramExecutions> result;
  for (auto &row : popscope::readExecutions(model_->file(), model_->limits(), model_->execution()->runs.at(run_).id)) {
    ProgramExecutions e;
    e.program = model_->program(row.program);
    e.cycles = Values(std::make_shared<const std::vector<std::uint64_t>>(row.cycles.begin(), row.cycles.end()));
    e.starts = Values(std::make_shared<const std::vector<std::uint64_t>>(std::move(row.starts)));
    result.push_back(e);
  }
  return detail::listOf(std::move(result));
}
List<MemorySample> Run::memorySamples() const {
  std::vector<MemorySample> result;
  for (const auto &row :
       popscope::readMemorySamples(model_->file(), model_->limits(), model_->execution()->runs.at(run_).id)) {
    MemorySample s;
    s.program = model_->program(row.program);
    s.position = row.position;
    s.cycle = row.cycle.count();
    s.bytes = row.bytes.count();
    result.push_back(s);
  }
  return detail::listOf(std::move(result));
}
std::vector<std::string> Run::categories() const {
  const unsigned kinds = popscope::readRunCategories(model_->file(), model_->execution()->runs.at(run_).id);
  std::vector<std::string> names;
  for (std::size_t kind = 0; kind < std::size(popscope::kStepKindNames); ++kind)
    if ((kinds >> kind & 1U) != 0)
      names.emplace_back(popscope::kStepKindNames[kind]);
  return names;
}
List<VertexTypeCycles> Run::lastVertexTypes() const {
  return typeList(
      model_, popscope::readLastVertexTypes(model_->file(), model_->limits(), model_->execution()->runs.at(run_).id));
}
List<CycleSource> ComputeSet::cycleSources() const {
  std::vector<CycleSource> result;
  const auto rows = model_->cycleSources();
  const auto before = [](const popscope::CycleSourceRecord &row, std::size_t id) { return row.computeSet < id; };
  for (auto at = std::lower_bound(rows->begin(), rows->end(), id_, before); at != rows->end() && at->computeSet == id_;
       ++at) {
    const popscope::CycleSourceRecord &row = *at;
    CycleSource s;
    s.type = VertexType(model_, row.vertexType);
    s.source = row.source;
    s.vertices = row.vertices;
    s.reason = row.reason;
    result.push_back(s);
  }
  return detail::listOf(std::move(result));
}

List<ExecutionStep> ExecutionReport::steps() const {
  if (!recorded_)
    return {};
  return stepList(model_, model_->execution()->steps);
}
List<Run> ExecutionReport::runs() const {
  if (!recorded_)
    return {};
  return detail::makeList<Run>(model_->execution()->runs.size(),
                               [model = model_](std::size_t i) { return Run(model, i); });
}
Values ExecutionReport::cyclesOfTile(std::size_t tile) const {
  model_->requireTile(tile);
  if (!recorded_ || tile >= model_->limits().stepTiles)
    return {};
  return Values(std::make_shared<const std::vector<std::uint64_t>>(
      popscope::readTileCycles(model_->file(), model_->limits(), tile, model_->execution()->steps)));
}
List<VertexTypeCycles> ExecutionReport::vertexTypes() const {
  if (!recorded_)
    return {};
  std::map<std::uint32_t, VertexTypeCycles> byType;
  for (const auto &row : popscope::readRunVertexTypes(model_->file(), model_->limits())) {
    VertexTypeCycles &v = byType[row.vertexType];
    v.type = VertexType(model_, row.vertexType);
    v.instances += row.instances;
    v.known = v.known || row.cycles.has_value();
    v.cycles += row.cycles.value_or(popscope::Cycles()).count();
  }
  std::vector<VertexTypeCycles> result;
  for (const auto &entry : byType)
    result.push_back(entry.second);
  return detail::listOf(std::move(result));
}
List<VertexTypeCycles> ExecutionReport::lastVertexTypes() const {
  return recorded_ ? typeList(model_, popscope::readLastVertexTypes(model_->file(), model_->limits()))
                   : List<VertexTypeCycles>();
}
List<VertexExecution> ExecutionReport::vertices() const {
  if (!recorded_)
    return {};
  std::vector<VertexExecution> result;
  for (popscope::VertexRecord &row : popscope::readVertices(model_->file(), model_->limits())) {
    VertexExecution v;
    v.computeSet = ComputeSet(model_, row.computeSet);
    v.type = VertexType(model_, row.vertexType);
    v.tile = row.tile;
    v.operands = std::move(row.operands);
    v.known = row.cycles.has_value();
    v.cycles = row.cycles.value_or(popscope::Cycles()).count();
    result.push_back(std::move(v));
  }
  return detail::listOf(std::move(result));
}
List<Block> ExecutionReport::blocks(std::size_t tile) const {
  model_->requireTile(tile);
  if (!recorded_)
    return {};
  std::vector<Block> result;
  for (const popscope::BlockRecord &b : popscope::readBlocks(model_->file(), model_->limits(), tile))
    result.emplace_back(model_->program(b.program), tile, kindOf(b.kind), b.from.count(), b.to.value_or(b.from).count(),
                        b.to.has_value(), b.run);
  return detail::listOf(std::move(result));
}
List<PausedSpan> ExecutionReport::pausedSpans() const {
  if (!recorded_)
    return {};
  std::vector<PausedSpan> result;
  for (const popscope::PausedRecord &row : popscope::readPausedSpans(model_->file())) {
    PausedSpan span;
    span.firstRun = row.firstRun;
    span.runs = row.runs;
    span.reason = row.reason;
    span.cyclesKnown = row.cycles.has_value();
    span.cycles = row.cycles.value_or(popscope::Cycles()).count();
    result.push_back(span);
  }
  return detail::listOf(std::move(result));
}
CycleTotals ExecutionReport::totalCycles() const {
  CycleTotals sum;
  if (recorded_)
    for (std::size_t run = 0; run < model_->execution()->runs.size(); ++run)
      sum.add(CycleTotals::ofRun(*model_, run));
  return sum;
}

} // namespace pva
