#include "graph/ir/MemoryOrder.hpp"

#include "graph/ir/WalkRuns.hpp"

#include <algorithm>

namespace popscope {
namespace {

constexpr std::size_t kManyGroups = 1024; // minimum number of groups of a view for which tables are made
constexpr std::uint64_t kBitsAPiece = 256, kPositionsAPiece = 4, kMaxElementsOfTable = 0xffffffffU;

/// Returns whether tables may list the elements. A few groups may represent more elements than a table can hold.
bool isForTables(const RunList &runs) {
  return runs.groups() != nullptr && runs.groups()->numGroups() >= kManyGroups && runs.elements() < kMaxElementsOfTable;
}

} // namespace

TouchedRanges::TouchedRanges(const RunList &runs) {
  PieceReader reader(runs);
  while (const auto piece = reader.next()) {
    ++pieces_;
    if (ranges_.empty() || ranges_[last_].var != piece->var) {
      last_ = numbers_.emplace(piece->var.index(), ranges_.size()).first->second;
      if (last_ == ranges_.size())
        ranges_.push_back({piece->var, piece->begin, piece->begin, 0});
    }
    Range &range = ranges_[last_];
    range.begin = std::min(range.begin, piece->begin);
    range.end = std::max(range.end, piece->begin + piece->count);
  }
  std::sort(ranges_.begin(), ranges_.end(), [](const Range &a, const Range &b) { return a.var < b.var; });
  std::uint64_t place = 0;
  for (std::size_t i = 0; i != ranges_.size(); ++i) {
    numbers_[ranges_[i].var.index()] = i;
    ranges_[i].firstPlace = place;
    place = ranges_[i].endPlace() + 1;
  }
  last_ = 0;
}

std::uint64_t TouchedRanges::placeOf(GraphVarId var, std::uint64_t element) {
  if (ranges_[last_].var != var)
    last_ = numbers_.find(var.index())->second;
  return ranges_[last_].firstPlace + (element - ranges_[last_].begin);
}

std::optional<TouchedElements> TouchedElements::of(const RunList &runs) {
  if (!isForTables(runs))
    return std::nullopt;
  TouchedElements touched{TouchedRanges(runs)};
  if (touched.ranges_.places() > kBitsAPiece * touched.ranges_.pieces())
    return std::nullopt;
  touched.bits_.reset(touched.ranges_.places() + 1);
  PieceReader reader(runs);
  while (const auto piece = reader.next()) {
    const std::uint64_t place = touched.ranges_.placeOf(piece->var, piece->begin);
    touched.bits_.add(place, place + piece->count);
  }
  touched.anyTwice_ = touched.bits_.count() != runs.elements();
  return touched;
}

std::vector<VarInterval> TouchedElements::intervals() const {
  std::vector<VarInterval> joined;
  auto range = ranges_.ranges().begin();
  bits_.each([&](std::uint64_t begin, std::uint64_t end) {
    while (range->endPlace() <= begin)
      ++range;
    joined.push_back(
        {range->var, range->begin + (begin - range->firstPlace), range->begin + (end - range->firstPlace)});
  });
  return joined;
}

MemoryOrder::MemoryOrder(const RunList &runs) : elements_(runs.elements()) {
  if (!isForTables(runs) || !fillTable(runs))
    sortPieces(runs);
}

/// Fills the table. Returns false if an element occurs twice, because a place has one position, or if the table would
/// be too large.
bool MemoryOrder::fillTable(const RunList &runs) {
  static_assert(kMaxElementsOfTable <= kNone, "a position is told from none");
  TouchedRanges ranges(runs);
  if (ranges.places() > kPositionsAPiece * ranges.pieces())
    return false;
  positions_.assign(ranges.places(), kNone);
  PieceReader reader(runs);
  while (const auto piece = reader.next()) {
    const std::uint64_t place = ranges.placeOf(piece->var, piece->begin);
    for (std::uint64_t i = 0; i != piece->count; ++i) {
      if (positions_[place + i] != kNone) {
        positions_ = {};
        return false;
      }
      positions_[place + i] = static_cast<std::uint32_t>(piece->position + i);
    }
  }
  return true;
}

void MemoryOrder::sortPieces(const RunList &runs) {
  pieces_ = contiguousPieces(runs);
  std::sort(pieces_.begin(), pieces_.end(), liesBefore);
}

void MemoryOrder::eachPiece(const std::function<void(std::uint64_t, std::uint64_t)> &use) const {
  for (const ViewPiece &piece : pieces_)
    use(piece.position, piece.count);
  for (std::size_t begin = 0, end = 0; begin != positions_.size(); begin = end) {
    end = begin + 1;
    if (positions_[begin] == kNone)
      continue;
    while (end != positions_.size() && positions_[end] != kNone && positions_[end] == positions_[end - 1] + 1)
      ++end;
    use(positions_[begin], end - begin);
  }
}

View MemoryOrder::of(const View &other) const {
  PositionReader reader(other);
  RunBuilder builder;
  eachPiece([&](std::uint64_t position, std::uint64_t count) {
    reader.walk(static_cast<std::int64_t>(position), 1, count, builder);
  });
  return {other.type, {static_cast<std::size_t>(elements_)}, builder.take()};
}

} // namespace popscope
