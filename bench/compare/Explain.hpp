// Why figures miss: text for docs/ACCURACY.md.
#pragma once
#include "bench/compare/Row.hpp"

namespace compare {
void explain(Comparison &comparison);
}
