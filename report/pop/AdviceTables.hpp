// The parts of schemaTables() for explained liveness (autoReport.outputLivenessExplanation) and for trials of changes
// (popscope.tryAdvice).
#pragma once
#include "report/pop/Schema.hpp"

namespace popscope {

[[nodiscard]] std::vector<SchemaTable> adviceTables();
/// Returns the table of trials, which a file has only if changes were tried.
[[nodiscard]] SchemaTable adviceTrialsTable();
/// Returns the packed table of accesses. A file has rows of this table only if the compilation explained the liveness.
[[nodiscard]] SchemaTable variableAccessesTable();

} // namespace popscope
