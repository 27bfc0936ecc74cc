// GrowthNote: warns about a profile that grows without an end, for example because a loop of the program does not end.
#pragma once
#include <cstdint>
#include <fmt/format.h>
#include <string>

namespace popscope {

class GrowthNote {
public:
  /// Returns the line to print when a profile has grown to `bytes`: at 1 GiB, and whenever the size has doubled since
  /// then. Returns "" otherwise.
  [[nodiscard]] std::string at(std::uint64_t bytes, const std::string &path) {
    if (bytes < next_)
      return "";
    while (next_ <= bytes)
      next_ *= 2;
    return fmt::format(
        "Popscope: the profile {} has {:.1f} GiB and grows with each step of the run. Fewer runs take less "
        "space (autoReport.executionProfileProgramRunCount, popscope.profileRuns, popscope.profileSeconds). "
        "If the program has an endless loop, end the program: its profile stays readable.",
        path, static_cast<double>(bytes) / kFirst);
  }

private:
  static constexpr std::uint64_t kFirst = std::uint64_t(1) << 30U;
  std::uint64_t next_ = kFirst;
};

} // namespace popscope
