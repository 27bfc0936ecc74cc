// TensorRearranger and Graph::getSimplifyingRearranger. The order is a list of pieces. A piece is a number of elements
// that are consecutive in both orders.
#include "graph/api/Describe.hpp"
#include "graph/api/GraphAccess.hpp"
#include "graph/api/GraphShared.hpp"
#include "graph/ir/MemoryOrder.hpp"

#include <poplar/Graph.hpp>
#include <poplar/TensorRearranger.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <fmt/format.h>

namespace popscope {

struct Rearrangement {
  struct Piece {
    std::uint64_t from = 0, to = 0, count = 0;
  };
  std::uint64_t elements = 0;
  std::vector<Piece> forward; // sorted by `from`
  std::vector<Piece> back;    // `forward` with from and to exchanged; sorted by `from`
};

namespace {

using Pieces = std::vector<Rearrangement::Piece>;

/// Returns a flat tensor that has t's piece at `from` in the place `to`, for each of the pieces.
poplar::Tensor moved(const poplar::Tensor &t, const Rearrangement &order, Pieces pieces, const char *what) {
  if (t.numElements() != order.elements)
    throw poplar::poplar_error(
        fmt::format("TensorRearranger::{}: {} has {} elements; the tensor of this rearranger has {}.", what,
                    describe(t), t.numElements(), order.elements));
  std::ranges::sort(pieces, {}, &Rearrangement::Piece::to);
  std::vector<poplar::Interval> intervals;
  for (const Rearrangement::Piece &piece : pieces)
    intervals.emplace_back(piece.from, piece.from + piece.count);
  const poplar::Tensor flat = t.flatten();
  return intervals.empty() ? flat : poplar::concat(flat.slices(intervals));
}

std::vector<poplar::Interval> moved(poplar::ArrayRef<poplar::Interval> intervals, const Rearrangement &order,
                                    const Pieces &pieces, const char *what) {
  std::vector<poplar::Interval> result;
  for (const poplar::Interval &interval : intervals) {
    if (interval.begin() > interval.end() || interval.end() > order.elements)
      throw poplar::index_error(fmt::format(
          "TensorRearranger::{}: interval [{}, {}) does not lie in the {} elements of the tensor of this rearranger.",
          what, interval.begin(), interval.end(), order.elements));
    auto piece =
        std::upper_bound(pieces.begin(), pieces.end(), interval.begin(),
                         [](std::uint64_t at, const Rearrangement::Piece &p) { return at < p.from + p.count; });
    for (std::uint64_t at = interval.begin(); at != interval.end(); ++piece) {
      const std::uint64_t end = std::min<std::uint64_t>(interval.end(), piece->from + piece->count);
      const std::uint64_t to = piece->to + (at - piece->from);
      if (!result.empty() && at != interval.begin() && result.back().end() == to)
        result.back() = poplar::Interval(result.back().begin(), to + (end - at));
      else
        result.emplace_back(to, to + (end - at));
      at = end;
    }
  }
  return result;
}

const Rearrangement &orderOf(const std::shared_ptr<const Rearrangement> &order, const char *what) {
  if (!order)
    throw poplar::poplar_error(fmt::format(
        "TensorRearranger::{}: the rearranger is not valid; create one with Graph::getSimplifyingRearranger.", what));
  return *order;
}

} // namespace
} // namespace popscope

namespace poplar {

TensorRearranger::TensorRearranger() = default;
TensorRearranger::TensorRearranger(const TensorRearranger &) = default;
TensorRearranger::TensorRearranger(TensorRearranger &&) noexcept = default;
TensorRearranger &TensorRearranger::operator=(const TensorRearranger &) & = default;
TensorRearranger &TensorRearranger::operator=(TensorRearranger &&) &noexcept = default;
TensorRearranger::~TensorRearranger() = default;
bool TensorRearranger::valid() const { return order_ != nullptr; }

Tensor TensorRearranger::rearrange(const Tensor &t) const {
  const popscope::Rearrangement &order = popscope::orderOf(order_, "rearrange");
  return popscope::moved(t, order, order.forward, "rearrange");
}
Tensor TensorRearranger::undoRearrangement(const Tensor &t) const {
  const popscope::Rearrangement &order = popscope::orderOf(order_, "undoRearrangement");
  return popscope::moved(t, order, order.back, "undoRearrangement");
}
std::vector<Interval> TensorRearranger::rearrange(ArrayRef<Interval> intervals) const {
  const popscope::Rearrangement &order = popscope::orderOf(order_, "rearrange");
  return popscope::moved(intervals, order, order.forward, "rearrange");
}
std::vector<Interval> TensorRearranger::undoRearrangement(ArrayRef<Interval> intervals) const {
  const popscope::Rearrangement &order = popscope::orderOf(order_, "undoRearrangement");
  return popscope::moved(intervals, order, order.back, "undoRearrangement");
}

TensorRearranger Graph::getSimplifyingRearranger(const Tensor &t) const {
  auto order = std::make_shared<popscope::Rearrangement>();
  const popscope::View &view = popscope::GraphAccess::data(t).view;
  order->elements = view.elements();
  std::uint64_t to = 0;
  popscope::MemoryOrder(view.runs).eachPiece([&](std::uint64_t from, std::uint64_t count) {
    if (!order->forward.empty() && order->forward.back().from + order->forward.back().count == from)
      order->forward.back().count += count;
    else
      order->forward.push_back({from, to, count});
    to += count;
  });
  for (const popscope::Rearrangement::Piece &piece : order->forward)
    order->back.push_back({piece.to, piece.from, piece.count});
  std::ranges::sort(order->forward, {}, &popscope::Rearrangement::Piece::from);
  std::ranges::sort(order->back, {}, &popscope::Rearrangement::Piece::from);
  TensorRearranger rearranger;
  popscope::GraphAccess::setOrder(rearranger, std::move(order));
  return rearranger;
}

} // namespace poplar
