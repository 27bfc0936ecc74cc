#include "KnownProfile.hpp"

#include "base/StorageCategory.hpp"

#include <doctest/doctest.h>

using namespace popscope;

namespace tools {
namespace {

ProgramRecord program(const char *type, const char *name, std::int64_t parent, std::int64_t computeSet = -1) {
  ProgramRecord p;
  p.type = type;
  p.name = name;
  p.parent = parent;
  p.computeSet = computeSet;
  p.livenessPoint = parent >= 0;
  return p;
}

LoweredVariableRecord place(CompilationRecord &r, std::int64_t variable, const char *name, std::uint64_t offset,
                            std::uint64_t bytes, std::int64_t occupied) {
  LoweredVariableRecord v;
  v.variable = variable;
  v.name = r.variableNames.intern(name);
  v.tile = 3;
  v.offset = Bytes(offset);
  v.bytes = Bytes(bytes);
  v.alignment = 4;
  v.occupiedClass = occupied;
  return v;
}

void addStep(ProfileSink &sink, std::uint32_t program, std::uint64_t from, std::uint64_t to,
             std::vector<std::uint32_t> work, std::uint64_t data, std::optional<std::uint64_t> threads) {
  StepRecord step;
  step.program = program;
  if (threads)
    step.threadCycles = Cycles(*threads);
  StepOnIpu on;
  for (const std::uint32_t cycles : work) {
    on.busyCycles += Cycles(cycles);
    on.activeTiles += cycles == 0 ? 0 : 1;
  }
  on.cycles = Cycles(work.empty() ? 0 : to - from);
  on.allFromMin = on.allFromMax = on.activeFromMin = on.activeFromMax = Cycles(from);
  on.allToMin = on.allToMax = on.activeToMin = on.activeToMax = Cycles(to);
  on.dataIn = on.dataOut = Bytes(data);
  step.ipus = {on};
  step.cyclesByTile = std::move(work);
  sink.step(step);
}

} // namespace

LiveVariableRecord knownVariable(CompilationRecord &r, const char *name, std::uint64_t bytes, std::int64_t liveClass,
                                 TileValues byTile) {
  LiveVariableRecord v;
  v.name = r.variableNames.intern(name);
  v.bytes = Bytes(bytes);
  v.alwaysLive = liveClass < 0;
  v.liveClass = liveClass;
  v.bytesByTile = std::move(byTile);
  return v;
}

CompilationRecord knownCompilation() {
  CompilationRecord r;
  r.poplarVersion = "3.4.0 (test)";
  r.target = {"IPU_MODEL", "small", 1, 4, 1, Bytes(1024), 1e9, 6, {}, {}};
  r.graph = {5, 10, 3, 2};
  r.vertexTypes = {{"Add", Bytes(8), 4, Bytes(64), {}, "codelet"}, {"Mul", Bytes(8), 1, Bytes(20), {}, "codelet"}};
  r.programs = {program("Sequence", "", -1), program("Sync", "", 0), program("DoExchange", "in", 0),
                program("OnTileExecute", "fast", 0, 0), program("OnTileExecute", "slow", 0, 1)};
  r.programTiles.resize(3);
  r.programTiles[2].bytesSent = {{0, 16}};
  r.programTiles[2].bytesReceived = {{1, 8}, {2, 8}};
  r.programTiles[2].exchangeCode = {{0, 12}, {1, 4}};
  r.computeSets = {{"fast", {{0, {{0, 2}, {1, 2}}}}, {}}, {"slow", {{1, {{3, 1}}}}, {}}};
  r.controlPrograms = {0};
  r.livenessClasses = {{{{2, 4}}}, {{{3, 5}}}};
  const auto live = [](std::uint32_t step, std::uint64_t bytes) {
    return LivenessStepRecord{step, Bytes(bytes), {Bytes(bytes)}};
  };
  r.livenessSteps = {live(1, 0), live(2, 100), live(3, 130), live(4, 30)};
  r.variables = {knownVariable(r, "a", 100, 0, {{0, 40}, {3, 60}}), knownVariable(r, "b", 30, 1, {{3, 30}}),
                 knownVariable(r, "w", 50, -1, {{1, 50}})};
  r.alwaysLiveBytes = Bytes(50);
  r.maxLiveBytes = Bytes(180);
  r.loweredVariables = {place(r, 0, "a", 0, 60, 0), place(r, 1, "b", 128, 30, 1)};
  r.tiles.resize(4);
  for (std::uint64_t t = 0; t < 4; ++t) {
    TileMemoryRecord &m = r.tiles[t];
    const std::uint64_t stack = t == 3 ? 200 : 0, data = t == 3 ? 400 : 100 + t;
    m.category[static_cast<std::size_t>(StorageCategory::Variable)][0][0] = Bytes(data);
    m.category[static_cast<std::size_t>(StorageCategory::Stack)][0][0] = Bytes(stack);
    m.excludingGaps[0] = m.includingGaps[0] = m.totalExcludingGaps = m.totalIncludingGaps = Bytes(data + stack);
  }
  return r;
}

CompilationRecord knownOperations() {
  CompilationRecord r = knownCompilation();
  r.computeSets[0].vertices[0].flopVertices = 2;
  r.computeSets[0].vertices[0].flops = 60;
  r.computeSets[1].vertices[0].flopVertices = 1;
  r.computeSets[1].vertices[0].flops = 16;
  return r;
}

void recordKnownRun(PopWriter &writer, const char *name, std::uint64_t slowEnd) {
  writer.beginRun({name, 0, 0, 0});
  addStep(writer, 1, 0, 20, {}, 0, {});
  addStep(writer, 2, 20, 30, {10, 6, 4, 0}, 16, {});
  addStep(writer, 3, 30, 50, {20, 20, 0, 0}, 0, 30);
  addStep(writer, 1, 50, 60, {}, 0, {});
  addStep(writer, 4, 60, slowEnd, {0, 0, 0, static_cast<std::uint32_t>(slowEnd - 60)}, 0, 10);
  RunTotals totals;
  totals.totalCycles = Cycles(slowEnd);
  totals.compute = Cycles(40 + slowEnd - 60);
  totals.threadCycles = Cycles(40);
  totals.exchange = Cycles(20);
  totals.sync = 4 * totals.totalCycles - totals.compute - totals.exchange;
  writer.endRun(totals, 0);
}

void writeKnown(const std::string &path, const CompilationRecord &record, std::uint64_t slowEnd) {
  PopWriter writer(path);
  writer.compilation(record);
  recordKnownRun(writer, "train", slowEnd);
  writer.finish();
}

void writeOverlapping(const std::string &path) {
  PopWriter writer(path);
  writer.compilation(knownCompilation());
  writer.beginRun({"train", 0, 0, 0});
  addStep(writer, 1, 0, 20, {}, 0, {});
  addStep(writer, 2, 10, 30, {20, 6, 4, 0}, 16, {});
  addStep(writer, 3, 30, 50, {20, 20, 0, 0}, 0, 30);
  addStep(writer, 4, 20, 70, {0, 0, 0, 50}, 0, 10);
  RunTotals totals;
  totals.totalCycles = Cycles(70);
  totals.compute = Cycles(90);
  totals.threadCycles = Cycles(40);
  totals.exchange = Cycles(30);
  totals.sync = 4 * totals.totalCycles - totals.compute - totals.exchange;
  writer.endRun(totals, 0);
  writer.finish();
}

Known::Known() { writeKnown(place.file("known.pop"), knownCompilation()); }

std::string Known::text(std::vector<std::string> words) const {
  words.insert(words.begin() + 1, "known.pop");
  const auto outcome = place.run("popscope", words);
  CAPTURE(outcome.err);
  CHECK(outcome.exitCode == 0);
  return outcome.out;
}

nlohmann::json Known::ask(std::vector<std::string> words) const {
  words.emplace_back("--json");
  return nlohmann::json::parse(text(words));
}

nlohmann::json table(const nlohmann::json &answer, const char *key) { return answer["tables"][key]["rows"]; }

} // namespace tools
