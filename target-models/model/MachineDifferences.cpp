#include "target-models/model/MachineDifferences.hpp"

#include "base/JsonText.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace popscope {

std::map<std::string, std::string> machineFields(const TileMachine &machine) {
  std::map<std::string, std::string> fields;
  const nlohmann::json flat = jsonOrThrow(tileMachineToJson(machine)).flatten();
  for (const auto &[path, value] : flat.items())
    fields[path] = value.is_string() ? value.get<std::string>() : jsonText(value);
  return fields;
}

std::vector<MachineDifference> machineDifferences(const TileMachine &before, const TileMachine &after) {
  auto a = machineFields(before), b = machineFields(after);
  std::vector<MachineDifference> all;
  for (const auto &[path, value] : a)
    if (!b.contains(path))
      all.push_back({path, value, "none"});
    else if (b[path] != value)
      all.push_back({path, value, b[path]});
  for (const auto &[path, value] : b)
    if (!a.contains(path))
      all.push_back({path, "none", value});
  std::sort(all.begin(), all.end(), [](const auto &x, const auto &y) { return x.path < y.path; });
  return all;
}

} // namespace popscope
