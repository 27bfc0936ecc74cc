// LargePages: tables in pages of 2 MiB where the system gives them. Memory that is new costs a page fault for each page
// that is touched first; for 4 KiB pages of a virtual machine that is 0.4 GB a second, and 7 to 12 for large ones.
#pragma once
#include <cstddef>
#include <new>
#include <vector>

namespace popscope {

/// Asks for large pages in [from, from + bytes), of which nothing should have been touched. Advice: may do nothing.
void adviseLargePages(void *from, std::size_t bytes);

/// `bytes` in large pages, begun at one; throws std::bad_alloc. To be given back by freeLargePages.
[[nodiscard]] void *allocateLargePages(std::size_t bytes);
void freeLargePages(void *from) noexcept;

/// What a LargeTable gets its memory from: from kFrom bytes on large pages.
template <class T> class LargePageAllocator {
public:
  using value_type = T;
  static constexpr std::size_t kFrom = std::size_t(2) << 20; // bytes

  LargePageAllocator() = default;
  template <class U>
  LargePageAllocator(const LargePageAllocator<U> &) noexcept {} // NOLINT(google-explicit-constructor)
  [[nodiscard]] T *allocate(std::size_t n) {
    if (n > ~std::size_t(0) / sizeof(T))
      throw std::bad_array_new_length();
    const std::size_t bytes = n * sizeof(T);
    return static_cast<T *>(bytes < kFrom ? ::operator new(bytes) : allocateLargePages(bytes));
  }
  void deallocate(T *from, std::size_t n) noexcept {
    if (n * sizeof(T) < kFrom)
      ::operator delete(from);
    else
      freeLargePages(from);
  }
  friend bool operator==(LargePageAllocator, LargePageAllocator) { return true; }
};

/// A vector for tables that may have millions of rows.
template <class T> using LargeTable = std::vector<T, LargePageAllocator<T>>;

} // namespace popscope
