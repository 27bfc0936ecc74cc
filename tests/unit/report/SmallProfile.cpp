#include "SmallProfile.hpp"

namespace small {
namespace {

using namespace popscope;

ProgramRecord program(const char *type, const char *name, std::int64_t parent, bool live) {
  ProgramRecord p;
  p.type = type;
  p.name = name;
  p.parent = parent;
  p.livenessPoint = live;
  return p;
}

void addPrograms(CompilationRecord &r) {
  r.programs = {program("Sequence", "", -1, false), program("OnEveryTileSwitch", "", 0, true),
                program("OnTileExecute", "add", 1, true), program("Switch", "choose", 0, true)};
  r.programs[2].computeSet = 0;
  r.programTiles.resize(3);
  r.programTiles[2].bytesSent = {{1, 5}, {6, 7}};
  r.computeSets = {{"add", {}, {}}};
  r.controlPrograms = {0};
  const Bytes live(40);
  r.livenessSteps = {{1, live, {live, {}}}, {2, live, {live, {}}}, {3, {}, {{}, {}}}};
}

void addVariables(CompilationRecord &r) {
  LiveVariableRecord sum;
  sum.name = r.variableNames.intern("sum");
  sum.bytes = Bytes(40);
  sum.liveClass = 0;
  sum.bytesByTile = {{0, 40}};
  r.livenessClasses = {{{{1, 3}}}};
  r.variables = {sum};
  r.maxLiveBytes = Bytes(40);
}

// "add" writes a part of "sum", which is read when the programs run again.
void addAdvice(CompilationRecord &r) {
  LiveExplanationRecord e;
  e.firstProgram = 1;
  e.endProgram = 3;
  e.read = 1;
  e.failedKill = 2;
  e.missed = {{2, 4}, {7, 8}};
  e.missedElements = 3;
  e.carrier = "next run";
  r.advice.explanations = {e};
  r.advice.falseLive = {{0, 1, 2, Bytes(28), Bytes(20)}};
  r.advice.accesses = {{0, 1, 10, 10, 0, 0}, {0, 2, 10, 0, 7, 0}};
  r.advice.placements = {{0, 2, Bytes(16), Bytes(24)}};
  r.advice.present = true;
  r.advice.candidates = 2;
  r.advice.tried = 1;
  r.advice.worstTile = 3;
  r.advice.worstProgram = 2;
  r.advice.worstPeak = Bytes(40);
  r.advice.falseLiveAtPeak = Bytes(20);
  r.advice.worstPeakAfterAll = Bytes(24);
  r.advice.trials = {{"unchanged", "[]", "", 0, 0, 3, Bytes(40), {}, Bytes(100), {}, {}},
                     {"alone",
                      R"([{"kind":"option","option":"popscope.elideCopies","value":"true"}])",
                      "popscope.elideCopies = true",
                      1,
                      0,
                      3,
                      Bytes(32),
                      {},
                      Bytes(92),
                      {},
                      {}}};
}

} // namespace

CompilationRecord compilation() {
  CompilationRecord r;
  r.poplarVersion = "3.4.0 (test)";
  r.target = {"IPU_MODEL", "small", 2, kTilesPerIpu, 1, Bytes(kBytesPerTile), 1e9, 6, {}, {}};
  r.graph = {3, 6, 2, 1};
  r.vertexTypes = {{"Add", Bytes(8), 2, Bytes(30), {}, "codelet"}, {"Zero", {}, 0, {}, {}, ""}};
  addPrograms(r);
  addVariables(r);
  addAdvice(r);
  r.tiles.resize(kTiles);
  for (std::uint64_t t = 0; t < kTiles; ++t) {
    TileMemoryRecord &m = r.tiles[t];
    m.category[static_cast<std::size_t>(StorageCategory::Variable)][0][0] = Bytes(100 + t);
    m.excludingGaps[0] = m.includingGaps[0] = m.totalExcludingGaps = m.totalIncludingGaps = Bytes(100 + t);
  }
  return r;
}

void writeRun(ProfileSink &sink) {
  sink.beginRun({"first, with comma", 0, 0, 0});
  StepRecord step;
  step.program = 2;
  step.threadCycles = Cycles(10);
  StepOnIpu busy, idle;
  busy.cycles = busy.activeToMin = busy.activeToMax = busy.allToMin = busy.allToMax = Cycles(50);
  busy.activeTiles = 1;
  busy.busyCycles = Cycles(50);
  step.ipus = {busy, idle};
  step.vertexTypes = {{0, 2, Cycles(10)}};
  sink.step(step);
  RunTotals totals;
  totals.totalCycles = totals.compute = Cycles(50);
  totals.threadCycles = Cycles(10);
  sink.endRun(totals, 0);
}

std::shared_ptr<PopFile> write(const std::string &path) {
  PopWriter writer(path);
  writer.compilation(compilation());
  writeRun(writer);
  writer.finish();
  return writer.file();
}

} // namespace small
