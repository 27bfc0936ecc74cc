// The built-in machine descriptions: the texts of target-models/data/*.json, generated and compiled in at build time.
#pragma once
#include <span>
#include <string_view>

namespace popscope {

struct MachineData {
  std::string_view name; // the file's name without ".json"
  std::string_view json;
};

/// Returns all descriptions, sorted by name. "runtime" contains the data that all machines share; it is not a machine.
std::span<const MachineData> machineData();

} // namespace popscope
