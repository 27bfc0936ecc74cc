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
  try {
    auto numbers = unpackList(q.blobView().value_or(""));
    if (numbers.size() == count)
      return numbers;
  } catch (const ProfileError &e) {
    file.fail(e.what());
  }
  file.fail("the profile is corrupt: a list of executions has not as many as it says");
}

/// From the most direct to the least.
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
    (q << r.computeSet << r.vertexType << r.source << r.vertices << r.reason).run();
    std::string &least = ofType[r.vertexType];
    if (rank(r.source) > rank(least))
      least = r.source;
  }
  Query type(file, "UPDATE vertex_types SET cycle_provenance = ? WHERE id = ?");
  for (const auto &[id, source] : ofType)
    (type << source << id).run();
}

void clearExtensions(PopFile &file) {
  file.execute("DELETE FROM control_flow; DELETE FROM simulator_executions; DELETE FROM vertex_cycle_sources; "
               "UPDATE vertex_types SET cycle_provenance = ''");
}

std::vector<ControlFlowRecord> readControlFlow(PopFile &file, const ProfileLimits &limits, std::uint64_t run) {
  std::vector<ControlFlowRecord> rows;
  Query q(file, "SELECT program, cycles, taken FROM control_flow WHERE run = ? ORDER BY program");
  q << run;
  while (q.next()) {
    ControlFlowRecord r;
    r.program = q.id(limits.programs);
    r.cycles = q.u64();
    r.taken = q.u64OrNull();
    rows.push_back(r);
  }
  return rows;
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
  std::vector<CycleSourceRecord> rows;
  Query q(file, selectStatement("vertex_cycle_sources", "ORDER BY compute_set, vertex_type, source"));
  while (q.next()) {
    CycleSourceRecord r;
    r.computeSet = q.id(limits.computeSets);
    r.vertexType = q.id(limits.vertexTypes);
    r.source = q.text();
    r.vertices = q.u64();
    r.reason = q.text();
    rows.push_back(std::move(r));
  }
  return rows;
}

} // namespace popscope
