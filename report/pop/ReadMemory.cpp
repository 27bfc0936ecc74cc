#include "report/pop/ReadSupport.hpp"

#include "base/StorageCategory.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace popscope {
std::vector<std::string> readVariableNames(PopFile &file, const ProfileLimits &limits) {
  Query q(file, selectStatement("vars_string_table", "ORDER BY id"));
  std::vector<std::string> names = readInOrder(file, q, [&] { return q.text(); });
  if (names.size() != limits.names)
    file.fail("the profile is corrupt: names of variables are missing");
  return names;
}

namespace {

/// Returns the storage category of each id in the file's var_categories, by id.
std::vector<StorageCategory> readCategories(PopFile &file) {
  Query q(file, selectStatement("var_categories", "ORDER BY id"));
  return readInOrder(file, q, [&] {
    const std::string name = q.text();
    const auto row = std::ranges::find(kStorageCategories, name, &StorageCategoryRow::key);
    if (row == kStorageCategories.end())
      file.fail(
          fmt::format("the profile is corrupt: its var_categories has the unknown storage category \"{}\"", name));
    return row->category;
  });
}

} // namespace

std::vector<TileMemoryRecord> readTiles(PopFile &file, const ProfileLimits &limits) {
  const std::vector<StorageCategory> categories = readCategories(file);
  Query memory(file, selectStatement("memory_by_tile", "ORDER BY tile"));
  std::vector<TileMemoryRecord> tiles = readInOrder(file, memory, [&] {
    TileMemoryRecord m;
    for (Bytes *field : {&m.totalExcludingGaps, &m.totalIncludingGaps})
      *field = memory.in<Bytes>();
    for (auto *regions : {&m.excludingGaps, &m.includingGaps})
      for (Bytes &bytes : *regions)
        bytes = memory.in<Bytes>();
    for (Bytes *field : {&m.afterOverlapping, &m.lowerBoundOverlapped, &m.alwaysLiveBytes, &m.maxNotAlwaysLiveBytes})
      *field = memory.in<Bytes>();
    return m;
  });
  if (tiles.size() > limits.tiles)
    file.fail("the profile is corrupt: it has memory of more tiles than its target");
  if (!tiles.empty() && limits.tiles % tiles.size() != 0)
    file.fail("the profile is corrupt: it has memory of " + std::to_string(tiles.size()) + " of " +
              std::to_string(limits.tiles) + " tiles");
  Query q(file, selectStatement("memory_by_tile_category", "ORDER BY tile"));
  while (q.next()) {
    const auto tile = q.id(tiles.size()), category = q.id(categories.size()), region = q.id(3), overlapped = q.id(2);
    tiles[tile].category[static_cast<std::size_t>(categories[category])][region][overlapped] += q.in<Bytes>();
  }
  Query uses(file, selectStatement("memory_by_tile_use", "ORDER BY tile"));
  while (uses.next()) {
    const auto tile = uses.id(tiles.size()), category = uses.id(categories.size());
    tiles[tile].usedBy[static_cast<std::size_t>(categories[category])] += uses.in<Bytes>();
  }
  return tiles;
}

std::vector<std::uint32_t> readTilesOutOfMemory(PopFile &file, const ProfileLimits &limits) {
  Query q(file, selectStatement("tiles_out_of_memory", "ORDER BY id"));
  return readInOrder(file, q, [&] { return q.id(limits.tiles); });
}

namespace {

/// Returns whether the part is valid: the variable is not always live, the part's tiles belong to the variable and to
/// no other part, and the part's bytes are the sum over its tiles.
bool isPartOf(const LivePartRecord &part, const LiveVariableRecord &v) {
  Bytes sum;
  for (const auto &[tile, bytes] : part.bytesByTile)
    sum += Bytes(bytes);
  TileValues shared;
  for (const LivePartRecord &other : v.parts)
    std::set_intersection(other.bytesByTile.begin(), other.bytesByTile.end(), part.bytesByTile.begin(),
                          part.bytesByTile.end(), std::back_inserter(shared));
  return !v.alwaysLive && sum == part.bytes && shared.empty() &&
         std::includes(v.bytesByTile.begin(), v.bytesByTile.end(), part.bytesByTile.begin(), part.bytesByTile.end());
}

void readLiveParts(PopFile &file, const ProfileLimits &limits, std::vector<LiveVariableRecord> &variables) {
  Query q(file, selectStatement("liveness_parts", "ORDER BY id"));
  for (std::size_t row = 0; q.next(); ++row) {
    expectPosition(file, q, row);
    LiveVariableRecord &v = variables[q.id(variables.size())];
    LivePartRecord part;
    part.liveClass = q.id(limits.classes);
    part.bytes = q.in<Bytes>();
    part.bytesByTile = tileValues(file, q, limits.tiles);
    if (!isPartOf(part, v))
      file.fail("the profile is corrupt: a variable is live on a tile on which it has no part");
    v.parts.push_back(std::move(part));
  }
}

} // namespace

