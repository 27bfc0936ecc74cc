#include "tests/property/views/RandomViews.hpp"

#include "graph/api/GraphAccess.hpp"

#include <algorithm>
#include <numeric>

using namespace poplar;

namespace view_tests {
namespace {

using Index = NaiveView::Index;

NaiveView reshaped(const NaiveView &v, Index shape) { return {std::move(shape), v.elements}; }

NaiveView sliced(const NaiveView &v, std::size_t begin, std::size_t end, std::size_t d) {
  Index shape = v.shape;
  shape[d] = end - begin;
  return v.map(shape, [=](Index i) {
    i[d] += begin;
    return i;
  });
}

NaiveView shuffled(const NaiveView &v, const std::vector<unsigned> &permutation) {
  Index shape;
  for (const unsigned p : permutation)
    shape.push_back(v.shape[p]);
  return v.map(shape, [=](const Index &i) {
    Index source(i.size());
    for (std::size_t k = 0; k < i.size(); ++k)
      source[permutation[k]] = i[k];
    return source;
  });
}

/// Returns the slice at `at` of dimension 0, without that dimension.
NaiveView indexed(const NaiveView &v, std::size_t at) {
  return v.map({v.shape.begin() + 1, v.shape.end()}, [=](Index i) {
    i.insert(i.begin(), at);
    return i;
  });
}

NaiveView joined(const std::vector<NaiveView> &parts, std::size_t d) {
  Index shape = parts.front().shape;
  shape[d] = 0;
  for (const NaiveView &part : parts)
    shape[d] += part.shape[d];
  NaiveView all{shape, {}};
  std::size_t outer = 1;
  for (std::size_t k = 0; k < d; ++k)
    outer *= shape[k];
  for (std::size_t o = 0; o < outer; ++o)
    for (const NaiveView &part : parts) {
      const auto row = static_cast<std::ptrdiff_t>(part.elements.size() / outer);
      const auto begin = part.elements.begin() + static_cast<std::ptrdiff_t>(o) * row;
      all.elements.insert(all.elements.end(), begin, begin + row);
    }
  return all;
}

} // namespace

std::vector<std::size_t> elementsOf(const Tensor &t) {
  std::vector<std::size_t> elements;
  for (const popscope::ViewRun &run : popscope::viewOf(t).runs)
    for (std::uint64_t i = 0; i < run.count; ++i)
      elements.push_back(
          run.var.index() * kVarStep +
          static_cast<std::size_t>(static_cast<std::int64_t>(run.begin) + static_cast<std::int64_t>(i) * run.stride));
  return elements;
}

RandomViews::RandomViews(unsigned seed)
    : counts(operations().size()), random_(seed), graph_(Target::createCPUTarget()) {}

std::size_t RandomViews::pick(std::size_t low, std::size_t high) {
  return low + random_() % (high - low + 1); // bits are the same on every platform, distributions are not
}

Pair RandomViews::fresh(std::vector<std::size_t> shape) {
  const std::size_t var = popscope::irOf(graph_).vars.size();
  return {graph_.addVariable(FLOAT, shape, "v" + std::to_string(var)), NaiveView::iota(shape, var * kVarStep), "v"};
}

Pair RandomViews::start() {
  std::vector<std::size_t> shape;
  for (std::size_t rank = pick(0, 4); rank > 0; --rank)
    shape.push_back(pick(pick(0, 9) == 0 ? 0 : 1, 4));
  return fresh(shape);
}

std::vector<std::size_t> RandomViews::factorise(std::size_t n) {
  std::vector<std::size_t> dims;
  if (n == 0) {
    dims = {pick(0, 3), 0, pick(0, 3)};
  } else {
    for (std::size_t f = 2; n > 1;) {
      if (n % f == 0) {
        dims.push_back(f);
        n /= f;
      } else {
        ++f;
      }
    }
    for (std::size_t k = dims.size() + 1; k-- > 1;) // joins some adjacent dimensions, so that shapes stay short
      if (k < dims.size() && pick(0, 1) == 0) {
        dims[k - 1] *= dims[k];
        dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(k));
      }
    if (pick(0, 3) == 0)
      dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(pick(0, dims.size())), 1);
  }
  return dims;
}

