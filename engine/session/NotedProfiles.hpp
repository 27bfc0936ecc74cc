// The paths to which the engines of this process write their profiles.
#pragma once
#include <string>

namespace popscope {

/// Notes that an engine writes its profile to `path`. For the second engine of a path, prints a message, because its
/// profile replaces the profile of the first one. Thread-safe.
void noteProfile(const std::string &path);
/// Forgets the engines that write to `path`. For a caller that moved their profile away: no engine replaces it. An
/// engine that records its runs in the file still writes there when it ends. Thread-safe.
void forgetProfile(const std::string &path);

} // namespace popscope
