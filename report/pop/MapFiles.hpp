// Reads profiles through memory mappings, so that pages in the system's cache are not copied.
#pragma once

namespace popscope {

/// Makes this process open profiles by mapping them, at most 2 GiB of each profile. Call mapProfiles before the process
/// opens its first profile; later calls have no effect.
///
/// If another program truncates a mapped file, the system ends its readers with SIGBUS. So only tools map files,
/// because they run for a short time. Programs that keep profiles open do not map them.
void mapProfiles();

} // namespace popscope
