// Reading environment variables: rooms do it with this function, at their edge, and pass values on (a rule of
// tests/meta). report/pvti alone reads its own variable itself, because it is also a library without base.
#pragma once
#include <optional>
#include <string>

namespace popscope {

/// The value of variable `name`, nothing when it is not set. An empty value counts as set.
[[nodiscard]] std::optional<std::string> environmentVariable(const std::string &name);

/// `path` with "~" or "~/" at its beginning replaced by the user's home folder: HOME, or else what the system knows. As
/// it is where neither is known, and for another user's "~name".
[[nodiscard]] std::string homePath(const std::string &path);

} // namespace popscope
