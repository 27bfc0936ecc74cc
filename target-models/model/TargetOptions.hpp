// The table of target options, from which options are parsed and documented.
#pragma once
#include "base/settings/OptionTable.hpp"

namespace popscope {

const OptionTable &targetOptionTable();

} // namespace popscope
