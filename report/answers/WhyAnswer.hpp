// The reasons why a variable is live, from the explanations in the profile. The text format lists the reasons one by
// one; the other formats have tables.
//
//   Variable "activations": 4,096 B over 8 tiles, at most 512 B on one (tile 0), category variable
//     live at step 12 OnTileExecute: forward to step 30 Sync
//       read next by:          step 31 OnTileExecute: backward
//       last fully written by: step 9 DoExchange: input/ExchangePost
//       not killed by:         step 20 OnTileExecute: patch, which leaves out 12 elements: [0,12)
//       brought there by:      the loop at step 4 Repeat: train
//       weighs most at:        step 20 OnTileExecute: patch, 4,096 of 9,216 B live there (44.4%)
//     false-live: 4,048 B at step 12 OnTileExecute: forward to step 19 Sync, where no path reads them
//
// A loop is also a step. If a variable is live at a loop with several iterations, the text reads "between the
// iterations of Repeat: train (step 4)". The numbers of steps are program ids: positions in compile-time order, with
// loops not unrolled.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectWhyAnswer(const Request &request);

} // namespace popscope
