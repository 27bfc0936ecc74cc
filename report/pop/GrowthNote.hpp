// GrowthNote: warns about a profile that grows without an end, for example because a loop of the program does not end.
#pragma once
#include <cstdint>
#include <string>

namespace popscope {

class GrowthNote {
public:
  /// Returns the line to print when a profile has grown to `bytes`: at 1 GiB, and whenever the size has doubled since
  /// then. Returns "" otherwise.
  [[nodiscard]] std::string at(std::uint64_t bytes, const std::string &path);

private:
  static constexpr std::uint64_t kFirst = std::uint64_t(1) << 30U;
  std::uint64_t next_ = kFirst;
};

} // namespace popscope
