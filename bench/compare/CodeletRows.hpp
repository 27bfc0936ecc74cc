// CodeletRows: measured cycles of compiled codelets, next to the cycles that Popscope counts in the stand-in code under
// each counting rule. The codelets are third-party code outside this repository, so the cycles that Popscope counts are
// recorded results of earlier runs.
#pragma once

namespace compare {

void printCodeletRows();

} // namespace compare
