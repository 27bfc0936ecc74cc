// popscope view --follow: a page that shows a running program's runs as they are committed.
#pragma once
#include <functional>
#include <iosfwd>
#include <string>

namespace popscope {

/// Returns the file that a running program writes, given the profile's final name or its folder: the newest of the
/// final file and the unfinished files next to it. Returns "" if there is none yet.
[[nodiscard]] std::string followedFile(const std::string &profile);

/// Serves `viewer` on loopback; its page requests the profile again whenever the profile has changed. Prints the
/// address and gives it to `open`, which returns whether a browser was started. Ends with SIGINT or SIGTERM.
void followProfile(const std::string &profile, const std::string &viewer,
                   const std::function<bool(const std::string &address)> &open, std::ostream &out);

} // namespace popscope
