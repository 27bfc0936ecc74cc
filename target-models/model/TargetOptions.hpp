// The table of target options. The parser and the documentation of target options use it.
#pragma once
#include "base/settings/OptionTable.hpp"

namespace popscope {

const OptionTable &targetOptionTable();

} // namespace popscope
