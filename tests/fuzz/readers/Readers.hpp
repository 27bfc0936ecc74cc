// The readers of files and texts that may come from untrusted sources, except for profiles (tests/fuzz/pop). Each
// reader accepts any bytes: it reads them, or throws the exception whose message a user would see.
#pragma once
#include <string>
#include <vector>

namespace fuzz {

struct Reader {
  const char *name;
  /// Reads the bytes. Throws std::runtime_error or std::invalid_argument if it refuses them; any other exception is a
  /// finding.
  void (*read)(const std::string &bytes);
  /// Returns valid input, which the fuzzer mutates.
  std::string (*valid)();
};

[[nodiscard]] const std::vector<Reader> &readers();

} // namespace fuzz
