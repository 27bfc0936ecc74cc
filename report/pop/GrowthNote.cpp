#include "report/pop/GrowthNote.hpp"

#include <fmt/format.h>

namespace popscope {

std::string GrowthNote::at(std::uint64_t bytes, const std::string &path) {
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

} // namespace popscope
