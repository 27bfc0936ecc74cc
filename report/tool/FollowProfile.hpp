// popscope view --follow: a page that shows the runs of a running program as they are committed.
#pragma once
#include <functional>
#include <iosfwd>
#include <string>

namespace popscope {

/// Returns the file that a running program writes. `profile` is the final name of the profile, or its folder. The
/// result is the newest of the final file and the unfinished files next to it; "" if there is none yet.
[[nodiscard]] std::string followedFile(const std::string &profile);

/// Serves `viewer` on the loopback interface until SIGINT or SIGTERM. The page requests the profile again whenever it
/// has changed. Prints the address to `out`, and passes it to `open`, which returns whether it started a browser.
void followProfile(const std::string &profile, const std::string &viewer,
                   const std::function<bool(const std::string &address)> &open, std::ostream &out);

} // namespace popscope
