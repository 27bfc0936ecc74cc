// PlaceView: converts views of graph variables to runs of homes, and runs of homes back to elements.
#include "graph/lowering/HostPieces.hpp"
#include "graph/lowering/LoweringContext.hpp"

#include <algorithm>

namespace popscope {
namespace {

void appendFragment(HomeId home, std::uint64_t element, std::uint64_t count, std::vector<Fragment> &result) {
  const bool joins =
      !result.empty() && result.back().home == home && result.back().count + count <= ElementNumber::kMost &&
      (home.valid() ? result.back().element + result.back().count == element : result.back().element == element);
  if (joins)
    result.back().count += count;
  else
    result.push_back({element, home, count});
}

} // namespace

std::uint32_t LoweringContext::findPiece(const StepVar &var, std::uint64_t element) const {
  const auto first = out.pieces.begin() + var.firstPiece, last = first + var.numPieces;
  auto it =
      std::upper_bound(first, last, element, [](std::uint64_t e, const Piece &p) { return e < p.elements.begin; });
  POPSCOPE_CHECK(it != first && element < (it - 1)->elements.end, "element {} of '{}' is unmapped after CheckMapping",
                 element, out.names[var.name]);
  return static_cast<std::uint32_t>(it - 1 - out.pieces.begin());
}

void LoweringContext::appendRange(const StepVar &var, std::uint64_t begin, std::uint64_t end,
                                  std::vector<Fragment> &result, std::size_t limit) const {
  for (std::uint32_t p = findPiece(var, begin); begin < end; ++p) {
    POPSCOPE_CHECK(p < var.firstPiece + var.numPieces && out.pieces[p].elements.begin <= begin,
                   "element {} of '{}' is unmapped after CheckMapping", begin, out.names[var.name]);
    const Piece &piece = out.pieces[p];
    const std::uint64_t stop = std::min<std::uint64_t>(end, piece.elements.end);
    appendFragment(piece.home, piece.homeElement + (begin - piece.elements.begin), stop - begin, result);
    if (result.size() > limit)
      return;
    begin = stop;
  }
}

void LoweringContext::appendConstant(const StepVar &var, std::uint64_t begin, std::uint64_t end, TileId reader,
                                     bool filled, std::vector<Fragment> &result) const {
  const auto homes = out.homes.begin() + var.firstHome, homesEnd = homes + var.numHomes;
  const auto home = std::lower_bound(homes, homesEnd, reader, [](const Home &h, TileId t) { return h.tile < t; });
  const bool held = home != homesEnd && home->tile == reader;
  const HomeId id(held ? var.firstHome + static_cast<std::uint32_t>(home - homes) : 0);
  const auto first = homePieces_.begin() + (held ? homeFirst_[id.index()] : 0),
             last = first + (held ? homeCount_[id.index()] : 0);
  while (begin < end) {
    auto it = std::upper_bound(
        first, last, begin, [&](std::uint64_t e, std::uint32_t piece) { return e < out.pieces[piece].elements.begin; });
    const Piece *const piece =
        it != first && begin < out.pieces[*(it - 1)].elements.end ? &out.pieces[*(it - 1)] : nullptr;
    std::uint64_t stop = end;
    if (piece != nullptr && !filled) {
      stop = std::min<std::uint64_t>(end, piece->elements.end);
      appendFragment(id, piece->homeElement + (begin - piece->elements.begin), stop - begin, result);
    } else {
      POPSCOPE_CHECK(var.initialData >= 0, "a constant without a value");
      stop = filled || it == last ? end : std::min<std::uint64_t>(end, out.pieces[*it].elements.begin);
      appendFragment(HomeId(), static_cast<std::uint64_t>(var.initialData), stop - begin, result);
    }
    begin = stop;
  }
}

void LoweringContext::appendRun(const ViewRun &run, TileId reader, bool filled, std::vector<Fragment> &result,
                                std::size_t limit) const {
  const GraphVar &constant = graph.vars[run.var];
  const StepVar &var = varOf(run);
  filled = filled && oneValue_[run.var.index()] != 0;
  const auto append = [&](std::uint64_t begin, std::uint64_t end) {
    if (reader.valid() || isOneHostTile(graph.machine))
      return appendConstant(var, begin, end, reader.valid() ? reader : TileId(0), filled && reader.valid(),
                            result); // host copies cannot fill
    for (const MappedRange &m : constant.mapping)
      if (m.begin < end && begin < m.end)
        appendConstant(var, std::max(begin, m.begin), std::min(end, m.end), m.tile, false, result);
  };
  if (run.stride == 1)
    return append(run.begin, run.begin + run.count);
  for (std::uint64_t i = 0; i < run.count && result.size() <= limit; ++i)
    append(run.at(i), run.at(i) + 1);
}

void LoweringContext::appendFragments(const RunList &view, const ViewRun &run, TileId reader,
                                      std::vector<Fragment> &result, std::size_t limit) const {
  const StepVar &var = varOf(run);
  if (run.count == 0)
    return;
  if (var.constant) {
    const bool joined =
        std::any_of(view.begin(), view.end(), [&](const ViewRun &r) { return r.var != view.front().var; });
    appendRun(run, reader, joined, result, limit);
  } else if (run.stride == 1 || run.count == 1) {
    appendRange(var, run.begin, run.begin + run.count, result, limit);
  } else {
    std::uint32_t p = findPiece(var, run.begin);
    for (std::uint64_t i = 0; i < run.count && result.size() <= limit; ++i) {
      const std::uint64_t e = run.at(i);
      if (e < out.pieces[p].elements.begin || e >= out.pieces[p].elements.end)
        p = findPieceNear(var, e, p);
      appendFragment(out.pieces[p].home, out.pieces[p].homeElement + (e - out.pieces[p].elements.begin), 1, result);
    }
  }
}

void LoweringContext::fragments(const RunList &view, std::vector<Fragment> &result, std::size_t limit,
                                TileId reader) const {
  result.clear();
  for (const ViewRun &run : view) {
    appendFragments(view, run, reader, result, limit);
    if (result.size() > limit)
      return;
  }
}

void LoweringContext::pieces(const RunList &view, std::vector<HomePieces> &result) const {
  constexpr std::uint64_t kAtOnce = 4096; // elements of a run that is not contiguous
  result.clear();
  PieceJoiner joiner(result);
  std::vector<Fragment> part;
  for (const ViewRun &run : view)
    for (std::uint64_t done = 0; done != run.count;) {
      ViewRun some = run;
      some.begin = run.at(done);
      some.count = run.stride == 1 ? run.count : std::min(run.count - done, kAtOnce);
      part.clear();
      appendFragments(view, some, TileId(), part, ~std::size_t(0));
      for (const Fragment &f : part)
        joiner.add(bytesOf(f));
      done += some.count;
    }
  joiner.finish();
}

/// Finds a piece near the hint. Tries the hint and the next piece, because most requests are close to the previous one.
/// Otherwise computes the piece as if all pieces had equal lengths, as in most variables. From there, searches by
/// doubling steps, and then by bisection.
std::uint32_t LoweringContext::findPieceNear(const StepVar &var, std::uint64_t element, std::uint32_t hint) const {
  const std::uint32_t first = var.firstPiece, last = first + var.numPieces;
  if (hint < first || hint >= last)
    return findPiece(var, element);
  const auto holds = [&](std::uint32_t piece) {
    return out.pieces[piece].elements.begin <= element && element < out.pieces[piece].elements.end;
  };
  if (holds(hint))
    return hint;
  if (hint + 1 < last && holds(hint + 1))
    return hint + 1;
  if (element < var.elements)
    hint = first + std::min(var.numPieces - 1, static_cast<std::uint32_t>(static_cast<double>(element) * var.numPieces /
                                                                          static_cast<double>(var.elements)));
  const auto begins = [&](std::uint32_t piece) { return out.pieces[piece].elements.begin; };
  std::uint32_t low = hint, high = hint; // the piece is in [low, high) after the walk
  if (begins(hint) <= element) {
    for (std::uint32_t step = 1; high < last && begins(high) <= element; step *= 2) {
      low = high;
      high = last - high > step ? high + step : last;
    }
  } else {
    for (std::uint32_t step = 1; low > first && begins(low) > element; step *= 2) {
      high = low;
      low = low - first > step ? low - step : first;
    }
  }
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    (begins(middle) <= element ? low : high) = middle;
  }
  return element >= begins(low) && element < out.pieces[low].elements.end ? low : findPiece(var, element);
}

