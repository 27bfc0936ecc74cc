// The only table of engine options: names, kinds, defaults and help. The engine parses options with this table.
// `popscope options` and docs/OPTIONS.md are generated from this table.
#pragma once
#include "base/settings/OptionTable.hpp"

namespace popscope {

const OptionTable &engineOptionTable();

} // namespace popscope
