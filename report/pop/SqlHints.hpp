// What a query on a profile meant: the nearest table, view or column to a name that is none.
#pragma once
#include <string>

namespace popscope {

/// `message`: SQLite's, "no such column: cylces" or "no such table: step". Returns the end of a sentence about it, from
/// the tables and views that `sql` names: " Did you mean \"cycles\"? popscope schema lists ..."; "" for another
/// message.
[[nodiscard]] std::string sqlHint(const std::string &message, const std::string &sql);

} // namespace popscope
