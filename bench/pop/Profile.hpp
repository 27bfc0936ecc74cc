// Measures a whole profile, which PopWriter writes and pva reads.
#pragma once
#include <cstddef>
#include <string>

namespace bench {

/// The data that steps record about worker slots: no data, the same data in each step, or different data in each step.
enum class Slots { None, Same, Changing };

/// Writes a profile to `path` whose steps alternate between one compute set and one exchange, and prints CPU times and
/// sizes.
void measureProfile(std::size_t tiles, std::size_t steps, Slots slots, const std::string &path);

} // namespace bench
