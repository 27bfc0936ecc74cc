// popscope view --follow: a page that shows each run of a running program as soon as the profile file contains the run.
#pragma once
#include <functional>
#include <iosfwd>
#include <string>

namespace popscope {

/// Returns the file that a running program writes. `profile` is the final name of the profile, or a folder. For a
/// folder, returns the newest profile in the folder. For a final name NAME.pop, returns the newest of these files in
/// its folder: NAME.pop, NAME_*.pop and unfinished profiles. Returns "" if there is no such file yet.
[[nodiscard]] std::string followedFile(const std::string &profile);

struct FollowCallbacks {
  std::function<bool(const std::string &address)> open; // returns whether a browser was started
  // Returns the answers that the page shows about the profile with the bytes `image`, or "" if there are no answers.
  std::function<std::string(const std::string &image)> answers;
};

/// Serves `viewer` on the loopback interface until SIGINT or SIGTERM. Whenever the profile has changed, the page
/// requests the profile and the answers about it again. Prints the address to `out`, and calls FollowCallbacks::open
/// with the address. Throws the exceptions of followingPage() and serveLoopback().
void followProfile(const std::string &profile, const std::string &viewer, const FollowCallbacks &callbacks,
                   std::ostream &out);

} // namespace popscope
