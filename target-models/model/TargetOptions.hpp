// The table of target options. TargetOptions.cpp parses target options with this table.
#pragma once
#include "base/settings/OptionTable.hpp"

namespace popscope {

const OptionTable &targetOptionTable();

} // namespace popscope
