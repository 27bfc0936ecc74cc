// CustomMachine: machines from the user's files.
#pragma once
#include "target-models/model/TileMachine.hpp"

namespace popscope {

/// Reads an IPU's description. Throws poplar::file_load_error, poplar::invalid_machine_model.
TileMachine readCustomMachine(const std::string &path);
/// What an IPUModel without a version models: the machine that POPSCOPE_MACHINE names, by name or as a file; "ipu2"
/// otherwise.
std::string defaultModelVersion();
/// The machine that stands for `architecture`: the one of the file that POPSCOPE_MACHINE names when it is of that
/// architecture, else the built-in one. Throws as readCustomMachine and loadTileMachine.
TileMachine machineOfArchitecture(const std::string &architecture);

} // namespace popscope
