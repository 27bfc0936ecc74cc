#include "report/pop/ReadSupport.hpp"

#include "base/CheckedSize.hpp"
#include "base/CommaList.hpp"
#include "report/pop/NumberList.hpp"
#include "report/pop/TileBlocks.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace popscope {
namespace {
// limits the memory that a corrupt target can make the reader allocate
constexpr std::uint64_t kMaxTiles = std::uint64_t(1) << 22;

void checkRoom(PopFile &file, const char *table, double rows) {
  if (file.bounds() && rows > static_cast<double>(file.bounds()->rows))
    file.fail(std::string("the profile is corrupt: ") + table + " has more rows than the file can contain");
}

/// Counts rows of a table whose ids are positions, by its largest id. The readers of the rows check the ids; counting
/// the rows of a corrupt table might never end.
std::size_t countRows(PopFile &file, const char *table) {
  Query q(file, std::string("SELECT MAX(id) + 1 FROM ") + table);
  const std::uint64_t rows = q.next() ? q.u64OrNull().value_or(0) : 0;
  checkRoom(file, table, static_cast<double>(rows));
  return rows;
}

/// Counts the rows of the packed table liveness_variables, without unpacking it.
std::size_t countVariables(PopFile &file) {
  Query q(file, "SELECT TOTAL(count) FROM packed_rows WHERE table_name = 'liveness_variables' AND count > 0");
  const double rows = q.next() ? q.real() : 0;
  checkRoom(file, "liveness_variables", rows);
  return static_cast<std::size_t>(rows);
}
} // namespace

std::uint64_t revisionOf(const PopFile &file) { return file.revision(); }
bool isOurs(const PopFile &file) { return !file.bounds(); }
void failProfile(const PopFile &file, const std::string &what) { file.fail(what); }

void expectPosition(PopFile &file, Query &row, std::size_t position) {
  if (const auto id = row.u64(); id != position)
    file.fail("the profile is corrupt: row " + std::to_string(position) + " has the id " + std::to_string(id));
}

TileValues tileValues(PopFile &file, Query &row, std::size_t tiles) {
  const auto blob = row.blobOrNull();
  return blob ? unpacked(file, [&] { return decodeTileValues(*blob, tiles); }) : TileValues();
}

MetaRecord readMeta(PopFile &file) {
  MetaRecord meta;
  Query q(file, selectStatement("meta"));
  while (q.next()) {
    const std::string key = q.text(), value = q.text();
    if (key == "poplarVersion")
      meta.poplarVersion = value;
    else if (key == "formatVersion")
      meta.formatVersion = value;
    else if (key == "complete")
      meta.complete = value == "1";
    else if (key == "ended")
      meta.ended = value;
    else if (key == "cycleProvenance")
      meta.cycleProvenance = value;
    else if (key == "compilation")
      meta.hasCompilation = value == "1";
    else if (key == "codeIncluded")
      meta.codeIncluded = value == "1";
    else if (key == "debugContexts")
      meta.debugContexts = value == "1";
    else if (key == "debugInfo")
      meta.debugInfo = value;
    else if (key == "program")
      meta.program = value;
  }
  return meta;
}

TargetRecord readTarget(PopFile &file) {
  Query q(file, selectStatement("target"));
  if (!q.next())
    file.fail("the profile has no target");
  TargetRecord t;
  t.type = q.text();
  t.architecture = q.text();
  t.numIpus = q.within(1, kMaxTiles);
  t.tilesPerIpu = q.within(1, kMaxTiles / t.numIpus);
  t.numReplicas = q.within(1, t.numIpus);
  t.bytesPerTile = q.in<Bytes>();
  t.clockHz = q.real();
  t.workerContexts = q.u64();
  t.interleavedOffset = q.in<Bytes>();
  t.machine = q.text();
  if (t.numIpus % t.numReplicas != 0)
    file.fail(fmt::format("the profile is corrupt: the table target has {} IPUs in {} replicas of equal size",
                          t.numIpus, t.numReplicas));
  return t;
}

ProfileLimits readLimits(PopFile &file) {
  const TargetRecord t = readTarget(file);
  ProfileLimits limits;
  limits.tiles = t.numIpus * t.tilesPerIpu;
  limits.stepTiles = limits.tiles / t.numReplicas;
  limits.ipus = t.numIpus;
  limits.programs = countRows(file, "programs");
  limits.computeSets = countRows(file, "compute_sets");
  limits.vertexTypes = countRows(file, "vertex_types");
  limits.variables = countVariables(file);
  limits.classes = countRows(file, "equivalence_classes");
  limits.names = countRows(file, "vars_string_table");
  return limits;
}

