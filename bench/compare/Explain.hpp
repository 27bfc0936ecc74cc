// Explanations of differences from published figures, for docs/ACCURACY.md.
#pragma once
#include "bench/compare/Row.hpp"

namespace compare {
void explain(Comparison &comparison);
}
