#include "report/pop/PackedRows.hpp"

#include "base/Check.hpp"
#include "base/WideLoops.hpp"
#include "report/pop/BlobBytes.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <utility>

namespace popscope {
namespace {

constexpr std::size_t kHeaderBytes = 5;
constexpr char kCodecRows = 6; // with which no numbers by tile begin

[[noreturn]] void corrupt(const char *what) { throw ProfileError(std::string("corrupt rows: ") + what); }

// Of a column: each difference stands there once, with how often it follows itself; the first row's number is no
// difference.
constexpr std::uint8_t kRunsBit = 4;
constexpr std::size_t kLengthBytes = 2;
constexpr std::size_t kRowsOfRun = 8; // at least so many on average

/// From one number to the next, modulo 2^64, and what a column of them takes.
struct Differences {
  std::span<const std::int64_t> all;
  std::size_t runs = 0;   // of equal ones
  std::uint64_t bits = 0; // that any of them has, but for its sign
};

/// `count` of them, of one number more.
POPSCOPE_WIDE_LOOPS Differences differencesOf(const std::uint64_t *values, std::size_t count, std::int64_t *out) {
  if (count == 0)
    return {{}, 1, 0};
  const auto difference = [values](std::size_t i) { return static_cast<std::int64_t>(values[i + 1] - values[i]); };
  out[0] = difference(0);
  std::uint64_t bits = static_cast<std::uint64_t>(out[0] < 0 ? ~out[0] : out[0]), changes = 0;
  for (std::size_t i = 1; i < count; ++i) {
    const std::int64_t d = difference(i);
    out[i] = d;
    bits |= static_cast<std::uint64_t>(d < 0 ? ~d : d);
    changes += d != difference(i - 1) ? 1U : 0U;
  }
  return {{out, count}, changes + 1, bits};
}

/// The number of each run, and how long it is less 1.
struct ColumnRuns {
  std::vector<std::int64_t> numbers;
  std::vector<std::uint16_t> lengths;
};

/// How many of the first numbers are as the first one is.
POPSCOPE_WIDE_LOOPS std::size_t equalToFirst(const std::int64_t *numbers, std::size_t count) {
  constexpr std::size_t kTogether = 16;
  std::size_t end = 1;
  for (; end + kTogether <= count; end += kTogether) {
    std::int64_t bits = 0;
    for (std::size_t i = 0; i < kTogether; ++i)
      bits |= numbers[end + i] ^ numbers[0];
    if (bits != 0)
      break;
  }
  while (end < count && numbers[end] == numbers[0])
    ++end;
  return end;
}

ColumnRuns columnRuns(const Differences &differences) {
  ColumnRuns runs;
  for (std::span left = differences.all; !left.empty(); left = left.subspan(runs.lengths.back() + 1U)) {
    runs.numbers.push_back(left[0]);
    runs.lengths.push_back(static_cast<std::uint16_t>(equalToFirst(left.data(), left.size()) - 1));
  }
  return runs;
}

template <class Integer, class From> inline void storeNumbers(const From *numbers, std::size_t count, char *out) {
  for (std::size_t i = 0; i < count; ++i)
    storeLittle(out + i * sizeof(Integer), static_cast<Integer>(numbers[i]));
}

POPSCOPE_WIDE_LOOPS void storeNumbers(const std::int64_t *numbers, std::size_t count, unsigned log, char *out) {
  switch (log) {
  case 0: return storeNumbers<std::int8_t>(numbers, count, out);
  case 1: return storeNumbers<std::int16_t>(numbers, count, out);
  case 2: return storeNumbers<std::int32_t>(numbers, count, out);
  default: return storeNumbers<std::int64_t>(numbers, count, out);
  }
}

/// Room for more bytes at the end.
char *appendRoom(std::string &raw, std::size_t bytes) {
  raw.resize(raw.size() + bytes);
  return raw.data() + raw.size() - bytes;
}

void appendNumbers(std::span<const std::int64_t> numbers, unsigned log, std::string &raw) {
  storeNumbers(numbers.data(), numbers.size(), log, appendRoom(raw, numbers.size() << log));
}

/// Whether all rows are known to have the same number.
bool appendColumn(std::uint64_t first, const Differences &differences, std::string &raw) {
  unsigned log = 0;
  while (log < 3 && differences.bits >> ((8U << log) - 1) != 0)
    ++log;
  const bool inRuns = differences.runs <= differences.all.size() / kRowsOfRun;
  raw.push_back(static_cast<char>(log | (inRuns ? kRunsBit : 0)));
  appendLittle(raw, first, sizeof first);
  if (!inRuns) {
    appendNumbers(differences.all, log, raw);
    return false;
  }
  const ColumnRuns runs = columnRuns(differences);
  appendLittle(raw, runs.numbers.size() - 1, kLengthBytes);
  appendNumbers(runs.numbers, log, raw);
  storeNumbers<std::uint16_t>(runs.lengths.data(), runs.lengths.size(),
                              appendRoom(raw, runs.lengths.size() * kLengthBytes));
  return runs.numbers == std::vector<std::int64_t>{0};
}

/// From `rows` values of the same length one after the other to the first byte of each, the second of each, ...
void appendByPosition(std::string_view values, std::size_t rows, std::string &raw) {
  const std::size_t length = values.size() / rows, at = raw.size();
  raw.resize(at + values.size());
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t i = 0; i < length; ++i)
      raw[at + i * rows + row] = values[row * length + i];
}

/// The reverse, in place.
void orderByRow(std::string &raw, std::size_t at, std::size_t rows, std::size_t length) {
  const std::string bytes = raw.substr(at, rows * length);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t i = 0; i < length; ++i)
      raw[at + row * length + i] = bytes[i * rows + row];
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
  ended(1);
}

