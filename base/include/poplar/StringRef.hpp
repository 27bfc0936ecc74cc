// StringRef: a view of characters. The view does not own the characters, and the characters must outlive the view. The
// characters need not end with a zero.
#pragma once
#include <poplar/ArrayRef.hpp>

namespace poplar {

class StringRef : public ArrayRef<char> {
public:
  static constexpr std::size_t npos = ~std::size_t(0);

  constexpr StringRef() : ArrayRef<char>() {}
  StringRef(std::nullptr_t) = delete;
  /// Makes a view of `s`, which must be zero-terminated and not null.
  StringRef(const char *s) : ArrayRef<char>(s, std::strlen(s)) {}
  constexpr StringRef(const char *s, std::size_t n) : ArrayRef<char>(s, n) {}
  StringRef(const std::string &s) : ArrayRef<char>(s.data(), s.size()) {}
  constexpr StringRef(const ArrayRef<char> &chars) : ArrayRef<char>(chars) {}

  operator std::string() const { return cloneAsString(); }
  std::string cloneAsString() const { return empty() ? std::string() : std::string(data(), size()); }
  /// Returns the characters [pos, pos + n), or fewer at the end of the text. Throws std::out_of_range if pos > size().
  StringRef substr(std::size_t pos, std::size_t n = npos) const {
    if (pos > size())
      throw std::out_of_range("StringRef::substr: position " + std::to_string(pos) + " is past the end (" +
                              std::to_string(size()) + " characters)");
    return StringRef(data() + pos, std::min(n, size() - pos));
  }
  /// Returns a negative number, 0 or a positive number, like std::string::compare.
  int compare(StringRef other) const {
    const std::size_t common = std::min(size(), other.size());
    const int order = common == 0 ? 0 : std::memcmp(data(), other.data(), common);
    return order != 0 ? order : size() == other.size() ? 0 : size() < other.size() ? -1 : 1;
  }
};

inline bool operator==(StringRef a, StringRef b) { return a.compare(b) == 0; }
inline bool operator!=(StringRef a, StringRef b) { return a.compare(b) != 0; }
inline bool operator<(StringRef a, StringRef b) { return a.compare(b) < 0; }
inline bool operator>(StringRef a, StringRef b) { return a.compare(b) > 0; }
inline bool operator<=(StringRef a, StringRef b) { return a.compare(b) <= 0; }
inline bool operator>=(StringRef a, StringRef b) { return a.compare(b) >= 0; }

inline std::string &operator+=(std::string &a, StringRef b) { return b.empty() ? a : a.append(b.data(), b.size()); }
inline std::string operator+(StringRef a, StringRef b) {
  std::string sum = a.cloneAsString();
  sum += b;
  return sum;
}
std::ostream &operator<<(std::ostream &os, const StringRef &s);

} // namespace poplar

namespace std {
template <> struct hash<poplar::StringRef> { size_t operator()(const poplar::StringRef &s) const; };
} // namespace std
