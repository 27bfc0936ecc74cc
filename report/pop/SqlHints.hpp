// Suggests corrections for a query on a profile: the table, view or column whose name is nearest to an unknown name.
#pragma once
#include <string>

namespace popscope {

/// Returns a hint to append to an error. `message` is SQLite's, "no such column: cylces" or "no such table: step". The
/// hint comes from the tables and views that `sql` names: " Did you mean \"cycles\"? popscope schema lists ..."; "" for
/// another message.
[[nodiscard]] std::string sqlHint(const std::string &message, const std::string &sql);

} // namespace popscope
