#include "instrument/machine/VertexCycles.hpp"

#include "base/Check.hpp"
#include "base/Parallel.hpp"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace popscope {
namespace {

constexpr std::uint64_t kEndless = ~std::uint64_t(0); // instructions
constexpr Cycles kUnknown(~std::uint64_t(0));
// The budget, in instructions, of stand-in runs that only count operations. The cycles of these vertices are estimates,
// so the program's run needs no stand-in, and the count must be cheap.
constexpr std::uint64_t kFlopBudget = 100'000'000;
constexpr std::size_t kWave = 256;   // vertices whose stand-ins run between two checks of the budget
constexpr std::size_t kScan = 16384; // minimum number of vertices per task

} // namespace

StandInFunction runTheStandIn(const TileMachine &machine) {
  const StandInIssue issue{machine.standIn, machine.rptCountMax, machine.workerContexts};
  return [issue](const VertexClass &vertexClass, const std::vector<StandInOperand> &operands, const LibraryCost &cost,
                 unsigned worker, std::uint64_t limit) {
    return runStandIn(vertexClass, operands, cost, worker, limit, nullptr, issue);
  };
}

VertexCycles::VertexCycles(const StepProgram &program, const VertexObjects &objects, const CostModel &costs,
                           const MachineOptions &options, StandInFunction standIn)
    : program_(program), objects_(objects), costs_(costs), threads_(options.threads), countsCode_(options.countsCode),
      vertexLimit_(options.standInInstructionLimit), runBudget_(options.standInBudget),
      flopBudget_(std::min(runBudget_, kFlopBudget)), flopsOf_(program.computeSets.size(), 0),
      libraryCost_([&costs](const std::string &function) { return costs.libraryCall(function.c_str()).count(); }),
      standIn_(standIn ? std::move(standIn) : runTheStandIn(costs.machine())), sources_(program) {}

void VertexCycles::takeRecords(VertexCycles &&earlier) {
  sources_.takeRecords(std::move(earlier.sources_));
  flopsOf_ = std::move(earlier.flopsOf_); // sources_ already contains the operations of these compute sets
  flopBudget_ = earlier.flopBudget_;
}

void VertexCycles::startRun() {
  left_ = runBudget_;
  spent_ = runBudget_ == 0;
}

void VertexCycles::set(std::uint32_t vertex, Cycles cycles, CycleSource source) {
  cycles_[vertex - first_] = cycles;
  from_[vertex - first_] = source;
}

void VertexCycles::setCounted(std::uint32_t vertex, const Known &known, CycleSource source) {
  set(vertex, known.cycles, source);
  if (!program_.formOf(program_.vertices[vertex]).saysFlops)
    flops_[vertex - first_] = known.flops;
}

CycleSource VertexCycles::estimateSource(std::uint32_t vertex) const {
  const StepVertex &v = program_.vertices[vertex];
  const VertexClass &vertexClass = objects_.classOf(vertex);
  if (v.estimate >= 0)
    return program_.formOf(v).fromEstimator ? CycleSource::Estimator : CycleSource::Estimate;
  return vertexClass.hasCycleEstimate && vertexClass.cycleEstimate != nullptr ? CycleSource::Codelet
                                                                              : CycleSource::None;
}

bool VertexCycles::useEstimate(std::uint32_t vertex) {
  const CycleSource source = estimateSource(vertex);
  if (source == CycleSource::None)
    return false;
  set(vertex,
      source == CycleSource::Codelet ? Cycles(objects_.classOf(vertex).cycleEstimate(objects_.object(vertex)))
                                     : Cycles(program_.vertices[vertex].estimate),
      source);
  return true;
}

