#include "CountedHeap.hpp"

#include <atomic>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace {

std::atomic<std::size_t> countedBytes{0};

void *countedNew(std::size_t size) {
  void *const p = std::malloc(size == 0 ? 1 : size);
  if (p == nullptr)
    throw std::bad_alloc();
  countedBytes += malloc_usable_size(p);
  return p;
}
void *countedNewOrNull(std::size_t size) noexcept {
  try {
    return countedNew(size);
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}
void countedDelete(void *p) noexcept {
  if (p != nullptr)
    countedBytes -= malloc_usable_size(p);
  std::free(p);
}

} // namespace

std::size_t heldBytes() { return countedBytes; }

void *operator new(std::size_t size) { return countedNew(size); }
void *operator new[](std::size_t size) { return countedNew(size); }
// The nothrow forms are replaced, too: a sanitizer has its own, which would not match the delete below.
void *operator new(std::size_t size, const std::nothrow_t &) noexcept { return countedNewOrNull(size); }
void *operator new[](std::size_t size, const std::nothrow_t &) noexcept { return countedNewOrNull(size); }
void operator delete(void *p, const std::nothrow_t &) noexcept { countedDelete(p); }
void operator delete[](void *p, const std::nothrow_t &) noexcept { countedDelete(p); }
void operator delete(void *p) noexcept { countedDelete(p); }
void operator delete[](void *p) noexcept { countedDelete(p); }
void operator delete(void *p, std::size_t) noexcept { countedDelete(p); }
void operator delete[](void *p, std::size_t) noexcept { countedDelete(p); }
