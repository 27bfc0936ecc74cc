// The built-in machine descriptions: the texts of target-models/data/*.json, compiled in (generated at build time).
#pragma once
#include <span>
#include <string_view>

namespace popscope {

struct MachineData {
  std::string_view name; // of the file, without ".json"
  std::string_view json;
};

/// Sorted by name. "runtime" holds what all machines share and is no machine itself.
std::span<const MachineData> machineData();

} // namespace popscope