void RowPacker::ended(std::size_t rows) {
  rows_ += rows;
  if (rows_ == kRowsPerBlock || blobBytes_ > kMostBlockBytes / 16)
    finish();
}

void RowPacker::finish() {
  if (rows_ == 0)
    return;
  std::string raw;
  std::vector<bool> isConstant;
  std::vector<std::int64_t> differences(rows_ - 1);
  for (const auto &column : columns_)
    isConstant.push_back(appendColumn(column[0], differencesOf(column.data(), rows_ - 1, differences.data()), raw));
  for (std::size_t c = 0; c < columns_.size(); ++c) // of those that hold no BLOBs there are no bytes
    if (isConstant[c])
      appendByPosition(bytes_[c], rows_, raw);
    else
      raw += bytes_[c];
  Query q(file_, insertStatement("packed_rows"));
  q << table_.name << first_ << std::uint64_t(rows_) << std::uint64_t(raw.size());
  if (by_ >= 0) {
    const auto by = std::span(columns_[static_cast<std::size_t>(by_)]).first(rows_);
    const auto [low, high] = std::minmax_element(by.begin(), by.end());
    q << *low << *high;
  } else {
    q.null().null();
  }
  q.borrowedBlob(compressed(raw)).run();
  first_ += rows_;
  rows_ = blobBytes_ = 0;
  for (std::string &bytes : bytes_)
    bytes.clear();
}

RowBlock::RowBlock(const SchemaTable &table, std::string_view blob, std::size_t rows, std::uint64_t rawSize)
    : rows_(rows), columns_(table.columns.size() - 1), raw_(inflated(blob)) {
  if (rows == 0 || rows > kMostRowsPerBlock)
    corrupt("a block has too many rows, or none");
  if (rows > blob.size() * kMostRowsOfByte)
    corrupt("a block has more rows than its bytes can say");
  if (raw_.size() != rawSize)
    corrupt("a block has not the stated size");
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
  if (raw_.size() - at < kLengthBytes)
    corrupt("a column has no number of runs");
  const std::size_t runs = readLittle(raw_, at, kLengthBytes) + 1, numbers = at + kLengthBytes,
                    lengths = numbers + runs * width, bytes = lengths + runs * kLengthBytes - at;
  if (raw_.size() - at < bytes)
    corrupt("a column is shorter than its runs");
  column.isConstant = true;
  for (std::size_t run = 0; run < runs; ++run) {
    const std::uint64_t difference = differenceAt(numbers + run * width, width);
    const std::size_t length = readLittle(raw_, lengths + run * kLengthBytes, kLengthBytes) + 1;
    column.isConstant = column.isConstant && (difference == 0 || (column.stored.empty() && length == 1));
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

bool isRowBlock(std::string_view blob) { return !blob.empty() && blob[0] == kCodecRows; }

} // namespace popscope
