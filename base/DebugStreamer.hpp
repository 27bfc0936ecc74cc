// Keeps and writes DebugInfo records. The public API has static functions, so the records belong to the process. All
// functions are thread-safe.
#pragma once
#include <poplar/DebugContext.hpp>

namespace popscope {

/// Returns the next id, from 1, in order of creation.
[[nodiscard]] poplar::DebugId nextDebugId();
/// Records the beginning of a DebugInfo. `record` is what is known of it until recordDebugInfo().
void beginDebugInfo(const poplar::ProfileValue::Map &record);
/// Records the end of a DebugInfo. Keeps its record for an open streamer and for writeDebugInfo(). Never throws.
void recordDebugInfo(poplar::ProfileValue::Map &&record) noexcept;
/// The records of the process so far, with those of DebugInfos that have not ended, for writeDebugInfo().
struct DebugInfoRecords {
  std::string bytes; // CBOR of each record, by id
  std::size_t count = 0;
  std::size_t dropped = 0; // number of records that did not fit into the memory for them (64 MiB)
};
/// Returns the records. `more`: further records, with ids above the others'.
[[nodiscard]] DebugInfoRecords debugInfoRecords(const std::vector<poplar::ProfileValue::Map> &more = {});
/// Writes debug.cbor to `path`: a map with "profile" (`id`, which the profile contains, too), "contexts" (an array of
/// the records), and "dropped" if there are dropped records. The file appears complete or stays as it was. Throws
/// std::system_error with the cause.
void writeDebugInfo(const std::string &path, const DebugInfoRecords &records, const std::string &id);
/// Returns the `id` of the file from its first bytes, or "" if it has none or cannot be read.
[[nodiscard]] std::string readDebugInfoId(const std::string &path);
void openDebugStreamer(const std::string &fileName, poplar::DebugSerializationFormat format);
/// Writes {"contexts": [records by id]} and closes the streamer; does nothing if none is open.
void closeDebugStreamer();

} // namespace popscope
