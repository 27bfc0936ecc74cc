// The one function that reads environment variables. Rooms call it at their edge and pass values on.
#pragma once
#include <optional>
#include <string>

namespace popscope {

/// The value of variable `name`, nothing when it is not set. An empty value counts as set.
[[nodiscard]] std::optional<std::string> environmentVariable(const std::string &name);

} // namespace popscope
