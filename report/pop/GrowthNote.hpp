// GrowthNote: warns about a profile that grows large, for example because a loop of the program does not end.
#pragma once
#include <cstdint>
#include <string>

namespace popscope {

class GrowthNote {
public:
  /// Returns the line to print when a profile has grown to `bytes`, or "" if there is nothing to print. Returns one
  /// line when the size first reaches 1 GiB, 2 GiB, 4 GiB, and so on.
  [[nodiscard]] std::string at(std::uint64_t bytes, const std::string &path);

private:
  static constexpr std::uint64_t kFirst = std::uint64_t(1) << 30U;
  std::uint64_t next_ = kFirst;
};

} // namespace popscope
