#include "graph/ir/WalkRuns.hpp"

#include "base/Check.hpp"

#include <algorithm>
#include <utility>

namespace popscope {

namespace {

std::vector<WalkDim> rowMajor(const std::vector<std::size_t> &shape) {
  std::vector<WalkDim> dims(shape.size());
  std::int64_t step = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    dims[i] = {shape[i], step};
    step *= static_cast<std::int64_t>(shape[i]);
  }
  return dims;
}

/// Drops dimensions of one position and joins neighbouring dimensions that are one walk, so that the innermost walk is
/// long.
std::vector<WalkDim> joinDims(const std::vector<WalkDim> &dims) {
  std::vector<WalkDim> joined;
  for (const WalkDim &d : dims) {
    if (d.size == 1)
      continue;
    if (!joined.empty() && joined.back().step == d.step * static_cast<std::int64_t>(d.size)) {
      joined.back().size *= d.size;
      joined.back().step = d.step;
    } else {
      joined.push_back(d);
    }
  }
  if (joined.empty())
    joined.push_back({1, 1});
  return joined;
}

std::vector<std::size_t> sizesOf(const std::vector<WalkDim> &dims) {
  std::vector<std::size_t> shape;
  for (const WalkDim &d : dims)
    shape.push_back(d.size);
  return shape;
}

/// Returns the elements at positions [begin, begin + count). Cost: linear in the groups of these elements, and
/// logarithmic in all groups.
ViewRuns stretch(const View &v, std::uint64_t begin, std::uint64_t count) {
  const ViewRuns &runs = v.runs;
  if (count == 0)
    return {};
  if (count == runs.elements())
    return runs;
  if (const std::size_t at = runs.groupAt(begin); runs.isPlain(at) && begin + count <= runs.startOf(at + 1)) {
    ViewRun part = partOf(runs.firstRun(at), begin - runs.startOf(at), 1, count);
    if (count == 1)
      part.stride = 1;
    return part;
  }
  RunBuilder out;
  PositionReader(v).walk(static_cast<std::int64_t>(begin), 1, count, out);
  return out.take();
}

} // namespace

std::uint64_t productOf(const std::vector<std::size_t> &shape) {
  std::uint64_t n = 1;
  for (const std::size_t d : shape)
    n *= d;
  return n;
}

View wholeVariable(GraphVarId var, ElementType type, std::vector<std::size_t> shape) {
  View v{type, std::move(shape), {}};
  if (v.elements() > 0)
    v.runs = ViewRun(var, 0, 1, v.elements());
  return v;
}

View gather(const View &v, std::int64_t offset, const std::vector<WalkDim> &dims) {
  View out{v.type, sizesOf(dims), {}};
  if (out.elements() == 0)
    return out;
  const std::vector<WalkDim> walk = joinDims(dims);
  if (walk.size() == 1 && walk.front().step == 1) {
    out.runs = stretch(v, static_cast<std::uint64_t>(offset), walk.front().size);
    return out;
  }
  RunBuilder builder;
  PositionReader reader(v);
  reader.walkAll(offset, walk.data(), walk.size(), builder);
  out.runs = builder.take();
  return out;
}

View reshape(const View &v, std::vector<std::size_t> shape) {
  POPSCOPE_CHECK(productOf(shape) == v.elements(), "reshape of {} elements", v.elements());
  return {v.type, std::move(shape), v.runs};
}

View slice(const View &v, std::size_t begin, std::size_t end, unsigned dim) {
  std::uint64_t inner = 1, outer = 1;
  for (std::size_t d = 0; d < v.shape.size(); ++d)
    (d < dim ? outer : inner) *= d == dim ? 1 : v.shape[d];
  if (outer == 1 || end - begin == v.shape[dim]) { // one stretch of positions
    View out{v.type, v.shape, stretch(v, begin * inner, outer * (end - begin) * inner)};
    out.shape[dim] = end - begin;
    return out;
  }
  std::vector<WalkDim> dims = rowMajor(v.shape);
  dims[dim].size = end - begin;
  return gather(v, static_cast<std::int64_t>(begin) * dims[dim].step, dims);
}

View slice(const View &v, const std::vector<std::size_t> &begin, const std::vector<std::size_t> &end) {
  std::vector<WalkDim> dims = rowMajor(v.shape);
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < begin.size(); ++i) {
    dims[i].size = end[i] - begin[i];
    offset += static_cast<std::int64_t>(begin[i]) * dims[i].step;
  }
  return gather(v, offset, dims);
}

