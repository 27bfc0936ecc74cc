#include "base/TouchPages.hpp"

#include <cstdint>

namespace popscope {
namespace {

constexpr std::size_t kPage = 4096, kPart = std::size_t(2) << 20; // in bytes; a part is the work of one task

} // namespace

void TouchPages::run(Threads threads) const {
  if (threads.count() == 1)
    return;
  std::vector<Span> parts; // the first part of a span may begin within a page, the others begin at a page
  for (const Span &span : spans_)
    for (std::size_t begin = 0, end = 0; begin < span.bytes; begin = end) {
      end = std::min(span.bytes, begin + kPart - (reinterpret_cast<std::uintptr_t>(span.from) + begin) % kPart);
      parts.push_back({span.from + begin, end - begin});
    }
  parallelFor(threads, parts.size(), [&parts](std::size_t p) {
    for (std::size_t at = 0; at < parts[p].bytes; at += kPage)
      static_cast<volatile char *>(parts[p].from)[at] = 0;
  });
}

} // namespace popscope
