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

constexpr std::size_t kRowsOfRun = 8; // a column with a smaller mean length of runs is stored without runs

/// The differences from one number to the next, modulo 2^64, and two facts that determine the form of their column.
struct Differences {
  std::span<const std::int64_t> all;
  std::size_t runs = 0;   // number of runs of equal differences
  std::uint64_t bits = 0; // all bits that any difference has, without signs
};

/// Returns the differences of `count` + 1 numbers.
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

/// The difference that each run repeats, and the length of the run minus 1.
struct ColumnRuns {
  std::vector<std::int64_t> numbers;
  std::vector<std::uint16_t> lengths;
};

/// Returns how many of the first numbers equal the first one.
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

/// Appends `bytes` bytes and returns a pointer to the first.
char *appendRoom(std::string &raw, std::size_t bytes) {
  raw.resize(raw.size() + bytes);
  return raw.data() + raw.size() - bytes;
}

void appendNumbers(std::span<const std::int64_t> numbers, unsigned log, std::string &raw) {
  storeNumbers(numbers.data(), numbers.size(), log, appendRoom(raw, numbers.size() << log));
}

/// Appends a column; returns whether all rows are known to have the same number.
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
  appendLittle(raw, runs.numbers.size() - 1, kRunLengthBytes);
  appendNumbers(runs.numbers, log, raw);
  storeNumbers<std::uint16_t>(runs.lengths.data(), runs.lengths.size(),
                              appendRoom(raw, runs.lengths.size() * kRunLengthBytes));
  return runs.numbers == std::vector<std::int64_t>{0};
}

/// Appends `rows` values of equal length by position: the first byte of each value, then the second of each, ...
void appendByPosition(std::string_view values, std::size_t rows, std::string &raw) {
  const std::size_t length = values.size() / rows, at = raw.size();
  raw.resize(at + values.size());
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t i = 0; i < length; ++i)
      raw[at + i * rows + row] = values[row * length + i];
}

std::string compressed(const std::string &raw) {
  POPSCOPE_CHECK(raw.size() <= kMaxBlockBytes, "{} bytes in a block of rows", raw.size());
  std::string blob(1, kRowsCodec);
  appendLittle(blob, raw.size(), 4);
  return blob + deflated(raw);
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
  mayBeNull_.push_back(0); // for the position after the last column, where put() refuses values
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
  if (rows_ == kRowsPerBlock || blobBytes_ > kMaxBlockBytes / 16)
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
  for (std::size_t c = 0; c < columns_.size(); ++c) // columns without BLOBs have no bytes
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

} // namespace popscope
