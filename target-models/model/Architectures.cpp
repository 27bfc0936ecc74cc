#include "target-models/model/Architectures.hpp"

#include "base/JsonText.hpp"
#include "target-models/model/MachineData.hpp"
#include "target-models/model/TileMachine.hpp"

#include <nlohmann/json.hpp>

namespace popscope {

const std::vector<Architecture> &architectures() {
  static const std::vector<Architecture> all = [] {
    std::vector<Architecture> found;
    for (const std::string &name : tileMachineNames())
      for (const MachineData &data : machineData())
        if (data.name == name) {
          const nlohmann::json json = jsonOrThrow(data.json);
          found.push_back({name, json.at("architectureVersion").get<std::uint32_t>(),
                           loadTileMachine(name).scaledPointerBytes == 2,
                           json.at("systems").get<std::vector<std::string>>()});
        }
    return found;
  }();
  return all;
}

const Architecture *findArchitecture(const std::string &name) {
  for (const Architecture &one : architectures())
    if (one.name == name)
      return &one;
  return nullptr;
}

bool isIpuArchitecture(const std::string &name) {
  const Architecture *const known = findArchitecture(name);
  return known != nullptr && !known->isHost();
}

std::string architectureNames(bool withHost, const char *last) {
  std::vector<std::string> names;
  for (const Architecture &one : architectures())
    if (withHost || !one.isHost())
      names.push_back(one.name);
  std::string text;
  for (std::size_t i = 0; i != names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? std::string(" ") + last + " " : ", ") + names[i];
  return text;
}

} // namespace popscope
