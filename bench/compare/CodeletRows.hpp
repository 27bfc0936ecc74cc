// CodeletRows: cycles that compiled codelets were measured to take, beside what the stand-in counts for them under
// each of its rules. The codelets are others' and no part of this repository, so ours are records of runs.
#pragma once

namespace compare {

void printCodeletRows();

} // namespace compare
