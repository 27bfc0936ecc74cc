// Reading environment variables: rooms do it with this function, at their edge, and pass values on (a rule of
// tests/meta). report/pvti alone reads its own variable itself, because it is also a library without base.
#pragma once
#include <optional>
#include <string>

namespace popscope {

/// The value of variable `name`, nothing when it is not set. An empty value counts as set.
[[nodiscard]] std::optional<std::string> environmentVariable(const std::string &name);

} // namespace popscope
