#include "tests/check/profile/ReadFacts.hpp"

#include "tests/check/profile/Sql.hpp"

namespace profile_check {
namespace {

TileFacts readTile(const pva::TileMemory &memory) {
  TileFacts t;
  t.including = memory.total().includingGaps();
  t.excluding = memory.total().excludingGaps();
  t.regions = {memory.nonInterleaved().excludingGaps(), memory.interleaved().excludingGaps(),
               memory.overflowed().excludingGaps()};
  const pva::Categories categories = memory.category();
  for (std::size_t c = 0; c < t.category.size(); ++c) {
    const pva::Category category = categories.byIndex(c);
    const pva::CategoryRegion regions[] = {category.nonInterleaved(), category.interleaved(), category.overflowed()};
    for (std::size_t r = 0; r < 3; ++r)
      t.category[c][r] = {regions[r].nonOverlapped(), regions[r].overlapped()};
  }
  t.afterOverlapping = memory.afterOverlappingBytes();
  t.lowerBound = memory.lowerBoundOverlappedBytes();
  t.alwaysLive = memory.alwaysLiveBytes();
  t.notAlwaysLive = memory.notAlwaysLiveBytes();
  for (const pva::VertexOnTile &v : memory.vertices())
    t.vertices.push_back(
        {v.type()._id(),
         v.count(),
         v.codeBytes(),
         {v.vertexDataBytes(), v.edgePtrBytes(), v.copyPtrBytes(), v.paddingBytes(), v.descriptorBytes()}});
  return t;
}

std::uint64_t sum(const pva::List<pva::Variable> &variables) {
  std::uint64_t bytes = 0;
  for (const pva::Variable &v : variables)
    bytes += v.size();
  return bytes;
}

LiveStepFacts readLiveStep(const pva::LivenessProgramStep &step, std::size_t ipus, std::size_t tiles) {
  LiveStepFacts facts;
  facts.bytes = step.notAlwaysLiveMemory().bytes();
  facts.variables = sum(step.notAlwaysLiveMemory().variables());
  for (std::size_t i = 0; i < ipus; ++i) {
    facts.byIpu.push_back(step.notAlwaysLiveMemoryForIpu(i).bytes());
    facts.variablesByIpu.push_back(sum(step.notAlwaysLiveMemoryForIpu(i).variables()));
  }
  for (std::size_t t = 0; t < tiles; ++t) {
    facts.byTile.push_back(step.notAlwaysLiveMemoryForTile(t).bytes());
    facts.variablesByTile.push_back(sum(step.notAlwaysLiveMemoryForTile(t).variables()));
  }
  return facts;
}

std::uint64_t sumOfIpu(const pva::Values &byTile, std::size_t ipu, std::uint64_t tilesPerIpu) {
  std::uint64_t total = 0;
  for (std::size_t t = ipu * tilesPerIpu; t < (ipu + 1) * tilesPerIpu && t < byTile.size(); ++t)
    total += byTile[t];
  return total;
}

StepFacts readStep(const pva::ExecutionStep &step) {
  StepFacts facts;
  const auto program = step.program();
  facts.type = pva::programTypeName(program->type());
  facts.name = program->name();
  facts.threadKnown = step.threadCyclesKnown();
  facts.thread = step.threadCycles();
  for (const pva::VertexTypeCycles &v : step.vertexTypes())
    facts.types.push_back({v.type._id(), v.type.name(), v.instances, v.cycles, v.known});
  facts.cyclesByTile = step.cyclesByTile();
  const auto *exchange = dynamic_cast<const pva::ExchangeProgram *>(program.get());
  std::size_t ipu = 0;
  for (const pva::ExecutionStepIpu &on : step.ipus()) {
    StepIpuFacts i{on.cycles(),
                   on.activeTiles(),
                   on.busyCycles(),
                   on.dataIn(),
                   on.dataOut(),
                   on.maxTileData(),
                   on.tiles(),
                   on.allCycles().from().min(),
                   on.allCycles().from().max(),
                   on.allCycles().to().min(),
                   on.allCycles().to().max(),
                   0,
                   0};
    if (exchange != nullptr) {
      i.programIn = sumOfIpu(exchange->bytesReceivedByTile(), ipu, on.tiles());
      i.programOut = sumOfIpu(exchange->bytesSentByTile(), ipu, on.tiles());
    }
    facts.ipus.push_back(i);
    ++ipu;
  }
  return facts;
}

TotalsFacts readTotals(const pva::CycleTotals &t) {
  return {t.total(),
          t.compute(),
          t.computeWithoutIdle(),
          t.exchange(),
          t.globalExchange(),
          t.hostExchange(),
          t.sharedStructureCopy(),
          t.sync(),
          t.unattributed(),
          t.computeWithoutIdleKnown(),
          t.controlFlowReads()};
}

} // namespace

MemoryFacts readMemory(const pva::Report &report) {
  MemoryFacts facts;
  const pva::CompilationReport compilation = report.compilation();
  for (const pva::Tile &tile : compilation.tiles())
    facts.tiles.push_back(readTile(tile.memory()));
  facts.bytesPerTile = compilation.target().bytesPerTile();
  facts.categories = pva::storageCategoryNames();
  for (const pva::VertexType &type : compilation.vertexTypes()) {
    facts.bytesOfType.push_back(type.memoryBytes());
    facts.instancesOfType.push_back(type.instances());
  }
  facts.outOfMemory = report.popscope().tilesOutOfMemory();
  return facts;
}

LivenessFacts readLiveness(const pva::Report &report) {
  LivenessFacts facts;
  const pva::CompilationReport compilation = report.compilation();
  facts.tilesPerIpu = compilation.target().tilesPerIpu();
  facts.alwaysLive = report.popscope().alwaysLiveBytes();
  facts.maxLive = report.popscope().maxLiveBytes();
  facts.alwaysLiveVariables = sum(compilation.alwaysLiveVariables());
  const auto tiles = compilation.tiles();
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    facts.alwaysLiveByTile.push_back(tiles[t].memory().alwaysLiveBytes());
    facts.notAlwaysLiveByTile.push_back(tiles[t].memory().notAlwaysLiveBytes());
    facts.alwaysLiveVariablesByTile.push_back(sum(compilation.alwaysLiveVariablesForTile(t)));
  }
  for (const pva::LivenessProgramStep &step : compilation.livenessProgramSteps())
    facts.steps.push_back(readLiveStep(step, compilation.target().ipusPerReplica(), tiles.size()));
  return facts;
}

ExecutionFacts readExecution(const pva::Report &report) {
  ExecutionFacts facts;
  facts.tiles = report.compilation().target().numTiles();
  facts.totals = readTotals(report.execution().totalCycles());
  for (const pva::Run &run : report.execution().runs()) {
    RunFacts r;
    r.totals = readTotals(run.totalCycles());
    for (const pva::ExecutionStep &step : run.steps())
      r.steps.push_back(readStep(step));
    facts.runs.push_back(std::move(r));
  }
  return facts;
}

AllocationTable readAllocations(const std::string &profile) {
  const Database db(profile);
  AllocationTable table;
  for (const auto &row : db.rows("SELECT tile, category, offset, size_bytes, alignment, overlapped, equivalence_class "
                                 "FROM vars_info ORDER BY tile, offset, id"))
    table.rows.push_back({row[0], row[1], row[2], row[3], row[4], row[5] != 0, row[6]});
  table.classes.resize(db.number("SELECT count(*) FROM equivalence_classes"));
  for (const auto &row : db.rows("SELECT class, first_program, end_program FROM equivalence_class_intervals "
                                 "ORDER BY class, position"))
    table.classes.at(row[0]).emplace_back(row[1], row[2]);
  return table;
}

} // namespace profile_check
