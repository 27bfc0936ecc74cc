// A profile small enough to know every figure of it: 2 IPUs of 4 tiles of 1,024 bytes, two vertex types, an engine of
// two programs. What a test varies is changed in the record.
#pragma once
#include "report/pop/PopFile.hpp"

namespace small {

constexpr std::uint64_t kTilesPerIpu = 4, kTiles = 8, kBytesPerTile = 1024;

/// Tile t holds 100 + t bytes of variables and nothing else, without gaps.
[[nodiscard]] popscope::CompilationRecord compilation();
/// A run of 50 cycles of the one compute set.
void writeRun(popscope::ProfileSink &sink);
/// Writes both to `path`; "" = a profile in memory.
[[nodiscard]] std::shared_ptr<popscope::PopFile> write(const std::string &path);

} // namespace small
