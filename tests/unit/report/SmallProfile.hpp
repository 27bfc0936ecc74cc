// A profile so small that every figure is known: 2 IPUs of 4 tiles of 1,024 bytes, two vertex types, an engine with two
// programs. Tests change the record to vary it.
#pragma once
#include "report/pop/PopFile.hpp"

namespace small {

constexpr std::uint64_t kTilesPerIpu = 4, kTiles = 8, kBytesPerTile = 1024;

/// Returns a record in which tile t holds 100 + t bytes of variables and nothing else, without gaps.
[[nodiscard]] popscope::CompilationRecord compilation();
/// Writes a run in which the only compute set takes 50 cycles.
void writeRun(popscope::ProfileSink &sink);
/// Writes the compilation and the run to `path`; "" = a profile in memory.
[[nodiscard]] std::shared_ptr<popscope::PopFile> write(const std::string &path);

} // namespace small
