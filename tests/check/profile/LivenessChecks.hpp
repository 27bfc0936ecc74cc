// Identities of liveness (docs/DESIGN, "Identities that always hold").
#pragma once
#include "tests/check/profile/Facts.hpp"
#include "tests/check/profile/Findings.hpp"

namespace profile_check {

/// Always-live bytes are the sum of the always-live variables and the sum over tiles, on each tile too.
Findings checkAlwaysLive(const LivenessFacts &liveness);
/// At each step the live bytes are the sum of the step's variables, of its IPUs and of its tiles; the same on each.
Findings checkLiveSteps(const LivenessFacts &liveness);
/// The most live bytes are the always-live ones and the fullest step; a tile's figure is its fullest step; a tile holds
/// at least what is live at once.
Findings checkLivePeaks(const LivenessFacts &liveness, const MemoryFacts &memory);

} // namespace profile_check
