// Identities of tile memory (docs/DESIGN, "Identities that always hold").
#pragma once
#include "tests/check/profile/Facts.hpp"
#include "tests/check/profile/Findings.hpp"

namespace profile_check {

/// On each tile: regions add up to the bytes used; not overlapped + after overlapping = bytes used; after overlapping
/// lies between its lower bound and the sum of the overlapped allocations; gaps only add.
Findings checkTileSums(const MemoryFacts &memory);
/// On each tile the five categories of vertex data are its four kinds of storage.
Findings checkVertexData(const MemoryFacts &memory);
/// A "By Type" row is state, fields and descriptors of all vertices and the code once per tile, so that the rows
/// without code are the vertex data; a tile has room for the code of its types.
Findings checkVertexTypes(const MemoryFacts &memory);
/// A tile is listed as out of memory exactly if its highest used address is past the end, fullest first.
Findings checkOutOfMemory(const MemoryFacts &memory);
/// The tiles' figures from the allocations: their union, their end, their sums by category; no two that share an
/// address are occupied at the same time; addresses are aligned; "overlapped" says what the addresses say.
Findings checkAllocations(const MemoryFacts &memory, const AllocationTable &allocations);

} // namespace profile_check
