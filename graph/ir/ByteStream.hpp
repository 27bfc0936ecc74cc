// ByteStream: numbers, texts and lists to bytes and back. The reader throws poplar::poplar_error with the byte offset
// for anything that cannot be.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace popscope {

class ByteWriter {
public:
  void number(std::uint64_t v) {
    for (int i = 0; i < 8; ++i)
      bytes_.push_back(static_cast<char>(v >> (8 * i)));
  }
  void integer(std::int64_t v) { number(static_cast<std::uint64_t>(v)); }
  void text(const std::string &s) {
    number(s.size());
    bytes_ += s;
  }
  void raw(const std::vector<std::uint8_t> &v) {
    number(v.size());
    bytes_.append(v.begin(), v.end());
  }
  /// The length, then one call for each element.
  template <class List, class F> void list(const List &v, const F &write) {
    number(v.size());
    for (const auto &one : v)
      write(one);
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

private:
  std::string bytes_;
};

class ByteReader {
public:
  /// `bytes` must outlive this.
  explicit ByteReader(const std::string &bytes) : bytes_(bytes) {}

  std::uint64_t number() {
    need(8, "a number");
    std::uint64_t v = 0;
    for (int i = 0; i < 8; ++i)
      v |= std::uint64_t(static_cast<std::uint8_t>(bytes_[at_ + static_cast<std::size_t>(i)])) << (8 * i);
    at_ += 8;
    return v;
  }
  std::int64_t integer() { return static_cast<std::int64_t>(number()); }
  /// A number of [0, limit].
  std::uint64_t number(std::uint64_t limit, const char *what);
  std::string text() {
    const std::uint64_t n = number(left(), "the length of a text");
    need(n, "a text");
    std::string s = bytes_.substr(at_, n);
    at_ += n;
    return s;
  }
  std::vector<std::uint8_t> raw() {
    const std::string s = text();
    return {s.begin(), s.end()};
  }
  /// `smallest`: bytes that one element has at least; a length beyond what is left is refused before memory is taken.
  template <class T, class F> void list(std::vector<T> &out, const F &read, std::uint64_t smallest = 8) {
    const std::uint64_t n = number(left() / smallest, "the length of a list");
    out.reserve(n);
    for (std::uint64_t i = 0; i < n; ++i)
      out.push_back(read());
  }
  /// A length, then one call for each element of the list.
  template <class F> void each(const F &read) {
    for (std::uint64_t n = number(left() / 8, "the length of a list"); n > 0; --n)
      read();
  }
  [[nodiscard]] std::uint64_t left() const { return bytes_.size() - at_; }
  [[nodiscard]] std::size_t at() const { return at_; }
  [[noreturn]] void fail(const std::string &what) const { fail(at_, what); }
  [[noreturn]] static void fail(std::size_t at, const std::string &what);

private:
  void need(std::uint64_t n, const char *what) const;
  const std::string &bytes_;
  std::size_t at_ = 0;
};

} // namespace popscope
