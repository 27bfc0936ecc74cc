// libpoplar is the rooms' objects in one shared library; nothing of its own is needed here.
#include "base/Version.hpp"

namespace popscope {

const char *poplarLibraryVersion() { return kOwnVersion; }

} // namespace popscope
