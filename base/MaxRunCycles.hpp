// The limit of cycles for the simulated machine, for the answers about profiles (report/answers), and for imported
// measurements.
#pragma once
#include <cstdint>

namespace popscope {

/// Maximum number of cycles of all timed runs of an engine together, of a recorded step, and of a measurement. This
/// number corresponds to two days at 1.6 GHz. Larger numbers could overflow sums over tiles.
constexpr std::uint64_t kMaxRunCycles = std::uint64_t(1) << 48;

} // namespace popscope
