#include "tests/check/profile/MemoryChecks.hpp"

#include <algorithm>
#include <numeric>
#include <pva/pva.hpp>

namespace profile_check {
namespace {

std::string onTile(std::size_t tile, const std::string &what) { return "tile " + std::to_string(tile) + ": " + what; }

/// Sums over categories of allocations and regions: [0] not overlapped, [1] overlapped. Addresses that serve several
/// categories are included.
std::array<std::uint64_t, 2> categorySums(const MemoryFacts &memory, const TileFacts &tile) {
  std::array<std::uint64_t, 2> sums{};
  for (std::size_t c = 0; c < tile.category.size(); ++c)
    for (const auto &bytes : tile.category[c])
      for (std::size_t o = 0; o < 2 && memory.categories.at(c) != "multiple"; ++o)
        sums[o] += bytes[o];
  return sums;
}

std::uint64_t bytesOf(const MemoryFacts &memory, const TileFacts &tile, const std::string &category) {
  const auto found = std::find(memory.categories.begin(), memory.categories.end(), category);
  std::uint64_t bytes = 0;
  for (const auto &region : tile.category.at(static_cast<std::size_t>(found - memory.categories.begin())))
    bytes += region[0] + region[1];
  return bytes;
}

std::uint64_t dataOf(const VertexRow &row) {
  return std::accumulate(row.parts.begin(), row.parts.end(), std::uint64_t(0));
}

} // namespace

Findings checkTileSums(const MemoryFacts &memory) {
  Findings findings;
  for (std::size_t t = 0; t < memory.tiles.size(); ++t) {
    const TileFacts &tile = memory.tiles[t];
    const auto sums = categorySums(memory, tile);
    expectEqual(findings, onTile(t, "regions and bytes used"), tile.regions[0] + tile.regions[1] + tile.regions[2],
                tile.excluding);
    expectEqual(findings, onTile(t, "not overlapped + after overlapping and bytes used"),
                sums[0] + tile.afterOverlapping, tile.excluding);
    expectAtLeast(findings, onTile(t, "after overlapping and its lower bound"), tile.afterOverlapping, tile.lowerBound);
    expectAtLeast(findings, onTile(t, "overlapped allocations and after overlapping"), sums[1], tile.afterOverlapping);
    expectAtLeast(findings, onTile(t, "after overlapping and what serves several categories"), tile.afterOverlapping,
                  bytesOf(memory, tile, "multiple"));
    expectAtLeast(findings, onTile(t, "including and excluding gaps"), tile.including, tile.excluding);
  }
  return findings;
}

Findings checkVertexData(const MemoryFacts &memory) {
  Findings findings;
  for (std::size_t t = 0; t < memory.tiles.size(); ++t) {
    std::uint64_t parts = 0, stored = 0;
    for (const VertexRow &row : memory.tiles[t].vertices)
      parts += dataOf(row);
    for (const char *kind : {"vertexInstanceState", "copyDescriptor", "vectorListDescriptor", "vertexFieldData"})
      stored += bytesOf(memory, memory.tiles[t], kind);
    expectEqual(findings, onTile(t, "vertex data by category and by storage"), parts, stored);
  }
  return findings;
}

Findings checkVertexTypes(const MemoryFacts &memory) {
  Findings findings;
  std::vector<std::uint64_t> bytes(memory.bytesOfType.size()), count(memory.bytesOfType.size());
  std::uint64_t code = 0, data = 0;
  for (std::size_t t = 0; t < memory.tiles.size(); ++t) {
    std::uint64_t tileCode = 0;
    for (const VertexRow &row : memory.tiles[t].vertices) {
      bytes.at(row.type) += dataOf(row) + row.code;
      count.at(row.type) += row.count;
      tileCode += row.code;
      data += dataOf(row);
    }
    expectAtLeast(findings, onTile(t, "vertex code and the code of its types"),
                  bytesOf(memory, memory.tiles[t], "vertexCode"), tileCode);
    code += tileCode;
  }
  for (std::size_t type = 0; type < bytes.size(); ++type) {
    const std::string name = "vertex type " + std::to_string(type);
    expectEqual(findings, name + " by tile and in all", bytes[type], memory.bytesOfType[type]);
    expectEqual(findings, name + ", vertices by tile and in all", count[type], memory.instancesOfType[type]);
  }
  const auto rows = std::accumulate(memory.bytesOfType.begin(), memory.bytesOfType.end(), std::uint64_t(0));
  expectEqual(findings, "rows by type and vertex data + code", rows, data + code);
  return findings;
}

Findings checkOutOfMemory(const MemoryFacts &memory) {
  Findings findings;
  std::vector<bool> listed(memory.tiles.size());
  std::uint64_t before = ~std::uint64_t(0);
  for (const auto tile : memory.outOfMemory) {
    listed.at(tile) = true;
    expectAtLeast(findings, onTile(tile, "order of the tiles out of memory"), before, memory.tiles[tile].including);
    before = memory.tiles[tile].including;
  }
  for (std::size_t t = 0; t < memory.tiles.size(); ++t) {
    const bool over = memory.tiles[t].including > memory.bytesPerTile;
    expectEqual(findings, onTile(t, "listed as out of memory and past the end"), listed[t], over);
    expectEqual(findings, onTile(t, "has overflowed bytes and past the end"), memory.tiles[t].regions[2] != 0, over);
  }
  return findings;
}

namespace {

bool together(const AllocationTable &table, const AllocationFacts &a, const AllocationFacts &b) {
  for (const auto &x : table.classes.at(a.occupied))
    for (const auto &y : table.classes.at(b.occupied))
      if (x.first < y.second && y.first < x.second)
        return true;
  return false;
}

struct Occupied {
  std::uint64_t end = 0, bytes = 0, overlappedBytes = 0;
};

/// Returns the union of the addresses: of all allocations, and of those marked as overlapped. The rows are sorted by
/// address.
Occupied unionOf(const std::vector<const AllocationFacts *> &rows) {
  Occupied all;
  std::uint64_t overlappedEnd = 0;
  const auto added = [](std::uint64_t &end, const AllocationFacts &a) {
    const std::uint64_t from = std::max(end, a.offset), to = std::max(end, a.offset + a.bytes);
    end = to;
    return to > from ? to - from : 0;
  };
  for (const AllocationFacts *a : rows) {
    all.bytes += added(all.end, *a);
    if (a->overlapped)
      all.overlappedBytes += added(overlappedEnd, *a);
  }
  return all;
}

void checkPairs(const AllocationTable &table, const std::vector<const AllocationFacts *> &rows, std::size_t tile,
                Findings &findings) {
  std::vector<bool> shares(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t k = i + 1; k < rows.size() && rows[k]->offset < rows[i]->offset + rows[i]->bytes; ++k) {
      shares[i] = shares[k] = true;
      if (together(table, *rows[i], *rows[k]))
        findings.push_back(onTile(tile, "two allocations are at " + std::to_string(rows[k]->offset) + " at one time"));
    }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string where = "the allocation at " + std::to_string(rows[i]->offset);
    expectEqual(findings, onTile(tile, where + " is marked and is overlapped"), rows[i]->overlapped, shares[i]);
    if (rows[i]->alignment == 0 || rows[i]->offset % rows[i]->alignment != 0)
      findings.push_back(onTile(tile, where + " is not aligned"));
  }
}

/// Returns the number of addresses that allocations of more than one category occupy.
std::uint64_t ofSeveralCategories(const std::vector<const AllocationFacts *> &rows) {
  std::vector<std::uint64_t> borders;
  for (const AllocationFacts *a : rows)
    for (const std::uint64_t border : {std::uint64_t(a->offset), std::uint64_t(a->offset) + a->bytes})
      borders.push_back(border);
  std::sort(borders.begin(), borders.end());
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
    std::vector<bool> there(25);
    for (const AllocationFacts *a : rows)
      if (a->offset <= borders[i] && borders[i] < std::uint64_t(a->offset) + a->bytes)
        there.at(a->category) = true;
    if (std::count(there.begin(), there.end(), true) > 1)
      bytes += borders[i + 1] - borders[i];
  }
  return bytes;
}

