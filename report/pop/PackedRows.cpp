#include "report/pop/PackedRows.hpp"

#include "base/Check.hpp"
#include "report/pop/BlobBytes.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <utility>

namespace popscope {
namespace {

constexpr std::size_t kHeaderBytes = 5;
constexpr char kCodecRows = 6; // no bit pattern of numbers by tile: these have bit 1 with bit 0 only, or not at all

[[noreturn]] void corrupt(const char *what) { throw ProfileError(std::string("corrupt rows: ") + what); }

bool mayBeNull(const SchemaColumn &column) { return std::strstr(column.sqlType, "NOT NULL") == nullptr; }
bool holdsBlobs(const SchemaColumn &column) { return std::strncmp(column.sqlType, "BLOB", 4) == 0; }

/// The differences from one number to the next, of `Signed`, at the end of `raw`.
template <class Signed> void appendDifferences(std::span<const std::uint64_t> values, std::string &raw) {
  const std::size_t at = raw.size();
  raw.resize(at + values.size() * sizeof(Signed));
  char *out = raw.data() + at;
  std::uint64_t before = 0;
  for (const std::uint64_t v : values) { // modulo 2^64
    storeLittle(out, static_cast<Signed>(v - std::exchange(before, v)));
    out += sizeof(Signed);
  }
}

void appendColumn(std::span<const std::uint64_t> values, std::string &raw) {
  std::int64_t least = 0, most = 0;
  std::uint64_t before = 0;
  for (const std::uint64_t v : values) {
    const auto difference = static_cast<std::int64_t>(v - std::exchange(before, v));
    least = std::min(least, difference);
    most = std::max(most, difference);
  }
  unsigned log = 0;
  for (; log < 3; ++log)
    if (const std::int64_t half = std::int64_t(1) << ((8U << log) - 1); least >= -half && most < half)
      break;
  raw.push_back(static_cast<char>(log));
  switch (log) {
  case 0: return appendDifferences<std::int8_t>(values, raw);
  case 1: return appendDifferences<std::int16_t>(values, raw);
  case 2: return appendDifferences<std::int32_t>(values, raw);
  default: return appendDifferences<std::int64_t>(values, raw);
  }
}

std::string compressed(const std::string &raw) {
  POPSCOPE_CHECK(raw.size() <= kMostBlockBytes, "{} bytes in a block of rows", raw.size());
  std::string blob(1, kCodecRows);
  appendLittle(blob, raw.size(), 4);
  return blob + deflated(raw);
}

std::string inflated(std::string_view blob) {
  if (blob.size() < kHeaderBytes || blob[0] != kCodecRows)
    corrupt("unknown header byte");
  const std::uint64_t size = readLittle(blob, 1, 4);
  const std::string_view body = blob.substr(kHeaderBytes);
  constexpr std::uint64_t kMostRatio = 1100; // of zlib: 1032 to 1
  if (size > kMostBlockBytes || size > body.size() * kMostRatio)
    corrupt("they are larger than their bytes can say");
  std::optional<std::string> raw = inflatedExactly(body, size);
  if (!raw)
    corrupt("they do not decompress to the stated size");
  return *std::move(raw);
}

} // namespace

RowPacker::RowPacker(PopFile &file, const char *table)
    : file_(file), table_(packedTable(table)), columns_(table_.columns.size() - 1), bytes_(columns_.size()) {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    columns_[c].resize(kRowsPerBlock);
    mayBeNull_.push_back(mayBeNull(table_.columns[c + 1]) ? 1 : 0);
    if (std::strcmp(table_.columns[c + 1].name, table_.packedBy) == 0)
      by_ = static_cast<int>(c);
  }
  mayBeNull_.push_back(0); // put() refuses what comes there
}

RowPacker &RowPacker::optional(std::int64_t value) {
  return value < 0 ? null() : *this << static_cast<std::uint64_t>(value);
}

RowPacker &RowPacker::blob(std::string_view bytes) {
  bytes_.at(column_).append(bytes);
  blobBytes_ += bytes.size();
  return *this << std::uint64_t(bytes.size());
}

RowPacker &RowPacker::null() {
  POPSCOPE_CHECK(mayBeNull_[column_] != 0, "NULL in a column that may not be");
  put(0);
  return *this;
}

