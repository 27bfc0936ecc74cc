#include "engine/collect/Collect.hpp"

#include "graph/steps/ExecutedSets.hpp"
#include "graph/steps/HostCopies.hpp"
#include "graph/steps/StepKinds.hpp"

#include <algorithm>
#include <map>

namespace popscope {
namespace {

std::string programType(const StepProgram &program, const Step &step) {
  if (step.kind == StepKind::Switch && program.switches[step.payload].engineSwitch)
    return "OnEveryTileSwitch";
  return stepKindName(step.kind);
}

std::string programName(const StepProgram &program, const Step &step) {
  if (step.kind != StepKind::Sync)
    return program.names[step.name];
  // Between IPUs the wire is another, the name in profiles is not.
  return static_cast<SyncKind>(program.syncs[step.payload].kind) == SyncKind::Internal ? "Internal" : "External";
}

void addRow(TileValues &values, TileId tile, std::uint64_t amount) {
  if (amount != 0)
    values.emplace_back(tile.index(), amount);
}

void collectExchange(const StepProgram &program, const ExchangeStep &exchange, ProgramRecord &record) {
  for (std::uint32_t i = 0; i < exchange.numTiles; ++i) {
    const ExchangeTile &row = program.exchangeTiles[exchange.firstTile + i];
    addRow(record.exchangeCode, row.tile, row.codeBytes);
    addRow(record.bytesSent, row.tile, row.bytesSent);
    addRow(record.bytesReceived, row.tile, row.bytesReceived);
    addRow(record.estimatedCycles, row.tile, row.cycles);
    addRow(record.messagesReceived, row.tile, row.messagesReceived);
    addRow(record.receiveLatency, row.tile, row.latency);
    addRow(record.receiveTransfer, row.tile, row.transfer);
    addRow(record.receiveControls, row.tile, row.controls);
  }
}

void collectStreamCopy(const StepProgram &program, const StreamCopyStep &copy, ProgramRecord &record) {
  for (std::uint32_t i = 0; i < copy.numTiles; ++i) {
    const HostTile &row = program.hostTiles[copy.firstTile + i];
    addRow(record.exchangeCode, row.tile, row.codeBytes);
    const std::uint64_t received = bytesFromHost(program, copy, row);
    addRow(record.bytesReceived, row.tile, received);
    addRow(record.bytesSent, row.tile, row.bytes - received);
    addRow(record.estimatedCycles, row.tile, copy.cycles);
  }
}

// Steps that execute the same schedule share its code: it stands at the first of them.
void shareExchangeCode(const StepProgram &program, CompilationRecord &record) {
  std::map<std::pair<StepKind, std::uint32_t>, std::size_t> first;
  for (std::size_t s = 0; s < program.steps.size(); ++s) {
    ProgramRecord &p = record.programs[s];
    const Step &step = program.steps[program.steps.idAt(s)];
    if (p.exchangeCode.empty())
      continue;
    const auto [at, isFirst] = first.emplace(std::pair(step.kind, step.payload), s);
    if (isFirst)
      continue;
    p.exchangeCode.clear();
    p.exchangeCodeOf = static_cast<std::int64_t>(at->second);
  }
}

// Own rows of every step, then each parent takes its children's: post-order by walking backwards, since a parent's
// index is below its children's.
void collectControlCode(const StepProgram &program, CompilationRecord &record) {
  std::vector<std::map<std::uint32_t, std::uint64_t>> rows(program.steps.size());
  for (std::size_t s = program.steps.size(); s-- > 0;) {
    const CodeBytes &own = program.steps[StepIndex(static_cast<std::uint32_t>(s))].controlCode;
    ProgramRecord &p = record.programs[s];
    p.controlCodeEveryTile += own.everyTile;
    for (std::uint32_t i = 0; i < own.numRows; ++i) {
      const TileCode &row = program.tileCode[own.firstRow + i];
      rows[s][row.tile.index()] += row.bytes;
    }
    p.controlCode.assign(rows[s].begin(), rows[s].end());
    if (p.parent >= 0) {
      const auto parent = static_cast<std::size_t>(p.parent);
      record.programs[parent].controlCodeEveryTile += p.controlCodeEveryTile;
      if (rows[parent].empty()) {
        rows[parent] = std::move(rows[s]);
      } else {
        for (const auto &row : rows[s])
          rows[parent][row.first] += row.second;
      }
    }
    rows[s].clear();
  }
}

// Parent of each step from the nesting of [index, end) ranges.
void collectTree(const StepProgram &program, CompilationRecord &record) {
  std::vector<std::uint32_t> open;
  for (std::uint32_t s = 0; s < program.steps.size(); ++s) {
    while (!open.empty() && program.steps[StepIndex(open.back())].end <= s)
      open.pop_back();
    record.programs[s].parent = open.empty() ? -1 : static_cast<std::int64_t>(open.back());
    open.push_back(s);
  }
  for (const StepProgram::FunctionInfo &function : program.functions)
    record.programs[function.root.index()].isFunction = true;
  record.controlPrograms.push_back(program.root.index());
}

void collectComputeSets(const StepProgram &program, CompilationRecord &record) {
  record.computeSets.resize(program.computeSets.size());
  for (std::size_t i = 0; i < program.computeSets.size(); ++i)
    record.computeSets[i].name = program.names[program.computeSets[program.computeSets.idAt(i)]];
  forEachExecutedSet(program, [&](const ExecuteStep &execute) {
    std::map<std::uint32_t, std::map<std::uint32_t, std::uint64_t>> counts; // type -> tile -> count
    for (std::uint32_t i = 0; i < execute.numVertices; ++i) {
      const StepVertex &v = program.vertices[execute.firstVertex + i];
      ++counts[v.type.index()][v.tile.index()];
    }
    for (std::uint32_t i = 0; i < execute.numCopies; ++i) {
      const CopyVertex &c = program.copies[execute.firstCopy + i];
      ++counts[c.type.index()][c.tile.index()];
    }
    ComputeSetRecord &out = record.computeSets[execute.computeSet.index()];
    for (const auto &type : counts)
      out.vertices.push_back({type.first, TileValues(type.second.begin(), type.second.end()), 0, -1});
    for (ComputeSetVertices &type : out.vertices)
      if (program.vertexTypes[VertexTypeId(type.vertexType)].kind == VertexKind::Copy) {
        type.flops = 0; // it moves bytes: no estimate need say that
        for (const auto &tile : type.countByTile)
          type.flopVertices += static_cast<std::int64_t>(tile.second);
      }
  });
  for (const TypeFlops &sum : program.typeFlops)
    for (ComputeSetVertices &type : record.computeSets[sum.computeSet.index()].vertices)
      if (type.vertexType == sum.type.index()) {
        type.flopVertices = static_cast<std::int64_t>(sum.vertices);
        type.flops = static_cast<std::int64_t>(sum.flops);
      }
}

} // namespace

void collectPrograms(const CollectInput &input, CompilationRecord &record) {
  const StepProgram &program = input.program;
  record.programs.resize(program.steps.size());
  record.debugContexts = !program.contexts.empty();
  if (record.debugContexts)
    for (const StepContext &more : program.moreContexts)
      record.programs[more.step.index()].moreContexts.push_back(more.context);
  for (std::size_t s = 0; s < program.steps.size(); ++s) {
    const Step &step = program.steps[program.steps.idAt(s)];
    ProgramRecord &p = record.programs[s];
    p.type = programType(program, step);
    p.name = programName(program, step);
    p.livenessPoint = stepKindRow(step.kind).livenessPoint;
    if (record.debugContexts)
      p.debugContext = program.contexts[s];
    switch (step.kind) {
    case StepKind::DoExchange:
    case StepKind::GlobalExchange: collectExchange(program, program.exchanges[step.payload], p); break;
    case StepKind::StreamCopyMid: collectStreamCopy(program, program.streamCopies[step.payload], p); break;
    case StepKind::OnTileExecute: {
      const ComputeSetId set = program.executes[step.payload].computeSet;
      p.computeSet = set.valid() ? static_cast<std::int64_t>(set.index()) : -1;
      break;
    }
    case StepKind::Repeat: p.count = program.repeats[step.payload].count; break;
    case StepKind::Sequence:
    case StepKind::Sync:
    case StepKind::StreamCopyBegin:
    case StepKind::StreamCopyEnd:
    case StepKind::Switch:
    case StepKind::If:
    case StepKind::RepeatWhile:
    case StepKind::WhileTest:
    case StepKind::Call:
    case StepKind::WriteUndef:
    case StepKind::PrintTensor:
    case StepKind::Abort:
    case StepKind::AbortOnCondition:
    case StepKind::ErrorProgram:
    case StepKind::Block:
    case StepKind::AssumeEqualAcrossReplicas:
    case StepKind::TileRegister: break;
    }
  }
  shareExchangeCode(program, record);
  collectTree(program, record);
  collectControlCode(program, record);
  collectComputeSets(program, record);
}

} // namespace popscope
