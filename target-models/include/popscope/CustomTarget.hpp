// Extension: targets for the user's own machine, which a JSON file describes (docs/MACHINES.md lists every field).
//
//   {"base": "ipu2", "name": "half the tiles", "tilesPerIpu": 736}
//
//   poplar::Device device = popscope::createCustomDevice("machine.json");
//
// For a program that cannot be changed, the environment variable POPSCOPE_MACHINE=machine.json selects the machine.
// This machine replaces the built-in machine of its architecture, for every target, IPUModel and simulated IPU of that
// architecture.
#pragma once
#include <poplar/Device.hpp>
#include <poplar/Target.hpp>

#include <string>

namespace popscope {

/// Returns a target of type IPU_MODEL for the machine in the file `path`. If numIPUs is 0, the target has the number of
/// IPUs in the file. Throws poplar::file_load_error if the file cannot be read. For an invalid value, or a machine that
/// is not an IPU, throws poplar::invalid_machine_model; the message contains the file and the JSON path. `opts` are
/// target options (see Target::createIPUTarget). Throws poplar::invalid_option for an unknown option or a bad value.
poplar::Target createCustomTarget(const std::string &path, unsigned numIPUs = 0, const poplar::OptionFlags &opts = {});
/// Returns a target as createCustomTarget does, from JSON text. `where` names the text in error messages.
poplar::Target createCustomTargetFromJson(const std::string &json, const std::string &where, unsigned numIPUs = 0,
                                          const poplar::OptionFlags &opts = {});
/// Returns an IPU Model device for the machine in the file `path`. For this device, and for a target of
/// createCustomTarget, Popscope also computes the size of the code (IPUModel::compileIPUCode). The reported use of
/// memory is therefore complete. Throws as createCustomTarget does.
poplar::Device createCustomDevice(const std::string &path, unsigned numIPUs = 0, const poplar::OptionFlags &opts = {});
/// Returns the machine of a target as JSON with all fields. For an IPU, the text is a valid machine file. Throws
/// poplar::poplar_error for an empty target.
std::string machineAsJson(const poplar::Target &target);

} // namespace popscope
