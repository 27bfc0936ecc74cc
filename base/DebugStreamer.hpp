// Where DebugInfo records go. The public API is static functions, so this is the one place with process-wide state; all
// functions are thread-safe.
#pragma once
#include <poplar/DebugContext.hpp>

namespace popscope {

/// Ids from 1, in order of creation.
[[nodiscard]] poplar::DebugId nextDebugId();
/// Keeps the record while a streamer is open, drops it otherwise. Never throws.
void recordDebugInfo(poplar::ProfileValue::Map &&record) noexcept;
void openDebugStreamer(const std::string &fileName, poplar::DebugSerializationFormat format);
/// Writes {"contexts": [records by id]} and closes; nothing when none is open.
void closeDebugStreamer();

} // namespace popscope
