// popscope history: selected numbers over all profiles of a folder.
#pragma once
#include "report/answers/View.hpp"

namespace popscope {

[[nodiscard]] Rows collectHistory(const Request &request);
/// Returns whether `a` sorts before `b`. Consecutive digits compare as one number: "run9" sorts before "run10". The
/// character "/" sorts first and "." second, before all other characters: "run.pop" sorts before "run-2.pop".
[[nodiscard]] bool naturallyBefore(const std::string &a, const std::string &b);

} // namespace popscope
