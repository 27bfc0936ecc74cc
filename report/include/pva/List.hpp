// Sequences of the profile API. A Values is a list of integers in memory; a List makes its elements on request. Values
// and lists are cheap to copy, and keep alive the data that they need. Iterators of two Lists from the same accessor
// are comparable. Iterators of two Values are comparable only if both Values share one vector, for example if one is a
// copy of the other.
#ifndef PVA_LIST_HPP
#define PVA_LIST_HPP

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace pva {
namespace detail {
[[noreturn]] inline void failIndex(std::size_t i, std::size_t size) {
  throw std::out_of_range("pva: no element " + std::to_string(i) + ": the list has " + std::to_string(size));
}
} // namespace detail

/// One number per tile, or another list of integers. An empty list of numbers per tile means that the numbers are
/// unknown or do not exist. If an accessor can return such a list, the comment of the accessor states when.
class Values {
public:
  typedef std::uint64_t value_type;
  typedef const std::uint64_t *iterator;
  typedef const std::uint64_t *const_iterator;

  Values() {}
  explicit Values(std::shared_ptr<const std::vector<std::uint64_t>> values) : values_(values) {}
  std::size_t size() const { return values_ ? values_->size() : 0; }
  bool empty() const { return size() == 0; }
  const std::uint64_t *data() const { return values_ ? values_->data() : nullptr; }
  const_iterator begin() const { return data(); }
  const_iterator end() const { return data() + size(); }
  const std::uint64_t &operator[](std::size_t i) const { return (*values_)[i]; }
  /// Returns an element. Throws std::out_of_range if there is no such element.
  const std::uint64_t &at(std::size_t i) const {
    if (i >= size())
      detail::failIndex(i, size());
    return (*values_)[i];
  }
  operator std::vector<std::uint64_t>() const { return std::vector<std::uint64_t>(begin(), end()); }

private:
  std::shared_ptr<const std::vector<std::uint64_t>> values_;
};

template <class T> class List {
public:
  /// The interface that makes the elements of a list. The library implements this interface.
  class Source {
  public:
    virtual ~Source() {}
    virtual std::size_t size() const = 0;
    virtual T at(std::size_t i) const = 0;
  };

  /// An input iterator that can also skip elements. operator* returns a reference into the iterator, valid until the
  /// iterator moves or is destroyed.
  class const_iterator {
  public:
    typedef std::input_iterator_tag iterator_category;
    typedef T value_type;
    typedef std::ptrdiff_t difference_type;
    typedef const T *pointer;
    typedef const T &reference;

    const_iterator() : index_(0), loaded_(false) {}
    const_iterator(std::shared_ptr<const Source> source, std::size_t index)
        : source_(source), index_(index), loaded_(false) {}
    const T &operator*() const {
      if (!loaded_)
        current_ = source_->at(index_);
      loaded_ = true;
      return current_;
    }
    const T *operator->() const { return &**this; }
    const_iterator &operator++() { return *this += 1; }
    const_iterator operator++(int) {
      const_iterator old = *this;
      ++*this;
      return old;
    }
    const_iterator &operator+=(difference_type n) {
      index_ = static_cast<std::size_t>(static_cast<difference_type>(index_) + n);
      loaded_ = false;
      return *this;
    }
    friend const_iterator operator+(const_iterator it, difference_type n) { return it += n; }
    friend difference_type operator-(const const_iterator &a, const const_iterator &b) {
      return static_cast<difference_type>(a.index_) - static_cast<difference_type>(b.index_);
    }
    friend bool operator==(const const_iterator &a, const const_iterator &b) { return a.index_ == b.index_; }
    friend bool operator!=(const const_iterator &a, const const_iterator &b) { return a.index_ != b.index_; }
    friend bool operator<(const const_iterator &a, const const_iterator &b) { return a.index_ < b.index_; }

  private:
    std::shared_ptr<const Source> source_;
    std::size_t index_;
    mutable T current_;
    mutable bool loaded_;
  };
  typedef const_iterator iterator;
  typedef T value_type;

  List() {}
  explicit List(std::shared_ptr<const Source> source) : source_(source) {}
  std::size_t size() const { return source_ ? source_->size() : 0; }
  bool empty() const { return size() == 0; }
  const_iterator begin() const { return const_iterator(source_, 0); }
  const_iterator end() const { return const_iterator(source_, size()); }
  /// Returns an element. Throws std::out_of_range if there is no such element.
  T at(std::size_t i) const {
    if (i >= size())
      detail::failIndex(i, size());
    return source_->at(i);
  }
  T operator[](std::size_t i) const { return at(i); }
  T front() const { return at(0); }
  T back() const { return at(size() == 0 ? 0 : size() - 1); }

private:
  std::shared_ptr<const Source> source_;
};

} // namespace pva
#endif
