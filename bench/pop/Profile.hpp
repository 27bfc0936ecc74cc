// The whole file: written by PopWriter, read through pva.
#pragma once
#include <cstddef>
#include <string>

namespace bench {

/// Prints CPU times and sizes of a profile with steps of one compute set and one exchange in turn, written to `path`.
void measureProfile(std::size_t tiles, std::size_t steps, const std::string &path);

} // namespace bench
