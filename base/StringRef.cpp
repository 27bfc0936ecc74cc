#include <poplar/StringRef.hpp>

namespace poplar {

constexpr std::size_t StringRef::npos;

std::ostream &operator<<(std::ostream &os, const StringRef &s) {
  return os << s.cloneAsString(); // prints a string, which respects the width and fill of `os`
}

} // namespace poplar

std::size_t std::hash<poplar::StringRef>::operator()(const poplar::StringRef &s) const {
  return std::hash<std::string_view>()(std::string_view(s.data(), s.size()));
}
