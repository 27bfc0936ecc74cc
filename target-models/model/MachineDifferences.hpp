// Compares two machines field by field, under the names of the fields in a machine file (docs/MACHINES.md).
#pragma once
#include "target-models/model/TileMachine.hpp"

#include <map>
#include <string>
#include <vector>

namespace popscope {

/// A scalar field in which two machines differ. `path` has the form "/sync/minDelayCycles". A field that only one
/// machine has, for example a field of an additional memory region, has the value "none" for the other machine.
struct MachineDifference {
  std::string path, before, after;
};

/// Returns the values of the scalar fields of the machine's JSON, by path.
[[nodiscard]] std::map<std::string, std::string> machineFields(const TileMachine &machine);
/// Returns the fields in which the machines differ, sorted by path. Does not compare `kind` and `compileIpuCode`, which
/// are not fields of a machine file.
[[nodiscard]] std::vector<MachineDifference> machineDifferences(const TileMachine &before, const TileMachine &after);

} // namespace popscope
