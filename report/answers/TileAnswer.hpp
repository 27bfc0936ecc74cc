// One tile: its contents, the step with the most live bytes, and its addresses at that step, drawn with characters.
//
//   Addresses at step 65, 4,096 B a line, 64 B a character
//   0x00000 CCCCCCCCXXXXXXXXvvvvvvvvvvvvvvvvmmmmmmmm................
//   C code   S stack   v variable   m message   X exchange code   + several   . free
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectTile(const Request &request);

} // namespace popscope
