// LargePages: tables in pages of 2 MiB, if the system provides such pages. The first access to a new page costs a page
// fault. Because of these faults, a table with pages of 4 KiB in a virtual machine can be filled at only 0.4 GB/s. With
// large pages, the rate is 7 to 12 GB/s.
#pragma once
#include <cstddef>
#include <new>
#include <vector>

namespace popscope {

/// Requests large pages for [from, from + bytes). Call this function before the first access to the memory. The system
/// may ignore the request.
void adviseLargePages(void *from, std::size_t bytes);

/// Returns memory of `bytes` bytes, aligned to a large page. Free the memory with freeLargePages(). Throws
/// std::bad_alloc if the system does not have enough memory.
[[nodiscard]] void *allocateLargePages(std::size_t bytes);
void freeLargePages(void *from) noexcept;

/// The allocator of a LargeTable. Requests large pages for tables of at least kFrom bytes.
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
