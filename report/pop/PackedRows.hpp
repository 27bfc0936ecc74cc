// Rows of a table of which a profile may have millions, kept as columns: a block of up to 4,096 rows is one row of
// packed_rows. Rows are numbered: the first column of such a table is `id`, 0, 1, 2, ..., and is not stored.
//
//   byte 0      6, the codec
//   bytes 1-4   size of the columns before compression, little-endian
//   rest        zlib: for each column but id
//                 1 byte      bits 0-1 log2 of the width of its numbers in bytes, bit 2 runs, rest 0
//                 first       8 bytes, little-endian: the first row's number
//                 numbers     one for each row but the first, signed, little-endian: the difference from the row before
//                 or runs     of the same: 2 bytes: how many, less 1; the number of each; and of each 2 bytes with how
//                             often it comes, less 1
//                             Of a column that may be NULL, NULL is 0 and each value one more; of BLOBs their lengths
//                             are the column.
//               and then the bytes of all BLOBs, column by column; where the lengths are runs that say that all are
//               equal, the first byte of each, then the second of each, and so on
//
// A block has at most 256 rows for each of its bytes. Decoding trusts nothing: every size is checked before memory is
// taken.
#pragma once
#include "base/Check.hpp"
#include "report/pop/PopDatabase.hpp"
#include "report/pop/Schema.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace popscope {

inline constexpr std::size_t kRowsPerBlock = 4096, kMostRowsPerBlock = 65536, kMostRowsOfByte = 256;
inline constexpr std::uint64_t kMostBlockBytes = std::uint64_t(1) << 28; // before compression

/// Writes the rows of one packed table, in order. Values come column by column without the id: of one row after the
/// other, or of several rows at a time.
class RowPacker {
public:
  RowPacker(PopFile &file, const char *table);
  /// Several rows. `columns`: what each column has of a row, in order, as a number; -1 = NULL. No BLOBs.
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
  /// -1 = NULL.
  RowPacker &optional(std::int64_t value);
  RowPacker &blob(std::string_view bytes);
  RowPacker &null();
  /// Ends a row.
  void run();
  /// Writes what is left. Call it once, after the last row.
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
  int by_ = -1; // the column whose smallest and largest value stand beside each block
  std::vector<std::vector<std::uint64_t>> columns_; // each with room for a block
  std::vector<std::uint8_t> mayBeNull_;             // by column
  std::vector<std::string> bytes_;                  // of BLOBs
  std::size_t column_ = 0, rows_ = 0, blobBytes_ = 0;
  std::uint64_t first_ = 0;
};

/// A block of rows, unpacked.
class RowBlock {
public:
  RowBlock() = default;
  /// Throws ProfileError (without a path) for a corrupt blob.
  RowBlock(const SchemaTable &table, std::string_view blob, std::size_t rows, std::uint64_t rawSize);
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] bool isBlob(std::size_t column) const { return columns_[column].isBlob; }
  [[nodiscard]] bool isNull(std::size_t column, std::size_t row) const;
  [[nodiscard]] std::int64_t number(std::size_t column, std::size_t row) const;
  [[nodiscard]] std::string_view blob(std::size_t column, std::size_t row) const;

private:
  struct Column {
    bool mayBeNull = false, isBlob = false;
    bool isConstant = false;              // known to have one number only
    std::vector<std::int64_t> stored;     // as the file has them, summed up
    std::vector<std::uint64_t> firstByte; // of BLOBs
  };
  [[nodiscard]] std::uint64_t differenceAt(std::size_t at, std::size_t width) const;
  void addRows(Column &column, std::uint64_t difference, std::size_t count) const;
  /// How many bytes from `at` on they are.
  std::size_t readNumbers(std::size_t at, std::size_t width, Column &column) const;
  std::size_t readRuns(std::size_t at, std::size_t width, Column &column) const;
  std::size_t rows_ = 0;
  std::vector<Column> columns_;
  std::string raw_;
};

[[nodiscard]] bool isRowBlock(std::string_view blob);

/// Makes the packed tables of the schema readable on the connection, from packed_rows. For PopFile.
void addPackedTables(sqlite3 *db);

} // namespace popscope