void RowPacker::run() {
  POPSCOPE_CHECK(column_ == columns_.size(), "a row of {} of {} columns", column_, columns_.size());
  column_ = 0;
  ++rows_;
  if (rows_ == kRowsPerBlock || blobBytes_ > kMostBlockBytes / 16)
    finish();
}

void RowPacker::finish() {
  if (rows_ == 0)
    return;
  std::string raw;
  for (const auto &column : columns_)
    appendColumn(std::span(column).first(rows_), raw);
  for (const std::string &bytes : bytes_)
    raw += bytes;
  Query q(file_, insertStatement("packed_rows"));
  q << table_.name << first_ << std::uint64_t(rows_) << std::uint64_t(raw.size());
  if (by_ >= 0) {
    const auto by = std::span(columns_[static_cast<std::size_t>(by_)]).first(rows_);
    const auto [low, high] = std::minmax_element(by.begin(), by.end());
    q << *low << *high;
  } else {
    q.null().null();
  }
  q.blob(compressed(raw)).run();
  first_ += rows_;
  rows_ = blobBytes_ = 0;
  for (std::string &bytes : bytes_)
    bytes.clear();
}

RowBlock::RowBlock(const SchemaTable &table, std::string_view blob, std::size_t rows, std::uint64_t rawSize)
    : rows_(rows), columns_(table.columns.size() - 1), raw_(inflated(blob)) {
  if (rows == 0 || rows > kMostRowsPerBlock)
    corrupt("a block has too many rows, or none");
  if (raw_.size() != rawSize)
    corrupt("a block has not the stated size");
  std::size_t at = 0;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    Column &column = columns_[c];
    column.mayBeNull = mayBeNull(table.columns[c + 1]);
    column.isBlob = holdsBlobs(table.columns[c + 1]);
    if (at >= raw_.size() || static_cast<unsigned char>(raw_[at]) > 3)
      corrupt("a column has no width");
    const std::size_t width = std::size_t(1) << raw_[at++];
    if (raw_.size() - at < rows * width)
      corrupt("a column is shorter than its rows");
    column.stored.resize(rows);
    std::uint64_t sum = 0;
    for (std::size_t row = 0; row < rows; ++row, at += width) {
      const std::uint64_t bits = readLittle(raw_, at, width);
      const unsigned unused = static_cast<unsigned>(64 - 8 * width);
      sum += static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << unused) >> unused);
      column.stored[row] = static_cast<std::int64_t>(sum);
      if (column.stored[row] < 0)
        corrupt("a number is negative");
    }
  }
  for (Column &column : columns_)
    for (std::size_t row = 0; column.isBlob && row < rows; ++row) {
      const std::uint64_t more = column.mayBeNull && column.stored[row] != 0 ? 1 : 0,
                          length = static_cast<std::uint64_t>(column.stored[row]) - more;
      column.firstByte.push_back(at);
      if (length > raw_.size() - at)
        corrupt("a value is longer than the rows");
      at += length;
    }
  if (at != raw_.size())
    corrupt("they have more bytes than columns");
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

bool isRowBlock(std::string_view blob) { return !blob.empty() && blob[0] == kCodecRows; }

void packTables(PopFile &file) {
  for (const SchemaTable &table : schemaTables()) {
    if (table.packedBy == nullptr || !hasTable(file, table.name))
      continue;
    {
      RowPacker packer(file, table.name);
      Query from(file, selectStatement(table.name, "ORDER BY id"));
      for (std::uint64_t row = 0; from.next(); ++row) {
        if (from.u64() != row)
          file.fail("the profile is corrupt: the rows of " + std::string(table.name) + " are not numbered");
        for (std::size_t c = 1; c < table.columns.size(); ++c)
          if (holdsBlobs(table.columns[c])) {
            const auto bytes = from.blobView();
            bytes ? packer.blob(*bytes) : packer.null();
          } else {
            const auto value = from.u64OrNull();
            value ? packer << *value : packer.null();
          }
        packer.run();
      }
      packer.finish();
    }
    file.execute(std::string("DROP TABLE ") + table.name);
  }
}

} // namespace popscope
