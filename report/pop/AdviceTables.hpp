// The tables of explained liveness, as a part of schemaTables().
#pragma once
#include "report/pop/Schema.hpp"

namespace popscope {

[[nodiscard]] std::vector<SchemaTable> adviceTables();
/// Returns the table of trials, which a file has only if changes were tried.
[[nodiscard]] SchemaTable adviceTrialsTable();
/// Returns the table of accesses, which a file has only with explained liveness.
[[nodiscard]] SchemaTable variableAccessesTable();

} // namespace popscope
