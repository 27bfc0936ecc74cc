// Measures the writing of a whole profile with PopWriter, and the reading of this profile with pva.
#pragma once
#include <cstddef>
#include <string>

namespace bench {

/// The data that steps record about worker slots: no data, the same data in each step, or different data in each step.
enum class Slots { None, Same, Changing };

/// Writes to `path` a profile whose steps alternate between one compute set and one exchange. Prints CPU times of
/// writing and reading the profile, and its size.
void measureProfile(std::size_t tiles, std::size_t steps, Slots slots, const std::string &path);

} // namespace bench
