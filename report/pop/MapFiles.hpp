// Makes SQLite read profiles through memory mappings, so that SQLite does not copy pages from the system's cache.
#pragma once

namespace popscope {

/// Makes this process read profiles through memory mappings, at most 2 GiB of each profile. Call mapProfiles before the
/// process opens its first profile; later calls have no effect.
///
/// If another program truncates a mapped file, the system ends the readers of the file with SIGBUS. So only tools map
/// files: a tool runs for a short time. Programs that keep profiles open do not map files.
void mapProfiles();

} // namespace popscope
