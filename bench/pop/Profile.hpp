// The whole file: written by PopWriter, read through pva.
#pragma once
#include <cstddef>
#include <string>

namespace bench {

/// What steps say of the worker slots: nothing, the same each time, or something else each time.
enum class Slots { None, Same, Changing };

/// Prints CPU times and sizes of a profile with steps of one compute set and one exchange in turn, written to `path`.
void measureProfile(std::size_t tiles, std::size_t steps, Slots slots, const std::string &path);

} // namespace bench
