// Stores and writes DebugInfo records. The public API has static functions, so the records are global to the process.
// All functions are thread-safe.
#pragma once
#include <poplar/DebugContext.hpp>

namespace popscope {

/// Returns the id for the next DebugInfo. Ids begin with 1 and follow the order in which DebugInfos are created.
[[nodiscard]] poplar::DebugId nextDebugId();
/// Records the beginning of a DebugInfo. `record` contains the data that is known so far. recordDebugInfo() later
/// replaces `record`.
void beginDebugInfo(const poplar::ProfileValue::Map &record);
/// Records the end of a DebugInfo. If a streamer is open, passes the record to the streamer. Keeps the record for
/// writeDebugInfo(), unless the memory for records is full. Never throws.
void recordDebugInfo(poplar::ProfileValue::Map &&record) noexcept;
/// The records that writeDebugInfo() writes. They include the records of DebugInfos that have not ended.
struct DebugInfoRecords {
  std::string bytes; // CBOR of each record, sorted by id
  std::size_t count = 0;
  std::size_t dropped = 0; // number of records left out because the memory for records (64 MiB) was full
};
/// Returns the records of the process so far, followed by the records in `more`. The ids in `more` must be larger than
/// all ids of DebugInfos.
[[nodiscard]] DebugInfoRecords debugInfoRecords(const std::vector<poplar::ProfileValue::Map> &more = {});
/// Writes debug.cbor to `path`. The file contains a map. The key "profile" has the value `id`, which the profile also
/// contains. The key "contexts" has an array of the records. If DebugInfoRecords::dropped is not 0, the key "dropped"
/// has this number. Throws std::system_error with the cause if the new file cannot be completed. In this case, an
/// existing file at `path` stays unchanged.
void writeDebugInfo(const std::string &path, const DebugInfoRecords &records, const std::string &id);
/// Reads the first bytes of a debug.cbor and returns the id in its member "profile". Returns "" if the file has no id
/// or cannot be read.
[[nodiscard]] std::string readDebugInfoId(const std::string &path);
void openDebugStreamer(const std::string &fileName, poplar::DebugSerializationFormat format);
/// Writes the file of the streamer and closes the streamer. The file contains a map. The key "contexts" has an array of
/// the records that the streamer received, sorted by id. The key "stringTable" has the names of functions and files, to
/// which the locations in the records refer by number. Does nothing if no streamer is open. Throws poplar::poplar_error
/// if the file cannot be written.
void closeDebugStreamer();

} // namespace popscope
