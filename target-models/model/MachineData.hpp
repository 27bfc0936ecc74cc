// The built-in machine descriptions: the contents of target-models/data/*.json, compiled in at build time.
#pragma once
#include <span>
#include <string_view>

namespace popscope {

struct MachineData {
  std::string_view name; // file name without ".json"
  std::string_view json;
};

/// Returns all descriptions, sorted by name. "runtime" is not a machine: it contains the data that all machines share.
std::span<const MachineData> machineData();

} // namespace popscope