void checkTileAllocations(const AllocationTable &table, const std::vector<const AllocationFacts *> &rows,
                          const TileFacts &facts, std::size_t tile, Findings &findings) {
  const Occupied occupied = unionOf(rows);
  expectEqual(findings, onTile(tile, "end of the allocations and including gaps"), occupied.end, facts.including);
  expectEqual(findings, onTile(tile, "union of the allocations and bytes used"), occupied.bytes, facts.excluding);
  expectEqual(findings, onTile(tile, "union of the overlapped allocations and after overlapping"),
              occupied.overlappedBytes, facts.afterOverlapping);
  std::array<std::array<std::uint64_t, 2>, 25> sums{};
  for (const AllocationFacts *a : rows)
    sums.at(a->category)[a->overlapped] += a->bytes;
  const auto names = pva::storageCategoryNames();
  sums.at(static_cast<std::size_t>(std::find(names.begin(), names.end(), "multiple") - names.begin()))[1] =
      ofSeveralCategories(rows);
  for (std::size_t c = 0; c < sums.size(); ++c)
    for (std::size_t o = 0; o < 2; ++o)
      expectEqual(findings, onTile(tile, "allocations of category " + std::to_string(c)), sums[c][o],
                  facts.category[c][0][o] + facts.category[c][1][o] + facts.category[c][2][o]);
  checkPairs(table, rows, tile, findings);
}

} // namespace

Findings checkAllocations(const MemoryFacts &memory, const AllocationTable &allocations) {
  Findings findings;
  std::vector<std::vector<const AllocationFacts *>> byTile(memory.tiles.size());
  for (const AllocationFacts &a : allocations.rows)
    if (a.bytes != 0)
      byTile.at(a.tile).push_back(&a);
  for (std::size_t t = 0; t < byTile.size(); ++t)
    checkTileAllocations(allocations, byTile[t], memory.tiles[t], t, findings);
  return findings;
}

} // namespace profile_check
