// The paths to which the engines of this process write their profiles.
#pragma once
#include <string>

namespace popscope {

/// Notes that an engine writes its profile to `path`. Prints a message when a second engine uses the same path, because
/// only the profile of the engine that ends last stays. Thread-safe.
void noteProfile(const std::string &path);
/// Forgets the engines that write to `path`. Call this function after moving the profile to another path, because no
/// later engine then replaces the profile. An engine that records its runs in the file still writes to `path` when the
/// engine ends. Thread-safe.
void forgetProfile(const std::string &path);

} // namespace popscope
