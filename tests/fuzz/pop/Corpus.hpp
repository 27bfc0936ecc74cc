// Files to read: valid ones, and what accidents and strangers make of them.
#pragma once
#include <string>
#include <vector>

namespace fuzz {

struct Sample {
  std::string name, bytes;
  bool valid;
}; // valid: it must be read, not refused
/// The same each time. `scratch` is a folder to work in.
std::vector<Sample> makeCorpus(const std::string &scratch);

} // namespace fuzz
