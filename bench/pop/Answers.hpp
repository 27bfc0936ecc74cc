// How long each answer of popscope takes on a large profile.
#pragma once
#include <cstddef>
#include <string>

namespace bench {

/// Writes a profile of so many tiles and steps (each a program of its own, executed once; 2,000 variables, 40 places on
/// each tile) to `path`, and asks each view of it, opened anew each time; prints CPU times. Returns how many took more
/// than 100 ms.
std::size_t measureAnswers(std::size_t tiles, std::size_t steps, std::size_t programs, const std::string &path);
/// The same of a profile that is there, whatif and sensitivity included.
std::size_t measureAnswersOf(const std::string &path);

} // namespace bench
