// Architectures: properties of the code that runs on the built-in machines. This is the only list: popc's targets,
// those of the stand-in, the names of systems and every message that lists them come from target-models/data.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace popscope {

struct Architecture {
  std::string name;                 // "ipu1"; "cpu" for the host
  std::uint32_t version;            // value of __IPU_ARCH_VERSION__ in codelets; 0 for the host, which has none
  bool shortPointers;               // 16-bit pointers, in units of 4 or 8 bytes, reach all memory of a tile
  std::vector<std::string> systems; // prefixes of the names of systems with it, in lower case
  [[nodiscard]] bool isHost() const { return version == 0; }
};

/// Returns all architectures, sorted by name. They are read once.
const std::vector<Architecture> &architectures();
/// Returns the architecture of this name, or nullptr.
const Architecture *findArchitecture(const std::string &name);
/// Returns whether `name` is the architecture of an IPU, not of the host.
bool isIpuArchitecture(const std::string &name);
/// Returns, for example, "ipu1, ipu2 or ipu21"; with the host "cpu, ipu1, ipu2 and ipu21".
std::string architectureNames(bool withHost, const char *last);

} // namespace popscope
