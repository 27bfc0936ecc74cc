// Writes the rows of a table that may have millions of rows. Rows are packed by columns (RowBlock.hpp).
#pragma once
#include "base/Check.hpp"
#include "report/pop/PopDatabase.hpp"
#include "report/pop/RowBlock.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace popscope {

/// A writer of the rows of one packed table, in the order of their ids. The caller passes the values of a row without
/// its id, either row by row, or column by column for several rows at once.
class RowPacker {
public:
  RowPacker(PopFile &file, const char *table);
  /// Appends several rows. Each of `columns` is a function that returns the value of one column for a row. In a column
  /// that may be NULL, -1 stands for NULL. The table must not have BLOBs.
  template <class Row, class... Columns> void rows(std::span<const Row> rows, const Columns &...columns) {
    POPSCOPE_CHECK(column_ == 0 && sizeof...(columns) == columns_.size(), "rows of {} of {} columns, from column {} on",
                   sizeof...(columns), columns_.size(), column_);
    while (!rows.empty()) {
      const auto some = rows.first(std::min(rows.size(), kRowsPerBlock - rows_));
      (put(some, columns), ...);
      column_ = 0;
      ended(some.size());
      rows = rows.subspan(some.size());
    }
  }
  RowPacker &operator<<(std::uint64_t value) {
    put(value + mayBeNull_[column_]);
    return *this;
  }
  template <class Tag> RowPacker &operator<<(Quantity<Tag> value) { return *this << value.count(); }
  /// Appends a number, or NULL if the number is negative.
  RowPacker &optional(std::int64_t value);
  RowPacker &blob(std::string_view bytes);
  RowPacker &null();
  /// Ends a row.
  void run();
  /// Writes the remaining rows. Call finish() once, after the last row.
  void finish();

private:
  template <class Row, class Column> void put(std::span<const Row> rows, const Column &column) {
    const std::int64_t more = mayBeNull_[column_];
    std::uint64_t *out = columns_[column_].data() + rows_, bits = 0;
    for (const Row &row : rows) {
      const auto stored = static_cast<std::uint64_t>(static_cast<std::int64_t>(column(row)) + more);
      bits |= stored;
      *out++ = stored;
    }
    POPSCOPE_CHECK(bits >> 63U == 0, "a negative number in column {} of {}", column_ + 1, table_.name);
    ++column_;
  }
  void ended(std::size_t rows);
  void put(std::uint64_t stored) {
    POPSCOPE_CHECK(column_ < columns_.size(), "a row of more than {} columns", columns_.size());
    columns_[column_++][rows_] = stored;
  }
  PopFile &file_;
  const SchemaTable &table_;
  int by_ = -1;                                     // index of the column SchemaTable::packedBy, or -1
  std::vector<std::vector<std::uint64_t>> columns_; // per column: its numbers, with the capacity of one block
  std::vector<std::uint8_t> mayBeNull_;             // per column: whether it may be NULL
  std::vector<std::string> bytes_;                  // per column: the bytes of its BLOBs
  std::size_t column_ = 0, rows_ = 0, blobBytes_ = 0;
  std::uint64_t first_ = 0;
};

} // namespace popscope
