// The names of profiles that are not complete: profile_<8 hexadecimal digits>.pop.
#pragma once
#include "base/WholeFile.hpp"

#include <string_view>

namespace popscope {

inline constexpr std::string_view kTemporaryPrefix = "profile_", kTemporarySuffix = ".pop";

/// Returns whether the name of a file, without its folder, has the form profile_<8 hexadecimal digits>.pop.
inline bool isTemporaryName(std::string_view name) {
  return name.size() == kTemporaryPrefix.size() + kRandomDigits + kTemporarySuffix.size() &&
         name.substr(0, kTemporaryPrefix.size()) == kTemporaryPrefix && endsWithRandom(name, kTemporarySuffix);
}

} // namespace popscope
