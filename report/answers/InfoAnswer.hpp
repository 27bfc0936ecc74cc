// The verdict on a profile, on one screen: whether the program fits, what fills the fullest tile, where memory peaks,
// where the cycles went, and which figures are estimated or missing.
//
//   Profile of mlp, written by Popscope 1.0.0 (Poplar interface 3.4), format 1, complete.
//   IPU Model ipu2: 1,216 tiles of 262,144 B.
//   Fits: tile 482 is the fullest, 5,632 B free (2.1%), 256,512 B used.
//   ...
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectInfoAnswer(const Request &request);

} // namespace popscope