GraphRecord readGraph(PopFile &file) {
  Query q(file, selectStatement("graph"));
  if (!q.next())
    file.fail("the profile has no graph");
  return {.numVertices = q.u64(), .numEdges = q.u64(), .numVariables = q.u64(), .numComputeSets = q.u64()};
}

std::vector<WarningRecord> readWarnings(PopFile &file) {
  Query q(file, selectStatement("warnings", "ORDER BY id"));
  return readInOrder(file, q, [&] { return WarningRecord{.about = q.text(), .text = q.text()}; });
}

std::vector<OptionRecord> readOptions(PopFile &file) {
  Query q(file, selectStatement("options", "ORDER BY id"));
  return readInOrder(file, q, [&] {
    return OptionRecord{.scope = q.text(), .key = q.text(), .value = q.text(), .isDefault = q.flag()};
  });
}

std::vector<PassOptimisationRecord> readOptimisations(PopFile &file) {
  Query q(file, selectStatement("optimisations", "ORDER BY id"));
  return readInOrder(file, q, [&] {
    return PassOptimisationRecord{.name = q.text(), .unit = q.text(), .before = q.u64(), .after = q.u64()};
  });
}

namespace {
/// Reads the callees of the Calls, if the file has them.
void readCalls(PopFile &file, std::vector<StoredProgram> &programs) {
  if (!hasTable(file, "calls"))
    return;
  Query q(file, selectStatement("calls", "ORDER BY program"));
  while (q.next()) {
    StoredProgram &call = programs[q.id(programs.size())];
    call.callee = q.id(programs.size());
    if (call.type != "Call" || !programs[static_cast<std::size_t>(call.callee)].isFunction)
      file.fail("the profile is corrupt: a row of calls is not that of a Call and of a function");
  }
}

/// Programs are nested at most kMaxNesting deep, and lowering puts few levels in place of one.
constexpr std::uint32_t kDeepestProgram = 5 * kMaxNesting;
} // namespace

std::vector<StoredProgram> readPrograms(PopFile &file, const ProfileLimits &limits) {
  std::vector<StoredProgram> rows;
  std::vector<std::uint32_t> depths; // depths of the rows, because readers recurse over children
  rows.reserve(limits.programs);
  Query q(file, "SELECT id, type, name, parent, is_function, compute_set, count, liveness_point, "
                "control_code_every_tile, exchange_code_of, debug_context, barriers, counter_cycles IS NOT NULL FROM "
                "programs ORDER BY id");
  while (q.next()) {
    expectPosition(file, q, rows.size());
    StoredProgram p;
    p.type = q.text();
    p.name = q.text();
    p.parent = q.optionalId(rows.size()); // a parent comes before its children, so there is no cycle
    depths.push_back(p.parent < 0 ? 0 : depths[static_cast<std::size_t>(p.parent)] + 1);
    if (depths.back() > kDeepestProgram)
      file.fail(fmt::format("the profile is corrupt: programs are nested more than {} deep", kDeepestProgram));
    p.isFunction = q.flag();
    p.computeSet = q.optionalId(limits.computeSets);
    p.count = q.u64();
    p.livenessPoint = q.flag();
    p.controlCodeEveryTile = q.u64();
    p.exchangeCodeOf = q.optionalId(rows.size());
    p.debugContext = q.u64OrNull().value_or(0);
    p.barriers = commaList(q.text());
    p.hasCounters = q.flag();
    rows.push_back(std::move(p));
  }
  readCalls(file, rows);
  return rows;
}

std::vector<std::uint32_t> readControlPrograms(PopFile &file, const ProfileLimits &limits) {
  Query q(file, selectStatement("control_programs", "ORDER BY id"));
  return readInOrder(file, q, [&] { return q.id(limits.programs); });
}

namespace {
std::string columnOf(ProgramVector which) {
  static constexpr const char *kVectorColumns[] = {
      "control_code",   "exchange_code",     "bytes_sent",      "bytes_received",   "estimated_cycles",
      "counter_cycles", "messages_received", "receive_latency", "receive_transfer", "receive_controls",
      "counter_stores", "receive_distance",  "message_sizes"};
  return kVectorColumns[static_cast<std::size_t>(which)];
}
} // namespace

std::vector<std::optional<std::string>> readPackedProgramVectors(PopFile &file, std::uint32_t program,
                                                                 const std::vector<ProgramVector> &which) {
  std::string columns;
  for (const ProgramVector vector : which)
    columns += (columns.empty() ? "" : ", ") + columnOf(vector);
  Query q(file, "SELECT " + columns + " FROM programs WHERE id = ?");
  q << program;
  std::vector<std::optional<std::string>> packed(which.size());
  if (q.next())
    for (auto &vector : packed)
      vector = q.blobOrNull();
  return packed;
}

