// Reads debug.cbor, the file that DebugInfo::initializeStreamer and the engine write.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pva {
namespace detail {

struct DebugRecord {
  std::uint64_t id = 0, parent = 0, line = 0; // parent: id of the enclosing record, or 0
  std::string layer, name, file, function;
  std::string json; // the whole record as JSON
};
struct DebugRecords {
  std::vector<DebugRecord> rows; // in the order of the file
  std::map<std::uint64_t, std::size_t> byId;
  std::string profile; // id of the profile to which the file belongs; "" if the file has no such id
};

/// Reads the file. Throws popscope::ProfileError if the file is missing or is not valid debug information; the message
/// contains the path.
[[nodiscard]] DebugRecords readDebugRecords(const std::string &path);

} // namespace detail
} // namespace pva
