// Each check of a profile's data can fail: it accepts a real profile, and rejects the same profile with one changed
// figure.
#include "tests/check/profile/ExecutionChecks.hpp"
#include "tests/check/profile/LivenessChecks.hpp"
#include "tests/check/profile/MemoryChecks.hpp"
#include "tests/check/profile/ReadFacts.hpp"
#include "tests/check/profile/Runs.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <functional>
#include <stdexcept>

using namespace profile_check;

namespace {

pva::Report sample() { return pva::openReport(profiled("sample").profile); }

template <class Facts> struct Fault {
  const char *name;
  std::function<void(Facts &)> plant;
};

template <class Facts, class Check>
void expectFound(const Facts &good, Check check, const std::vector<Fault<Facts>> &faults) {
  CHECK_MESSAGE(check(good).empty(), describe(check(good)));
  for (const auto &fault : faults) {
    Facts bad = good;
    fault.plant(bad);
    CHECK_MESSAGE(!check(bad).empty(), "not found: " << fault.name);
  }
}

/// Returns a step of the type, as the place of a planted fault.
StepFacts &stepOf(ExecutionFacts &execution, const std::string &type) {
  for (RunFacts &run : execution.runs)
    for (StepFacts &step : run.steps)
      if (step.type == type)
        return step;
  throw std::runtime_error("no step " + type);
}

TileFacts &tileWithVertices(MemoryFacts &memory) {
  for (TileFacts &tile : memory.tiles)
    if (!tile.vertices.empty())
      return tile;
  throw std::runtime_error("no vertices");
}

TileFacts &tileWithOverlap(MemoryFacts &memory) {
  for (TileFacts &tile : memory.tiles)
    if (tile.afterOverlapping != 0)
      return tile;
  throw std::runtime_error("nothing overlaps");
}

} // namespace

