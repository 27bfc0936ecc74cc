#include "graph/steps/HomeElements.hpp"
#include "base/Check.hpp"

#include <algorithm>

namespace popscope {

// The pieces of a variable are in element order, so the list of each home is in element order, too.
HomeElements::HomeElements(const StepProgram &program)
    : program_(program), pieces_(program.homes.size(), [&](const auto &use) {
        for (std::uint32_t p = 0; p < program.pieces.size(); ++p) {
          const HomeId home = program.pieces[p].home;
          POPSCOPE_CHECK(home.valid() && home.index() < program.homes.size(), "a piece has no home");
          use(home.index(), p);
        }
      }) {}

void HomeElements::append(const HomeBytes &range, std::vector<ElementRange> &out) const {
  const Home &home = program_.homes[range.home];
  const Bytes size = program_.elementSize(range.home);
  POPSCOPE_CHECK(isMultiple(range.offset, size.count()) && isMultiple(range.bytes, size.count()),
                 "S4: bytes [{}, +{}) cut an element of {} bytes", range.offset.count(), range.bytes.count(),
                 size.count());
  std::uint64_t at = range.offset / size;
  const std::uint64_t end = at + range.bytes / size;
  POPSCOPE_CHECK(end <= home.elements, "S4: elements [{}, {}) of a home of {}", at, end, home.elements);
  const auto pieces = pieces_[range.home.index()];
  const auto first = pieces.begin(), last = pieces.end();
  auto it = std::upper_bound(first, last, at, [&](std::uint64_t element, std::uint32_t piece) {
    return element < program_.pieces[piece].homeElement;
  });
  POPSCOPE_CHECK(at == end || it != first, "S2: home {} has no piece at element {}", range.home.index(), at);
  for (it = it == first ? it : it - 1; at < end; ++it) {
    POPSCOPE_CHECK(it != last, "S2: the pieces of home {} end at element {}", range.home.index(), at);
    const Piece &piece = program_.pieces[*it];
    const std::uint64_t skip = at - piece.homeElement;
    const std::uint64_t count = std::min(end - at, piece.elements.end - piece.elements.begin - skip);
    out.push_back({piece.elements.begin + skip, piece.elements.begin + skip + count});
    at += count;
  }
}

} // namespace popscope
