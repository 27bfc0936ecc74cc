// The printed summary, read back into numbers. The parser follows the layout of the user guide and shares no code with
// the views that print it. Percentages are in tenths (29.6% = 296).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace profile_check {

struct TextRow {
  std::string name;
  std::uint64_t value = 0;
};
inline std::uint64_t sum(const std::vector<TextRow> &rows) {
  std::uint64_t total = 0;
  for (const TextRow &r : rows)
    total += r.value;
  return total;
}
struct MemoryText {
  std::string title; // "Memory on all IPUs:", "Memory on IPU 0:", "Tile # 3 memory usage:"
  std::uint64_t including = 0, total = 0;
  std::vector<TextRow> regions;
  std::vector<TextRow> notOverlapped, overlapped;
  std::uint64_t notOverlappedTotal = 0, overlappedTotal = 0, afterOverlapping = 0, multiple = 0;
  std::uint64_t vertexData = 0;
  std::vector<TextRow> vertexCategories, vertexTypes;
};
struct BinText {
  std::uint64_t from = 0, to = 0, stars = 0, tiles = 0;
};
struct LiveText {
  std::string title;
  std::uint64_t bytes = 0;
  std::vector<TextRow> variables;
};
struct LivenessText {
  std::string where; // "All tiles", "Tile 5"
  std::uint64_t alwaysLive = 0, maxLive = 0;
  std::vector<TextRow> alwaysLiveVariables;
  std::vector<LiveText> live;
};
struct TypeText {
  std::string name;
  std::uint64_t instances = 0, cycles = 0;
};
struct StepText {
  std::string title;
  std::uint64_t from = 0, to = 0, cycles = 0;
  std::optional<std::uint64_t> overlapped, threadBalance, data, dataBalance;
  std::uint64_t active = 0, tiles = 0, tileBalance = 0, activeTileBalance = 0;
  std::vector<TypeText> types;
};
struct SummaryText : LivenessText {
  std::uint64_t tilesPerIpu = 0, tiles = 0, clockTenthsOfMHz = 0;
  std::vector<TextRow> graph;
  std::vector<MemoryText> memory;
  std::vector<BinText> bins;
  std::uint64_t maxIncluding = 0, maxExcluding = 0, tilesOutOfMemory = 0;
  bool hasLiveness = false;
  std::vector<LivenessText> liveTiles;       // of the fullest tiles; the base class holds the liveness of all tiles
  std::optional<std::uint64_t> runsRecorded; // not printed if the only run was recorded
  std::size_t runMarks = 0;                  // number of markers of runs in the list of steps
  std::uint64_t cycles = 0, microsecondTenths = 0;
  std::vector<TextRow> cycleTotals; // the lines "Total ... cycles ...", except the first
  std::uint64_t tileBalance = 0;
  std::optional<std::uint64_t> threadBalance;
  std::vector<TypeText> cyclesByType;
  bool hasSteps = false;
  std::vector<StepText> steps; // without the sync lines
};

/// Parses a summary. Throws std::runtime_error, which contains the line that it cannot read.
SummaryText parseSummary(const std::string &text);

/// Returns the numbers in the text, without thousands separators, that are 2^63 or more.
std::vector<std::string> hugeNumbers(const std::string &text);
/// Returns the text without terminal escape sequences.
std::string withoutColour(const std::string &text);

} // namespace profile_check
