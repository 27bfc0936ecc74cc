// libpva is base and report in one shared library; nothing of its own is needed here.
#include "base/Version.hpp"

namespace popscope {

const char *pvaLibraryVersion() { return kOwnVersion; }

} // namespace popscope
