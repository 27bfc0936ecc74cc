// debug.cbor: what DebugInfo::initializeStreamer and the engine write, read whole.
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
  std::string json; // all of it
};
struct DebugRecords {
  std::vector<DebugRecord> rows; // by id
  std::map<std::uint64_t, std::size_t> byId;
  std::string profile; // the id that the profile has, too; "" = the file belongs to none
};

/// Throws popscope::ProfileError, naming the path, for a file that is missing or not what the streamer writes.
[[nodiscard]] DebugRecords readDebugRecords(const std::string &path);

} // namespace detail
} // namespace pva
