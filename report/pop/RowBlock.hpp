// Stores the rows of large tables column by column: a block of up to 4,096 rows is one row of the table packed_rows.
// The first column of the table is `id`. The ids 0, 1, 2, ... are not stored.
//
//   byte 0      6, the codec
//   bytes 1-4   size of the columns before compression, little-endian
//   rest        zlib: for each column but id
//                 1 byte      bits 0-1 log2 of the width of its numbers in bytes, bit 2 runs, rest 0
//                 first       8 bytes, little-endian: the first row's number
//                 numbers     for each row but the first, signed, little-endian: the difference from the row before;
//                             if bit 2 is set, runs of equal differences instead: number of runs minus 1 (2 bytes);
//                             the difference of each run; and the length of each run minus 1 (2 bytes)
//               A column that may be NULL stores 0 for NULL, and the value plus 1 for any other value. A BLOB column
//               stores lengths. The bytes of all BLOBs follow, column by column. If the lengths are stored as runs,
//               and all lengths are equal, the bytes of a column are in this order: the first byte of each BLOB, then
//               the second byte of each BLOB, and so on.
//
// A block has at most 256 rows per byte of its blob. The decoder is safe for any bytes, because the decoder checks
// every size before it allocates memory.
#pragma once
#include "report/pop/Schema.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace popscope {

inline constexpr char kRowsCodec = 6;       // the first byte of a block; no list of numbers per tile begins with this
                                            // byte
inline constexpr std::uint8_t kRunsBit = 4; // the column stores the difference of a run once, with the length of the
                                            // run
inline constexpr std::size_t kRunLengthBytes = 2;
inline constexpr std::size_t kRowsPerBlock = 4096, kMaxRowsPerBlock = 65536, kMaxRowsOfByte = 256;
inline constexpr std::uint64_t kMaxBlockBytes = std::uint64_t(1) << 28; // before compression

/// A block of rows, unpacked.
class RowBlock {
public:
  RowBlock() = default;
  /// Unpacks a blob. Throws ProfileError (without a path) if the blob is corrupt.
  RowBlock(const SchemaTable &table, std::string_view blob, std::size_t rows, std::uint64_t rawSize);
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] bool isBlob(std::size_t column) const { return columns_[column].isBlob; }
  [[nodiscard]] bool isNull(std::size_t column, std::size_t row) const;
  [[nodiscard]] std::int64_t number(std::size_t column, std::size_t row) const;
  [[nodiscard]] std::string_view blob(std::size_t column, std::size_t row) const;

private:
  struct Column {
    bool mayBeNull = false, isBlob = false;
    bool isConstant = false;              // true: all rows have the same number
    std::vector<std::int64_t> stored;     // the stored numbers, summed up from their differences; value + 1 in a column
                                          // that may be NULL
    std::vector<std::uint64_t> firstByte; // per row: position of the first byte of the BLOB
  };
  [[nodiscard]] std::uint64_t differenceAt(std::size_t at, std::size_t width) const;
  void addRows(Column &column, std::uint64_t difference, std::size_t count) const;
  /// Reads the numbers of a column, from offset `at` on. Returns the number of bytes that these numbers take.
  std::size_t readNumbers(std::size_t at, std::size_t width, Column &column) const;
  std::size_t readRuns(std::size_t at, std::size_t width, Column &column) const;
  std::size_t rows_ = 0;
  std::vector<Column> columns_;
  std::string raw_;
};

[[nodiscard]] bool isRowBlock(std::string_view blob);

} // namespace popscope
