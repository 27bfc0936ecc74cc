// A profile as plain data: copies of the public profile API's results, and the allocations from the tables. Figures are
// bytes, tile cycles or counts.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace profile_check {

using Bytes3 = std::array<std::uint64_t, 3>; // non-interleaved, interleaved, overflowed

struct VertexRow {
  std::size_t type = 0;
  std::uint64_t count = 0, code = 0;
  std::array<std::uint64_t, 5> parts{}; // internal state, edge pointers, copy pointers, padding, descriptors
};
struct TileFacts {
  std::uint64_t including = 0, excluding = 0;
  Bytes3 regions{};
  std::array<std::array<std::array<std::uint64_t, 2>, 3>, 25> category{}; // [category][region][overlapped]
  std::uint64_t afterOverlapping = 0, lowerBound = 0, alwaysLive = 0, notAlwaysLive = 0;
  std::vector<VertexRow> vertices;
};
struct MemoryFacts {
  std::vector<TileFacts> tiles;
  std::uint64_t bytesPerTile = 0;
  std::vector<std::string> categories;        // 25 names
  std::vector<std::uint64_t> bytesOfType;     // "By Type" rows, by vertex type
  std::vector<std::uint64_t> instancesOfType; // by vertex type
  std::vector<std::uint32_t> outOfMemory;
};

/// One row of vars_info with the intervals in which its addresses are occupied.
struct AllocationFacts {
  std::size_t tile = 0, category = 0;
  std::uint64_t offset = 0, bytes = 0, alignment = 1;
  bool overlapped = false;
  std::size_t occupied = 0; // index in AllocationTable::classes
};
struct AllocationTable {
  std::vector<AllocationFacts> rows;
  std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> classes; // half-open program intervals
};

struct LiveStepFacts {
  std::uint64_t bytes = 0, variables = 0; // variables: sum of the listed variables' sizes
  std::vector<std::uint64_t> byIpu, variablesByIpu, byTile, variablesByTile;
};
struct LivenessFacts {
  std::size_t tilesPerIpu = 0;
  std::uint64_t alwaysLive = 0, maxLive = 0;
  std::uint64_t alwaysLiveVariables = 0; // sum of their sizes
  std::vector<std::uint64_t> alwaysLiveByTile, alwaysLiveVariablesByTile, notAlwaysLiveByTile;
  std::vector<LiveStepFacts> steps;
};

struct TypeCyclesFacts {
  std::size_t type = 0;
  std::string name;
  std::uint64_t instances = 0, cycles = 0;
  bool known = false;
};
struct StepIpuFacts {
  std::uint64_t cycles = 0, activeTiles = 0, busy = 0, dataIn = 0, dataOut = 0, maxTileData = 0, tiles = 0;
  std::uint64_t fromMin = 0, fromMax = 0, toMin = 0, toMax = 0; // over all tiles, since the start of the run
  std::uint64_t programIn = 0, programOut = 0; // bytes of the step's program on the IPU's tiles, from compilation
};
struct StepFacts {
  std::string type, name;
  bool threadKnown = false;
  std::uint64_t thread = 0;
  std::vector<TypeCyclesFacts> types;
  std::vector<StepIpuFacts> ipus;
  std::vector<std::uint64_t> cyclesByTile;
};
struct TotalsFacts {
  std::uint64_t total = 0, compute = 0, thread = 0, exchange = 0, global = 0, host = 0, shared = 0, sync = 0,
                unattributed = 0;
  bool threadKnown = true;
  std::uint64_t controlReads = 0; // the unattributed cycles between steps
};
struct RunFacts {
  TotalsFacts totals;
  std::vector<StepFacts> steps;
};
struct ExecutionFacts {
  std::uint64_t tiles = 0;
  TotalsFacts totals;
  std::vector<RunFacts> runs;
};

} // namespace profile_check
