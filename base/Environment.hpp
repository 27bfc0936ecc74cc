// Reads environment variables. A module that needs a variable calls environmentVariable() in an entry function and
// passes the value to its inner functions (a rule of tests/meta). There is one exception: report/pvti reads the
// variable PVTI_OPTIONS with std::getenv, because libpvti is also built as a separate library without the rest of base.
#pragma once
#include <optional>
#include <string>

namespace popscope {

/// Returns the value of variable `name`, or no value if the variable is not set. An empty value counts as set.
[[nodiscard]] std::optional<std::string> environmentVariable(const std::string &name);

/// If `path` is "~" or begins with "~/", returns `path` with the user's home folder in place of the "~". The home
/// folder is HOME or, if HOME is not set or empty, the folder in the system's user database. If `path` begins with
/// "~NAME", returns `path` with the home folder of the user NAME in place of "~NAME". Returns any other path unchanged.
/// Also returns `path` unchanged if the home folder is unknown.
[[nodiscard]] std::string homePath(const std::string &path);

} // namespace popscope
