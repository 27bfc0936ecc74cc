// Random programs with one mistake each. The library must refuse each program, with a message that names the mistaken
// object.
#pragma once
#include "tests/property/programs/RandomProgram.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace random_programs {

/// One mistake in an otherwise valid program.
struct Mistake {
  std::string name, names; // names: the text that the message must contain
  std::function<void()> make;
};

/// Returns one of nine mistakes for `all`, the programs of `p`. `p` must outlive the result. Uses no random numbers.
[[nodiscard]] Mistake makeMistake(RandomProgram &p, std::vector<poplar::program::Program> all, std::uint32_t seed);

} // namespace random_programs
