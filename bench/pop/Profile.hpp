// Measures a whole file: PopWriter writes it, and pva reads it.
#pragma once
#include <cstddef>
#include <string>

namespace bench {

/// The data that steps record about worker slots: none, the same each time, or different data each time.
enum class Slots { None, Same, Changing };

/// Writes a profile to `path` whose steps alternate between one compute set and one exchange, and prints CPU times and
/// sizes.
void measureProfile(std::size_t tiles, std::size_t steps, Slots slots, const std::string &path);

} // namespace bench
