// CustomMachine: machines from the user's files.
#pragma once
#include "target-models/model/TileMachine.hpp"

namespace popscope {

/// Reads an IPU's description. Throws poplar::file_load_error and poplar::invalid_machine_model.
TileMachine readCustomMachine(const std::string &path);
/// Returns the version that an IPUModel has by default: the machine of POPSCOPE_MACHINE (a name or a file), otherwise
/// "ipu2".
std::string defaultModelVersion();
/// Returns the machine of `architecture`: the machine of the file in POPSCOPE_MACHINE if it has this architecture, or
/// else the built-in machine. Throws as readCustomMachine and loadTileMachine.
TileMachine machineOfArchitecture(const std::string &architecture);

} // namespace popscope
