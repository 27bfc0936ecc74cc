// SQL types of columns in schemaTables(). Include this header in .cpp files only, because the names are short.
#pragma once

namespace popscope::columnTypes {

inline constexpr const char *kId = "INTEGER PRIMARY KEY";
inline constexpr const char *kInt = "INTEGER NOT NULL";
inline constexpr const char *kIntNull = "INTEGER";
inline constexpr const char *kReal = "REAL NOT NULL";
inline constexpr const char *kRealNull = "REAL";
inline constexpr const char *kText = "TEXT NOT NULL";
inline constexpr const char *kBlob = "BLOB";
inline constexpr const char *kBlobFull = "BLOB NOT NULL";

} // namespace popscope::columnTypes
