// Profiles with random but consistent content, for round trips.
#pragma once
#include "instrument/profile/Records.hpp"

#include <random>

popscope::CompilationRecord randomCompilation(std::mt19937_64 &random);
popscope::StepRecord randomStep(std::mt19937_64 &random, const popscope::CompilationRecord &record);
