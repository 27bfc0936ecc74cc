#include "base/LargePages.hpp"

#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

namespace popscope {

void adviseLargePages([[maybe_unused]] void *from, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::size_t kFrom = std::size_t(4) << 20;
  if (bytes < kFrom)
    return;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(from);
  const std::uintptr_t first = (begin + page - 1) / page * page;
  (void)madvise(reinterpret_cast<void *>(first), bytes - (first - begin), MADV_HUGEPAGE);
#endif
}

} // namespace popscope
