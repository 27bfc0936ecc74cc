// Parts of the summary that the sample report lacks.
#include "SmallProfile.hpp"

#include "report/pva/MakeReport.hpp"
#include "report/summary/Summary.hpp"
#include "report/summary/VarStorageView.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <sstream>

using namespace popscope;

namespace {
pva::Report reportOf(const CompilationRecord &record) {
  PopWriter writer;
  writer.compilation(record);
  return pva::makeReport(writer.file());
}
std::string summaryOf(const CompilationRecord &record, const SummaryOptions &options = {}, bool executed = true) {
  PopWriter writer;
  writer.compilation(record);
  if (executed)
    small::writeRun(writer);
  std::ostringstream out;
  printSummary(out, pva::makeReport(writer.file()), options);
  return out.str();
}
std::size_t count(const std::string &text, const std::string &part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++n;
  return n;
}
bool has(const std::string &text, const std::string &part) { return count(text, part) != 0; }
/// Returns the text from the line `heading` up to the next empty line.
std::string section(const std::string &text, const std::string &heading) {
  const auto begin = text.find(heading + "\n");
  REQUIRE(begin != std::string::npos);
  return text.substr(begin, text.find("\n\n", begin) - begin);
}
/// Makes tile t use more memory than it has; the record lists the fullest tile first.
void overflow(CompilationRecord &r, std::uint32_t tile, std::uint64_t bytes) {
  r.tiles[tile].category[static_cast<std::size_t>(StorageCategory::Variable)][2][0] = Bytes(bytes);
  r.tiles[tile].excludingGaps[2] = Bytes(bytes);
  r.tiles[tile].totalExcludingGaps += Bytes(bytes);
  r.tiles[tile].totalIncludingGaps += Bytes(bytes);
}
} // namespace

