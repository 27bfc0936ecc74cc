#include "graph/codelets/CodeletSet.hpp"

#include <cstring>

/// Writes the folder in which this library looks for headers into `out`, which has room for `size` bytes.
extern "C" __attribute__((visibility("default"))) void popscopeLocateHeaders(char *out, std::size_t size) {
  std::strncpy(out, popscope::findToolchain().includeDirs.front().c_str(), size - 1);
}
