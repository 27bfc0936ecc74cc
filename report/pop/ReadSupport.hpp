// Functions that the parts of PopReader share.
#pragma once
#include "report/pop/PopDatabase.hpp"
#include "report/pop/PopReader.hpp"
#include "report/pop/Schema.hpp"
#include "report/pop/TileBlob.hpp"

namespace popscope {

/// Reads the id of `row` from a table whose ids are positions (0, 1, 2, ...). Throws ProfileError if the id is not
/// `position`.
void expectPosition(PopFile &file, Query &row, std::size_t position);
/// Reads a blob column; NULL gives an empty result. Throws ProfileError, with the path, for a corrupt blob.
[[nodiscard]] TileValues tileValues(PopFile &file, Query &row, std::size_t tiles);

} // namespace popscope
