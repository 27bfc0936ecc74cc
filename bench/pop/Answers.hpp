// Measures how long each view of the popscope tool takes on a large profile.
#pragma once
#include <cstddef>
#include <string>

namespace bench {

/// Writes a profile with `tiles` tiles and `steps` steps to `path`. The steps execute `programs` programs in a loop; if
/// `programs` is 0, each step executes a different program. The profile has 2,000 variables, and 40 lowered variables
/// on each tile. Then measures each view three times, from opening the profile to the printed text. Prints the smallest
/// wall time and the smallest CPU time of each view. Skips `check` and views of a folder. Measures some views once per
/// value of an option. Returns the number of measurements with a wall time of more than 100 ms.
std::size_t measureAnswers(std::size_t tiles, std::size_t steps, std::size_t programs, const std::string &path);
/// Measures the views on an existing profile. Prints and returns the same kinds of numbers as measureAnswers.
std::size_t measureAnswersOf(const std::string &path);

} // namespace bench
