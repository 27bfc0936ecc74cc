// Architectures: what the built-in machine descriptions say of the code that runs on them. The one list: popc's
// targets, the stand-in's, the names of systems and every message that lists them come from target-models/data.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace popscope {

struct Architecture {
  std::string name;                 // "ipu1"; "cpu" for the host
  std::uint32_t version;            // what codelets see as __IPU_ARCH_VERSION__; 0: the host, which has none
  bool shortPointers;               // 16 bits of 4 or 8 bytes each reach all memory of a tile
  std::vector<std::string> systems; // how names of systems with it begin, in lower case
  [[nodiscard]] bool isHost() const { return version == 0; }
};

/// Sorted by name. Read once.
const std::vector<Architecture> &architectures();
/// nullptr: there is none of this name.
const Architecture *findArchitecture(const std::string &name);
/// Whether it is one of an IPU, not the host.
bool isIpuArchitecture(const std::string &name);
/// "ipu1, ipu2 or ipu21"; with the host, "cpu, ipu1, ipu2 and ipu21".
std::string architectureNames(bool withHost, const char *last);

} // namespace popscope
