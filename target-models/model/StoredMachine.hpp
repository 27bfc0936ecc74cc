// The machine that a file contains, which may be of an older version.
#pragma once
#include "target-models/model/TileMachine.hpp"

#include <string>

namespace popscope {

/// Reads what tileMachineToJson of this or an older version wrote. A missing field has its default, which describes the
/// machine before the field existed. Throws poplar::invalid_machine_model as parseTileMachine does.
TileMachine parseStoredTileMachine(const std::string &json, const std::string &where);

} // namespace popscope