TEST_SUITE("profile.planted faults") {

  TEST_CASE("a wrong region, category or overlap of one tile is found") {
    expectFound<MemoryFacts>(
        readMemory(sample()), checkTileSums,
        {{"region", [](MemoryFacts &m) { ++m.tiles[3].regions[1]; }},
         {"bytes used", [](MemoryFacts &m) { --m.tiles[0].excluding; }},
         {"category", [](MemoryFacts &m) { ++m.tiles[2].category[7][0][0]; }},
         {"after overlapping", [](MemoryFacts &m) { ++m.tiles[1].afterOverlapping; }},
         {"lower bound", [](MemoryFacts &m) { m.tiles[1].lowerBound = m.tiles[1].afterOverlapping + 1; }},
         {"overlapped bytes",
          [](MemoryFacts &m) {
            for (auto &regions : tileWithOverlap(m).category)
              for (auto &bytes : regions)
                bytes[1] = 0;
          }},
         {"gaps", [](MemoryFacts &m) { m.tiles[4].including = m.tiles[4].excluding - 1; }}});
  }

  TEST_CASE("vertex data without storage, and storage without vertex data, are found") {
    const MemoryFacts good = readMemory(sample());
    const auto state = static_cast<std::size_t>(
        std::find(good.categories.begin(), good.categories.end(), "vertexInstanceState") - good.categories.begin());
    expectFound<MemoryFacts>(good, checkVertexData,
                             {{"part", [](MemoryFacts &m) { m.tiles[1].vertices.at(0).parts[3] += 2; }},
                              {"storage", [state](MemoryFacts &m) { m.tiles[1].category.at(state)[0][0] += 4; }}});
  }

  TEST_CASE("a wrong row by vertex type, and rows with more code than the tile has, are found") {
    expectFound<MemoryFacts>(readMemory(sample()), checkVertexTypes,
                             {{"row", [](MemoryFacts &m) { --m.bytesOfType.at(0); }},
                              {"code counted twice",
                               [](MemoryFacts &m) {
                                 VertexRow &row = tileWithVertices(m).vertices.front();
                                 m.bytesOfType[row.type] += row.code;
                               }},
                              {"vertices", [](MemoryFacts &m) { ++tileWithVertices(m).vertices.front().count; }},
                              {"room", [](MemoryFacts &m) {
                                 VertexRow &row = tileWithVertices(m).vertices.front();
                                 row.code += 1 << 20;
                                 m.bytesOfType[row.type] += 1 << 20;
                               }}});
  }

  TEST_CASE("a tile that is full but not listed, or listed but not full, is found") {
    expectFound<MemoryFacts>(readMemory(sample()), checkOutOfMemory,
                             {{"not listed", [](MemoryFacts &m) { m.outOfMemory.clear(); }},
                              {"listed", [](MemoryFacts &m) { m.outOfMemory.push_back(0); }},
                              {"overflowed", [](MemoryFacts &m) { m.tiles[0].regions[2] = 4; }}});
  }

  TEST_CASE("allocations that overlap, are misaligned or are not counted are found") {
    using Input = std::pair<MemoryFacts, AllocationTable>;
    const Input good(readMemory(sample()), readAllocations(profiled("sample").profile));
    const auto overlappedRow = [](AllocationTable &table) -> AllocationFacts & {
      for (AllocationFacts &a : table.rows)
        if (a.overlapped && a.bytes != 0)
          return a;
      throw std::runtime_error("nothing overlaps");
    };
    expectFound<Input>(good, [](const Input &i) { return checkAllocations(i.first, i.second); },
                       {{"missing", [](Input &i) { i.second.rows.erase(i.second.rows.begin()); }},
                        {"size", [](Input &i) { i.second.rows.back().bytes += 8; }},
                        {"category", [](Input &i) { i.second.rows.front().category = 0; }},
                        {"alignment", [](Input &i) { i.second.rows.at(1).alignment = 1 << 30; }},
                        {"end", [](Input &i) { i.first.tiles[0].including += 4; }},
                        {"mark", [&](Input &i) { overlappedRow(i.second).overlapped = false; }},
                        {"at one time", [&](Input &i) {
                           auto &always = i.second.classes;
                           always.push_back({{0, ~std::uint64_t(0)}});
                           overlappedRow(i.second).occupied = always.size() - 1;
                         }}});
  }

  TEST_CASE("always-live bytes that differ from variables or tiles are found") {
    expectFound<LivenessFacts>(readLiveness(sample()), checkAlwaysLive,
                               {{"total", [](LivenessFacts &l) { ++l.alwaysLive; }},
                                {"variables", [](LivenessFacts &l) { --l.alwaysLiveVariables; }},
                                {"tile", [](LivenessFacts &l) { ++l.alwaysLiveByTile[2], --l.alwaysLiveByTile[3]; }}});
  }

  TEST_CASE("a step whose live bytes differ from its variables, IPUs or tiles is found") {
    expectFound<LivenessFacts>(
        readLiveness(pva::openReport(profiled("control_flow").profile)), checkLiveSteps,
        {{"bytes", [](LivenessFacts &l) { ++l.steps[4].bytes; }},
         {"variables", [](LivenessFacts &l) { ++l.steps[4].variables; }},
         {"IPUs", [](LivenessFacts &l) { ++l.steps[4].byIpu[1], ++l.steps[4].variablesByIpu[1]; }},
         {"tile", [](LivenessFacts &l) { ++l.steps[5].byTile[0]; }},
         {"variables of a tile", [](LivenessFacts &l) { ++l.steps[5].variablesByTile[1]; }},
         {"tiles swapped between IPUs", [](LivenessFacts &l) {
            for (auto &step : l.steps) {
              std::swap(step.byTile.front(), step.byTile.back());
              std::swap(step.variablesByTile.front(), step.variablesByTile.back());
            }
          }}});
  }

  TEST_CASE("a wrong peak, of all or of one tile, is found") {
    const MemoryFacts memory = readMemory(sample());
    expectFound<LivenessFacts>(
        readLiveness(sample()), [&](const LivenessFacts &l) { return checkLivePeaks(l, memory); },
        {{"peak", [](LivenessFacts &l) { --l.maxLive; }},
         {"tile", [](LivenessFacts &l) { ++l.notAlwaysLiveByTile[1]; }},
         {"more live than there is", [](LivenessFacts &l) { l.alwaysLiveByTile[0] += 1 << 20; }}});
  }

  TEST_CASE("a cycle without a cause is found") {
    expectFound<ExecutionFacts>(readExecution(sample()), checkCycleTotals,
                                {{"sync", [](ExecutionFacts &e) { ++e.runs[0].totals.sync, ++e.totals.sync; }},
                                 {"total", [](ExecutionFacts &e) { ++e.runs[0].totals.total, ++e.totals.total; }},
                                 {"sum of runs", [](ExecutionFacts &e) { ++e.totals.thread; }},
                                 {"threads", [](ExecutionFacts &e) {
                                    for (TotalsFacts *t : {&e.runs[0].totals, &e.totals})
                                      t->thread += e.runs[0].totals.compute;
                                  }}});
  }

  TEST_CASE("totals that differ from the steps are found") {
    expectFound<ExecutionFacts>(readExecution(sample()), checkStepSums,
                                {{"compute", [](ExecutionFacts &e) { ++stepOf(e, "OnTileExecute").ipus[0].busy; }},
                                 {"exchange", [](ExecutionFacts &e) { ++stepOf(e, "DoExchange").ipus[0].busy; }},
                                 {"host", [](ExecutionFacts &e) { ++e.runs[0].totals.host; }},
                                 {"threads", [](ExecutionFacts &e) { ++stepOf(e, "OnTileExecute").thread; }},
                                 {"knowledge", [](ExecutionFacts &e) { e.runs[0].totals.threadKnown = false; }}});
  }

  TEST_CASE("a step whose types, tiles and times disagree is found") {
    expectFound<ExecutionFacts>(readExecution(sample()), checkSteps,
                                {{"type", [](ExecutionFacts &e) { ++stepOf(e, "OnTileExecute").types.at(0).cycles; }},
                                 {"tile", [](ExecutionFacts &e) { ++stepOf(e, "OnTileExecute").cyclesByTile.at(0); }},
                                 {"active", [](ExecutionFacts &e) { ++stepOf(e, "DoExchange").ipus[0].activeTiles; }},
                                 {"time", [](ExecutionFacts &e) { stepOf(e, "OnTileExecute").ipus[0].cycles = 1; }},
                                 {"work", [](ExecutionFacts &e) {
                                    StepFacts &step = stepOf(e, "OnTileExecute");
                                    step.types.at(0).cycles += 1 << 20;
                                    step.thread += 1 << 20;
                                  }}});
  }

  TEST_CASE("a gap in the time line is found") {
    expectFound<ExecutionFacts>(readExecution(sample()), checkTimeLine,
                                {{"first tile", [](ExecutionFacts &e) { ++e.runs[0].steps[5].ipus[0].fromMin; }},
                                 {"last tile", [](ExecutionFacts &e) { ++e.runs[1].steps[7].ipus[0].toMax; }},
                                 {"end", [](ExecutionFacts &e) { ++e.runs[1].totals.total; }},
                                 {"lost step", [](ExecutionFacts &e) { e.runs[0].steps.pop_back(); }}});
  }

  TEST_CASE("data that no program moves, or that comes from nowhere, is found") {
    expectFound<ExecutionFacts>(
        readExecution(sample()), checkStepData,
        {{"in", [](ExecutionFacts &e) { stepOf(e, "DoExchange").ipus[0].dataIn += 4; }},
         {"out", [](ExecutionFacts &e) { stepOf(e, "StreamCopyMid").ipus[0].dataOut += 4; }},
         {"compute", [](ExecutionFacts &e) { stepOf(e, "OnTileExecute").ipus[0].dataIn = 4; }},
         {"busiest", [](ExecutionFacts &e) { stepOf(e, "DoExchange").ipus[0].maxTileData = 0; }},
         {"from nowhere", [](ExecutionFacts &e) {
            StepIpuFacts &ipu = stepOf(e, "DoExchange").ipus[0];
            ipu.dataOut = ipu.programOut = ipu.dataIn + 4;
          }}});
  }

} // TEST_SUITE
