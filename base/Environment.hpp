// Reads environment variables: modules use this function at their edge and pass values on (a rule of tests/meta). Only
// report/pvti reads its own variable itself, because it is also a library without base.
#pragma once
#include <optional>
#include <string>

namespace popscope {

/// Returns the value of variable `name`, or nothing if it is not set. An empty value counts as set.
[[nodiscard]] std::optional<std::string> environmentVariable(const std::string &name);

/// Returns `path` with a leading "~" or "~/" replaced by the user's home folder: HOME, otherwise that of the system's
/// user database. Leaves it as it is if neither is known, and for another user's "~name".
[[nodiscard]] std::string homePath(const std::string &path);

} // namespace popscope
