// Archive: converts data to bytes and back. Every file of tables (executables, graphs, tensors) is an archive. Numbers
// are little endian and as wide as their type. An id is stored as its index. A vector, text or map is stored as the
// number of its elements, followed by the elements.
//
// One function, `transfer`, both writes and reads the data, so that writer and reader always use the same format. A
// plain aggregate needs no further function: `transfer` visits its members. A type with additional rules has one
// function, which, like `transfer`, both writes and reads:
//
//   template <class A> void transferRow(A &a, Row &row, std::size_t others) {
//     transfer(a, row.name);                                        // text
//     transferIdOrNone(a, row.other, others, "another row");        // must be a number below `others`, or invalid
//     transferUpTo(a, row.kind, kLastKind, "a kind of row");
//     if constexpr (A::kReads)
//       if (row.name.empty())
//         a.fail("a row has no name");                              // ArchiveError, with the byte position
//   }
//
// A reader never reads past the end of the archive. Before a reader reads the elements of a list, the reader reserves
// at most as much memory as there are remaining bytes.
#pragma once
#include "base/Fields.hpp"
#include "base/Ids.hpp"
#include "base/StringTable.hpp"
#include "base/Units.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace popscope {

static_assert(std::endian::native == std::endian::little, "the archive stores numbers as this machine has them");

/// The error for bytes that end too early or contain an impossible value. The message states the fault. For most faults
/// after the header, the message also contains the byte position. The function that reads a kind of file adds this kind
/// to the message, and states what the user can do.
struct ArchiveError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An archive for writing: appends the bytes of values to `out`. Does not change the values, so code that writes
/// constant data may pass the data through written().
class ArchiveWriter {
public:
  static constexpr bool kReads = false;
  void bytes(const void *data, std::size_t size) { out.append(static_cast<const char *>(data), size); }
  [[nodiscard]] std::size_t at() const { return out.size(); }
  std::string out;
};

class ArchiveReader {
public:
  static constexpr bool kReads = true;
  /// Creates a reader of the bytes of `in`. The bytes must outlive the reader.
  explicit ArchiveReader(std::string_view in) : in_(in) {}
  void bytes(void *data, std::size_t size) {
    if (size > left())
      failShort(size);
    if (size != 0)
      std::memcpy(data, in_.data() + at_, size);
    at_ += size;
  }
  [[nodiscard]] std::size_t left() const { return in_.size() - at_; }
  [[nodiscard]] std::size_t at() const { return at_; }
  void requireEnd() const;
  /// Throws ArchiveError. The message contains the position: the current byte, or byte `at`.
  [[noreturn]] void fail(const std::string &what) const { fail(at_, what); }
  [[noreturn]] static void fail(std::size_t at, const std::string &what);
  [[noreturn]] static void failAbove(std::size_t at, const char *what, std::uint64_t value, std::uint64_t limit);
  [[noreturn]] static void failIndex(std::size_t at, const char *what, std::uint64_t index, std::uint64_t count);

private:
  [[noreturn]] void failShort(std::size_t size) const;
  std::string_view in_;
  std::size_t at_ = 0;
};

/// Removes `const` from data, because `transfer` takes a writable reference. An ArchiveWriter does not change the data.
template <class T> [[nodiscard]] T &written(const T &value) { return const_cast<T &>(value); }

/// Writes or reads `value`. A reader throws ArchiveError if the bytes are not a valid value of the type.
template <class A, class T> void transfer(A &a, T &value);

/// Transfers and returns the count of a list; `have` is the count to write. `smallest` is the least size of an element
/// in bytes. A reader uses this size to refuse an impossible count before it allocates memory.
template <class A> [[nodiscard]] std::uint64_t transferCount(A &a, std::uint64_t have, std::uint64_t smallest = 1) {
  [[maybe_unused]] const std::size_t at = a.at();
  std::uint64_t n = have;
  a.bytes(&n, sizeof n);
  if constexpr (A::kReads)
    if (n > a.left() / smallest)
      ArchiveReader::failAbove(at, "a count of elements", n, a.left() / smallest);
  return n;
}

/// Transfers a vector. A call of `one(element)` transfers each element.
template <class A, class T, class Memory, class F> void transferEach(A &a, std::vector<T, Memory> &list, const F &one) {
  const std::uint64_t n = transferCount(a, list.size());
  if constexpr (A::kReads) {
    // The reserved memory has at most as many bytes as the rest of the file. If an element is smaller in the file than
    // in memory, the list grows further during reading.
    list.clear();
    list.reserve(std::min<std::uint64_t>(n, a.left() / sizeof(T)));
    for (std::uint64_t i = 0; i < n; ++i)
      one(list.emplace_back());
  } else {
    for (T &element : list)
      one(element);
  }
}
template <class A, class IdT, class T, class F> void transferEach(A &a, IdVector<IdT, T> &list, const F &one) {
  transferEach(a, list.raw(), one);
}

/// Transfers a number or enumerator. A reader throws ArchiveError for a value above `limit`.
template <class A, class T>
void transferUpTo(A &a, T &value, std::type_identity_t<std::uint64_t> limit, const char *what) {
  [[maybe_unused]] const std::size_t at = a.at();
  transfer(a, value);
  if constexpr (A::kReads)
    if (const auto n = static_cast<std::uint64_t>(value); n > limit)
      ArchiveReader::failAbove(at, what, n, limit);
}

