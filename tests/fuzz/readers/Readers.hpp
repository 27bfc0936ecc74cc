// The readers of files and texts that may come from strangers, but for profiles (tests/fuzz/pop). Each takes any bytes:
// it reads them or throws what a user would be shown.
#pragma once
#include <string>
#include <vector>

namespace fuzz {

struct Reader {
  const char *name;
  /// Throws std::runtime_error or std::invalid_argument for what it does not take; anything else is a finding.
  void (*read)(const std::string &bytes);
  /// What it does take, to be changed a little.
  std::string (*valid)();
};

[[nodiscard]] const std::vector<Reader> &readers();

} // namespace fuzz