// Takes results in vertex order until the budget is spent, so that the results do not depend on the number of threads.
void VertexCycles::countFlops(const ExecuteStep &execute) {
  if (countsCode_ || !execute.computeSet.valid() || flopsOf_[execute.computeSet] != 0)
    return;
  flopsOf_[execute.computeSet] = 1;
  std::vector<std::uint32_t> vertices;
  for (std::uint32_t v = execute.firstVertex; v < execute.firstVertex + execute.numVertices; ++v)
    if (objects_.classOf(v).standIn != nullptr && !program_.formOf(program_.vertices[v]).saysFlops &&
        estimateSource(v) != CycleSource::None)
      vertices.push_back(v);
  for (std::size_t begin = 0; begin < vertices.size() && flopBudget_ != 0; begin += kWave) {
    const std::size_t end = std::min(vertices.size(), begin + kWave);
    countWave(std::span(vertices).subspan(begin, end - begin), std::min(vertexLimit_, flopBudget_));
    for (std::size_t i = 0; i < wave_.size() && flopBudget_ != 0; ++i) {
      const bool fits = wave_[i].instructions <= flopBudget_ && !wave_[i].atLimit;
      flopBudget_ -= std::min(flopBudget_, wave_[i].instructions);
      const std::uint32_t v = vertices[begin + i];
      if (fits && wave_[i].cycles)
        sources_.addFlops(execute, program_.vertices[v].type, estimateSource(v), wave_[i].flops);
    }
  }
}

void VertexCycles::leaveUncounted(std::uint32_t vertex, const std::string &reason) {
  useEstimate(vertex);
  sources_.addReason(*execute_, program_.vertices[vertex].type, from_[vertex - first_], reason);
}

std::string VertexCycles::budgetSpent() const {
  return fmt::format("the budget of a run, {} instructions of stand-ins, is spent", runBudget_);
}

bool VertexCycles::isStatic(const ExecuteStep &execute) const {
  std::atomic<bool> all = true;
  parallelRanges(threads_, execute.numVertices, kScan, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = execute.firstVertex + begin; v < execute.firstVertex + end; ++v)
      if (program_.vertices[v].estimate < 0 || isCounted(static_cast<std::uint32_t>(v))) {
        all = false;
        return;
      }
  });
  return all;
}

std::span<const std::optional<Cycles>> VertexCycles::of(const ExecuteStep &execute) {
  first_ = execute.firstVertex;
  execute_ = &execute;
  cycles_.assign(execute.numVertices, std::nullopt);
  from_.assign(execute.numVertices, CycleSource::None);
  flops_.assign(execute.numVertices, kNotCounted);
  pending_.clear();
  for (std::uint32_t v = first_; v < first_ + execute.numVertices; ++v) {
    const VertexClass &vertexClass = objects_.classOf(v);
    if (!countsCode_ && useEstimate(v))
      continue;
    if (vertexClass.standIn != nullptr)
      pending_.push_back(v);
    else
      leaveUncounted(v, "no stand-in: " + vertexClass.standInProblem);
  }
  if (!pending_.empty())
    runStandIns();
  sources_.add(execute, from_, flops_);
  return cycles_;
}

void VertexCycles::runStandIns() {
  prepareMemory();
  std::size_t begin = 0;
  while (begin < pending_.size() && !spent_) {
    const std::size_t end = std::min(pending_.size(), begin + kWave);
    runWave(begin, end);
    begin = end;
  }
  for (; begin < pending_.size(); ++begin)
    useLastKnown(pending_[begin], budgetSpent());
}

void VertexCycles::runWave(std::size_t begin, std::size_t end) {
  // One instruction more than the budget distinguishes a vertex that just fits from a vertex that does not fit.
  const std::uint64_t limit = std::min(vertexLimit_, left_ == kEndless ? left_ : left_ + 1);
  countWave(std::span(pending_).subspan(begin, end - begin), limit);
  for (std::size_t i = 0; i < wave_.size(); ++i)
    take(pending_[begin + i], wave_[i], limit);
}

void VertexCycles::countWave(std::span<const std::uint32_t> vertices, std::uint64_t limit) {
  wave_.assign(vertices.size(), {});
  parallelFor(threads_, vertices.size(), [&](std::size_t i) { wave_[i] = count(vertices[i], limit); });
}

