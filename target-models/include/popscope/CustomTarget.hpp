// Extension: targets for a user's own machine, described by a JSON file (docs/MACHINES.md lists every field).
//
//   {"base": "ipu2", "name": "half the tiles", "tilesPerIpu": 736}
//
//   poplar::Device device = popscope::createCustomDevice("machine.json");
//
// A program that cannot be changed gets the machine through the environment: POPSCOPE_MACHINE=machine.json replaces the
// built-in machine of the file's architecture for every target, IPUModel and simulated IPU of that architecture.
#pragma once
#include <poplar/Device.hpp>
#include <poplar/Target.hpp>

#include <string>

namespace popscope {

/// Returns a target of type IPU_MODEL for the machine in the file `path`; numIPUs 0 = as the file contains. Throws
/// poplar::file_load_error if the file cannot be read, and poplar::invalid_machine_model, with file and JSON path, for
/// an invalid value or a machine that is no IPU.
poplar::Target createCustomTarget(const std::string &path, unsigned numIPUs = 0, const poplar::OptionFlags &opts = {});
/// Returns such a target from JSON text; `where` names the text in errors.
poplar::Target createCustomTargetFromJson(const std::string &json, const std::string &where, unsigned numIPUs = 0,
                                          const poplar::OptionFlags &opts = {});
/// Returns a model device of such a target: code is compiled, so that memory is complete. Throws as createCustomTarget.
poplar::Device createCustomDevice(const std::string &path, unsigned numIPUs = 0, const poplar::OptionFlags &opts = {});
/// Returns the machine of a target as JSON with every field, as a start for a file. Throws poplar::poplar_error for an
/// empty target.
std::string machineAsJson(const poplar::Target &target);

} // namespace popscope
