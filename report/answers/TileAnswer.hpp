// One tile: its contents, the step with the most live bytes, and a map of the tile's addresses at this step, drawn with
// characters.
//
//   Addresses at step 65, 64 B a character
//   0x000000 CCCCCCCCXXXXXXXXvvvvvvvvvvvvvvvvmmmmmmmm........................
//   v variable  k constant  m message  r rearranged  C code
//   X exchange code  S stack  d vertex data  o other  + several  . free
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectTile(const Request &request);

} // namespace popscope
