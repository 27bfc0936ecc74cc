#include "report/pop/ExtensionRows.hpp"

#include "base/Check.hpp"
#include "report/pop/NumberList.hpp"
#include "report/pop/ReadSupport.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace popscope {
namespace {

std::vector<std::uint64_t> listOf(PopFile &file, Query &q, std::uint64_t count) {
  auto numbers = unpacked(file, [&] { return unpackList(q.blobView().value_or("")); });
  if (numbers.size() != count)
    file.fail("the profile is corrupt: a list of executions is shorter than its count");
  return numbers;
}

void makeTable(PopFile &file, const char *name) {
  if (!hasTable(file, name))
    file.execute(tableDdl(name));
}

/// The sources of cycles, from the most direct to the least direct. The first text stands for an unknown source.
constexpr const char *kSources[] = {"", "estimate", "estimator", "codelet", "stand-in", "last known", "runtime"};
std::size_t rank(const std::string &source) {
  return static_cast<std::size_t>(std::find(std::begin(kSources), std::end(kSources), source) - std::begin(kSources));
}

} // namespace

void writeControlFlow(PopFile &file, std::uint64_t run, const std::vector<ControlFlowRecord> &records) {
  Query q(file, insertStatement("control_flow"));
  for (const ControlFlowRecord &r : records)
    (q << run << r.program << r.cycles << r.taken).run();
}

void writeExecutions(PopFile &file, std::uint64_t run, const ExecutionsRecord &record) {
  POPSCOPE_CHECK(!record.starts.empty() && record.starts.size() == record.cycles.size(), "{} starts and {} cycles",
                 record.starts.size(), record.cycles.size());
  const std::uint64_t base = *std::min_element(record.starts.begin(), record.starts.end());
  std::vector<std::uint32_t> offsets;
  for (const std::uint64_t start : record.starts) {
    POPSCOPE_CHECK(start - base <= std::numeric_limits<std::uint32_t>::max(),
                   "executions of one record start {} cycles apart", start - base);
    offsets.push_back(static_cast<std::uint32_t>(start - base));
  }
  const std::string starts = packList(offsets), cycles = packList(record.cycles);
  Query q(file, insertStatement("simulator_executions"));
  (q << run << record.program << record.first << std::uint64_t(record.cycles.size()) << base)
      .blob(starts)
      .blob(cycles)
      .run();
}

void writeCycleSources(PopFile &file, const std::vector<CycleSourceRecord> &records) {
  file.execute("DELETE FROM vertex_cycle_sources");
  std::map<std::uint32_t, std::string> ofType;
  Query q(file, insertStatement("vertex_cycle_sources"));
  for (const CycleSourceRecord &r : records) {
    (q << r.computeSet << r.vertexType << r.source << r.vertices << r.reason << r.flopVertices << r.flops).run();
    std::string &least = ofType[r.vertexType];
    if (rank(r.source) > rank(least))
      least = r.source;
  }
  Query type(file, "UPDATE vertex_types SET cycle_provenance = ? WHERE id = ?");
  for (const auto &[id, source] : ofType)
    (type << source << id).run();
}

void writeMemorySamples(PopFile &file, std::uint64_t run, const std::vector<MemorySampleRecord> &records) {
  makeTable(file, "memory_samples");
  Query q(file, insertStatement("memory_samples"));
  for (const MemorySampleRecord &r : records)
    (q << run << r.position << r.cycle << r.program << r.bytes).run();
}

void writeCompilePhases(PopFile &file, const std::vector<CompilePhaseRecord> &records) {
  makeTable(file, "compile_phases");
  Query q(file, insertStatement("compile_phases"));
  for (std::size_t i = 0; i < records.size(); ++i) {
    const CompilePhaseRecord &r = records[i];
    const auto parent = r.parent < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(r.parent));
    (q << std::uint64_t(i) << parent << r.name << r.startMicroseconds << r.wallMicroseconds << r.cpuMicroseconds
       << r.bytesBefore << r.bytesAfter << r.peakBytes)
        .run();
  }
}

void writeRunCategories(PopFile &file, std::uint64_t run, StepKindsMask kinds) {
  makeTable(file, "run_categories");
  std::string names;
  for (std::size_t kind = 0; kind < std::size(kStepKindNames); ++kind)
    if ((kinds >> kind & 1U) != 0)
      names += (names.empty() ? "" : ",") + std::string(kStepKindNames[kind]);
  Query q(file, insertStatement("run_categories"));
  (q << run << names).run();
}

std::vector<MemorySampleRecord> readMemorySamples(PopFile &file, const ProfileLimits &limits, std::uint64_t run) {
  std::vector<MemorySampleRecord> rows;
  if (!hasTable(file, "memory_samples"))
    return rows;
  Query q(file, "SELECT position, cycle, program, size_bytes FROM memory_samples WHERE run = ? ORDER BY position");
  q << run;
  while (q.next()) {
    MemorySampleRecord r;
    r.position = q.u64();
    r.cycle = q.in<Cycles>();
    r.program = q.id(limits.programs);
    r.bytes = q.in<Bytes>();
    if (!rows.empty() && r.cycle < rows.back().cycle)
      file.fail("the profile is corrupt: samples of memory go back in time");
    rows.push_back(r);
  }
  return rows;
}

