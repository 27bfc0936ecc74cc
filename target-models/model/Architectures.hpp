// Architectures: properties of the code that runs on the built-in machines. Popscope has only this list of
// architectures, which is made from the machine files in target-models/data. The list determines the targets for which
// codelets are compiled, and the names of architectures and systems that Popscope accepts. Messages also take these
// names from the list.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace popscope {

struct Architecture {
  std::string name;                 // "ipu1", ...; "cpu" for the host
  std::uint32_t version;            // value of __IPU_ARCH_VERSION__ in codelets; 0 for the host, which does not define
                                    // this macro
  bool shortPointers;               // true: 16-bit pointers, in units of 4 or 8 bytes, reach all memory of a tile
  std::vector<std::string> systems; // names of systems with this architecture, in lower case; a # at the end stands
                                    // for a number above 0
  [[nodiscard]] bool isHost() const { return version == 0; }
};

/// Returns all architectures, sorted by name. The data is read once.
const std::vector<Architecture> &architectures();
/// Returns the architecture with this name, or nullptr.
const Architecture *findArchitecture(const std::string &name);
/// Returns whether `name` is the name of an IPU's architecture. Returns false for "cpu", the architecture of the host.
bool isIpuArchitecture(const std::string &name);
/// Returns the names as text, for example "ipu1, ipu2 or ipu21". If `withHost` is true, the names include "cpu". `last`
/// is the word before the last name, such as "or".
std::string architectureNames(bool withHost, const char *last);

} // namespace popscope