std::vector<unsigned> RandomViews::permutation(std::size_t n) {
  std::vector<unsigned> p(n);
  std::iota(p.begin(), p.end(), 0u);
  for (std::size_t i = n; i > 1; --i)
    std::swap(p[i - 1], p[pick(0, i - 1)]);
  return p;
}

const std::vector<std::string> &RandomViews::operations() {
  static const std::vector<std::string> names{"slice",
                                              "slice of dimensions",
                                              "slice of an interval",
                                              "slices of intervals",
                                              "slices of groups",
                                              "slices of indices",
                                              "index",
                                              "[]",
                                              "subSample",
                                              "flatten",
                                              "flatten partial",
                                              "reshape",
                                              "reshapePartial",
                                              "dimShuffle",
                                              "dimShufflePartial",
                                              "dimRoll",
                                              "transpose",
                                              "reverse",
                                              "reinterpret",
                                              "expand",
                                              "squeeze",
                                              "upsample",
                                              "broadcast",
                                              "concat",
                                              "concat of two",
                                              "append",
                                              "clone of nothing"};
  return names;
}

Pair RandomViews::step(const Pair &p) {
  if (p.slow.elements.size() > mostElements) {
    const std::size_t half = p.slow.elements.size() / 2;
    NaiveView flat = reshaped(p.slow, {p.slow.elements.size()});
    return {p.fast.flatten().slice(half, p.slow.elements.size()), sliced(flat, half, p.slow.elements.size(), 0),
            p.history + ", half"};
  }
  for (;;) {
    const std::size_t operation = pick(0, operations().size() - 1);
    Pair next = apply(operation, p);
    if (!next.fast.valid())
      continue; // does not apply to this shape
    ++counts[operation];
    next.history = p.history + ", " + operations()[operation];
    return next;
  }
}

