// View operations of Tensor: each checks its arguments, and then calls graph/ir/ViewOps.
#include "base/CheckedSize.hpp"
#include "graph/api/Describe.hpp"
#include "graph/api/GraphAccess.hpp"
#include "graph/api/TensorChecks.hpp"
#include "graph/ir/ViewOps.hpp"

#include "base/PublicTypes.hpp"

#include <poplar/Tensor.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

using popscope::GraphAccess;
using popscope::TensorData;
using popscope::View;

namespace poplar {

namespace {

const TensorData &dataOf(const Tensor &t) { return GraphAccess::shapeOf(t); }

Tensor derive(const TensorData &t, View view) { return GraphAccess::derived(t, std::move(view)); }

/// Returns the shuffled view. If a tensor whose view has many groups gets the same request twice in a row, keeps the
/// result until another request comes or the tensor is destroyed.
View shuffled(const TensorData &t, const std::vector<unsigned> &permutation) {
  constexpr std::size_t kManyGroups = 256;
  if (t.view.runs.numGroups() < kManyGroups)
    return popscope::dimShuffle(t.view, permutation);
  std::unique_lock lock(t.graph->shuffleMutex);
  const std::shared_ptr<const popscope::LastShuffle> last = t.lastShuffle;
  lock.unlock();
  const bool again = last != nullptr && last->permutation == permutation;
  if (again && last->view)
    return *last->view;
  View view = popscope::dimShuffle(t.view, permutation);
  auto next = std::make_shared<popscope::LastShuffle>();
  next->permutation = permutation;
  if (again)
    next->view = view;
  lock.lock();
  t.lastShuffle = std::move(next);
  return view;
}

/// Checks that the tensor does not exceed the maximum number of elements if the dimension becomes `times` as long.
void checkRepeated(const TensorData &t, std::size_t times, unsigned dimension, const char *operation) {
  std::vector<std::size_t> repeats = t.view.shape;
  repeats.push_back(times);
  if (!popscope::checkedElements(repeats))
    popscope::throwShape(t, fmt::format("{} of dimension {} by {}: a tensor has at most {} (2^48) elements.", operation,
                                        dimension, times, popscope::kMaxElements));
}

} // namespace

Tensor Tensor::operator[](std::size_t i) const & {
  const TensorData &t = dataOf(*this);
  popscope::checkIndex(t, i, 0, "operator[]");
  return derive(t, popscope::index(t.view, i));
}

Tensor &&Tensor::operator[](std::size_t i) && {
  *this = static_cast<const Tensor &>(*this)[i];
  return std::move(*this);
}

Tensor Tensor::slice(std::size_t begin, std::size_t end, unsigned dimension) const & {
  const TensorData &t = dataOf(*this);
  popscope::checkSlice(t, begin, end, dimension);
  return derive(t, popscope::slice(t.view, begin, end, dimension));
}

Tensor Tensor::slice(std::size_t begin, std::size_t end) const { return slice(begin, end, 0u); }

Tensor Tensor::slice(const Interval &region, unsigned dimension) const {
  return slice(region.begin(), region.end(), dimension);
}

Tensor Tensor::slice(ArrayRef<std::size_t> begin, ArrayRef<std::size_t> end) const {
  const TensorData &t = dataOf(*this);
  if (begin.size() != end.size())
    popscope::throwShape(t, fmt::format("slice: {} begins and {} ends are given.", begin.size(), end.size()));
  for (std::size_t d = 0; d < begin.size(); ++d)
    popscope::checkSlice(t, begin[d], end[d], d);
  return derive(t, popscope::slice(t.view, begin.cloneAsVector(), end.cloneAsVector()));
}

namespace {
using Intervals = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// Changes the shape of the tensor to the shape of the slices of one group. Each interval ends at kMaxElements or
/// before, so no sum wraps before the check refuses it.
void sliceShape(const TensorData &t, const Intervals &group, unsigned dimension, std::vector<std::size_t> &shape) {
  shape[dimension] = 0;
  for (const auto &[begin, end] : group) {
    shape[dimension] += end - begin;
    popscope::checkResultShape(t, shape, "slices");
  }
}

/// Returns a tensor of this shape for slices of which one lies outside of `t`. Clients slice tensors of one element by
/// the regions of another tensor, and use no element of the result (fused maps of PopLibs). So only a use of the view
/// is an error.
Tensor outsideSlices(const TensorData &t, std::vector<std::size_t> shape, std::string problem) {
  View view{t.view.type, std::move(shape), {}};
  popscope::ViewRun standIn = t.view.runs.front();
  standIn.stride = 0;
  standIn.count = view.elements();
  view.runs = standIn;
  return GraphAccess::tensor(std::make_shared<const TensorData>(
      std::move(view), t.graph, t.metadata, std::make_shared<const std::string>(std::move(problem))));
}

/// Returns one tensor per group. Reads all slices of a call with one reader of the view.
std::vector<Tensor> sliceGroups(const TensorData &t, const std::vector<Intervals> &groups, unsigned dimension) {
  popscope::checkDimension(t, dimension, "slices");
  std::vector<Intervals> inside;
  std::vector<Tensor> result(groups.size());
  std::vector<std::size_t> insideOf, shape = t.view.shape;
  for (std::size_t i = 0; i != groups.size(); ++i) {
    const auto outside = std::find_if(groups[i].begin(), groups[i].end(),
                                      [&](const auto &interval) { return interval.second > t.view.shape[dimension]; });
    for (const auto &[begin, end] : groups[i])
      if (begin > end || end > popscope::kMaxElements || t.view.runs.empty())
        popscope::checkSlice(t, begin, end, dimension);
    sliceShape(t, groups[i], dimension, shape);
    if (outside != groups[i].end() && !t.view.runs.empty()) {
      result[i] = outsideSlices(t, shape, popscope::sliceProblem(t, outside->first, outside->second, dimension));
      continue;
    }
    inside.push_back(groups[i]);
    insideOf.push_back(i);
  }
  std::vector<View> views = popscope::sliceGroups(t.view, inside, dimension);
  for (std::size_t k = 0; k != views.size(); ++k)
    result[insideOf[k]] = derive(t, std::move(views[k]));
  return result;
}

std::pair<std::uint64_t, std::uint64_t> boundsOf(const Interval &interval) {
  return {interval.begin(), interval.end()};
}
} // namespace

std::vector<Tensor> Tensor::slices(ArrayRef<Interval> intervals, unsigned dimension) const {
  std::vector<Intervals> groups;
  for (const Interval &interval : intervals)
    groups.push_back({boundsOf(interval)});
  return sliceGroups(dataOf(*this), groups, dimension);
}

std::vector<Tensor> Tensor::slices(const std::vector<std::vector<Interval>> &intervals, unsigned dimension) const {
  std::vector<Intervals> groups(intervals.size());
  for (std::size_t i = 0; i != groups.size(); ++i)
    for (const Interval &interval : intervals[i])
      groups[i].push_back(boundsOf(interval));
  return sliceGroups(dataOf(*this), groups, dimension);
}

std::vector<Tensor> Tensor::slices(const ArrayRef<unsigned> &indices, unsigned dimension) const {
  std::vector<Intervals> groups;
  for (const unsigned i : indices) {
    popscope::checkIndex(dataOf(*this), i, dimension, "slices");
    groups.push_back({{i, std::uint64_t(i) + 1}});
  }
  return sliceGroups(dataOf(*this), groups, dimension);
}

Tensor Tensor::index(ArrayRef<std::size_t> indices) const {
  const TensorData &t = dataOf(*this);
  for (std::size_t d = 0; d < indices.size(); ++d)
    popscope::checkIndex(t, indices[d], d, "index");
  return derive(t, popscope::index(t.view, indices.cloneAsVector()));
}

Tensor Tensor::subSample(unsigned stride, unsigned dimension) const {
  const TensorData &t = dataOf(*this);
  popscope::checkDimension(t, dimension, "subSample");
  if (stride == 0)
    popscope::throwShape(t, "subSample: the stride is 0; it must be at least 1.");
  return derive(t, popscope::subSample(t.view, stride, dimension));
}

Tensor Tensor::upsample(unsigned scale, unsigned dimension, UpsampleMethod) const {
  const TensorData &t = dataOf(*this);
  popscope::checkDimension(t, dimension, "upsample");
  checkRepeated(t, scale, dimension, "upsample");
  return derive(t, popscope::upsample(t.view, scale, dimension));
}

Tensor Tensor::broadcast(unsigned N, unsigned dimension) const {
  const TensorData &t = dataOf(*this);
  popscope::checkDimension(t, dimension, "broadcast");
  checkRepeated(t, N, dimension, "broadcast");
  return derive(t, popscope::broadcast(t.view, N, dimension));
}

Tensor Tensor::reverse(unsigned dimension) const {
  const TensorData &t = dataOf(*this);
  popscope::checkDimension(t, dimension, "reverse");
  return derive(t, popscope::reverse(t.view, dimension));
}

Tensor Tensor::flatten() const { return reshape({dataOf(*this).view.elements()}); }

Tensor Tensor::flatten(unsigned dimBegin, unsigned dimEnd) const {
  const TensorData &t = dataOf(*this);
  popscope::checkDimensionRange(t, dimBegin, dimEnd, "flatten");
  const auto &shape = t.view.shape;
  const std::size_t merged = std::accumulate(shape.begin() + dimBegin, shape.begin() + dimEnd, std::size_t(1),
                                             [](std::size_t a, std::size_t b) { return a * b; });
  return reshapePartial(dimBegin, dimEnd, {merged});
}

Tensor Tensor::reshape(ArrayRef<std::size_t> shape) const {
  const TensorData &t = dataOf(*this);
  std::vector<std::size_t> dims = shape.cloneAsVector();
  popscope::checkResultShape(t, dims, "reshape");
  if (popscope::productOf(dims) != t.view.elements())
    popscope::throwShape(t, fmt::format("reshape to {}: {} elements do not make {}.", popscope::shapeText(dims),
                                        t.view.elements(), popscope::productOf(dims)));
  return derive(t, popscope::reshape(t.view, std::move(dims)));
}

Tensor Tensor::reshapePartial(unsigned beginIndex, unsigned endIndex, ArrayRef<std::size_t> newDims) const {
  const TensorData &t = dataOf(*this);
  popscope::checkDimensionRange(t, beginIndex, endIndex, "reshapePartial");
  std::vector<std::size_t> dims(t.view.shape.begin(), t.view.shape.begin() + beginIndex);
  dims.insert(dims.end(), newDims.begin(), newDims.end());
  dims.insert(dims.end(), t.view.shape.begin() + endIndex, t.view.shape.end());
  return reshape(dims);
}

Tensor Tensor::dimShuffle(ArrayRef<unsigned> permutation) const {
  const TensorData &t = dataOf(*this);
  std::vector<unsigned> sorted(permutation.begin(), permutation.end());
  std::sort(sorted.begin(), sorted.end());
  bool isPermutation = sorted.size() == t.view.shape.size();
  for (std::size_t i = 0; isPermutation && i < sorted.size(); ++i)
    isPermutation = sorted[i] == i;
  if (!isPermutation)
    popscope::throwShape(t, fmt::format("dimShuffle: {{{}}} is not a permutation of its {} dimensions.",
                                        fmt::join(permutation.begin(), permutation.end(), ","), t.view.shape.size()));
  return derive(t, shuffled(t, {permutation.begin(), permutation.end()}));
}

namespace {

/// Returns the permutation that moves each dimension source[k] to the place destination[k] and keeps the order of the
/// other dimensions. `operation` is the name for messages.
std::vector<unsigned> movedDimensions(const TensorData &t, ArrayRef<unsigned> source, ArrayRef<unsigned> destination,
                                      const char *operation) {
  const std::size_t n = t.view.shape.size();
  if (source.size() != destination.size())
    popscope::throwShape(t, fmt::format("{}: {} source and {} destination dimensions are given.", operation,
                                        source.size(), destination.size()));
  constexpr unsigned kFree = ~0u;
  std::vector<unsigned> permutation(n, kFree);
  std::vector<bool> moved(n, false);
  for (std::size_t k = 0; k < source.size(); ++k) {
    popscope::checkDimension(t, source[k], operation);
    popscope::checkDimension(t, destination[k], operation);
    if (moved[source[k]] || permutation[destination[k]] != kFree)
      popscope::throwShape(
          t, fmt::format("{}: dimension {} or place {} is named twice.", operation, source[k], destination[k]));
    moved[source[k]] = true;
    permutation[destination[k]] = source[k];
  }
  unsigned next = 0;
  for (unsigned &place : permutation) {
    if (place != kFree)
      continue;
    while (moved[next])
      ++next;
    place = next++;
  }
  return permutation;
}

} // namespace

Tensor Tensor::dimShufflePartial(ArrayRef<unsigned> source, ArrayRef<unsigned> destination) const {
  return dimShuffle(movedDimensions(dataOf(*this), source, destination, "dimShufflePartial"));
}

Tensor Tensor::dimRoll(unsigned dimIdx, unsigned newIdx) const {
  return dimShuffle(movedDimensions(dataOf(*this), ArrayRef<unsigned>(dimIdx), ArrayRef<unsigned>(newIdx), "dimRoll"));
}

Tensor Tensor::transpose() const {
  const TensorData &t = dataOf(*this);
  if (t.view.shape.size() != 2)
    popscope::throwShape(t, "transpose: the tensor is not a matrix; use dimShuffle for other ranks.");
  return dimShuffle({1u, 0u});
}

Tensor Tensor::reinterpret(const Type &type) const {
  const TensorData &t = dataOf(*this);
  const popscope::ElementType to = popscope::elementType(type);
  if (popscope::elementBytes(to) != popscope::elementBytes(t.view.type))
    throw type_error(fmt::format("reinterpret: {} has elements of {} bytes, {} has {}.", popscope::describe(t),
                                 popscope::elementBytes(t.view.type), popscope::elementTypeName(to),
                                 popscope::elementBytes(to)));
  View view = t.view;
  view.type = to;
  return derive(t, std::move(view));
}

Tensor Tensor::expand(ArrayRef<std::size_t> indices) const {
  const TensorData &t = dataOf(*this);
  const std::size_t n = t.view.shape.size();
  std::vector<std::size_t> before(n + 1, 0);
  for (const std::size_t i : indices) {
    if (i > n)
      throw index_error(
          fmt::format("expand: position {} does not exist in {}; the last one is {}.", i, popscope::describe(t), n));
    ++before[i];
  }
  std::vector<std::size_t> shape;
  for (std::size_t i = 0; i <= n; ++i) {
    shape.insert(shape.end(), before[i], 1);
    if (i < n)
      shape.push_back(t.view.shape[i]);
  }
  return reshape(shape);
}

Tensor Tensor::squeeze(ArrayRef<std::size_t> indices) const {
  const TensorData &t = dataOf(*this);
  std::vector<bool> removed(t.view.shape.size(), false);
  for (const std::size_t i : indices) {
    popscope::checkDimension(t, i, "squeeze");
    if (t.view.shape[i] != 1)
      popscope::throwShape(t, fmt::format("squeeze: dimension {} has {} elements, not 1.", i, t.view.shape[i]));
    removed[i] = true;
  }
  std::vector<std::size_t> shape;
  for (std::size_t i = 0; i < removed.size(); ++i)
    if (!removed[i])
      shape.push_back(t.view.shape[i]);
  return reshape(shape);
}

namespace {
void checkJoinable(const TensorData &a, const TensorData &b, unsigned dimension) {
  if (a.graph != b.graph)
    throw poplar_error(
        fmt::format("concat: {} and {} belong to different graphs.", popscope::describe(a), popscope::describe(b)));
  if (a.view.type != b.view.type)
    throw type_error(
        fmt::format("concat: {} and {} have different element types.", popscope::describe(a), popscope::describe(b)));
  bool fits = a.view.shape.size() == b.view.shape.size();
  for (std::size_t d = 0; fits && d < a.view.shape.size(); ++d)
    fits = d == dimension || a.view.shape[d] == b.view.shape[d];
  if (!fits)
    throw poplar_error(
        fmt::format("concat along dimension {}: the shapes of {} and {} also differ in other dimensions.", dimension,
                    popscope::describe(a), popscope::describe(b)));
}
} // namespace

Tensor concat(ArrayRef<Tensor> ts, unsigned dimension) {
  if (ts.empty())
    throw poplar_error("concat: the list of tensors is empty; a result's type and shape need at least one.");
  const TensorData &first = dataOf(ts[0]);
  popscope::checkDimension(first, dimension, "concat");
  std::vector<const View *> views;
  std::vector<std::size_t> shape = first.view.shape;
  shape[dimension] = 0;
  for (const Tensor &t : ts) {
    checkJoinable(first, dataOf(t), dimension);
    views.push_back(&dataOf(t).view);
    shape[dimension] += dataOf(t).view.shape[dimension]; // at most 2^48, so the sum cannot wrap before the check
    popscope::checkResultShape(first, shape, "concat");
  }
  const auto outside = std::find_if(ts.begin(), ts.end(), [](const Tensor &t) { return dataOf(t).outside != nullptr; });
  TensorData joined{popscope::concat(views, dimension), first.graph, first.metadata, nullptr};
  if (outside != ts.end())
    joined.outside = dataOf(*outside).outside;
  return GraphAccess::tensor(std::make_shared<const TensorData>(std::move(joined)));
}

Tensor concat(const Tensor &first, const Tensor &second, unsigned dimension) {
  const Tensor both[2] = {first, second};
  return concat(ArrayRef<Tensor>(both, 2), dimension);
}

Tensor append(const Tensor &first, const Tensor &second, unsigned dimension) {
  return concat(first, second.expand(ArrayRef<std::size_t>(std::size_t(dimension))), dimension);
}

Tensor append(const Tensor &first, const Tensor &second) { return append(first, second, 0); }

} // namespace poplar
