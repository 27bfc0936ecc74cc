// Identities of tile memory (tests/README.md, "Identities").
#pragma once
#include "tests/check/profile/Facts.hpp"
#include "tests/check/profile/Findings.hpp"

namespace profile_check {

/// Checks on each tile: the bytes of all regions add up to the bytes used; the bytes not overlapped and the bytes after
/// overlapping add up to the bytes used; the bytes after overlapping lie between their lower bound and the sum of the
/// overlapped allocations; the bytes including gaps are not less than the bytes excluding gaps.
Findings checkTileSums(const MemoryFacts &memory);
/// Checks on each tile that the sum of the five categories of vertex data equals the sum of its four kinds of storage.
Findings checkVertexData(const MemoryFacts &memory);
/// Checks that a "By Type" row is the state, fields and descriptors of all vertices plus the code once per tile, and
/// that the rows without code add up to the vertex data. Also checks that the code of a tile's types fits on the tile.
Findings checkVertexTypes(const MemoryFacts &memory);
/// Checks that exactly the tiles whose highest used address is past the end are listed as out of memory, fullest
/// first.
Findings checkOutOfMemory(const MemoryFacts &memory);
/// Computes the tiles' figures again from the allocations: their union, their end and their sums by category. Checks
/// that no two allocations that share an address are occupied at the same time, that addresses are aligned, and that
/// "overlapped" agrees with the addresses.
Findings checkAllocations(const MemoryFacts &memory, const AllocationTable &allocations);

} // namespace profile_check
