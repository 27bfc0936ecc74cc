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

/// Reads the rows of `q` with `read`, which returns the record of one row.
template <class Read> auto readRows(Query &q, Read &&read) {
  std::vector<decltype(read())> rows;
  while (q.next())
    rows.push_back(read());
  return rows;
}
/// Reads rows whose ids are positions. `read` reads the columns after the id.
template <class Read> auto readInOrder(PopFile &file, Query &q, const Read &read) {
  return readRows(q, [&, position = std::size_t(0)]() mutable {
    expectPosition(file, q, position++);
    return read();
  });
}
/// Reads the rows that belong to one object. The first column is the id of this object, and the second column is the
/// row's position. `read` reads the columns after the position.
template <class Read> auto readOwned(PopFile &file, Query &q, const Read &read) {
  return readRows(q, [&, position = std::size_t(0)]() mutable {
    (void)q.u64();
    expectPosition(file, q, position++);
    return read();
  });
}
/// Calls `unpack`, and returns its result. If `unpack` throws a ProfileError, adds the path of the file to the message.
template <class Unpack> auto unpacked(const PopFile &file, const Unpack &unpack) {
  try {
    return unpack();
  } catch (const ProfileError &e) {
    file.fail(e.what());
  }
}

} // namespace popscope