std::vector<LiveVariableRecord> readVariables(PopFile &file, const ProfileLimits &limits) {
  const std::vector<StorageCategory> categories = readCategories(file);
  constexpr std::uint64_t kEntriesAtLeast = 1 << 24, kEntriesPerByte = 32; // a compressed blob may contain many entries
  std::uint64_t entries = 0;
  Query q(file, selectStatement("liveness_variables", "ORDER BY id"));
  std::vector<LiveVariableRecord> rows = readInOrder(file, q, [&] {
    LiveVariableRecord v;
    v.name = NameId(q.id(limits.names));
    v.bytes = q.in<Bytes>();
    v.alwaysLive = q.flag();
    v.liveClass = q.optionalId(limits.classes);
    v.category = categories[q.id(categories.size())];
    v.bytesByTile = tileValues(file, q, limits.tiles);
    entries += v.bytesByTile.size();
    if (file.bounds() && entries > kEntriesAtLeast + kEntriesPerByte * file.bounds()->bytes)
      file.fail("the profile is corrupt: its variables lie on more tiles than the file can describe");
    return v;
  });
  readLiveParts(file, limits, rows);
  return rows;
}

std::vector<LivenessClassRecord> readClasses(PopFile &file, const ProfileLimits &limits) {
  std::vector<LivenessClassRecord> rows(limits.classes);
  Query q(file, selectStatement("equivalence_class_intervals", "ORDER BY class, position"));
  while (q.next()) {
    auto &intervals = rows[q.id(rows.size())].intervals;
    expectPosition(file, q, intervals.size());
    const auto first = q.id(limits.programs + 1), end = q.id(limits.programs + 1);
    if (first > end)
      file.fail("the profile is corrupt: a live interval ends before it starts");
    if (!intervals.empty() && first < intervals.back().second)
      file.fail("the profile is corrupt: the live intervals of a class are not in order");
    intervals.emplace_back(first, end);
  }
  return rows;
}

std::vector<LivenessStepRecord> readLivenessSteps(PopFile &file, const ProfileLimits &limits) {
  Query steps(file, selectStatement("liveness_steps", "ORDER BY id"));
  std::vector<LivenessStepRecord> rows = readInOrder(file, steps, [&] {
    return LivenessStepRecord{.program = steps.id(limits.programs), .bytes = steps.in<Bytes>(), .bytesByIpu = {}};
  });
  Query q(file, selectStatement("liveness_steps_by_ipu", "ORDER BY step, ipu"));
  while (q.next()) {
    auto &byIpu = rows[q.id(rows.size())].bytesByIpu;
    expectPosition(file, q, byIpu.size());
    byIpu.push_back(q.in<Bytes>());
  }
  return rows;
}

LivenessTotals readLivenessTotals(PopFile &file) {
  Query q(file, selectStatement("liveness_totals"));
  if (!q.next())
    file.fail("the profile has no liveness totals");
  return {.alwaysLive = q.u64(), .maxLive = q.u64()};
}

namespace {

/// Reads the columns after the id.
LoweredVariableRecord loweredVariableOf(Query &q, const ProfileLimits &limits,
                                        const std::vector<StorageCategory> &categories) {
  LoweredVariableRecord v;
  v.name = NameId(q.id(limits.names));
  v.variable = q.optionalId(limits.variables);
  v.tile = q.id(limits.tiles);
  v.offset = q.in<Bytes>();
  v.bytes = q.in<Bytes>();
  v.alignment = q.u64();
  v.category = categories[q.id(categories.size())];
  v.alwaysLive = q.flag();
  v.overlapped = q.flag();
  v.isConstant = q.flag();
  v.occupiedClass = q.optionalId(limits.classes);
  return v;
}

} // namespace

std::vector<LoweredVariableRecord> readLoweredVariables(PopFile &file, const ProfileLimits &limits) {
  const std::vector<StorageCategory> categories = readCategories(file);
  Query q(file, selectStatement("vars_info", "ORDER BY id"));
  return readInOrder(file, q, [&] { return loweredVariableOf(q, limits, categories); });
}

std::vector<std::pair<std::uint64_t, LoweredVariableRecord>>
readLoweredVariablesOf(PopFile &file, const ProfileLimits &limits, std::size_t tile) {
  const std::vector<StorageCategory> categories = readCategories(file);
  Query q(file, selectStatement("vars_info", "WHERE tile = ? ORDER BY id"));
  q << tile;
  return readRows(q, [&] { return std::pair{q.u64(), loweredVariableOf(q, limits, categories)}; });
}

} // namespace popscope
