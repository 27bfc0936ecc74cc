// Archive: plain data to bytes and back. Numbers are little endian and fixed in size; a sequence is its count, then its
// elements. One function, `transfer`, walks the data for both directions, so that they cannot disagree.
#pragma once
#include "base/Ids.hpp"
#include "base/StringTable.hpp"
#include "base/Units.hpp"
#include "engine/executable/Fields.hpp"

#include <array>
#include <bit>
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

/// The bytes end too early or say what cannot be.
struct ArchiveError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class ArchiveWriter {
public:
  static constexpr bool kReads = false;
  void bytes(const void *data, std::size_t size) { out.append(static_cast<const char *>(data), size); }
  std::string out;
};

class ArchiveReader {
public:
  static constexpr bool kReads = true;
  explicit ArchiveReader(std::string_view in) : in_(in) {}
  void bytes(void *data, std::size_t size) {
    if (size > in_.size() - at_)
      throw ArchiveError("the data end too early");
    if (size != 0)
      std::memcpy(data, in_.data() + at_, size);
    at_ += size;
  }
  [[nodiscard]] std::size_t left() const { return in_.size() - at_; }

private:
  std::string_view in_;
  std::size_t at_ = 0;
};

template <class A, class T> void transfer(A &a, T &value);

namespace archive_detail {

template <class A> std::uint64_t count(A &a, std::uint64_t have, std::uint64_t minimumBytes) {
  std::uint64_t n = have;
  a.bytes(&n, sizeof n);
  // A count that cannot be true is refused before memory is asked for it.
  if constexpr (A::kReads)
    if (n > a.left() / minimumBytes)
      throw ArchiveError("a count of " + std::to_string(n) + " elements is more than the data hold");
  return n;
}

template <class T> inline constexpr bool kIsRaw = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

template <class A, class T> void items(A &a, std::vector<T> &v) {
  static_assert(!std::is_same_v<T, bool>);
  v.resize(count(a, v.size(), kIsRaw<T> ? sizeof(T) : 1));
  if constexpr (kIsRaw<T>)
    a.bytes(v.data(), v.size() * sizeof(T));
  else
    for (T &item : v)
      transfer(a, item);
}
template <class A, class IdT, class T> void items(A &a, IdVector<IdT, T> &v) { items(a, v.raw()); }

template <class A> void items(A &a, std::string &s) {
  s.resize(count(a, s.size(), 1));
  a.bytes(s.data(), s.size());
}
template <class A> void items(A &a, StringTable &table) {
  const std::uint64_t n = count(a, table.size(), 1);
  for (std::uint64_t i = 0; i < n; ++i) {
    std::string text = A::kReads ? std::string() : table[NameId(static_cast<std::uint32_t>(i))];
    items(a, text);
    if constexpr (A::kReads)
      if (table.intern(text).index() != i)
        throw ArchiveError("the same name occurs twice");
  }
}
template <class A, class Tag> void items(A &a, Id<Tag> &id) {
  std::uint32_t index = id.index();
  a.bytes(&index, sizeof index);
  id = Id<Tag>(index);
}
template <class A, class Tag> void items(A &a, Quantity<Tag> &q) {
  std::uint64_t n = q.count();
  a.bytes(&n, sizeof n);
  q = Quantity<Tag>(n);
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

} // namespace archive_detail

/// Writes `value`, or reads it and throws ArchiveError when the bytes cannot be one.
template <class A, class T> void transfer(A &a, T &value) {
  if constexpr (std::is_same_v<T, bool>) {
    std::uint8_t byte = value ? 1 : 0;
    a.bytes(&byte, 1);
    if (byte > 1)
      throw ArchiveError("a truth value is " + std::to_string(byte));
    value = byte == 1;
  } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    a.bytes(&value, sizeof value);
  } else if constexpr (archive_detail::HasItems<A, T>) {
    archive_detail::items(a, value);
  } else {
    visitFields(value, [&](auto &...field) { (transfer(a, field), ...); });
  }
}

} // namespace popscope
