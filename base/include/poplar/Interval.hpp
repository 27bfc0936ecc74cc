// GenericInterval<T>: the half-open range [begin, end). Intervals are ordered by begin, then by end.
#pragma once
#include <poplar/StandardIncludes.hpp>

namespace poplar {

template <class T> class GenericInterval {
public:
  constexpr GenericInterval() : begin_(), end_() {}
  constexpr GenericInterval(T begin, T end) : begin_(begin), end_(end) {}
  constexpr const T &begin() const { return begin_; }
  constexpr const T &end() const { return end_; }
  constexpr const T &lower() const { return begin_; }
  constexpr const T &upper() const { return end_; }
  constexpr T size() const { return end_ - begin_; }

private:
  T begin_, end_;
};

template <class T> constexpr bool operator==(const GenericInterval<T> &a, const GenericInterval<T> &b) {
  return a.begin() == b.begin() && a.end() == b.end();
}
template <class T> constexpr bool operator!=(const GenericInterval<T> &a, const GenericInterval<T> &b) {
  return !(a == b);
}
template <class T> constexpr bool operator<(const GenericInterval<T> &a, const GenericInterval<T> &b) {
  return a.begin() < b.begin() || (!(b.begin() < a.begin()) && a.end() < b.end());
}
template <class T> constexpr bool operator>(const GenericInterval<T> &a, const GenericInterval<T> &b) { return b < a; }
template <class T> constexpr bool operator<=(const GenericInterval<T> &a, const GenericInterval<T> &b) {
  return !(b < a);
}
template <class T> constexpr bool operator>=(const GenericInterval<T> &a, const GenericInterval<T> &b) {
  return !(a < b);
}
/// Prints "[begin,end)".
template <class T> std::ostream &operator<<(std::ostream &os, const GenericInterval<T> &i) {
  return os << "[" << i.begin() << "," << i.end() << ")";
}

using Interval = GenericInterval<std::size_t>;

/// Returns the sum of the sizes of the intervals.
template <class T> std::size_t intervalSize(const std::vector<GenericInterval<T>> &intervals) {
  std::size_t sum = 0;
  for (const GenericInterval<T> &i : intervals)
    sum += static_cast<std::size_t>(i.size());
  return sum;
}

} // namespace poplar
