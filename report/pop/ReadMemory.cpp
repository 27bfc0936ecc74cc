#include "report/pop/ReadSupport.hpp"

#include "base/StorageCategory.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace popscope {
std::vector<std::string> readVariableNames(PopFile &file, const ProfileLimits &limits) {
  std::vector<std::string> names;
  Query q(file, selectStatement("vars_string_table", "ORDER BY id"));
  while (q.next()) {
    expectPosition(file, q, names.size());
    names.push_back(q.text());
  }
  if (names.size() != limits.names)
    file.fail("the profile is corrupt: names of variables are missing");
  return names;
}

namespace {

/// Returns the storage category of each id in the file's var_categories, by id.
std::vector<StorageCategory> readCategories(PopFile &file) {
  std::vector<StorageCategory> byId;
  Query q(file, selectStatement("var_categories", "ORDER BY id"));
  while (q.next()) {
    expectPosition(file, q, byId.size());
    const std::string name = q.text();
    const auto row = std::ranges::find(kStorageCategories, name, &StorageCategoryRow::key);
    if (row == kStorageCategories.end())
      file.fail(
          fmt::format("the profile is corrupt: its var_categories has the unknown storage category \"{}\"", name));
    byId.push_back(row->category);
  }
  return byId;
}

} // namespace

std::vector<TileMemoryRecord> readTiles(PopFile &file, const ProfileLimits &limits) {
  const std::vector<StorageCategory> categories = readCategories(file);
  std::vector<TileMemoryRecord> tiles;
  {
    Query q(file, selectStatement("memory_by_tile", "ORDER BY tile"));
    while (q.next()) {
      expectPosition(file, q, tiles.size());
      TileMemoryRecord m;
      m.totalExcludingGaps = q.in<Bytes>();
      m.totalIncludingGaps = q.in<Bytes>();
      for (auto &bytes : m.regionExcludingGaps)
        bytes = q.in<Bytes>();
      for (auto &bytes : m.regionIncludingGaps)
        bytes = q.in<Bytes>();
      for (Bytes *field : {&m.afterOverlapping, &m.lowerBoundOverlapped, &m.alwaysLiveBytes, &m.maxNotAlwaysLiveBytes})
        *field = q.in<Bytes>();
      tiles.push_back(m);
    }
  }
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
  std::vector<std::uint32_t> rows;
  Query q(file, selectStatement("tiles_out_of_memory", "ORDER BY id"));
  while (q.next()) {
    expectPosition(file, q, rows.size());
    rows.push_back(q.id(limits.tiles));
  }
  return rows;
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
  std::vector<LiveVariableRecord> rows;
  constexpr std::uint64_t kEntriesAtLeast = 1 << 24, kEntriesPerByte = 32; // a compressed blob may contain many entries
  std::uint64_t entries = 0;
  Query q(file, selectStatement("liveness_variables", "ORDER BY id"));
  while (q.next()) {
    expectPosition(file, q, rows.size());
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
    rows.push_back(std::move(v));
  }
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
  std::vector<LivenessStepRecord> rows;
  {
    Query q(file, selectStatement("liveness_steps", "ORDER BY id"));
    while (q.next()) {
      expectPosition(file, q, rows.size());
      LivenessStepRecord s;
      s.program = q.id(limits.programs);
      s.bytes = q.in<Bytes>();
      rows.push_back(std::move(s));
    }
  }
  Query q(file, selectStatement("liveness_steps_by_ipu", "ORDER BY step, ipu"));
  while (q.next()) {
    auto &byIpu = rows[q.id(rows.size())].bytesByIpu;
    expectPosition(file, q, byIpu.size());
    byIpu.push_back(q.in<Bytes>());
  }
  return rows;
}

LivenessTotals readLivenessTotals(PopFile &file) {
  LivenessTotals totals;
  Query q(file, selectStatement("liveness_totals"));
  if (!q.next())
    file.fail("the profile has no liveness totals");
  totals.alwaysLive = q.u64();
  totals.maxLive = q.u64();
  return totals;
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
  std::vector<LoweredVariableRecord> rows;
  Query q(file, selectStatement("vars_info", "ORDER BY id"));
  while (q.next()) {
    expectPosition(file, q, rows.size());
    rows.push_back(loweredVariableOf(q, limits, categories));
  }
  return rows;
}

std::vector<std::pair<std::uint64_t, LoweredVariableRecord>>
readLoweredVariablesOf(PopFile &file, const ProfileLimits &limits, std::size_t tile) {
  const std::vector<StorageCategory> categories = readCategories(file);
  std::vector<std::pair<std::uint64_t, LoweredVariableRecord>> rows;
  Query q(file, selectStatement("vars_info", "WHERE tile = ? ORDER BY id"));
  q << tile;
  while (q.next()) {
    const std::uint64_t position = q.u64();
    rows.emplace_back(position, loweredVariableOf(q, limits, categories));
  }
  return rows;
}

} // namespace popscope