/// Transfers an id that is either invalid or the number of one of `count` rows. A reader throws ArchiveError for any
/// other id.
template <class A, class Tag> void transferIdOrNone(A &a, Id<Tag> &id, std::uint64_t count, const char *what) {
  [[maybe_unused]] const std::size_t at = a.at();
  transfer(a, id);
  if constexpr (A::kReads)
    if (id.valid() && id.index() >= count)
      ArchiveReader::failIndex(at, what, id.index(), count);
}
/// Transfers an id that is the number of one of `count` rows. A reader throws ArchiveError for any other id, also for
/// an invalid id.
template <class A, class Tag> void transferId(A &a, Id<Tag> &id, std::uint64_t count, const char *what) {
  [[maybe_unused]] const std::size_t at = a.at();
  transferIdOrNone(a, id, count, what);
  if constexpr (A::kReads)
    if (!id.valid())
      ArchiveReader::fail(at, std::string(what) + " is missing");
}

/// Transfers the magic bytes at the beginning of a file. Throws ArchiveError with the message `noSuch` for any other
/// bytes.
template <class A> void transferMagic(A &a, std::string_view magic, const char *noSuch) {
  std::string found(magic);
  if constexpr (A::kReads)
    if (a.left() < magic.size())
      throw ArchiveError(noSuch);
  a.bytes(found.data(), found.size());
  if (found != magic)
    throw ArchiveError(noSuch);
}
[[noreturn]] void failVersion(std::uint64_t found, std::uint64_t reads);
/// Transfers the version of a format. Throws ArchiveError for any other version; the message contains both versions.
template <class A, class T> void transferVersion(A &a, T version) {
  T found = version;
  transfer(a, found);
  if (found != version)
    failVersion(found, version);
}

namespace archive_detail {

/// Returns whether T has the same bytes in memory and in the file. The result is true for numbers, enumerators and ids,
/// and for aggregates without padding whose members have such types. The result is false for bool, because the reader
/// checks the value of a bool.
template <class T> consteval bool isRaw();
template <class T>
inline constexpr bool kIsNumber = (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) || std::is_enum_v<T>;
template <class Tag> inline constexpr bool kIsNumber<Id<Tag>> = sizeof(Id<Tag>) == sizeof(std::uint32_t);
template <class Tag, class Rep> inline constexpr bool kIsNumber<Quantity<Tag, Rep>> = true;
template <> inline constexpr bool kIsNumber<ElementNumber> = true;
template <class T> struct RawFields {
  template <class... Field> auto operator()(Field &...) const {
    constexpr bool raw = (isRaw<Field>() && ...), dense = (sizeof(Field) + ...) == sizeof(T);
    return std::bool_constant<(raw && dense)>();
  }
};

template <class A, class T, class Memory> void items(A &a, std::vector<T, Memory> &v) {
  static_assert(!std::is_same_v<T, bool>);
  if constexpr (isRaw<T>()) {
    const std::uint64_t n = transferCount(a, v.size(), sizeof(T));
    if constexpr (A::kReads)
      v.resize(n);
    a.bytes(v.data(), v.size() * sizeof(T));
  } else {
    transferEach(a, v, [&](T &item) { transfer(a, item); });
  }
}
template <class A, class IdT, class T> void items(A &a, IdVector<IdT, T> &v) { items(a, v.raw()); }

template <class A> void items(A &a, std::string &s) {
  const std::uint64_t n = transferCount(a, s.size());
  if constexpr (A::kReads)
    s.resize(n);
  a.bytes(s.data(), s.size());
}
template <class A> void items(A &a, StringTable &table) {
  const std::uint64_t n = transferCount(a, table.size());
  for (std::uint64_t i = 0; i < n; ++i) {
    std::string text = A::kReads ? std::string() : table[NameId(static_cast<std::uint32_t>(i))];
    items(a, text);
    if constexpr (A::kReads)
      if (table.intern(text).index() != i)
        a.fail("the same name occurs twice");
  }
}
template <class A, class K, class V> void items(A &a, std::map<K, V> &map) {
  const std::uint64_t n = transferCount(a, map.size());
  if constexpr (A::kReads) {
    map.clear();
    for (std::uint64_t i = 0; i < n; ++i) {
      std::pair<K, V> entry;
      transfer(a, entry);
      if (!map.insert(std::move(entry)).second)
        a.fail("the same key occurs twice");
    }
  } else {
    for (auto &[key, value] : map) {
      transfer(a, written(key));
      transfer(a, value);
    }
  }
}
template <class A, class T, std::size_t N> void items(A &a, std::array<T, N> &v) {
  for (T &item : v)
    transfer(a, item);
}
template <class A, class F, class S> void items(A &a, std::pair<F, S> &p) {
  transfer(a, p.first);
  transfer(a, p.second);
}

template <class A, class T>
concept HasItems = requires(A &a, T &value) {
  items(a, value);
};

template <class T> consteval bool isRaw() {
  if constexpr (std::is_aggregate_v<T> && std::is_trivially_copyable_v<T> && !HasItems<ArchiveWriter, T>)
    return decltype(visitFields(std::declval<T &>(), RawFields<T>{}))::value;
  else
    return kIsNumber<T>;
}

} // namespace archive_detail

template <class A, class T> void transfer(A &a, T &value) {
  if constexpr (std::is_same_v<T, bool>) {
    std::uint8_t byte = value ? 1 : 0;
    a.bytes(&byte, 1);
    if constexpr (A::kReads) {
      if (byte > 1)
        ArchiveReader::failAbove(a.at() - 1, "a truth value", byte, 1);
      value = byte == 1;
    }
  } else if constexpr (archive_detail::isRaw<T>()) {
    a.bytes(&value, sizeof value);
  } else if constexpr (archive_detail::HasItems<A, T>) {
    archive_detail::items(a, value);
  } else {
    visitFields(value, [&](auto &...field) { (transfer(a, field), ...); });
  }
}

} // namespace popscope
