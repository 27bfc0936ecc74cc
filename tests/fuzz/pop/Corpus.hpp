// Files to read: valid ones, and damaged or malicious variants of them.
#pragma once
#include <string>
#include <vector>

namespace fuzz {

struct Sample {
  std::string name, bytes;
  bool valid; // the reader must accept the bytes
};
/// Makes the same corpus each time. `scratch` is a folder for temporary files.
std::vector<Sample> makeCorpus(const std::string &scratch);

} // namespace fuzz
