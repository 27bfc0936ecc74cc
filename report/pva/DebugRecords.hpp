// Reads debug.cbor, the file that DebugInfo::initializeStreamer and the engine write.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pva {
namespace detail {

struct DebugRecord {
  std::uint64_t id = 0, parent = 0, line = 0; // parent 0 = none
  std::string layer, name, file, function;
  std::string json; // the whole record
};
struct DebugRecords {
  std::vector<DebugRecord> rows; // by id
  std::map<std::uint64_t, std::size_t> byId;
  std::string profile; // the id that the profile contains, too; "" = the file belongs to no profile
};

/// Reads the file. Throws popscope::ProfileError, which names the path, if the file is missing or was not written by
/// the streamer.
[[nodiscard]] DebugRecords readDebugRecords(const std::string &path);

} // namespace detail
} // namespace pva
