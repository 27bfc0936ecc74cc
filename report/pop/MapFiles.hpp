// Reads profiles in place: the pages of a file in the system's cache are not copied.
#pragma once

namespace popscope {

/// From now on, this process opens profiles in this way. Call it before the process opens its first profile; later it
/// has no effect.
///
/// If a program truncates a mapped file, the system ends its readers with SIGBUS. So only tools map files, because they
/// end soon. A program that keeps profiles open reads them as usual.
void mapProfiles();

} // namespace popscope
