// Identities of execution (tests/README.md, "Identities").
#pragma once
#include "tests/check/profile/Facts.hpp"
#include "tests/check/profile/Findings.hpp"

namespace profile_check {

/// Checks in each run and in all runs together: compute + exchange + global + host + shared structure copy + sync +
/// unattributed = tiles x total cycles. Also checks that the runs add up to the whole.
Findings checkCycleTotals(const ExecutionFacts &execution);
/// Checks that the totals of a run are the sums over its steps, by kind, and that its thread cycles are the sum of the
/// steps' thread cycles.
Findings checkStepSums(const ExecutionFacts &execution);
/// Checks within each step: cycles per vertex type add up to the thread cycles; cycles per tile add up to the busy
/// cycles, and the number of tiles with cycles is that of active tiles; work is not longer than the step's time, and
/// thread cycles do not exceed work.
Findings checkSteps(const ExecutionFacts &execution);
/// Checks that there are no gaps. On each IPU, the first tile enters a step when the first tile leaves the previous
/// step; the same holds for the last tile. The first step begins at 0, and the run ends with its last step.
Findings checkTimeLine(const ExecutionFacts &execution);
/// Checks that a step moves the data that its program states, and that all data sent within a device is received.
Findings checkStepData(const ExecutionFacts &execution);

} // namespace profile_check
