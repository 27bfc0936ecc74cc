// The tables of explained liveness: their part of the Schema table.
#pragma once
#include "report/pop/Schema.hpp"

namespace popscope {

[[nodiscard]] std::vector<SchemaTable> adviceTables();
/// In a file only where changes were tried.
[[nodiscard]] SchemaTable adviceTrialsTable();
/// In a file only with explained liveness.
[[nodiscard]] SchemaTable variableAccessesTable();

} // namespace popscope