bool LoweringContext::findInPiece(GraphVarId variable, std::uint64_t begin, std::uint64_t count, std::uint32_t &hint,
                                  Fragment &found) const {
  const StepVar &var = out.vars[VarId(constants_[variable.index()].index())];
  hint = findPieceNear(var, begin, hint);
  const Piece &piece = out.pieces[hint];
  found = {piece.homeElement + (begin - piece.elements.begin), piece.home, count};
  return begin + count <= piece.elements.end;
}

bool LoweringContext::findInPiece(const RunList &view, std::uint32_t &hint, Fragment &found) const {
  if (view.size() != 1)
    return false;
  const ViewRun &run = view.front();
  if (run.count == 0 || (run.stride != 1 && run.count != 1) || isConstant(run.var))
    return false;
  return findInPiece(run.var, run.begin, run.count, hint, found);
}

bool LoweringContext::standsOn(const Fragment &found, TileId tile, std::uint32_t alignment, EdgePlace &operand) const {
  if (tileOf(found.home) != tile)
    return false;
  const HomeBytes bytes = bytesOf(found);
  if (!isMultiple(bytes.offset, alignment))
    return false;
  operand.home = bytes.home;
  operand.offset = narrow(bytes.offset);
  return true;
}

void LoweringContext::fragmentsFor(const View &view, const std::vector<Fragment> &destination,
                                   std::vector<Fragment> &result) const {
  const auto isConstant = [&](const ViewRun &run) { return run.count > 0 && varOf(run).constant; };
  if (std::none_of(view.runs.begin(), view.runs.end(), isConstant))
    return fragments(view, result);
  result.clear();
  auto to = destination.begin();
  std::uint64_t used = 0;
  std::vector<Fragment> part;
  for (const ViewRun &run : view.runs)
    for (std::uint64_t done = 0; done < run.count;) {
      const std::uint64_t count = std::min(run.count - done, to->count - used);
      ViewRun some = run;
      some.begin = run.at(done);
      some.count = count;
      if (isConstant(run)) {
        appendRun(some, tileOf(to->home), true, result, ~std::size_t(0));
      } else {
        fragments(RunList(some), part);
        for (const Fragment &f : part)
          appendFragment(f.home, f.element, f.count, result);
      }
      done += count;
      if ((used += count) == to->count)
        ++to, used = 0;
    }
}