std::vector<std::uint64_t> unpackVector(const PopFile &file, const ProfileLimits &limits, const std::string &packed) {
  auto numbers = unpacked(file, [&] { return decodeDense(packed, limits.tiles); });
  numbers.resize(limits.tiles);
  return numbers;
}

namespace {
/// Reads a list of `count` numbers or, without `count`, a list of any length.
std::vector<std::uint32_t> numberList(PopFile &file, Query &row, std::optional<std::size_t> count = std::nullopt) {
  return unpacked(file, [&] {
    const auto wide = unpackList(row.blobView().value_or(""));
    if (count && wide.size() != *count)
      file.fail("the profile is corrupt: lists of one record differ in length");
    return std::vector<std::uint32_t>(wide.begin(), wide.end());
  });
}
} // namespace

std::vector<MessageSizesRecord> readMessageSizes(PopFile &file) {
  Query q(file, selectStatement("message_sizes", "ORDER BY id"));
  return readInOrder(file, q, [&] {
    MessageSizesRecord r;
    r.buses = q.id(std::size_t(1) << 24);
    r.bytes = numberList(file, q);
    r.messages = numberList(file, q, r.bytes.size());
    return r;
  });
}

std::vector<LinkTransferRecord> readLinkTransfers(PopFile &file, const ProfileLimits &limits, std::uint32_t program) {
  Query q(file, selectStatement("link_transfers", "WHERE program = ? ORDER BY position"));
  q << program;
  return readOwned(file, q, [&] {
    return LinkTransferRecord{.fromIpu = q.id(limits.ipus),
                              .toIpu = q.id(limits.ipus),
                              .bytes = q.in<Bytes>(),
                              .tiles = tileValues(file, q, limits.tiles)};
  });
}

TrafficRecord readTraffic(PopFile &file, const ProfileLimits &limits, std::uint32_t program) {
  TrafficRecord r;
  Query q(file, selectStatement("traffic", "WHERE program = ?"));
  q << program;
  if (!q.next())
    return r;
  (void)q.u64();
  r.tilesPerGroup = q.id(std::size_t(1) << 31);
  r.fromGroups = numberList(file, q);
  r.toGroups = numberList(file, q, r.fromGroups.size());
  r.bytes = numberList(file, q, r.fromGroups.size());
  if (r.tilesPerGroup == 0)
    file.fail("the profile is corrupt: a group of tiles is empty");
  for (const auto *groups : {&r.fromGroups, &r.toGroups})
    for (const std::uint32_t group : *groups)
      if (std::uint64_t(group) * r.tilesPerGroup >= limits.tiles)
        file.fail("the profile is corrupt: traffic names tiles that the target does not have");
  return r;
}

std::vector<std::uint64_t> readMoreContexts(PopFile &file, std::uint32_t program) {
  Query q(file, selectStatement("more_contexts", "WHERE program = ? ORDER BY position"));
  q << program;
  return readOwned(file, q, [&] { return q.u64(); });
}

DealtVertices readDealtVertices(PopFile &file, const ProfileLimits &limits, std::uint64_t slotCycles) {
  DealtVertices dealt;
  Query q(file, selectStatement("dealt_vertices", "WHERE first = ?"));
  q << slotCycles;
  if (!q.next())
    return dealt;
  (void)q.u64();
  dealt.patternByTile = unpacked(file, [&] { return unpackTiles(q.blobView().value_or(""), limits.stepTiles); });
  const auto runs = numberList(file, q);
  const auto cycles = numberList(file, q);
  const auto vertices = numberList(file, q, cycles.size());
  std::size_t at = 0;
  for (const std::uint32_t count : runs) {
    if (count > cycles.size() - at)
      file.fail("the profile is corrupt: patterns of vertices are longer than their list");
    auto &pattern = dealt.patterns.emplace_back();
    for (const std::size_t end = at + count; at < end; ++at)
      pattern.push_back({Cycles(cycles[at]), vertices[at]});
  }
  for (const std::uint64_t pattern : dealt.patternByTile)
    if (pattern > dealt.patterns.size())
      file.fail("the profile is corrupt: a tile has a pattern of vertices that is not in the list of patterns");
  return dealt;
}

std::vector<SyncDelayRecord> readSyncDelays(PopFile &file, const ProfileLimits &limits) {
  Query q(file, selectStatement("sync_delays", "ORDER BY kind"));
  const auto numbers = [&] {
    const auto wide = unpacked(file, [&] { return unpackTiles(q.blobView().value_or(""), limits.stepTiles); });
    return std::vector<std::uint32_t>(wide.begin(), wide.end());
  };
  return readRows(q, [&] {
    return SyncDelayRecord{
        .kind = q.text(), .acrossIpus = q.flag(), .toController = numbers(), .fromController = numbers()};
  });
}