TEST_SUITE("report.summary") {
  // Ranges in the rows and columns of three published reports: bounds of one, two and three digits.
  TEST_CASE("ranges of the histogram end where those of the published reports do, in bins as wide as theirs") {
    const auto rowsOf = [](const std::vector<std::uint64_t> &kilobytes) {
      CompilationRecord record = small::compilation();
      for (std::size_t t = 0; t < record.tiles.size(); ++t)
        record.tiles[t].totalExcludingGaps = Bytes(1024 * kilobytes[std::min(t, kilobytes.size() - 1)] + 512);
      const std::string heading = "    Range (KB) Histogram (Excluding Gaps)               Count (tiles)";
      return section(summaryOf(record), heading).substr(heading.size() + 1) + "\n";
    };
    const std::string bar(40, '*'), none(40, ' ');
    CHECK(rowsOf({5, 4}) == "         4 - 5 " + bar +
                                "      7\n" //
                                "         5 - 6 " +
                                "******" + std::string(34, ' ') + "      1\n");
    CHECK(rowsOf({9, 10, 11}) == "        9 - 10 *******" + std::string(33, ' ') + "      1\n" +
                                     "      10 - 11 *******" + std::string(33, ' ') + "      1\n" + //
                                     "      11 - 12 " + bar + "      6\n");
    const std::string wide = rowsOf({814, 504, 20, 2, 15});
    CHECK(std::count(wide.begin(), wide.end(), '\n') == 102);
    CHECK(has(wide, "       0 -   8 "));
    CHECK(has(wide, "\n       8 -  16 "));
    CHECK(has(wide, "\n      24 -  32 " + none + "      0\n"));
    CHECK(has(wide, "\n     504 - 512 "));
    CHECK(has(wide, "\n     808 - 816 "));
    const std::string full = rowsOf({447, 3}); // once 112 rows of 4 KB
    CHECK(std::count(full.begin(), full.end(), '\n') == 56);
    CHECK(has(full, "\n     440 - 448 "));
  }

  TEST_CASE("tiles out of memory are shown fullest first, at most five, with what overflowed") {
    CompilationRecord record = small::compilation();
    CHECK(has(summaryOf(record), "    0 tile(s) out of memory\n"));
    CHECK_FALSE(has(summaryOf(record), "Tile # "));
    for (const std::uint32_t tile : {6, 5, 4, 3, 2, 1}) { // fullest first
      overflow(record, tile, 2000 + tile);
      record.tilesOutOfMemory.push_back(tile);
    }
    const std::string text = summaryOf(record);
    CHECK(has(text, "    6 tile(s) out of memory\n"));
    CHECK(count(text, "Tile # ") == 5);
    CHECK_FALSE(has(text, "Tile # 1 memory usage:"));
    CHECK(text.find("Tile # 6 memory usage:") < text.find("Tile # 5 memory usage:"));
    const std::string tile6 = section(text, "Tile # 6 memory usage:");
    CHECK(has(tile6, "Including Gaps:              2,112 B\n")); // 100 + 6 + 2006
    CHECK(has(tile6, "Non-interleaved:           106 B\n"));
    CHECK(has(tile6, "Overflowed:              2,006 B\n"));
    // The block of the whole program counts them, too: 6 tiles, 2,000 each, and 6 + 5 + ... + 1.
    CHECK(has(section(text, "Memory on all IPUs:"), "Overflowed:             12,021 B\n"));
    SummaryOptions coloured;
    coloured.colours = true;
    CHECK(has(summaryOf(record, coloured), "\033[1;31m6 tile(s) out of memory\033[0m"));
  }

  TEST_CASE("memory of each IPU is that of its tiles, and all together the total") {
    SummaryOptions options;
    options.showPerIpuMemoryUsage = true;
    const std::string text = summaryOf(small::compilation(), options);
    CHECK(has(section(text, "Memory on all IPUs:"), "      Total:                       828 B\n")); // 8 * 100 + 28
    CHECK(has(section(text, "Memory on IPU 0:"), "      Total:                       406 B\n"));
    CHECK(has(section(text, "Memory on IPU 1:"), "      Total:                       422 B\n"));
    CHECK_FALSE(has(text, "Memory on IPU 2:"));
    CHECK_FALSE(has(summaryOf(small::compilation()), "Memory on IPU "));
  }

  TEST_CASE("the memory of a replicated graph is that of one replica, as the text says") {
    CompilationRecord record = small::compilation();
    record.target.numReplicas = 2;
    SummaryOptions options;
    options.showPerIpuMemoryUsage = true;
    const std::string text = summaryOf(record, options);
    CHECK(has(text, "  Tiles per Replica:      4\n"));
    CHECK(has(section(text, "Memory on all IPUs:"), "Memory on all IPUs:\n  Of one replica; all 2 use the same.\n"));
    CHECK(has(section(text, "Memory on all IPUs:"), "      Total:                       406 B\n"));
    CHECK(has(text, "Memory on IPU 0:"));
    CHECK_FALSE(has(text, "Memory on IPU 1:"));
    CHECK_FALSE(has(summaryOf(small::compilation()), "Of one replica"));
  }

  TEST_CASE("when code was not compiled for the IPU, the memory block says so in its first line") {
    CompilationRecord record = small::compilation();
    const std::string note = "Code is not included";
    CHECK_FALSE(has(summaryOf(record), note));
    record.codeIncluded = false;
    CHECK(has(summaryOf(record), "Memory Usage:\n  " + note + ": set IPUModel::compileIPUCode"));
  }

  TEST_CASE("without an execution the summary says how to get one, and has no numbers or steps") {
    SummaryOptions options;
    options.showExecutionSteps = true;
    CompilationRecord record = small::compilation();
    const std::string model = summaryOf(record, options, false);
    CHECK(
        has(model,
            "Execution:\n\n  No execution was recorded. The program has not run yet, was stopped before the end of its "
            "first run, or discarded its runs with Engine::resetExecutionProfile.\n"));
    CHECK_FALSE(has(model, "Total cycles"));
    CHECK_FALSE(has(model, "Steps\n"));
    record.target.type = "IPU";
    CHECK(
        has(summaryOf(record, options, false),
            "  No execution was recorded. An IPU device knows its cycles by counters, and the program did not request "
            "them: set autoReport.outputExecutionProfile to \"true\".\n"));
    CHECK(has(summaryOf(record, options), "Total cycles"));
  }

  TEST_CASE("a CPU has neither memory nor execution figures, whatever is asked for") {
    CompilationRecord record = small::compilation();
    record.target.type = "CPU";
    SummaryOptions options;
    options.showExecutionSteps = options.showVarStorage = options.showOptimizations = options.showPerIpuMemoryUsage =
        true;
    const std::string text = summaryOf(record, options);
    CHECK(has(text, "Graph:\n"));
    CHECK(has(text, "\nA CPU target has no memory or execution profile: use an IPU Model.\n"));
    for (const char *part : {"Memory Usage", "Execution:", "Steps", "Liveness", "Optimizations"})
      CHECK_FALSE(has(text, part));
  }

  TEST_CASE("optimisations are rows of a pass with its count before and after") {
    SummaryOptions options;
    options.showOptimizations = true;
    CompilationRecord record = small::compilation();
    CHECK(section(summaryOf(record, options), "Optimizations:") == "Optimizations:\n  None was applied.");
    record.optimisations = {{"MergeMessages", "messages", 12345, 67}, {"ShareBuffers", "buffers", 8, 8}};
    CHECK(section(summaryOf(record, options), "Optimizations:") == "Optimizations:\n"
                                                                   "  MergeMessages:         12,345 -> 67 messages\n"
                                                                   "  ShareBuffers:               8 -> 8 buffers");
  }

  TEST_CASE("liveness is shown for all tiles, then for those with the highest maximum, highest first") {
    CompilationRecord record = small::compilation();
    record.tiles[1].alwaysLiveBytes = Bytes(7);
    record.tiles[1].maxNotAlwaysLiveBytes = Bytes(20);
    record.tiles[3].maxNotAlwaysLiveBytes = Bytes(28);
    const pva::Report report = reportOf(record);
    const std::vector<VarStorageRows> fullest = collectVarStorageOfFullestTiles(report, 2);
    REQUIRE(fullest.size() == 2);
    CHECK(fullest[0].tile == 3);
    CHECK(fullest[1].tile == 1);
    CHECK(fullest[1].maxLiveBytes == 27);
    for (const VarStorageRows &rows : fullest) {
      std::size_t withFigures = 0;
      for (const ProgramRow &row : rows.programs) {
        withFigures += row.hasFigures;
        std::uint64_t sum = 0;
        for (const LiveRow &live : row.live)
          sum += live.bytes;
        CHECK(sum == row.liveBytes);
      }
      CHECK(withFigures > 0);
    }
    SummaryOptions options;
    options.showVarStorage = true;
    const std::string text = summaryOf(record, options);
    const auto all = text.find("  Variable Storage Liveness: All tiles\n");
    const auto first = text.find("  Variable Storage Liveness: Tile " + std::to_string(*fullest[0].tile) + "\n");
    CHECK(all < first);
    CHECK(first < text.find("  Variable Storage Liveness: Tile " + std::to_string(*fullest[1].tile) + "\n"));
  }

  TEST_CASE("the switch between an engine's programs prints as a switch of the program does") {
    SummaryOptions options;
    options.showVarStorage = true;
    const std::string text = summaryOf(small::compilation(), options);
    CHECK(has(text, "    Sequence\n"
                    "      Switch\n"
                    "        Live Bytes (excluding always-live): 40\n"
                    "        Live Vars (excluding always-live):\n"
                    "          sum            40\n"
                    "        OnTileExecute: add\n"));
    CHECK(has(text, "      Switch: choose\n"));
    CHECK_FALSE(has(text, "OnEveryTileSwitch"));
  }
}
