// libpoplar is the rooms' static libraries in one shared library; this file only gives it a version to ask for.
#include "base/Version.hpp"

#include <string>

namespace poplar {

std::string versionString() { return popscope::kVersionText; }
std::string packageHash() { return popscope::kOwnVersion; }

} // namespace poplar
