#include "engine/compile/RequireMachine.hpp"

#include "target-models/model/MachineDifferences.hpp"
#include "target-models/model/PublicTarget.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poplar/exceptions.hpp>

#include <algorithm>

namespace popscope {
namespace {

constexpr std::size_t kMaxFieldsNamed = 6; // a machine has hundreds of fields

std::string kindName(DeviceKind kind) {
  switch (kind) {
  case DeviceKind::Ipu: return "an IPU";
  case DeviceKind::IpuModel: return "an IPU Model";
  case DeviceKind::Cpu: break;
  }
  return "a CPU";
}

/// Returns the number of IPUs of a device that runs the program.
std::uint32_t ipusOf(const CompiledProgram &compiled) {
  return compiled.machine.numIpus * std::max(1u, compiled.program.replicationFactor);
}

/// Returns the fields in which the program's machine and `given` differ, except the number of IPUs and of their tiles.
/// The program's options replace some fields of its machine, so they replace the fields of `given`, too.
std::vector<MachineDifference> fieldDifferences(const CompiledProgram &compiled, TileMachine given) {
  given.numIpus = compiled.machine.numIpus;
  given.tilesPerIpu = compiled.machine.tilesPerIpu;
  given.compileIpuCode = compiled.machine.compileIpuCode;
  return machineDifferences(compiled.machine, machineWith(std::move(given), compiled.settings));
}

/// Returns the options with which a simulated IPU has the graph's target options, for example ` with the option
/// "syncConfiguration" "ipuAndAll"`. Returns "" if the defaults of the simulated IPU suit.
std::string optionsOfDevice(const CompiledProgram &compiled, const poplar::Target &plain) {
  const std::vector<std::string> defaults = linkOptionsOf(plain);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i != kLinkOptions.size(); ++i)
    if (compiled.linkOptions[i] != defaults[i])
      texts.push_back(fmt::format("\"{}\" \"{}\"", kLinkOptions[i], compiled.linkOptions[i]));
  if (texts.empty())
    return "";
  return fmt::format(" with the option{} {}", texts.size() == 1 ? "" : "s", fmt::join(texts, " and "));
}

/// Returns how to get a simulated IPU with the program's machine. Returns "" if no simulated IPU has this machine, or
/// if the number of IPUs is no power of two.
std::string howToSimulate(const CompiledProgram &compiled) {
  const TileMachine &wanted = compiled.machine;
  const std::uint32_t ipus = ipusOf(compiled);
  if (ipus == 0 || (ipus & (ipus - 1)) != 0)
    return "";
  const poplar::Target plain = poplar::Target::createIPUTarget(1, wanted.architecture);
  if (plain.getTilesPerIPU() < wanted.tilesPerIpu || !fieldDifferences(compiled, machineOf(plain)).empty())
    return "";
  return fmt::format(
      ", or load it on a simulated IPU: set POPSCOPE_SIM_IPUS to {}:{} and ask DeviceManager::getDevices{}{}",
      wanted.architecture, ipus, optionsOfDevice(compiled, plain),
      plain.getTilesPerIPU() == wanted.tilesPerIpu
          ? ""
          : fmt::format(", then the device's createVirtualDevice({})", wanted.tilesPerIpu));
}

/// Returns how to get a device that runs the program, or "".
std::string howToMatch(const CompiledProgram &compiled, const TileMachine &given, bool fieldsDiffer) {
  const TileMachine &wanted = compiled.machine;
  if (wanted.kind == DeviceKind::Ipu)
    if (std::string how = howToSimulate(compiled); !how.empty())
      return how;
  if (wanted.kind == DeviceKind::IpuModel && given.kind == DeviceKind::Ipu)
    return ", or load it on the device that IPUModel::createDevice returns";
  if (fieldsDiffer && wanted.kind != DeviceKind::Cpu)
    return wanted.kind == DeviceKind::Ipu
               ? ", or set POPSCOPE_MACHINE as in the compilation"
               : ", or set POPSCOPE_MACHINE and the fields of the IPUModel as in the compilation";
  return "";
}

} // namespace

// Compares the fields of machines only if kind and architecture are equal, because these two decide many other fields.
void requireSameMachine(const CompiledProgram &compiled, const poplar::Target &device) {
  const TileMachine &wanted = compiled.machine;
  const TileMachine &given = machineOf(device);
  std::vector<std::string> differences;
  const auto compare = [&](const auto &what, const auto &ofGraph, const auto &ofDevice) {
    if (ofGraph != ofDevice)
      differences.push_back(fmt::format("{} ({}, the device {})", what, ofGraph, ofDevice));
  };
  compare("the kind", kindName(wanted.kind), kindName(given.kind));
  compare("the architecture", wanted.architecture, given.architecture);
  const bool comparable = differences.empty();
  if (comparable)
    compare("the name", wanted.name, given.name);
  compare("the number of IPUs", ipusOf(compiled), given.numIpus);
  compare("the tiles of an IPU", wanted.tilesPerIpu, given.tilesPerIpu);
  const std::vector<std::string> linkOptions = linkOptionsOf(device);
  for (std::size_t i = 0; i != kLinkOptions.size(); ++i)
    compare(kLinkOptions[i], compiled.linkOptions[i], linkOptions[i]);
  bool fieldsDiffer = false;
  if (comparable) {
    compare("IPUModel::compileIPUCode", wanted.compileIpuCode, given.compileIpuCode);
    std::vector<MachineDifference> fields = fieldDifferences(compiled, given);
    fieldsDiffer = !fields.empty() || wanted.compileIpuCode != given.compileIpuCode;
    std::erase_if(fields, [](const MachineDifference &field) { return field.path == "/name"; });
    const std::size_t named = std::min(fields.size(), kMaxFieldsNamed);
    for (std::size_t i = 0; i != named; ++i)
      compare(fields[i].path, fields[i].before, fields[i].after);
    if (const std::size_t others = fields.size() - named; others != 0)
      differences.push_back(fmt::format("and {} more field{}", others, others == 1 ? "" : "s"));
  }
  if (differences.empty())
    return;
  throw poplar::poplar_error(fmt::format(
      "the graph was compiled for another machine than this device; they differ in {}. Build the graph with this "
      "device's target{}",
      fmt::join(differences, ", "), howToMatch(compiled, given, fieldsDiffer)));
}

} // namespace popscope
