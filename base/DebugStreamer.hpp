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
/// What the process has recorded so far, those that go on included, for writeDebugInfo().
struct DebugInfoRecords {
  std::string bytes; // CBOR of each record, by id
  std::size_t count = 0;
  std::size_t dropped = 0; // records that memory for them (64 MiB) did not hold
};
/// `more`: further records, with ids of their own above the others'.
[[nodiscard]] DebugInfoRecords debugInfoRecords(const std::vector<poplar::ProfileValue::Map> &more = {});
/// Writes debug.cbor `path`: a map with "profile", `id`, which the profile that it belongs to has, too; "contexts", an
/// array of the records; and "dropped" where there are such. `path` appears at once or stays as it was. Throws
/// std::system_error with the cause.
void writeDebugInfo(const std::string &path, const DebugInfoRecords &records, const std::string &id);
/// The `id` of the file, read from its first bytes. "" where it has none, or cannot be read.
[[nodiscard]] std::string readDebugInfoId(const std::string &path);
void openDebugStreamer(const std::string &fileName, poplar::DebugSerializationFormat format);
/// Writes {"contexts": [records by id]} and closes; nothing when none is open.
void closeDebugStreamer();

} // namespace popscope
