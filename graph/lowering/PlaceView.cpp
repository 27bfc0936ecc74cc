// PlaceView: from views of graph variables to runs of homes, and from runs of homes back to elements.
#include "graph/lowering/LoweringContext.hpp"

#include <algorithm>

namespace popscope {
namespace {

void appendFragment(HomeId home, std::uint64_t element, std::uint64_t count, std::vector<Fragment> &result) {
  if (!result.empty() && result.back().home == home && result.back().element + result.back().count == element)
    result.back().count += count;
  else
    result.push_back({home, element, count});
}

} // namespace

std::uint32_t LoweringContext::findPiece(const StepVar &var, std::uint64_t element) const {
  const auto first = out.pieces.begin() + var.firstPiece, last = first + var.numPieces;
  auto it = std::upper_bound(first, last, element, [](std::uint64_t e, const Piece &p) { return e < p.elements.begin; });
  POPSCOPE_CHECK(it != first && element < (it - 1)->elements.end, "element {} of '{}' is unmapped after CheckMapping", element,
                 out.names[var.name]);
  return static_cast<std::uint32_t>(it - 1 - out.pieces.begin());
}

void LoweringContext::appendRange(const StepVar &var, std::uint64_t begin, std::uint64_t end, std::vector<Fragment> &result,
                                  std::size_t limit) const {
  for (std::uint32_t p = findPiece(var, begin); begin < end; ++p) {
    POPSCOPE_CHECK(p < var.firstPiece + var.numPieces && out.pieces[p].elements.begin <= begin, "element {} of '{}' is unmapped after CheckMapping",
                   begin, out.names[var.name]);
    const Piece &piece = out.pieces[p];
    const std::uint64_t stop = std::min(end, piece.elements.end);
    appendFragment(piece.home, piece.homeElement + (begin - piece.elements.begin), stop - begin, result);
    if (result.size() > limit)
      return;
    begin = stop;
  }
}

void LoweringContext::fragments(const View &view, std::vector<Fragment> &result, std::size_t limit) const {
  result.clear();
  for (const ViewRun &run : view.runs) {
    const StepVar &var = out.vars[VarId(run.var.index())];
    if (run.count == 0)
      continue;
    if (run.stride == 1 || run.count == 1) {
      appendRange(var, run.begin, run.begin + run.count, result, limit);
    } else {
      std::uint32_t p = findPiece(var, run.begin);
      for (std::uint64_t i = 0; i < run.count && result.size() <= limit; ++i) {
        const std::uint64_t e = run.begin + static_cast<std::uint64_t>(run.stride * static_cast<std::int64_t>(i));
        if (e < out.pieces[p].elements.begin || e >= out.pieces[p].elements.end)
          p = findPiece(var, e);
        appendFragment(out.pieces[p].home, out.pieces[p].homeElement + (e - out.pieces[p].elements.begin), 1, result);
      }
    }
    if (result.size() > limit)
      return;
  }
}

HomeBytes LoweringContext::bytesOf(const Fragment &f) const {
  const std::uint64_t size = elementSize(f.home);
  return {f.home, f.element * size, f.count * size};
}

HomeBytes LoweringContext::singleRun(const View &view) const {
  std::vector<Fragment> parts;
  fragments(view, parts, 1);
  POPSCOPE_CHECK(parts.size() == 1, "an operand in {} runs", parts.size());
  return bytesOf(parts.front());
}

void LoweringContext::touch(const HomeBytes &bytes, AccessKind kind, std::vector<Touch> &touches) const {
  const std::uint64_t size = elementSize(bytes.home);
  std::uint64_t at = bytes.offset / size;
  const std::uint64_t end = at + bytes.bytes / size;
  const auto first = homePieces_.begin() + homeFirst_[bytes.home.index()], last = first + homeCount_[bytes.home.index()];
  auto it = std::upper_bound(first, last, at, [&](std::uint64_t e, std::uint32_t piece) { return e < out.pieces[piece].homeElement; });
  POPSCOPE_CHECK(at == end || it != first, "a home without pieces");
  for (it = it == first ? it : it - 1; at < end; ++it) {
    POPSCOPE_CHECK(it != last, "elements up to {} of a home of {}", end, out.homes[bytes.home].elements);
    const Piece &piece = out.pieces[*it];
    const std::uint64_t skip = at - piece.homeElement;
    const std::uint64_t count = std::min(end - at, piece.elements.end - piece.elements.begin - skip);
    touches.push_back({out.homes[bytes.home].var, kind, piece.elements.begin + skip, piece.elements.begin + skip + count});
    at += count;
  }
}

} // namespace popscope
