// Compares the printed totals with the same totals summed by SQL over the profile's tables.
#pragma once
#include "tests/check/profile/Findings.hpp"
#include "tests/check/profile/Sql.hpp"
#include "tests/check/profile/SummaryText.hpp"

namespace profile_check {

Findings checkMemoryTotals(const SummaryText &text, const Database &db);
Findings checkLivenessTotals(const SummaryText &text, const Database &db);
Findings checkExecutionTotals(const SummaryText &text, const Database &db);
/// Checks that no number in an integer column of any table is below 0.
Findings checkNothingNegative(const Database &db);

} // namespace profile_check
