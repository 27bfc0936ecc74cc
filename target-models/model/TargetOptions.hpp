// The table of target options. The parser and the documentation of target options use this table.
#pragma once
#include "base/settings/OptionTable.hpp"

namespace popscope {

const OptionTable &targetOptionTable();

} // namespace popscope
