#include "report/pop/RowBlock.hpp"

#include "report/pop/BlobBytes.hpp"
#include "report/pop/PopFile.hpp"

#include <algorithm>
#include <optional>

namespace popscope {
namespace {

constexpr std::size_t kHeaderBytes = 5;

[[noreturn]] void corrupt(const char *what) { throw ProfileError(std::string("corrupt rows: ") + what); }

/// Puts values that are ordered by byte position (see PackedRows.cpp) back into the order of rows, in place.
void orderByRow(std::string &raw, std::size_t at, std::size_t rows, std::size_t length) {
  const std::string bytes = raw.substr(at, rows * length);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t i = 0; i < length; ++i)
      raw[at + row * length + i] = bytes[i * rows + row];
}

std::string inflated(std::string_view blob) {
  if (blob.size() < kHeaderBytes || blob[0] != kRowsCodec)
    corrupt("unknown header byte");
  const std::uint64_t size = readLittle(blob, 1, 4);
  const std::string_view body = blob.substr(kHeaderBytes);
  constexpr std::uint64_t kMaxRatio = 1100; // zlib reaches at most 1032 to 1
  if (size > kMaxBlockBytes || size > body.size() * kMaxRatio)
    corrupt("they are larger than their bytes can say");
  std::optional<std::string> raw = inflatedExactly(body, size);
  if (!raw)
    corrupt("they do not decompress to the stated size");
  return *std::move(raw);
}

} // namespace

RowBlock::RowBlock(const SchemaTable &table, std::string_view blob, std::size_t rows, std::uint64_t rawSize)
    : rows_(rows), columns_(table.columns.size() - 1), raw_(inflated(blob)) {
  if (rows == 0 || rows > kMaxRowsPerBlock)
    corrupt("a block has too many rows, or none");
  if (rows > blob.size() * kMaxRowsOfByte)
    corrupt("a block has more rows than its bytes can say");
  if (raw_.size() != rawSize)
    corrupt("a block does not have the stated size");
  std::size_t at = 0;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    Column &column = columns_[c];
    column.mayBeNull = mayBeNull(table.columns[c + 1]);
    column.isBlob = holdsBlobs(table.columns[c + 1]);
    if (at >= raw_.size() || static_cast<unsigned char>(raw_[at]) > (kRunsBit | 3))
      corrupt("a column has no width");
    const auto code = static_cast<unsigned char>(raw_[at++]);
    const std::size_t width = std::size_t(1) << (code & 3);
    column.stored.reserve(rows);
    if (raw_.size() - at < sizeof(std::uint64_t))
      corrupt("a column has no first number");
    addRows(column, readLittle(raw_, at, sizeof(std::uint64_t)), 1);
    at += sizeof(std::uint64_t);
    at += (code & kRunsBit) != 0 ? readRuns(at, width, column) : readNumbers(at, width, column);
  }
  for (Column &column : columns_) {
    if (!column.isBlob)
      continue;
    const std::size_t first = at;
    for (std::size_t row = 0; row < rows; ++row) {
      const std::uint64_t more = column.mayBeNull && column.stored[row] != 0 ? 1 : 0,
                          length = static_cast<std::uint64_t>(column.stored[row]) - more;
      column.firstByte.push_back(at);
      if (length > raw_.size() - at)
        corrupt("a value is longer than the rows");
      at += length;
    }
    if (column.isConstant)
      orderByRow(raw_, first, rows, (at - first) / rows);
  }
  if (at != raw_.size())
    corrupt("they have more bytes than columns");
}

std::uint64_t RowBlock::differenceAt(std::size_t at, std::size_t width) const {
  const std::uint64_t bits = readLittle(raw_, at, width);
  const unsigned unused = static_cast<unsigned>(64 - 8 * width);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << unused) >> unused);
}

void RowBlock::addRows(Column &column, std::uint64_t difference, std::size_t count) const {
  std::uint64_t last = column.stored.empty() ? 0 : static_cast<std::uint64_t>(column.stored.back());
  if (count > rows_ - column.stored.size())
    corrupt("a column is longer than its rows");
  for (std::size_t i = 0; i < count; ++i) {
    column.stored.push_back(static_cast<std::int64_t>(last += difference));
    if (column.stored.back() < 0)
      corrupt("a number is negative");
  }
}

std::size_t RowBlock::readNumbers(std::size_t at, std::size_t width, Column &column) const {
  const std::size_t numbers = rows_ - column.stored.size();
  if (raw_.size() - at < numbers * width)
    corrupt("a column is shorter than its rows");
  for (std::size_t i = 0; i < numbers; ++i)
    addRows(column, differenceAt(at + i * width, width), 1);
  return numbers * width;
}

std::size_t RowBlock::readRuns(std::size_t at, std::size_t width, Column &column) const {
  if (raw_.size() - at < kRunLengthBytes)
    corrupt("a column has no number of runs");
  const std::size_t runs = readLittle(raw_, at, kRunLengthBytes) + 1, numbers = at + kRunLengthBytes,
                    lengths = numbers + runs * width, bytes = lengths + runs * kRunLengthBytes - at;
  if (raw_.size() - at < bytes)
    corrupt("a column is shorter than its runs");
  column.isConstant = true;
  for (std::size_t run = 0; run < runs; ++run) {
    const std::uint64_t difference = differenceAt(numbers + run * width, width);
    const std::size_t length = readLittle(raw_, lengths + run * kRunLengthBytes, kRunLengthBytes) + 1;
    column.isConstant = column.isConstant && difference == 0;
    addRows(column, difference, length);
  }
  if (column.stored.size() != rows_)
    corrupt("a column's runs are shorter than its rows");
  return bytes;
}

bool RowBlock::isNull(std::size_t column, std::size_t row) const {
  return columns_[column].mayBeNull && columns_[column].stored[row] == 0;
}

std::int64_t RowBlock::number(std::size_t column, std::size_t row) const {
  return columns_[column].stored[row] - (columns_[column].mayBeNull ? 1 : 0);
}

std::string_view RowBlock::blob(std::size_t column, std::size_t row) const {
  const auto length = isNull(column, row) ? 0 : static_cast<std::size_t>(number(column, row));
  return std::string_view(raw_).substr(columns_[column].firstByte[row], length);
}

bool isRowBlock(std::string_view blob) { return !blob.empty() && blob[0] == kRowsCodec; }

} // namespace popscope