ElementType LoweringContext::storedType(const RunList &view) const {
  const auto it = std::find_if(view.begin(), view.end(), [](const ViewRun &run) { return run.count > 0; });
  POPSCOPE_CHECK(it != view.end(), "the type of an empty view");
  return graph.vars[it->var].type;
}

HomeBytes LoweringContext::bytesOf(const Fragment &f) const {
  const Bytes size = elementSize(f.home);
  return {f.home, f.element * size, f.count * size};
}

HomeBytes LoweringContext::singleRun(const View &view) const {
  std::vector<Fragment> parts;
  fragments(view, parts, 1);
  POPSCOPE_CHECK(parts.size() == 1, "an operand in {} runs", parts.size());
  return bytesOf(parts.front());
}

void LoweringContext::touch(const HomeBytes &bytes, AccessKind kind, std::vector<Touch> &touches,
                            std::uint16_t member) const {
  const Bytes size = elementSize(bytes.home);
  std::uint64_t at = bytes.offset / size;
  const std::uint64_t end = at + bytes.bytes / size;
  if (const Piece &only = out.pieces[homePieces_[homeFirst_[bytes.home.index()]]];
      homeCount_[bytes.home.index()] == 1) {
    POPSCOPE_CHECK(end <= only.elements.end - only.elements.begin, "elements up to {} of a home of {}", end,
                   out.homes[bytes.home].elements);
    touches.push_back({out.homes[bytes.home].var, kind, member, only.elements.begin + at, only.elements.begin + end});
    return;
  }
  const auto first = homePieces_.begin() + homeFirst_[bytes.home.index()],
             last = first + homeCount_[bytes.home.index()];
  auto it = std::upper_bound(first, last, at,
                             [&](std::uint64_t e, std::uint32_t piece) { return e < out.pieces[piece].homeElement; });
  POPSCOPE_CHECK(at == end || it != first, "a home without pieces");
  for (it = it == first ? it : it - 1; at < end; ++it) {
    POPSCOPE_CHECK(it != last, "elements up to {} of a home of {}", end, out.homes[bytes.home].elements);
    const Piece &piece = out.pieces[*it];
    const std::uint64_t skip = at - piece.homeElement;
    const std::uint64_t count = std::min(end - at, piece.elements.end - piece.elements.begin - skip);
    touches.push_back(
        {out.homes[bytes.home].var, kind, member, piece.elements.begin + skip, piece.elements.begin + skip + count});
    at += count;
  }
}

} // namespace popscope
