// A profile in which every figure is known, for the views of popscope: one IPU of 4 tiles of 1,024 bytes.
//
//   step            run                       work (cycles by tile)        live (always-live w: 50 B)
//   1 Sync          0-20, again 50-60         none                         -
//   2 DoExchange    20-30                     10, 6, 4, 0                  a
//   3 fast          30-50                     20, 20, 0, 0                 a, b
//   4 slow          60-100                    0, 0, 0, 40                  b
//
// a: 40 B on tile 0, 60 B on tile 3; b: 30 B on tile 3; w: 50 B on tile 1.
#pragma once
#include "RunProgram.hpp"

#include "report/pop/PopFile.hpp"

#include <nlohmann/json.hpp>

namespace tools {

[[nodiscard]] popscope::CompilationRecord knownCompilation();
/// Returns knownCompilation() with estimates of floating-point operations: two of the four vertices of "fast" do 60
/// operations together, and the vertex of "slow" does 16.
[[nodiscard]] popscope::CompilationRecord knownOperations();
[[nodiscard]] popscope::LiveVariableRecord knownVariable(popscope::CompilationRecord &r, const char *name,
                                                         std::uint64_t bytes, std::int64_t liveClass,
                                                         popscope::TileValues byTile);
/// Writes the steps of one run, which the caller has begun. The step "slow" ends at `slowEnd`.
void recordKnownRun(popscope::PopWriter &writer, const char *name, std::uint64_t slowEnd = 100);
/// Writes a whole profile with one run, "train".
void writeKnown(const std::string &path, const popscope::CompilationRecord &record, std::uint64_t slowEnd = 100);
/// Writes one run of 70 cycles whose steps overlap: their spans add up to 110.
void writeOverlapping(const std::string &path);

/// A Workplace with the profile "known.pop".
struct Known {
  Workplace place;
  Known();
  /// Returns the output of `popscope words[0] known.pop words[1...]`.
  [[nodiscard]] std::string text(std::vector<std::string> words) const;
  [[nodiscard]] nlohmann::json ask(std::vector<std::string> words) const;
};

/// Returns the rows of a table of an answer.
[[nodiscard]] nlohmann::json table(const nlohmann::json &answer, const char *key);

} // namespace tools