std::vector<View> sliceGroups(const View &v,
                              const std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> &groups,
                              unsigned dim) {
  const std::vector<WalkDim> dims = rowMajor(v.shape);
  const auto inner = static_cast<std::uint64_t>(dims[dim].step);
  std::uint64_t outer = 1;
  for (unsigned d = 0; d < dim; ++d)
    outer *= dims[d].size;
  PositionReader reader(v);
  std::vector<View> out;
  for (const auto &group : groups) {
    View view{v.type, v.shape, {}};
    view.shape[dim] = 0;
    for (const auto &interval : group)
      view.shape[dim] += interval.second - interval.first;
    RunBuilder builder;
    if (group.size() == 1 && view.elements() > 0) { // one affine walk
      std::vector<WalkDim> sliced = dims;
      sliced[dim].size = view.shape[dim];
      const std::vector<WalkDim> joined = joinDims(sliced);
      reader.walkAll(static_cast<std::int64_t>(group.front().first * inner), joined.data(), joined.size(), builder);
    } else if (view.elements() > 0) {
      for (std::uint64_t row = 0; row < outer; ++row)
        for (const auto &interval : group)
          reader.walk(static_cast<std::int64_t>((row * dims[dim].size + interval.first) * inner), 1,
                      (interval.second - interval.first) * inner, builder);
    }
    view.runs = builder.take();
    out.push_back(std::move(view));
  }
  return out;
}

View index(const View &v, const std::vector<std::size_t> &leading) {
  const auto rest = v.shape.begin() + static_cast<std::ptrdiff_t>(leading.size());
  View out{v.type, {rest, v.shape.end()}, {}};
  const std::uint64_t each = out.elements();
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < leading.size(); ++i)
    at = at * v.shape[i] + leading[i];
  out.runs = stretch(v, at * each, each);
  return out;
}

View index(const View &v, std::size_t first) {
  View out{v.type, {v.shape.begin() + 1, v.shape.end()}, {}};
  const std::uint64_t each = out.elements();
  out.runs = stretch(v, first * each, each);
  return out;
}

View dimShuffle(const View &v, const std::vector<unsigned> &permutation) {
  const std::vector<WalkDim> dims = rowMajor(v.shape);
  std::vector<WalkDim> shuffled;
  for (const unsigned d : permutation)
    shuffled.push_back(dims[d]);
  return gather(v, 0, shuffled);
}

View subSample(const View &v, std::size_t stride, unsigned dim) {
  std::vector<WalkDim> dims = rowMajor(v.shape);
  dims[dim].size = (dims[dim].size + stride - 1) / stride;
  dims[dim].step *= static_cast<std::int64_t>(stride);
  return gather(v, 0, dims);
}

View upsample(const View &v, std::size_t scale, unsigned dim) {
  std::vector<WalkDim> dims = rowMajor(v.shape);
  dims.insert(dims.begin() + dim + 1, WalkDim{scale, 0});
  View out = gather(v, 0, dims);
  out.shape = v.shape;
  out.shape[dim] *= scale;
  return out;
}

View broadcast(const View &v, std::size_t count, unsigned dim) {
  std::vector<WalkDim> dims = rowMajor(v.shape);
  dims.insert(dims.begin() + dim, WalkDim{count, 0});
  View out = gather(v, 0, dims);
  out.shape = v.shape;
  out.shape[dim] *= count;
  return out;
}

View reverse(const View &v, unsigned dim) {
  std::vector<WalkDim> dims = rowMajor(v.shape);
  if (v.elements() == 0)
    return v;
  const std::int64_t last = static_cast<std::int64_t>(dims[dim].size - 1) * dims[dim].step;
  dims[dim].step = -dims[dim].step;
  return gather(v, last, dims);
}

View concat(const std::vector<const View *> &views, unsigned dim) {
  View out{views.front()->type, views.front()->shape, {}};
  out.shape[dim] = 0;
  std::uint64_t outer = 1;
  for (unsigned i = 0; i < dim; ++i)
    outer *= out.shape[i];
  std::vector<PositionReader> readers;
  std::vector<std::uint64_t> rowSizes;
  for (const View *v : views) {
    out.shape[dim] += v->shape[dim];
    readers.emplace_back(*v);
    rowSizes.push_back(outer == 0 ? 0 : v->elements() / outer);
  }
  RunBuilder builder;
  for (std::uint64_t row = 0; row < outer; ++row)
    for (std::size_t i = 0; i < views.size(); ++i)
      readers[i].walk(static_cast<std::int64_t>(row * rowSizes[i]), 1, rowSizes[i], builder);
  out.runs = builder.take();
  return out;
}

} // namespace popscope
