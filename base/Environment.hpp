// Reads environment variables. A module that needs a variable calls environmentVariable() in an entry function and
// passes the value to its inner functions (a rule of tests/meta). Only report/pvti reads its own variable,
// PVTI_OPTIONS, with the system's function, because libpvti is also built as a separate library without the rest of
// base.
#pragma once
#include <optional>
#include <string>

namespace popscope {

/// Returns the value of variable `name`, or no value if the variable is not set. An empty value counts as set.
[[nodiscard]] std::optional<std::string> environmentVariable(const std::string &name);

/// Returns `path` with the user's home folder in place of a leading "~", if this is the whole path or a "/" follows
/// (the "/" stays). The home folder is HOME or, if HOME is not set or empty, the folder in the system's user database.
/// If neither is known, and for "~name", returns `path` unchanged.
[[nodiscard]] std::string homePath(const std::string &path);

} // namespace popscope
