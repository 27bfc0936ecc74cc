// Suggests a correction for a query on a profile: the table, view or column whose name is nearest to an unknown name.
#pragma once
#include <string>

namespace popscope {

/// Returns a hint to append to an error message, for example " Did you mean \"cycles\"? popscope schema lists ...".
/// `message` is SQLite's message for an unknown table or column, for example "no such column: cylces" or "no such
/// table: step". For any other message, returns "". A hint for a column names the nearest column of the tables and
/// views that `sql` uses, or else a column whose name contains the unknown name as a word. Without such a column, the
/// hint names tables and views that have a column with the unknown name.
[[nodiscard]] std::string sqlHint(const std::string &message, const std::string &sql);

} // namespace popscope
