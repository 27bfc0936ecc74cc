// Reads everything that a profile contains.
#pragma once
#include <cstdint>
#include <string>

namespace fuzz {

/// Reads the file with the summary and through every accessor of pva. Returns a number that depends on all values read.
/// Throws what the reader throws: std::runtime_error for a file that it refuses.
std::uint64_t readEverything(const std::string &path);

} // namespace fuzz
