// Identities of liveness (tests/README.md, "Identities").
#pragma once
#include "tests/check/profile/Facts.hpp"
#include "tests/check/profile/Findings.hpp"

namespace profile_check {

/// Checks that always-live bytes are the sum of the always-live variables and the sum over tiles. Checks the same sum
/// of variables on each tile.
Findings checkAlwaysLive(const LivenessFacts &liveness);
/// Checks that the live bytes of each step are the sum over its variables, over IPUs and over tiles; also on each IPU
/// and tile.
Findings checkLiveSteps(const LivenessFacts &liveness);
/// Checks that the maximum of live bytes is the always-live bytes plus the live bytes of the fullest step, that a
/// tile's maximum is its fullest step, and that a tile uses at least as many bytes as are live at once.
Findings checkLivePeaks(const LivenessFacts &liveness, const MemoryFacts &memory);

} // namespace profile_check
