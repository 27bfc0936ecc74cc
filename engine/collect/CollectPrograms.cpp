#include "engine/collect/Collect.hpp"

#include "base/Parallel.hpp"
#include "graph/steps/ExecutedSets.hpp"
#include "graph/steps/HostCopies.hpp"
#include "graph/steps/StepKinds.hpp"

#include <algorithm>
#include <map>
#include <span>

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
  const std::span rows(program.exchangeTiles.data() + exchange.firstTile, exchange.numTiles);
  const auto collect = [&](TileValues &values, auto amount) { // exactly as much memory as it takes: these are the most
    values.reserve(static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [&](const ExchangeTile &row) { return row.*amount != 0; })));
    for (const ExchangeTile &row : rows)
      addRow(values, row.tile, row.*amount);
  };
  collect(record.exchangeCode, &ExchangeTile::codeBytes);
  collect(record.bytesSent, &ExchangeTile::bytesSent);
  collect(record.bytesReceived, &ExchangeTile::bytesReceived);
  collect(record.estimatedCycles, &ExchangeTile::cycles);
  collect(record.messagesReceived, &ExchangeTile::messagesReceived);
  collect(record.receiveLatency, &ExchangeTile::latency);
  collect(record.receiveTransfer, &ExchangeTile::transfer);
  collect(record.receiveControls, &ExchangeTile::controls);
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

/// Sums by tile, of as many parents at a time as are nested.
class TileSums {
public:
  explicit TileSums(std::size_t numTiles) : numTiles_(numTiles) {}
  void add(std::size_t parent, const TileValues &rows) {
    std::vector<std::uint64_t> &sums = of(parent);
    for (const auto &[tile, amount] : rows)
      sums[tile] += amount;
  }
  /// What was added, by tile; forgets it.
  TileValues take(std::size_t parent) {
    const auto known = std::find_if(open_.begin(), open_.end(), [&](const Open &o) { return o.parent == parent; });
    TileValues out;
    if (known == open_.end())
      return out;
    for (std::size_t tile = 0; tile < numTiles_; ++tile)
      if (known->sums[tile] != 0)
        out.emplace_back(static_cast<std::uint32_t>(tile), known->sums[tile]);
    open_.erase(known);
    return out;
  }

private:
  struct Open {
    std::size_t parent;
    std::vector<std::uint64_t> sums;
  };
  std::vector<std::uint64_t> &of(std::size_t parent) {
    for (Open &open : open_)
      if (open.parent == parent)
        return open.sums;
    open_.push_back({parent, std::vector<std::uint64_t>(numTiles_, 0)});
    return open_.back().sums;
  }
  std::size_t numTiles_;
  std::vector<Open> open_;
};

/// Ascending tiles, each once with the sum of its amounts. Mostly they are so already.
void joinTiles(TileValues &rows) {
  const auto precedes = [](const auto &a, const auto &b) { return a.first < b.first; };
  if (!std::is_sorted(rows.begin(), rows.end(), precedes))
    std::stable_sort(rows.begin(), rows.end(), precedes);
  std::size_t kept = 0;
  for (const auto &row : rows)
    if (kept > 0 && rows[kept - 1].first == row.first)
      rows[kept - 1].second += row.second;
    else
      rows[kept++] = row;
  rows.resize(kept);
}

TileValues ownControlCode(const StepProgram &program, const CodeBytes &own) {
  TileValues rows;
  rows.reserve(own.numRows);
  for (std::uint32_t i = 0; i < own.numRows; ++i)
    rows.emplace_back(program.tileCode[own.firstRow + i].tile.index(), program.tileCode[own.firstRow + i].bytes);
  joinTiles(rows);
  return rows;
}

// Own rows of every step, then each parent takes its children's: post-order by walking backwards, since a parent's
// index is below its children's.
void collectControlCode(const StepProgram &program, CompilationRecord &record) {
  TileSums inside(program.numTiles);
  for (std::size_t s = program.steps.size(); s-- > 0;) {
    const CodeBytes &own = program.steps[StepIndex(static_cast<std::uint32_t>(s))].controlCode;
    ProgramRecord &p = record.programs[s];
    p.controlCodeEveryTile += own.everyTile;
    p.controlCode = ownControlCode(program, own);
    if (program.steps[StepIndex(static_cast<std::uint32_t>(s))].end > s + 1) {
      inside.add(s, p.controlCode);
      p.controlCode = inside.take(s);
    }
    if (p.parent >= 0) {
      const auto parent = static_cast<std::size_t>(p.parent);
      record.programs[parent].controlCodeEveryTile += p.controlCodeEveryTile;
      inside.add(parent, p.controlCode);
    }
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
    std::map<std::uint32_t, TileValues> counts; // type -> (tile, count)
    const auto count = [&](VertexTypeId type, TileId tile) {
      TileValues &ofType = counts[type.index()];
      if (ofType.empty() || ofType.back().first != tile.index())
        ofType.emplace_back(tile.index(), 0);
      ++ofType.back().second;
    };
    for (std::uint32_t i = 0; i < execute.numVertices; ++i)
      count(program.vertices[execute.firstVertex + i].type, program.vertices[execute.firstVertex + i].tile);
    for (std::uint32_t i = 0; i < execute.numCopies; ++i)
      count(program.copies[execute.firstCopy + i].type, program.copies[execute.firstCopy + i].tile);
    ComputeSetRecord &out = record.computeSets[execute.computeSet.index()];
    for (auto &type : counts) {
      joinTiles(type.second);
      out.vertices.push_back({type.first, std::move(type.second), 0, -1});
    }
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
  parallelFor(input.threads, program.steps.size(), [&](std::size_t s) {
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
  });
  shareExchangeCode(program, record);
  collectTree(program, record);
  collectControlCode(program, record);
  collectComputeSets(program, record);
}

} // namespace popscope
