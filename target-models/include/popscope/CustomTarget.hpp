// Extension: targets for a machine of the user's own, described by a JSON file (docs/MACHINES.md has every field).
//
//   {"base": "ipu2", "name": "half the tiles", "tilesPerIpu": 736}
//
//   poplar::Device device = popscope::createCustomDevice("machine.json");
//
// A program that cannot be changed gets the same by the environment: POPSCOPE_MACHINE=machine.json replaces the
// built-in machine of the file's architecture wherever a target, an IPUModel or a simulated IPU of that architecture is
// made.
#pragma once
#include <poplar/Device.hpp>
#include <poplar/Target.hpp>

#include <string>

namespace popscope {

/// A target of type IPU_MODEL for the machine in the file `path`; numIPUs 0 = as the file says. Throws
/// poplar::file_load_error when the file cannot be read, poplar::invalid_machine_model with file and JSON path for a
/// value that makes no sense or a machine that is no IPU.
poplar::Target createCustomTarget(const std::string &path, unsigned numIPUs = 0, const poplar::OptionFlags &opts = {});
/// The same from JSON text; `where` names it in errors.
poplar::Target createCustomTargetFromJson(const std::string &json, const std::string &where, unsigned numIPUs = 0,
                                          const poplar::OptionFlags &opts = {});
/// A model device of such a target: code is compiled, so that memory is complete. Throws as createCustomTarget.
poplar::Device createCustomDevice(const std::string &path, unsigned numIPUs = 0, const poplar::OptionFlags &opts = {});
/// The machine of a target as JSON with every field: a file to start from. Throws poplar::poplar_error for an empty
/// target.
std::string machineAsJson(const poplar::Target &target);

} // namespace popscope
