// Identities of execution (docs/DESIGN, "Identities that always hold").
#pragma once
#include "tests/check/profile/Facts.hpp"
#include "tests/check/profile/Findings.hpp"

namespace profile_check {

/// In each run and in all: compute + exchange + global + host + shared structure copy + sync + unattributed =
/// tiles x total cycles; the runs add up.
Findings checkCycleTotals(const ExecutionFacts &execution);
/// The totals of a run are the sums of what its steps did, by kind; its thread cycles the sum of the steps'.
Findings checkStepSums(const ExecutionFacts &execution);
/// Within a step: cycles by vertex type add up to the thread cycles; cycles by tile to the busy cycles, with as many
/// tiles as are active; work fits into the step's time, and threads into the work.
Findings checkSteps(const ExecutionFacts &execution);
/// Without gaps: on each IPU the first tile enters a step when the first leaves the one before, and the last likewise;
/// the first step begins at 0, and the run ends with its last.
Findings checkTimeLine(const ExecutionFacts &execution);
/// Data that a step moved is what its program says; what is sent within a device is received.
Findings checkStepData(const ExecutionFacts &execution);

} // namespace profile_check
