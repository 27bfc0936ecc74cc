// Debug sites: places in the user's code that create programs without a DebugInfo. The file debug.cbor contains a
// record for each DebugInfo, and a record for each site that belongs to a compiled program. A program belongs to its
// DebugInfo or, without a DebugInfo, to its site. Sites and DebugInfos share the type DebugId: ids from kFirstDebugSite
// on denote sites, and smaller ids denote DebugInfos. Popscope makes the records of sites only when it writes
// debug.cbor.
#pragma once
#include <poplar/DebugContext.hpp>

#include <optional>
#include <string>

namespace popscope {

inline constexpr poplar::DebugId kFirstDebugSite = poplar::DebugId(1) << 48; // ids of DebugInfos are smaller
[[nodiscard]] constexpr bool isDebugSite(poplar::DebugId id) { return id >= kFirstDebugSite; }

struct DebugSite {
  std::string name, function, file;
  unsigned line = 0;
};

/// Returns the id of the DebugInfo to which `context` belongs. If there is no such DebugInfo, adds a site and returns
/// the id of the site. Adds no site and returns 0 if the context has neither a name nor a place in the user's code, or
/// if there are already 2^20 sites. Thread-safe.
[[nodiscard]] poplar::DebugId debugIdOf(const poplar::DebugContext &context);
/// Returns the site with this id, or no value if no site has this id.
[[nodiscard]] std::optional<DebugSite> debugSite(poplar::DebugId id);

} // namespace popscope
