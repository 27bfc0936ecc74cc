#include "report/pop/ReadSupport.hpp"

#include "report/pop/TileBlocks.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <unordered_map>

namespace popscope {
namespace {

RunTotals readTotals(Query &q) {
  RunTotals t;
  const auto total = q.inOrNull<Cycles>();
  t.totalKnown = total.has_value();
  t.totalCycles = total.value_or(Cycles());
  const auto compute = q.inOrNull<Cycles>();
  t.computeKnown = compute.has_value();
  t.compute = compute.value_or(Cycles());
  t.threadCycles = q.inOrNull<Cycles>();
  t.exchange = q.in<Cycles>();
  const auto global = q.inOrNull<Cycles>(), host = q.inOrNull<Cycles>();
  t.externalKnown = global.has_value() && host.has_value();
  t.globalExchange = global.value_or(Cycles());
  t.hostExchange = host.value_or(Cycles());
  t.sharedStructureCopy = q.in<Cycles>();
  t.sync = q.inOrNull<Cycles>().value_or(Cycles());
  t.unattributed = q.in<Cycles>();
  t.counterReads = q.in<Cycles>();
  t.controlFlowReads = q.in<Cycles>();
  return t;
}

// Reads the columns that writeStepOnIpu wrote. NULL columns were not recorded.
void readTimes(Query &q, StepOnIpu &s) {
  const auto cycles = q.inOrNull<Cycles>();
  s.cycles = cycles.value_or(Cycles());
  s.activeTiles = q.u64();
  const auto busy = q.inOrNull<Cycles>(), base = q.inOrNull<Cycles>();
  s.busyCycles = busy.value_or(Cycles());
  s.detail = base     ? (busy ? TimeDetail::EveryTile : TimeDetail::Longest)
             : cycles ? TimeDetail::Duration
                      : TimeDetail::Nothing;
  for (Cycles *time : {&s.allFromMin, &s.allFromMax, &s.allToMin, &s.allToMax, &s.activeFromMin, &s.activeFromMax,
                       &s.activeToMin, &s.activeToMax}) {
    const auto offset = q.inOrNull<Cycles>();
    *time = base && offset ? *base + *offset : Cycles();
  }
}

VertexTypeCycles readVertexTypeCycles(Query &q, const ProfileLimits &limits) {
  return {.vertexType = q.id(limits.vertexTypes), .instances = q.u64(), .cycles = q.inOrNull<Cycles>()};
}

} // namespace

std::vector<StoredRun> readRuns(PopFile &file) {
  std::vector<StoredRun> rows;
  std::unordered_map<std::uint64_t, std::size_t> byId;
  {
    Query q(file, selectStatement("runs", "ORDER BY id"));
    while (q.next()) {
      StoredRun r;
      r.id = q.u64();
      r.run.name = q.text();
      r.run.program = static_cast<std::uint32_t>(q.u64());
      r.firstStep = q.u64();
      r.run.startMicroseconds = q.realOrNull();
      r.run.endMicroseconds = q.realOrNull();
      r.complete = q.flag();
      const auto number = q.u64OrNull();
      r.numberKnown = number.has_value();
      r.run.number = number.value_or(0);
      r.run.label = q.text();
      byId.emplace(r.id, rows.size());
      rows.push_back(std::move(r));
    }
  }
  Query q(file, selectStatement("execution_cycle_totals", "ORDER BY run"));
  while (q.next()) {
    const auto it = byId.find(q.u64());
    if (it == byId.end())
      file.fail("the profile is corrupt: it has totals of a run that is not in the table of runs");
    rows[it->second].totals = readTotals(q);
    rows[it->second].hasTotals = true;
  }
  return rows;
}

constexpr const char *kBlockKinds[] = {"common", "stream copy", "block flush",
                                       "overflow"}; // in the order of BlockRecord::Kind

const char *blockKindName(BlockRecord::Kind kind) { return kBlockKinds[static_cast<std::size_t>(kind)]; }

std::vector<BlockRecord> readBlocks(PopFile &file, const ProfileLimits &limits, std::size_t tile) {
  std::vector<BlockRecord> rows;
  Query q(file, selectStatement("blocks", "WHERE tile = ? ORDER BY position"));
  q << static_cast<std::uint64_t>(tile);
  while (q.next()) {
    BlockRecord b;
    b.tile = q.id(limits.tiles);
    expectPosition(file, q, rows.size());
    b.program = q.id(limits.programs);
    const std::string kind = q.text();
    const auto known = std::find(std::begin(kBlockKinds), std::end(kBlockKinds), kind);
    if (known == std::end(kBlockKinds))
      file.fail("the profile is corrupt: it has a block of kind '" + kind + "'");
    b.kind = static_cast<BlockRecord::Kind>(known - std::begin(kBlockKinds));
    b.from = q.in<Cycles>();
    b.to = q.inOrNull<Cycles>();
    if (b.to && *b.to < b.from)
      file.fail("the profile is corrupt: a block ends before it begins");
    b.run = q.u64();
    rows.push_back(b);
  }
  return rows;
}

std::vector<PausedRecord> readPausedSpans(PopFile &file) {
  Query q(file, selectStatement("paused_spans", "ORDER BY first_run"));
  return readRows(q, [&] {
    return PausedRecord{.firstRun = q.u64(), .runs = q.u64(), .reason = q.text(), .cycles = q.inOrNull<Cycles>()};
  });
}

StepIds readStepIds(PopFile &file) {
  StepIds ids;
  // two separate queries, because each is a single look-up
  Query q(file, "SELECT (SELECT MIN(id) FROM steps), (SELECT MAX(id) FROM steps)");
  if (!q.next())
    return ids;
  const auto first = q.u64OrNull(), last = q.u64OrNull();
  if (!first || !last)
    return ids;
  ids = {*first, *last + 1};
  if (ids.first >= ids.end || (file.bounds() && ids.end - ids.first > file.bounds()->rows))
    file.fail("the profile is corrupt: it has more steps than the file can contain");
  return ids;
}

std::vector<StoredStep> readSteps(PopFile &file, const ProfileLimits &limits, StepIds ids) {
  std::vector<StoredStep> rows;
  Query q(file, "SELECT id, run, program, compute_set, thread_cycles, slot_cycles FROM steps WHERE id >= ? AND id < ? "
                "ORDER BY id");
  q << ids.first << ids.end;
  while (q.next()) {
    StoredStep s;
    s.id = q.u64();
    if (s.id != ids.first + rows.size())
      file.fail("the profile is corrupt: its steps have no row " + std::to_string(ids.first + rows.size()));
    s.run = q.u64();
    s.program = q.id(limits.programs);
    s.computeSet = q.optionalId(limits.computeSets);
    s.threadCycles = q.u64OrNull();
    s.slotCycles = q.u64OrNull();
    rows.push_back(s);
  }
  return rows;
}

std::vector<std::vector<StepOnIpu>> readStepIpus(PopFile &file, const ProfileLimits &limits, StepIds ids) {
  std::vector<std::vector<StepOnIpu>> steps(ids.end - ids.first);
  static const std::string kSelect =
      selectStatement("steps_by_ipu", "WHERE step_id >= ? AND step_id < ? ORDER BY step_id, ipu");
  Query q(file, kSelect);
  q << ids.first << ids.end;
  while (q.next()) {
    const std::uint64_t step = q.u64();
    if (step < ids.first || step >= ids.end)
      file.fail("the profile is corrupt: the index of steps_by_ipu and its rows differ");
    std::vector<StepOnIpu> &rows = steps[step - ids.first];
    expectPosition(file, q, rows.size());
    if (rows.size() >= limits.ipus)
      file.fail("the profile is corrupt: a step has more IPUs than the target");
    StepOnIpu s;
    readTimes(q, s);
    s.dataIn = q.in<Bytes>();
    s.dataOut = q.in<Bytes>();
    s.maxTileData = q.in<Bytes>();
    rows.push_back(s);
  }
  return steps;
}

std::optional<std::string> readPackedStepCycles(PopFile &file, std::uint64_t step) {
  static const std::string kSelect = "SELECT cycles FROM steps_by_tile WHERE step_id = ?";
  Query q(file, kSelect);
  q << step;
  if (!q.next())
    return std::nullopt;
  return std::string(q.blobView().value_or(""));
}

std::vector<std::pair<std::uint64_t, std::string>> readPackedStepCycles(PopFile &file, StepIds ids) {
  static const std::string kSelect =
      "SELECT step_id, cycles FROM steps_by_tile WHERE step_id >= ? AND step_id < ? ORDER BY step_id";
  Query q(file, kSelect);
  q << ids.first << ids.end;
  return readRows(q, [&] { return std::pair{q.u64(), std::string(q.blobView().value_or(""))}; });
}

std::vector<std::uint64_t> unpackStepCycles(const PopFile &file, const ProfileLimits &limits,
                                            const std::string &packed) {
  return unpacked(file, [&] { return unpackTiles(packed, limits.stepTiles); });
}

std::vector<std::uint64_t> readSlotCycles(PopFile &file, const ProfileLimits &limits, std::uint64_t id,
                                          std::uint64_t part) {
  constexpr std::uint64_t kMaxIds = std::numeric_limits<std::int64_t>::max();
  if (part > kMaxIds - std::min(id, kMaxIds))
    return std::vector<std::uint64_t>(limits.stepTiles); // beyond any id
  Query q(file, "SELECT cycles FROM slot_cycles WHERE id >= ? AND id <= ? AND first = ? AND part = ?");
  q << id << id + part << id << part;
  if (!q.next())
    return std::vector<std::uint64_t>(limits.stepTiles);
  return unpacked(file, [&] { return unpackTiles(q.blobView().value_or(""), limits.stepTiles); });
}

std::vector<std::uint64_t> readTileCycles(PopFile &file, const ProfileLimits &limits, std::size_t tile, StepIds ids) {
  std::vector<std::uint64_t> cycles(ids.end - ids.first);
  Query q(file, "SELECT step_id, cycles FROM steps_by_tile WHERE step_id >= ? AND step_id < ? ORDER BY step_id");
  q << ids.first << ids.end;
  try {
    while (q.next()) {
      const std::uint64_t step = q.u64();
      cycles.at(step - ids.first) = unpackTile(q.blobView().value_or(""), limits.stepTiles, tile);
    }
  } catch (const std::out_of_range &) {
    file.fail("the profile is corrupt: a step is out of order");
  }
  return cycles;
}

std::vector<VertexTypeCycles> readRunVertexTypes(PopFile &file, const ProfileLimits &limits) {
  Query q(
      file,
      "SELECT vertex_type, instances, cycles FROM run_vertex_types WHERE run IN (SELECT id FROM runs WHERE complete) "
      "OR NOT EXISTS (SELECT 1 FROM runs WHERE complete) ORDER BY run, vertex_type");
  return readRows(q, [&] { return readVertexTypeCycles(q, limits); });
}

std::vector<VertexTypeCycles> readLastVertexTypes(PopFile &file, const ProfileLimits &limits,
                                                  std::optional<std::uint64_t> run) {
  const std::string last = fmt::format("WITH last AS (SELECT compute_set, MAX(id) AS step FROM steps "
                                       "WHERE compute_set IS NOT NULL{} GROUP BY compute_set) ",
                                       run ? " AND run = ?" : "");
  constexpr const char *kExecuted =
      "SELECT v.vertex_type AS type, SUM(v.instances), SUM(v.cycles) FROM last JOIN step_vertex_types v "
      "ON v.step_id = last.step WHERE v.cycles IS NOT NULL GROUP BY v.vertex_type ";
  constexpr const char *kNeverExecuted =
      "UNION ALL SELECT vertex_type, SUM(estimated_vertices), SUM(estimated_cycles) FROM compute_set_vertices "
      "WHERE estimated_cycles IS NOT NULL AND compute_set NOT IN (SELECT compute_set FROM last) GROUP BY vertex_type ";
  Query q(file, last + kExecuted + (run ? "" : kNeverExecuted) + "ORDER BY type");
  if (run)
    q << *run;
  std::vector<VertexTypeCycles> rows;
  while (q.next()) {
    const VertexTypeCycles row = readVertexTypeCycles(q, limits);
    if (rows.empty() || rows.back().vertexType != row.vertexType) {
      rows.push_back(row);
      continue;
    }
    rows.back().instances += row.instances;
    rows.back().cycles = rows.back().cycles.value_or(Cycles()) + row.cycles.value_or(Cycles());
  }
  return rows;
}

std::vector<VertexTypeCycles> readStepVertexTypes(PopFile &file, const ProfileLimits &limits, std::uint64_t step) {
  static const std::string kSelect = selectStatement("step_vertex_types", "WHERE step_id = ? ORDER BY position");
  Query q(file, kSelect);
  q << step;
  return readOwned(file, q, [&] { return readVertexTypeCycles(q, limits); });
}

} // namespace popscope
