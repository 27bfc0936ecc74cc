// The version that programs, profiles and tools report.
#pragma once

namespace popscope {

/// The Poplar release whose API this is nearest to, and our own release.
inline constexpr const char *kVersionText = "3.4.0 (popscope 0.1.0)";
inline constexpr const char *kOwnVersion = "0.1.0";

} // namespace popscope
