#include "base/LargePages.hpp"

#include <cstdint>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

namespace popscope {
namespace {

constexpr std::size_t kLargePage = std::size_t(2) << 20; // bytes

} // namespace

void adviseLargePages([[maybe_unused]] void *from, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  if (bytes < 2 * kLargePage)
    return;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(from);
  const std::uintptr_t first = (begin + page - 1) / page * page;
  (void)madvise(reinterpret_cast<void *>(first), bytes - (first - begin), MADV_HUGEPAGE);
#endif
}

void *allocateLargePages(std::size_t bytes) {
  if (bytes > ~std::size_t(0) - kLargePage)
    throw std::bad_alloc();
  const std::size_t whole = (bytes + kLargePage - 1) / kLargePage * kLargePage;
  void *const from = std::aligned_alloc(kLargePage, whole);
  if (from == nullptr)
    throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  (void)madvise(from, whole, MADV_HUGEPAGE);
#endif
  return from;
}

void freeLargePages(void *from) noexcept { std::free(from); }

} // namespace popscope
