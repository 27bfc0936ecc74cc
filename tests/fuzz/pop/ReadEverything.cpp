#include "tests/fuzz/pop/ReadEverything.hpp"

#include "report/answers/PrintRows.hpp"
#include "report/answers/View.hpp"
#include "report/summary/Summary.hpp"
#include "report/whatif/WhatIfAnswers.hpp"

#include <pva/pva.hpp>

#include <sstream>

namespace {

constexpr std::size_t kTilesLookedAt = 8; // of each list by tile; the lists themselves are complete

std::uint64_t sum(const pva::Values &values) {
  std::uint64_t total = 0;
  for (const std::uint64_t v : values)
    total += v;
  return total;
}

struct Visitor : pva::ProgramVisitor {
  std::uint64_t total = 0;
  void visitOnTileExecute(const pva::OnTileExecuteProgram &p) override {
    total += p.computeset().name().size() + sum(p.computeset().estimatedCyclesByTile());
    for (const auto &v : p.computeset().vertices())
      total += v.type().size() + sum(v.countByTile());
  }
  void visitDoExchange(const pva::DoExchangeProgram &p) override {
    total += sum(p.codeBytesByTile()) + sum(p.estimatedCyclesByTile()) + sum(p.bytesSentByTile()) +
             sum(p.bytesReceivedByTile());
    total += sum(p.messagesReceivedByTile()) + sum(p.receiveLatencyByTile()) + sum(p.receiveTransferByTile()) +
             sum(p.receiveControlsByTile()) + sum(p.receiveDistanceByTile()) + sum(p.messageSizesByTile());
    total += p.codeSharedWith() ? p.codeSharedWith()->_id() : 0;
    addTraffic(p.traffic());
  }
  void visitGlobalExchange(const pva::GlobalExchangeProgram &p) override {
    addTraffic(p.traffic());
    for (const auto &link : p.linkTransfers())
      total += link.fromIpu + link.toIpu + link.bytes + sum(link.tiles);
  }
  void visitRepeat(const pva::RepeatProgram &p) override { total += p.count(); }

private:
  void addTraffic(const pva::TileTraffic &traffic) {
    total += traffic.tilesPerGroup;
    for (const auto *numbers : {&traffic.fromGroups, &traffic.toGroups, &traffic.bytes})
      for (const std::uint64_t number : *numbers)
        total += number;
  }
};

std::uint64_t readPrograms(const pva::CompilationReport &c) {
  Visitor visitor;
  for (const auto &p : c.programs()) {
    p->accept(visitor);
    visitor.total += p->debugContext().json().size() + p->debugContextId() + p->moreDebugContexts().size() +
                     p->barriers().size() + sum(p->counterCyclesByTile());
    visitor.total += sum(p->counterStoresByTile());
    visitor.total += p->name().size() + p->children().size() + sum(p->controlCodeByTile()) + p->vars().size();
  }
  return visitor.total + c.controlPrograms().size() + c.functionPrograms().size() + c.computeSets().size();
}

std::uint64_t readMemory(const pva::CompilationReport &c) {
  std::uint64_t total = 0;
  const std::size_t tiles = std::min(c.tiles().size(), kTilesLookedAt);
  for (std::size_t t = 0; t < tiles; ++t) {
    const auto memory = c.tiles()[t].memory();
    total += memory.total().includingGaps() + memory.category().variable().total() + memory.vertices().size();
    for (const auto &v : c.alwaysLiveVariablesForTile(t))
      total += v.size() + v.name().size();
    for (const auto &v : c.loweredVariables().forTile(t))
      total += v.bytes() + v.equivalenceClass().steps().size();
    for (const auto &step : c.livenessProgramSteps())
      total += step.notAlwaysLiveMemoryForTile(t).bytes();
  }
  for (const auto &step : c.livenessProgramSteps())
    total += step.notAlwaysLiveMemory().bytes() + step.notAlwaysLiveMemory().variables().size();
  return total + c.loweredVariables().allBriefVars().size();
}

/// Reads the data of each variable: its tiles, and the programs that access it.
std::uint64_t readVariables(const pva::Report &report) {
  constexpr std::size_t kVariablesLookedAt = 64;
  const auto variables = report.compilation().variables();
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < std::min(variables.size(), kVariablesLookedAt); ++i) {
    for (const std::uint64_t tile : variables[i].tiles())
      total += variables[i].bytesOn(tile);
    for (const pva::VariableAccess &access : report.popscope().variableAccesses(variables[i]))
      total += access.read + access.written + access.undefined + access.program->_id();
  }
  return total;
}

