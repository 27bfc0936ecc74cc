// ArrayRef<T>: a view of n consecutive elements. The view does not own the elements, and the elements must outlive the
// view. A copy of the view is cheap, so pass an ArrayRef by value. A braced list, a vector, an array and a single
// element convert to an ArrayRef implicitly. A braced list lives only to the end of the full expression that contains
// the list. Use an ArrayRef of a braced list only as an argument, never as a member or local variable.
#pragma once
#include <poplar/StandardIncludes.hpp>

namespace gccs {

template <class T> class ArrayRef {
public:
  using value_type = T;
  using iterator = const T *;
  using const_iterator = const T *;
  using reference = const T &;
  using const_reference = const T &;
  using size_type = std::size_t;

  constexpr ArrayRef() : data_(nullptr), size_(0) {}
  constexpr ArrayRef(const T &one) : data_(&one), size_(1) {}
  constexpr ArrayRef(const T *data, std::size_t n) : data_(data), size_(n) {}
  constexpr ArrayRef(const T *first, const T *last) : data_(first), size_(static_cast<std::size_t>(last - first)) {}
  template <class A> ArrayRef(const std::vector<T, A> &v) : data_(v.data()), size_(v.size()) {}
  template <std::size_t N> constexpr ArrayRef(const std::array<T, N> &a) : data_(a.data()), size_(N) {}
  template <std::size_t N> constexpr ArrayRef(const T (&a)[N]) : data_(a), size_(N) {}
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 9 // the top comment documents the lifetime
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winit-list-lifetime"
#endif
  constexpr ArrayRef(const std::initializer_list<T> &list) : data_(list.begin()), size_(list.size()) {}
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 9
#pragma GCC diagnostic pop
#endif
  /// Converts from a view of U if U and T differ only in qualifiers, for example from ArrayRef<int *> to ArrayRef<const
  /// int *>.
  template <class U, class = typename std::enable_if<!std::is_same<T, U>::value &&
                                                     std::is_convertible<U (*)[1], const T (*)[1]>::value>::type>
  constexpr ArrayRef(const ArrayRef<U> &other) : data_(other.data()), size_(other.size()) {}

  constexpr const T *data() const { return data_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr std::size_t max_size() const { return ~std::size_t(0) / sizeof(T); }
  constexpr const T *begin() const { return data_; }
  constexpr const T *end() const { return data_ + size_; }
  constexpr const T *cbegin() const { return data_; }
  constexpr const T *cend() const { return data_ + size_; }
  constexpr const T &operator[](std::size_t i) const { return data_[i]; }
  constexpr const T &front() const { return data_[0]; }
  constexpr const T &back() const { return data_[size_ - 1]; }
  std::vector<T> cloneAsVector() const { return std::vector<T>(begin(), end()); }

private:
  const T *data_;
  std::size_t size_;
};

template <class T> bool operator==(const ArrayRef<T> &a, const ArrayRef<T> &b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}
template <class T> bool operator!=(const ArrayRef<T> &a, const ArrayRef<T> &b) { return !(a == b); }

} // namespace gccs

namespace poplar {

template <class T> class ArrayRef : public gccs::ArrayRef<T> {
public:
  using gccs::ArrayRef<T>::ArrayRef;
  constexpr ArrayRef() : gccs::ArrayRef<T>() {}
  // This class has its own constructor for braced lists, because an inherited constructor would not deduce the element
  // type: ArrayRef{1.0f, 2.0f}.
  constexpr ArrayRef(const std::initializer_list<T> &list) : gccs::ArrayRef<T>(list) {}
  constexpr ArrayRef(const gccs::ArrayRef<T> &other) : gccs::ArrayRef<T>(other) {}
};

#if defined(__cpp_deduction_guides)
template <class T, class A> ArrayRef(const std::vector<T, A> &) -> ArrayRef<T>;
template <class T, std::size_t N> ArrayRef(const std::array<T, N> &) -> ArrayRef<T>;
template <class T, std::size_t N> ArrayRef(const T (&)[N]) -> ArrayRef<T>;
template <class T> ArrayRef(const T *, std::size_t) -> ArrayRef<T>;
template <class T> ArrayRef(const T *, const T *) -> ArrayRef<T>;
template <class T> ArrayRef(std::initializer_list<T>) -> ArrayRef<T>;
#endif

} // namespace poplar
