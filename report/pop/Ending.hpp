// Describes in words where a profile ends if the recording stopped early.
#pragma once
#include "report/pop/PopDatabase.hpp"

namespace popscope {

/// A run that is being recorded.
struct OpenRun {
  std::uint64_t id = 0, number = 0, firstStep = 0;
  std::string name;
};

/// Describes where the committed data ends: "in run 3 (\"train\"), after 1024 of its steps", "before run 3".
[[nodiscard]] std::string whereItEnds(PopFile &file, const OpenRun &run);

} // namespace popscope
