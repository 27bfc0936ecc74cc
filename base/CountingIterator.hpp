// Counts the characters that a parser reads, because nlohmann's parser copies its iterators, and its events do not
// contain a position.
#pragma once
#include <cstddef>
#include <iterator>

namespace popscope {

/// An iterator over a text. Calls count(character) for each character that a parser reads. All copies of an iterator
/// use the same `count`, which must outlive the copies.
template <class Count> class CountingIterator {
public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char *;
  using reference = const char &;
  CountingIterator(const char *at, Count &count) : at_(at), count_(&count) {}
  reference operator*() const { return *at_; }
  CountingIterator &operator++() {
    (*count_)(*at_);
    ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator &o) const { return at_ == o.at_; }
  bool operator!=(const CountingIterator &o) const { return at_ != o.at_; }

private:
  const char *at_;
  Count *count_;
};

} // namespace popscope
