// The verdict on a profile, on one screen: whether the program fits, what fills the fullest tile, where memory peaks,
// where the cycles went, and which figures are estimated or missing.
//
//   Profile of mlp, written by Popscope 1.0.0 (Poplar interface 3.4), format 1, complete.
//   IPU Model ipu1: 1,216 tiles of 262,144 B. 1,294 vertices, 15,146 edges, 10 compute sets.
//   Fits: the fullest tile is 482, with 256,512 B used and 5,632 B free (2.1%).
//   ...
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectInfoAnswer(const Request &request);

} // namespace popscope
