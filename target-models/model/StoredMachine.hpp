// The machine that a file holds, which may be of an older version.
#pragma once
#include "target-models/model/TileMachine.hpp"

#include <string>

namespace popscope {

/// What tileMachineToJson of this or an older version wrote: a field that it did not have is as it was when there was
/// none, which its default says. Throws poplar::invalid_machine_model as parseTileMachine does.
TileMachine parseStoredTileMachine(const std::string &json, const std::string &where);

} // namespace popscope
