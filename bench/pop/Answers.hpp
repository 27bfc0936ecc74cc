// Measures how long each answer of popscope takes on a large profile.
#pragma once
#include <cstddef>
#include <string>

namespace bench {

/// Writes a profile with this number of tiles and steps to `path`. Each step executes another program. There are 2,000
/// variables, and 40 lowered variables on each tile. Then, for each view, opens the profile again, collects the view
/// and prints its CPU time. Returns the number of views that took more than 100 ms.
std::size_t measureAnswers(std::size_t tiles, std::size_t steps, std::size_t programs, const std::string &path);
/// Measures the same for an existing profile, including whatif and sensitivity.
std::size_t measureAnswersOf(const std::string &path);

} // namespace bench
