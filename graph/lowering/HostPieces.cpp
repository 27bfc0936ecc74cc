#include "graph/lowering/HostPieces.hpp"

#include "base/BitRanges.hpp"

#include <algorithm>
#include <limits>

namespace popscope {
namespace {

std::int64_t distance(Bytes from, Bytes to) {
  return static_cast<std::int64_t>(to.count()) - static_cast<std::int64_t>(from.count());
}

} // namespace

void PieceJoiner::add(const HomeBytes &piece) {
  if (open_.bytes != Bytes() && open_.home == piece.home && open_.offset + open_.bytes == piece.offset) {
    open_.bytes += piece.bytes;
    return;
  }
  finish();
  open_ = piece;
}

void PieceJoiner::finish() {
  if (open_.bytes == Bytes())
    return;
  if (!out_.empty()) {
    HomePieces &last = out_.back();
    const std::int64_t step = distance(last.at(last.count - 1).offset, open_.offset);
    if (last.first.home == open_.home && last.first.bytes == open_.bytes && (last.count == 1 || last.step == step) &&
        last.count != std::numeric_limits<std::uint32_t>::max()) {
      last.step = step;
      ++last.count;
      open_ = {};
      return;
    }
  }
  out_.push_back({open_});
  open_ = {};
}

std::vector<HomeBytes> coverOf(const StepProgram &program, const std::vector<HomePieces> &pieces) {
  std::vector<const HomePieces *> order;
  for (const HomePieces &p : pieces)
    order.push_back(&p);
  std::stable_sort(order.begin(), order.end(),
                   [](const HomePieces *a, const HomePieces *b) { return a->first.home < b->first.home; });
  std::vector<HomeBytes> cover;
  BitRanges elements;
  for (std::size_t begin = 0, end = 0; begin != order.size(); begin = end) {
    const HomeId home = order[begin]->first.home;
    const Bytes size = program.elementSize(home);
    elements.reset(program.homes[home].elements);
    for (; end != order.size() && order[end]->first.home == home; ++end)
      for (std::uint32_t i = 0; i != order[end]->count; ++i) {
        const HomeBytes piece = order[end]->at(i);
        elements.add(piece.offset / size, (piece.offset + piece.bytes) / size);
      }
    elements.each([&](std::uint64_t first, std::uint64_t last) {
      cover.push_back({home, first * size, (last - first) * size});
    });
  }
  return cover;
}

} // namespace popscope
