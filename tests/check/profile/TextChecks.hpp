// Identities of the printed summary: figures recomputed from other printed figures, and from the profile.
#pragma once
#include "tests/check/profile/Facts.hpp"
#include "tests/check/profile/Findings.hpp"
#include "tests/check/profile/SummaryText.hpp"

namespace profile_check {

/// Each block of memory adds up, and its vertex data is its four kinds of storage.
Findings checkMemoryText(const SummaryText &text);
/// The lines of the blocks by IPU add up to those of the block of all, row by row.
Findings checkIpuText(const SummaryText &text);
/// Counts add up to `tiles`, bars are as long as the user guide says, ranges join.
Findings checkHistogramText(const SummaryText &text, std::uint64_t tiles);
/// Always-live bytes, live bytes of each program and the maximum are sums of the printed variables.
Findings checkLivenessText(const SummaryText &text);
/// Microseconds, balances and cycles by vertex type follow from the printed cycles.
Findings checkExecutionText(const SummaryText &text);
/// Each step: times, and a number of busy cycles and of data of the fullest tile that all its balances agree with; the
/// types of the steps add up to those of the whole.
Findings checkStepsText(const SummaryText &text);
/// Balances and data of each printed step from the recorded cycles.
Findings checkStepsAgainst(const SummaryText &text, const ExecutionFacts &execution);

} // namespace profile_check
