// CustomMachine: machines that the user's files describe.
#pragma once
#include "target-models/model/TileMachine.hpp"

namespace popscope {

/// Reads a machine from JSON text as parseTileMachine does, and refuses a machine that is no IPU. Codelets are compiled
/// for an architecture, so a user's own machine must have a known architecture.
TileMachine parseCustomMachine(const std::string &json, const std::string &where);
/// Reads the description of an IPU. Throws poplar::file_load_error if the file cannot be read, and
/// poplar::invalid_machine_model if the description is invalid.
TileMachine readCustomMachine(const std::string &path);
/// Returns the default version of an IPUModel: the architecture of the machine that POPSCOPE_MACHINE names (by a name
/// or a file), or else "ipu2".
std::string defaultModelVersion();
/// Returns the machine of `architecture`: the machine that POPSCOPE_MACHINE names, if this machine has the
/// architecture, or else the built-in machine. If the named machine has another architecture, prints a warning, once
/// per process. Throws as readCustomMachine and loadTileMachine do.
TileMachine machineOfArchitecture(const std::string &architecture);

} // namespace popscope
