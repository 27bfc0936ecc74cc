// Identities of the printed summary: figures recomputed from other printed figures, and from the profile.
#pragma once
#include "tests/check/profile/Facts.hpp"
#include "tests/check/profile/Findings.hpp"
#include "tests/check/profile/SummaryText.hpp"

namespace profile_check {

/// Checks that each block of memory adds up, and that its vertex data is the sum of the four kinds of storage.
Findings checkMemoryText(const SummaryText &text);
/// Checks that the lines of the IPUs' blocks add up to those of the block for all IPUs, row by row.
Findings checkIpuText(const SummaryText &text);
/// Checks that counts add up to `tiles`, that bars have the length that the user guide defines, and that ranges are
/// contiguous.
Findings checkHistogramText(const SummaryText &text, std::uint64_t tiles);
/// Checks that always-live bytes, live bytes of each program and the maximum are sums of the printed variables.
Findings checkLivenessText(const SummaryText &text);
/// Checks that microseconds, balances and cycles by vertex type follow from the printed cycles.
Findings checkExecutionText(const SummaryText &text);
/// Checks the times of each step, and that all its balances agree on one number of busy cycles and one amount of data
/// on the fullest tile. Also checks that the steps' cycles by vertex type add up to those of all steps.
Findings checkStepsText(const SummaryText &text);
/// Computes balances and data of each printed step from the recorded cycles, and compares them.
Findings checkStepsAgainst(const SummaryText &text, const ExecutionFacts &execution);

} // namespace profile_check