std::uint64_t readSlots(const pva::WorkerSlots &slots) {
  constexpr std::size_t kSlotsLookedAt = 8; // a file may say that a tile has any number
  std::uint64_t total = sum(slots.supervisorCyclesByTile());
  for (std::size_t s = 0; s < std::min(slots.count(), kSlotsLookedAt); ++s)
    total += sum(slots.threadCyclesByTile(s));
  const auto dealt = slots.dealtVertices();
  total += sum(dealt.patternByTile);
  for (const auto &pattern : dealt.patterns)
    for (const auto &run : pattern)
      total += run.threadCycles * run.vertices;
  return total;
}

std::uint64_t readCosts(const pva::CompilationReport &c) {
  std::uint64_t total = c.machineCosts().size() + c.target().minSyncDelay() + sum(c.target().relativeSyncDelayByTile());
  total += c.target().machine().size();
  for (const auto &sizes : c.messageSizes())
    total += sum(sizes.bytes) + sum(sizes.messages) + sizes.buses;
  for (const auto &set : c.computeSets())
    for (const auto &operand : set.operands())
      total += operand.bytes + operand.type._id() + operand.field.size();
  for (const auto &flops : c.flops())
    total += flops.flops.operations + flops.computeSet.flops().vertices + (flops.flops.known() ? 1 : 0);
  for (const auto &delay : c.target().syncDelays())
    total += delay.kind().size() + sum(delay.toControllerByTile()) + sum(delay.fromControllerByTile());
  return total;
}

std::uint64_t readExecution(const pva::ExecutionReport &e, std::size_t tiles) {
  std::uint64_t total = e.totalCycles().total();
  for (const auto &run : e.runs())
    for (const auto &step : run.steps())
      total += step.program()->_id() + sum(step.cyclesByTile()) + step.ipus().size() + step.vertexTypes().size() +
               readSlots(step.workerSlots());
  for (std::size_t t = 0; t < std::min(tiles, kTilesLookedAt); ++t)
    total += sum(e.cyclesOfTile(t));
  return total;
}

/// Asks every view without options. A view that reports missing data has read the rest.
void readViews(const std::vector<popscope::ViewRow> &views, const std::string &path, const pva::Report &report,
               std::ostream &text) {
  for (const popscope::ViewRow &view : views) {
    if (view.folder)
      continue;
    popscope::Request request;
    request.report = report;
    request.profile = path; // the file that some views open
    if (view.twoProfiles)
      request.other = report;
    for (const popscope::ViewOption &option : view.options)
      request.options[popscope::keyOf(option)] = option.usual;
    try {
      const popscope::Rows rows = view.collect(request);
      popscope::printText(text, rows, popscope::Style(false), 80);
      text << popscope::toJson(rows) << popscope::toCsv(rows) << popscope::toMarkdown(rows);
    } catch (const popscope::AnswerError &) {
    }
  }
}
void readAnswers(const std::string &path, const pva::Report &report, std::ostream &text) {
  readViews(popscope::views(), path, report, text);
  readViews(popscope::whatIfViews(), path, report, text);
}

} // namespace

std::uint64_t fuzz::readEverything(const std::string &path) {
  const pva::Report report = pva::openReport(path);
  popscope::SummaryOptions options;
  options.showVarStorage = options.showExecutionSteps = options.showOptimizations = options.showPerIpuMemoryUsage =
      true;
  std::ostringstream text;
  popscope::printSummary(text, report, options);
  readAnswers(path, report, text);
  const auto compilation = report.compilation();
  return text.str().size() + readPrograms(compilation) + readCosts(compilation) + readMemory(compilation) +
         readVariables(report) + readExecution(report.execution(), compilation.tiles().size());
}
