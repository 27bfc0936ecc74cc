// The options of targets, as a table for parsing and for documentation.
#pragma once
#include "base/settings/OptionTable.hpp"

namespace popscope {

const OptionTable &targetOptionTable();

} // namespace popscope
