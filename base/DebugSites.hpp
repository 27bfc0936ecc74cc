// Debug sites: where in the user's code a program was made that lies in no DebugInfo. Such a program is an operation of
// its own in debug.cbor; one that lies in a DebugInfo belongs to that. A site's id is told from a DebugInfo's by its
// size, so that both travel as one number; a record of a site is made only where debug.cbor is written.
#pragma once
#include <poplar/DebugContext.hpp>

#include <optional>
#include <string>

namespace popscope {

inline constexpr poplar::DebugId kFirstDebugSite = poplar::DebugId(1) << 48; // ids of DebugInfos stay below
[[nodiscard]] constexpr bool isDebugSite(poplar::DebugId id) { return id >= kFirstDebugSite; }

struct DebugSite {
  std::string name, function, file;
  unsigned line = 0;
};

/// The DebugInfo that `context` is inside of, or else the id of a new site; 0 where it has neither name nor place, or
/// where there have been too many (2^20 are kept). Thread-safe.
[[nodiscard]] poplar::DebugId debugIdOf(const poplar::DebugContext &context);
/// Nothing for an id that is none.
[[nodiscard]] std::optional<DebugSite> debugSite(poplar::DebugId id);

} // namespace popscope
