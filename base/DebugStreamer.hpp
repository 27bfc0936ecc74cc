// Where DebugInfo records go. The public API is static functions, so the records belong to the process; all functions
// are thread-safe.
#pragma once
#include <poplar/DebugContext.hpp>

namespace popscope {

/// Ids from 1, in order of creation.
[[nodiscard]] poplar::DebugId nextDebugId();
/// A DebugInfo has begun; `record` is what is known of it until recordDebugInfo().
void beginDebugInfo(const poplar::ProfileValue::Map &record);
/// A DebugInfo has ended. Its record is kept for a streamer that is open, and for writeDebugInfo(). Never throws.
void recordDebugInfo(poplar::ProfileValue::Map &&record) noexcept;
/// Writes what the process has recorded so far as debug.cbor `path`, those that go on included: a map with "contexts",
/// an array of the records by id, and "dropped" where memory for records (64 MiB) did not hold all. `path` appears at
/// once or stays as it was. `more`: further records, with ids of their own above the others'. Throws std::system_error
/// with the cause.
void writeDebugInfo(const std::string &path, const std::vector<poplar::ProfileValue::Map> &more = {});
void openDebugStreamer(const std::string &fileName, poplar::DebugSerializationFormat format);
/// Writes {"contexts": [records by id]} and closes; nothing when none is open.
void closeDebugStreamer();

} // namespace popscope