Pair RandomViews::apply(std::size_t operation, const Pair &p) {
  const Index &shape = p.slow.shape;
  const std::string &name = operations()[operation];
  const Pair no{};
  // Operations for every shape.
  if (name == "flatten")
    return {p.fast.flatten(), reshaped(p.slow, {p.slow.elements.size()}), ""};
  if (name == "reshape") {
    const std::vector<std::size_t> dims = factorise(p.slow.elements.size());
    return {p.fast.reshape(dims), reshaped(p.slow, dims), ""};
  }
  if (name == "reinterpret") {
    const Type types[] = {FLOAT, INT, UNSIGNED_INT};
    return {p.fast.reinterpret(types[pick(0, 2)]).reinterpret(FLOAT), p.slow, ""};
  }
  if (name == "expand") {
    std::vector<std::size_t> where;
    for (std::size_t n = pick(0, 2); n > 0; --n)
      where.push_back(pick(0, shape.size()));
    Index dims;
    for (std::size_t d = 0; d <= shape.size(); ++d) {
      for (const std::size_t w : where)
        if (w == d)
          dims.push_back(1);
      if (d < shape.size())
        dims.push_back(shape[d]);
    }
    return {p.fast.expand(where), reshaped(p.slow, dims), ""};
  }
  if (name == "squeeze") {
    std::vector<std::size_t> where;
    Index dims;
    for (std::size_t d = 0; d < shape.size(); ++d)
      if (shape[d] == 1 && pick(0, 1) == 0)
        where.push_back(d);
      else
        dims.push_back(shape[d]);
    return {p.fast.squeeze(where), reshaped(p.slow, dims), ""};
  }
  if (name == "dimShuffle") {
    const std::vector<unsigned> order = permutation(shape.size());
    return {p.fast.dimShuffle(order), shuffled(p.slow, order), ""};
  }
  if (name == "dimShufflePartial") {
    std::vector<unsigned> from = permutation(shape.size()), to = permutation(shape.size());
    const std::size_t n = pick(0, shape.size());
    from.resize(n);
    to.resize(n);
    std::vector<unsigned> order(shape.size()), rest;
    std::vector<bool> placed(shape.size(), false);
    for (unsigned d = 0; d < shape.size(); ++d)
      if (std::find(from.begin(), from.end(), d) == from.end())
        rest.push_back(d);
    for (std::size_t k = 0; k < n; ++k) {
      order[to[k]] = from[k];
      placed[to[k]] = true;
    }
    std::size_t next = 0;
    for (std::size_t d = 0; d < shape.size(); ++d)
      if (!placed[d])
        order[d] = rest[next++];
    return {p.fast.dimShufflePartial(from, to), shuffled(p.slow, order), ""};
  }
  if (name == "index") {
    std::vector<std::size_t> leading;
    NaiveView v = p.slow;
    for (std::size_t n = pick(0, shape.size()); n > 0 && v.shape[0] > 0; --n) {
      leading.push_back(pick(0, v.shape[0] - 1));
      v = indexed(v, leading.back());
    }
    return {p.fast.index(leading), v, ""};
  }
  if (name == "slice of dimensions") {
    std::vector<std::size_t> begin, end;
    NaiveView v = p.slow;
    for (std::size_t d = 0, n = pick(0, shape.size()); d < n; ++d) {
      begin.push_back(pick(0, shape[d]));
      end.push_back(pick(begin.back(), shape[d]));
      v = sliced(v, begin.back(), end.back(), d);
    }
    return {p.fast.slice(begin, end), v, ""};
  }
  if (name == "clone of nothing") { // a view of a variable without elements, of the same rank
    Index none = shape;
    if (none.empty())
      return no;
    none[pick(0, none.size() - 1)] = 0;
    return pick(0, 5) == 0 ? fresh(none) : no;
  }
  if (shape.empty())
    return no;
  // Operations along a dimension.
  const std::size_t d = pick(0, shape.size() - 1);
  const auto dim = static_cast<unsigned>(d);
  if (name == "slice" || name == "slice of an interval") {
    const std::size_t begin = pick(0, shape[d]), end = pick(begin, shape[d]);
    if (name == "slice" && d == 0 && pick(0, 1) == 0)
      return {p.fast.slice(begin, end), sliced(p.slow, begin, end, 0), ""};
    return {name == "slice" ? p.fast.slice(begin, end, dim) : p.fast.slice(Interval(begin, end), dim),
            sliced(p.slow, begin, end, d), ""};
  }
  if (name == "slices of intervals" || name == "slices of groups") {
    std::vector<Interval> intervals;
    std::vector<NaiveView> parts;
    for (std::size_t n = pick(1, 3); n > 0; --n) {
      const std::size_t begin = pick(0, shape[d]), end = pick(begin, shape[d]);
      intervals.emplace_back(begin, end);
      parts.push_back(sliced(p.slow, begin, end, d));
    }
    const std::vector<Tensor> fast = name == "slices of intervals"
                                         ? p.fast.slices(intervals, dim)
                                         : p.fast.slices(std::vector<std::vector<Interval>>{intervals, {}}, dim);
    return name == "slices of intervals" ? Pair{concat(fast, dim), joined(parts, d), ""}
                                         : Pair{fast[0], joined(parts, d), ""};
  }
  if (name == "slices of indices") {
    if (shape[d] == 0)
      return no;
    std::vector<unsigned> indices;
    std::vector<NaiveView> parts;
    for (std::size_t n = pick(1, 3); n > 0; --n) {
      indices.push_back(static_cast<unsigned>(pick(0, shape[d] - 1)));
      parts.push_back(sliced(p.slow, indices.back(), indices.back() + 1, d));
    }
    return {concat(p.fast.slices(ArrayRef<unsigned>(indices), dim), dim), joined(parts, d), ""};
  }
  if (name == "[]") {
    if (shape[0] == 0)
      return no;
    const std::size_t at = pick(0, shape[0] - 1);
    return {pick(0, 1) == 0 ? Tensor(p.fast[at]) : Tensor(Tensor(p.fast)[at]), indexed(p.slow, at), ""};
  }
  if (name == "subSample") {
    const std::size_t stride = pick(1, 3);
    Index dims = shape;
    dims[d] = (shape[d] + stride - 1) / stride;
    return {p.fast.subSample(static_cast<unsigned>(stride), dim),
            p.slow.map(dims,
                       [=](Index i) {
                         i[d] *= stride;
                         return i;
                       }),
            ""};
  }
  if (name == "flatten partial" || name == "reshapePartial") {
    const std::size_t end = pick(d, shape.size());
    const auto from = shape.begin() + static_cast<std::ptrdiff_t>(d),
               to = shape.begin() + static_cast<std::ptrdiff_t>(end);
    const std::size_t merged = NaiveView::product({from, to});
    const bool flattens = name == "flatten partial";
    const std::vector<std::size_t> middle = flattens ? std::vector<std::size_t>{merged} : factorise(merged);
    Index dims(shape.begin(), from);
    dims.insert(dims.end(), middle.begin(), middle.end());
    dims.insert(dims.end(), to, shape.end());
    const auto last = static_cast<unsigned>(end);
    return {flattens ? p.fast.flatten(dim, last) : p.fast.reshapePartial(dim, last, middle), reshaped(p.slow, dims),
            ""};
  }
  if (name == "dimRoll") {
    const std::size_t to = pick(0, shape.size() - 1);
    std::vector<unsigned> order(shape.size());
    std::iota(order.begin(), order.end(), 0u);
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(d));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), dim);
    return {p.fast.dimRoll(dim, static_cast<unsigned>(to)), shuffled(p.slow, order), ""};
  }
  if (name == "transpose")
    return shape.size() == 2 ? Pair{p.fast.transpose(), shuffled(p.slow, {1, 0}), ""} : no;
  if (name == "reverse")
    return {p.fast.reverse(dim),
            p.slow.map(shape,
                       [=](Index i) {
                         i[d] = shape[d] - 1 - i[d];
                         return i;
                       }),
            ""};
  if (name == "upsample" || name == "broadcast") {
    const std::size_t n = pick(0, 3);
    const bool upsamples = name == "upsample";
    if (upsamples && n == 0)
      return no;
    Index dims = shape;
    dims[d] *= n;
    const auto factor = static_cast<unsigned>(n);
    return {upsamples ? p.fast.upsample(factor, dim, UpsampleMethod::REPEAT) : p.fast.broadcast(factor, dim),
            p.slow.map(dims,
                       [=](Index i) {
                         i[d] = upsamples ? i[d] / n : i[d] % shape[d];
                         return i;
                       }),
            ""};
  }
  Index other = shape;
  if (name == "append") {
    other.erase(other.begin() + static_cast<std::ptrdiff_t>(d));
    const Pair element = fresh(other);
    Index row = shape;
    row[d] = 1;
    return {d == 0 && pick(0, 1) == 0 ? append(p.fast, element.fast) : append(p.fast, element.fast, dim),
            joined({p.slow, reshaped(element.slow, row)}, d), ""};
  }
  other[d] = pick(0, 2);
  const Pair second = fresh(other);
  if (name == "concat of two")
    return {concat(p.fast, second.fast, dim), joined({p.slow, second.slow}, d), ""};
  return {concat({second.fast, p.fast, second.fast}, dim), joined({second.slow, p.slow, second.slow}, d), ""};
}

} // namespace view_tests
