// The versions that programs, profiles and tools report.
#pragma once

#include <string>

namespace popscope {

#define POPSCOPE_INTERFACE_VERSION "3.4.0" // the Poplar release whose interface Popscope follows
#define POPSCOPE_OWN_VERSION "1.0.0"       // the same version as in CMakeLists.txt

/// The version of Popscope.
inline constexpr const char *kOwnVersion = POPSCOPE_OWN_VERSION;
/// The version of the Poplar interface.
inline constexpr const char *kInterfaceVersion = POPSCOPE_INTERFACE_VERSION;
/// Both versions in the form of Poplar's version text: "3.4.0 (popscope 1.0.0)". Profiles contain this text.
inline constexpr const char *kVersionText = POPSCOPE_INTERFACE_VERSION " (popscope " POPSCOPE_OWN_VERSION ")";

/// Returns a version text in a form for people: "Popscope 1.0.0 (Poplar interface 3.4)". Returns a text in any other
/// form unchanged.
std::string versionForPeople(const std::string &versionText = kVersionText);

} // namespace popscope
