// Compares two machines field by field, under the names of the fields in a machine file (docs/MACHINES.md).
#pragma once
#include "target-models/model/TileMachine.hpp"

#include <map>
#include <string>
#include <vector>

namespace popscope {

/// A scalar field in which two machines differ. `path` has the form "/sync/minDelayCycles". A field that a machine does
/// not have, for example of a further memory region, has the value "none".
struct MachineDifference {
  std::string path, before, after;
};

/// Returns the values of the scalar fields of the machine's JSON, by path.
[[nodiscard]] std::map<std::string, std::string> machineFields(const TileMachine &machine);
/// Returns the fields in which the machines differ, sorted by path. Does not compare `kind` and `compileIpuCode`, which
/// are no fields of a machine file.
[[nodiscard]] std::vector<MachineDifference> machineDifferences(const TileMachine &before, const TileMachine &after);

} // namespace popscope
