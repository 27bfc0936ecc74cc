#include "target-models/model/CustomMachine.hpp"

#include "base/Environment.hpp"
#include "base/FileErrors.hpp"
#include "base/TerminalText.hpp"
#include "target-models/model/Architectures.hpp"
#include "target-models/model/TargetData.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <poplar/exceptions.hpp>
#include <popscope/CustomTarget.hpp>
#include <system_error>

namespace popscope {
namespace {

constexpr const char *kVariable = "POPSCOPE_MACHINE";

std::string readText(const std::string &path, const std::string &toFix) {
  try {
    return contentsOf(path);
  } catch (const std::system_error &e) {
    throw poplar::file_load_error(path + ": the machine description cannot be read: " + e.code().message() + "; " +
                                  toFix);
  }
}

/// Returns the machine of POPSCOPE_MACHINE, which holds the name of a built-in machine or the path of a file. Returns
/// no value if the variable is not set or empty.
std::optional<TileMachine> machineOfEnvironment() {
  const std::string value = environmentVariable(kVariable).value_or("");
  if (value.empty())
    return std::nullopt;
  if (isIpuArchitecture(value))
    return loadTileMachine(value);
  return parseCustomMachine(
      readText(homePath(value),
               fmt::format("environment variable {} names it; its value is one of {}, or the path of a JSON file",
                           kVariable, architectureNames(false, "and"))),
      fmt::format("{}={}", kVariable, value));
}

/// Prints, once per process, that the machine of the environment does not replace the program's machine.
void warnOfOther(const std::string &architecture, const std::string &programs) {
  static std::once_flag warned;
  std::call_once(warned, [&] {
    const bool simulated = !environmentVariable("POPSCOPE_SIM_IPUS").value_or("").empty();
    printMessage(fmt::format(
        "Popscope: {}={} has the architecture {} and changes nothing here: the program {}chooses {}. "
        "Give a machine file with \"base\": \"{}\"{}",
        kVariable, environmentVariable(kVariable).value_or(""), architecture, simulated ? "or POPSCOPE_SIM_IPUS " : "",
        programs, programs, simulated ? fmt::format(", or POPSCOPE_SIM_IPUS={}:N for N IPUs", architecture) : ""));
  });
}

poplar::Target makeCustomTarget(TileMachine machine, unsigned numIPUs, const poplar::OptionFlags &opts) {
  machine.kind = DeviceKind::IpuModel;
  machine.compileIpuCode = true;
  if (numIPUs != 0)
    machine.numIpus = numIPUs;
  return makeTarget(machine, machine.name, withEnvironment(opts));
}

} // namespace

TileMachine parseCustomMachine(const std::string &json, const std::string &where) {
  TileMachine machine = parseTileMachine(json, where);
  if (!isIpuArchitecture(machine.architecture))
    throw poplar::invalid_machine_model(
        fmt::format("{}: /architecture: expected {}, for which codelets can be compiled, found \"{}\"", where,
                    architectureNames(false, "or"), machine.architecture));
  return machine;
}

TileMachine readCustomMachine(const std::string &path) {
  return parseCustomMachine(readText(path, "give the path of a JSON file, relative to the current folder"), path);
}

TileMachine machineOfArchitecture(const std::string &architecture) {
  if (const std::optional<TileMachine> machine = machineOfEnvironment()) {
    if (machine->architecture == architecture)
      return *machine;
    warnOfOther(machine->architecture, architecture);
  }
  return loadTileMachine(architecture);
}

std::string defaultModelVersion() {
  const std::optional<TileMachine> machine = machineOfEnvironment();
  return machine ? machine->architecture : "ipu2";
}

poplar::Target createCustomTarget(const std::string &path, unsigned numIPUs, const poplar::OptionFlags &opts) {
  return makeCustomTarget(readCustomMachine(path), numIPUs, opts);
}

poplar::Target createCustomTargetFromJson(const std::string &json, const std::string &where, unsigned numIPUs,
                                          const poplar::OptionFlags &opts) {
  return makeCustomTarget(parseCustomMachine(json, where), numIPUs, opts);
}

poplar::Device createCustomDevice(const std::string &path, unsigned numIPUs, const poplar::OptionFlags &opts) {
  return makeDevice(createCustomTarget(path, numIPUs, opts), 0);
}

std::string machineAsJson(const poplar::Target &target) { return tileMachineToJson(machineOf(target)); }

} // namespace popscope
