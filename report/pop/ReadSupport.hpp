// Shared by the parts of PopReader.
#pragma once
#include "report/pop/PopDatabase.hpp"
#include "report/pop/PopReader.hpp"
#include "report/pop/Schema.hpp"
#include "report/pop/TileBlob.hpp"

namespace popscope {

/// The id column of a table whose ids are positions: 0, 1, 2, ...
void expectPosition(PopFile &file, Query &row, std::size_t position);
/// A blob column; NULL = empty. Corrupt: ProfileError with the path.
[[nodiscard]] TileValues tileValues(PopFile &file, Query &row, std::size_t tiles);

} // namespace popscope