// Runs the stand-in for one vertex (once per worker for a MultiVertex) and converts instructions to cycles. `limit` is
// the maximum number of instructions per worker.
VertexCycles::Counted VertexCycles::count(std::uint32_t vertex, std::uint64_t limit) const {
  const VertexClass &vertexClass = objects_.classOf(vertex);
  HostSlab halves;
  const auto operands = objects_.operands(vertex, halves);
  const bool multi = vertexClass.kind == VertexClassKind::Multi;
  const std::uint32_t contexts = costs_.machine().workerContexts;
  Counted total;
  std::uint64_t slowest = 0, accesses = 0, waits = 0;
  bool completed = true;
  for (unsigned worker = 0; worker < (multi ? contexts : 1) && completed; ++worker) {
    const StandInResult result = standIn_(vertexClass, operands, libraryCost_, worker, limit);
    total.instructions += result.instructions;
    total.flops += result.flops;
    slowest = std::max(slowest, result.instructions + static_cast<std::uint64_t>(result.slotsBeyond));
    accesses += result.accesses;
    waits += result.waits;
    completed = result.completed;
    total.atLimit = !completed && result.instructions >= limit;
    total.problem = result.problem;
  }
  if (!completed)
    return total;
  // No other thread fills the slots in which a supervisor waits for memory or for a jump. So such an instruction takes
  // a whole round.
  if (vertexClass.kind == VertexClassKind::Supervisor)
    total.cycles = Cycles(slowest + (contexts - 1) * accesses + waits);
  else
    total.cycles = Cycles(multi ? slowest * contexts : slowest);
  return total;
}

void VertexCycles::take(std::uint32_t vertex, const Counted &counted, std::uint64_t limit) {
  if (spent_ || counted.instructions > left_ || (counted.atLimit && limit < vertexLimit_)) {
    spent_ = true;
    return useLastKnown(vertex, budgetSpent());
  }
  left_ -= counted.instructions;
  spent_ = left_ == 0;
  if (counted.atLimit)
    return useLastKnown(vertex, fmt::format("the stand-in did not end within {} instructions", vertexLimit_));
  if (!counted.cycles)
    return leaveUncounted(vertex, "the stand-in stopped: " + counted.problem);
  const Known known{*counted.cycles, counted.flops};
  setCounted(vertex, known, CycleSource::StandIn);
  lastOfVertex_[vertex] = known;
  lastOfSizes_[sizesOf_[vertex]] = known;
}

void VertexCycles::useLastKnown(std::uint32_t vertex, const std::string &reason) {
  Known last = lastOfVertex_[vertex];
  if (last.cycles == kUnknown)
    last = lastOfSizes_[sizesOf_[vertex]];
  if (last.cycles == kUnknown)
    return leaveUncounted(vertex, reason + ", and no vertex of the same type and operand sizes was counted earlier");
  setCounted(vertex, last, CycleSource::LastKnown);
  sources_.addReason(*execute_, program_.vertices[vertex].type, CycleSource::LastKnown, reason);
}

// Allocates the memory of last known cycles when the first stand-in is needed, because programs with estimates never
// need it.
void VertexCycles::prepareMemory() {
  if (!sizesOf_.empty())
    return;
  std::map<std::vector<std::uint64_t>, std::uint32_t> classes;
  sizesOf_.resize(program_.vertices.size());
  for (std::uint32_t v = 0; v < sizesOf_.size(); ++v)
    if (program_.vertices[v].estimate < 0 || countsCode_)
      sizesOf_[v] = classes.emplace(operandSizes(v), static_cast<std::uint32_t>(classes.size())).first->second;
  lastOfVertex_.assign(program_.vertices.size(), {kUnknown, 0});
  lastOfSizes_.assign(std::max<std::size_t>(classes.size(), 1), {kUnknown, 0});
}

std::vector<std::uint64_t> VertexCycles::operandSizes(std::uint32_t vertex) const {
  const StepVertex &v = program_.vertices[vertex];
  std::vector<std::uint64_t> sizes{v.type.index()};
  for (const VertexEdge edge : program_.edgesOf(v)) {
    sizes.insert(sizes.end(), {edge.field, edge.subIndex, edge.elements});
  }
  for (std::uint32_t s = v.firstState; s < v.firstState + program_.formOf(v).numState; ++s)
    sizes.insert(sizes.end(), {program_.states[s].field, program_.states[s].elements});
  return sizes;
}

} // namespace popscope
