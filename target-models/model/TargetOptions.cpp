#include "target-models/model/TargetOptions.hpp"

#include "target-models/model/TargetData.hpp"

namespace popscope {

const OptionTable &targetOptionTable() {
  static const OptionTable table("target", {{.key = "gatewayMode",
                                             .kind = OptionKind::Bool,
                                             .defaultValue = "false",
                                             .unit = "",
                                             .help = "the IPUs are reached through a gateway",
                                             .since = "0.1"},
                                            {.key = "syncConfiguration",
                                             .kind = OptionKind::Enumeration,
                                             .defaultValue = "intraReplicaAndAll",
                                             .unit = "",
                                             .help = "which IPUs the sync zones join",
                                             .since = "0.1",
                                             .values = {"intraReplicaAndAll", "ipuAndAll", "intraReplicaAndLadder"}},
                                            {.key = "ipuLinkConfiguration",
                                             .kind = OptionKind::Enumeration,
                                             .defaultValue = "Default",
                                             .unit = "",
                                             .help = "how the IPU links are configured",
                                             .since = "0.1",
                                             .values = {"Default", "BarleyTwist", "SlidingWindow"}},
                                            {.key = "ipuLinkTopology",
                                             .kind = OptionKind::Enumeration,
                                             .defaultValue = "Mesh",
                                             .unit = "",
                                             .help = "how the IPU links join the IPUs",
                                             .since = "0.1",
                                             .values = {"Mesh", "Torus"}},
                                            {.key = "ipuLinkDomainSize",
                                             .kind = OptionKind::Unsigned,
                                             .defaultValue = "0",
                                             .unit = "IPUs",
                                             .help = "IPUs that the links join; 0 means all of the target",
                                             .since = "0.1",
                                             .max = 65536},
                                            {.key = "instanceSize",
                                             .kind = OptionKind::Unsigned,
                                             .defaultValue = "0",
                                             .unit = "IPUs",
                                             .help = "IPUs that one host process drives; 0 means all of the target",
                                             .since = "0.1",
                                             .max = 65536}});
  return table;
}

TargetOptions parseTargetOptions(const poplar::OptionFlags &flags) {
  const OptionValues values = targetOptionTable().parse(flags);
  TargetOptions options;
  options.gateway = values.getBool("gatewayMode");
  options.syncConfiguration = values.getString("syncConfiguration");
  options.linkConfiguration = static_cast<poplar::IpuLinkConfiguration>(values.getIndex("ipuLinkConfiguration"));
  options.linkTopology = static_cast<poplar::IpuLinkTopology>(values.getIndex("ipuLinkTopology"));
  options.linkDomainSize = static_cast<std::uint32_t>(values.getUnsigned("ipuLinkDomainSize"));
  options.instanceSize = static_cast<std::uint32_t>(values.getUnsigned("instanceSize"));
  options.flags = flags;
  return options;
}

std::vector<std::string> linkOptionsOf(const poplar::Target &target) {
  const OptionValues values = targetOptionTable().parse(TargetAccess::data(target).options.flags);
  std::vector<std::string> result;
  for (const char *option : kLinkOptions)
    result.push_back(values.getString(option));
  return result;
}

poplar::OptionFlags withEnvironment(const poplar::OptionFlags &flags) {
  poplar::OptionFlags all = flags;
  poplar::readJSONFromEnv("POPLAR_TARGET_OPTIONS", all);
  return all;
}

} // namespace popscope
