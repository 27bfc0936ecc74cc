// The parts of schemaTables() that describe explained liveness and trials of changes.
#pragma once
#include "report/pop/Schema.hpp"

namespace popscope {

[[nodiscard]] std::vector<SchemaTable> adviceTables();
/// Returns the table of trials, which a file has only if changes were tried.
[[nodiscard]] SchemaTable adviceTrialsTable();
/// Returns the packed table of accesses. A file has rows of this table only with explained liveness.
[[nodiscard]] SchemaTable variableAccessesTable();

} // namespace popscope