std::vector<MachineCostRecord> readMachineCosts(PopFile &file) {
  Query q(file, selectStatement("machine_costs", "ORDER BY key"));
  return readRows(q, [&] { return MachineCostRecord{.key = q.text(), .value = q.real(), .unit = q.text()}; });
}

std::vector<std::string> readComputeSetNames(PopFile &file) {
  Query q(file, "SELECT id, name FROM compute_sets ORDER BY id");
  return readInOrder(file, q, [&] { return q.text(); });
}

std::optional<std::string> readPackedEstimate(PopFile &file, std::uint32_t computeSet) {
  Query q(file, "SELECT estimated_cycles FROM compute_sets WHERE id = ?");
  q << computeSet;
  return q.next() ? q.blobOrNull() : std::nullopt;
}

namespace {
/// Reads two columns: the number of vertices with a known value, and the sum of these values; -1 = NULL.
std::pair<std::int64_t, std::int64_t> knownSum(PopFile &file, Query &q, std::uint64_t instances, const char *what) {
  const std::optional<std::uint64_t> vertices = q.u64OrNull(), sum = q.u64OrNull();
  if (!vertices)
    return {-1, -1};
  if (*vertices > instances || (*vertices != 0) != sum.has_value())
    file.fail(fmt::format("the profile is corrupt: a compute set knows the {} of other vertices than it has", what));
  return {static_cast<std::int64_t>(*vertices), sum ? static_cast<std::int64_t>(*sum) : -1};
}
} // namespace

std::vector<VertexOperandRecord> readOperands(PopFile &file, const ProfileLimits &limits, std::uint32_t computeSet) {
  Query q(file, selectStatement("compute_set_operands", "WHERE compute_set = ? ORDER BY position"));
  q << computeSet;
  return readOwned(file, q, [&] {
    VertexOperandRecord o;
    o.vertexType = q.id(limits.vertexTypes);
    o.field = q.text();
    o.elementType = q.text();
    o.read = q.flag();
    o.written = q.flag();
    for (std::uint64_t *number : {&o.edges, &o.elements, &o.leastElements, &o.mostElements})
      *number = q.u64();
    o.bytes = q.in<Bytes>();
    return o;
  });
}

std::vector<FlopsRow> readFlops(PopFile &file, const ProfileLimits &limits) {
  Query q(file, "SELECT compute_set, vertex_type, instances, flop_vertices, flops FROM compute_set_vertices "
                "ORDER BY compute_set, position");
  return readRows(q, [&] {
    FlopsRow row;
    row.computeSet = q.id(limits.computeSets);
    row.vertexType = q.id(limits.vertexTypes);
    row.vertices = q.u64();
    std::tie(row.flopVertices, row.flops) = knownSum(file, q, row.vertices, "operations");
    return row;
  });
}

std::vector<ComputeSetVertices> readComputeSetVertices(PopFile &file, const ProfileLimits &limits,
                                                       std::uint32_t computeSet) {
  Query q(file, selectStatement("compute_set_vertices", "WHERE compute_set = ? ORDER BY position"));
  q << computeSet;
  return readOwned(file, q, [&] {
    ComputeSetVertices v;
    v.vertexType = q.id(limits.vertexTypes);
    const std::uint64_t instances = q.u64();
    v.countByTile = tileValues(file, q, limits.tiles);
    std::tie(v.flopVertices, v.flops) = knownSum(file, q, instances, "operations");
    const auto [estimated, cycles] = knownSum(file, q, instances, "cycles");
    v.estimatedVertices = estimated;
    v.estimatedCycles = Cycles(static_cast<std::uint64_t>(std::max<std::int64_t>(cycles, 0)));
    return v;
  });
}

std::vector<VertexTypeRecord> readVertexTypes(PopFile &file) {
  Query q(file, selectStatement("vertex_types", "ORDER BY id"));
  return readInOrder(file, q, [&] {
    return VertexTypeRecord{.name = q.text(),
                            .stateBytes = q.in<Bytes>(),
                            .instances = q.u64(),
                            .memoryBytes = q.in<Bytes>(),
                            .fields = {},
                            .cycleProvenance = q.text()};
  });
}

std::vector<VertexOnTileRecord> readVerticesOnTile(PopFile &file, const ProfileLimits &limits) {
  Query q(file, selectStatement("vertices_by_tile", "ORDER BY tile, vertex_type"));
  return readRows(q, [&] {
    VertexOnTileRecord v;
    v.tile = q.id(limits.tiles);
    v.vertexType = q.id(limits.vertexTypes);
    v.count = q.u64();
    for (Bytes *field : {&v.codeBytes, &v.internalState, &v.edgePointers, &v.copyPointers, &v.padding, &v.descriptors})
      *field = q.in<Bytes>();
    return v;
  });
}

} // namespace popscope