std::vector<CompilePhaseRecord> readCompilePhases(PopFile &file) {
  std::vector<CompilePhaseRecord> rows;
  if (!hasTable(file, "compile_phases"))
    return rows;
  Query q(file, selectStatement("compile_phases", "ORDER BY id"));
  while (q.next()) {
    CompilePhaseRecord r;
    if (q.u64() != rows.size())
      file.fail("the profile is corrupt: phases of the compile are missing");
    r.parent = q.optionalId(rows.size());
    r.name = q.text();
    r.startMicroseconds = q.real();
    r.wallMicroseconds = q.real();
    r.cpuMicroseconds = q.real();
    r.bytesBefore = q.inOrNull<Bytes>();
    r.bytesAfter = q.inOrNull<Bytes>();
    r.peakBytes = q.inOrNull<Bytes>();
    rows.push_back(std::move(r));
  }
  return rows;
}

void writeVertices(PopFile &file, const std::vector<VertexRecord> &records) {
  makeTable(file, "vertex_cycles");
  file.execute("DELETE FROM vertex_cycles");
  Query q(file, insertStatement("vertex_cycles"));
  for (std::size_t i = 0; i < records.size(); ++i) {
    const VertexRecord &r = records[i];
    (q << std::uint64_t(i) << r.computeSet << r.vertexType << r.tile << r.operands << r.cycles).run();
  }
}

std::vector<VertexRecord> readVertices(PopFile &file, const ProfileLimits &limits) {
  std::vector<VertexRecord> rows;
  if (!hasTable(file, "vertex_cycles"))
    return rows;
  Query q(file, selectStatement("vertex_cycles", "ORDER BY id"));
  while (q.next()) {
    if (q.u64() != rows.size())
      file.fail("the profile is corrupt: vertices are missing");
    VertexRecord r;
    r.computeSet = q.id(limits.computeSets);
    r.vertexType = q.id(limits.vertexTypes);
    r.tile = q.id(limits.tiles);
    r.operands = q.text();
    r.cycles = q.inOrNull<Cycles>();
    rows.push_back(std::move(r));
  }
  return rows;
}

StepKindsMask readRunCategories(PopFile &file, std::uint64_t run) {
  if (!hasTable(file, "run_categories"))
    return kAllStepKinds;
  Query q(file, "SELECT categories FROM run_categories WHERE run = ?");
  q << run;
  if (!q.next())
    return kAllStepKinds;
  StepKindsMask kinds = 0;
  const std::string names = "," + q.text() + ",";
  for (std::size_t kind = 0; kind < std::size(kStepKindNames); ++kind)
    if (names.find("," + std::string(kStepKindNames[kind]) + ",") != std::string::npos)
      kinds = static_cast<StepKindsMask>(kinds | 1U << kind);
  return kinds;
}

void clearExtensions(PopFile &file) {
  for (const char *table : {"memory_samples", "run_categories", "vertex_cycles"})
    if (hasTable(file, table))
      file.execute(std::string("DELETE FROM ") + table);
  file.execute("DELETE FROM control_flow; DELETE FROM simulator_executions; DELETE FROM vertex_cycle_sources; "
               "UPDATE vertex_types SET cycle_provenance = ''");
}

std::vector<ControlFlowRecord> readControlFlow(PopFile &file, const ProfileLimits &limits, std::uint64_t run) {
  Query q(file, "SELECT program, cycles, taken FROM control_flow WHERE run = ? ORDER BY program");
  q << run;
  return readRows(q, [&] {
    return ControlFlowRecord{.program = q.id(limits.programs), .cycles = q.in<Cycles>(), .taken = q.u64OrNull()};
  });
}

std::vector<ExecutionsRecord> readExecutions(PopFile &file, const ProfileLimits &limits, std::uint64_t run) {
  std::vector<ExecutionsRecord> rows;
  Query q(file, "SELECT program, first, executions, start_base, starts, cycles FROM simulator_executions WHERE run = ? "
                "ORDER BY program, first");
  q << run;
  while (q.next()) {
    const std::uint32_t program = q.id(limits.programs);
    const std::uint64_t first = q.u64(), count = q.u64(), base = q.u64();
    if (rows.empty() || rows.back().program != program) {
      rows.emplace_back();
      rows.back().program = program;
    }
    ExecutionsRecord &r = rows.back();
    if (first != r.starts.size())
      file.fail("the profile is corrupt: executions of a program are missing");
    for (const std::uint64_t offset : listOf(file, q, count))
      r.starts.push_back(base + offset);
    for (const std::uint64_t cycles : listOf(file, q, count))
      r.cycles.push_back(static_cast<std::uint32_t>(cycles));
  }
  return rows;
}

std::vector<CycleSourceRecord> readCycleSources(PopFile &file, const ProfileLimits &limits) {
  Query q(file, selectStatement("vertex_cycle_sources", "ORDER BY compute_set, vertex_type, source"));
  return readRows(q, [&] {
    CycleSourceRecord r{.computeSet = q.id(limits.computeSets),
                        .vertexType = q.id(limits.vertexTypes),
                        .source = q.text(),
                        .vertices = q.u64(),
                        .reason = q.text(),
                        .flopVertices = q.u64(),
                        .flops = q.u64()};
    if (r.flopVertices > r.vertices)
      file.fail("the profile is corrupt: it counts operations of more vertices than exist");
    return r;
  });
}

} // namespace popscope
