// Variables, and views of them.
#include "tests/property/programs/RandomProgram.hpp"

#include <algorithm>
#include <numeric>

namespace random_programs {

using Index = NaiveView::Index;

namespace {

TwinTensor slice(const TwinTensor &t, std::size_t begin, std::size_t end, std::size_t dim) {
  Index shape = t.naive.shape;
  shape[dim] = end - begin;
  const auto at = [=](Index i) {
    i[dim] += begin;
    return i;
  };
  return {t.tensor.slice(begin, end, static_cast<unsigned>(dim)), t.naive.map(shape, at)};
}

TwinTensor reshape(const TwinTensor &t, const Index &shape) {
  return {t.tensor.reshape(shape), NaiveView{shape, t.naive.elements}};
}
TwinTensor flatten(const TwinTensor &t) {
  return {t.tensor.flatten(), NaiveView{{t.naive.elements.size()}, t.naive.elements}};
}

TwinTensor joined(const TwinTensor &a, const TwinTensor &b) { // of rank 1
  NaiveView all = a.naive;
  all.elements.insert(all.elements.end(), b.naive.elements.begin(), b.naive.elements.end());
  all.shape = {all.elements.size()};
  return {poplar::concat(a.tensor, b.tensor), all};
}

TwinTensor shuffle(const TwinTensor &t, const std::vector<unsigned> &order) {
  Index shape;
  for (const unsigned d : order)
    shape.push_back(t.naive.shape[d]);
  return {t.tensor.dimShuffle(order), t.naive.map(shape, [=](const Index &i) {
            Index from(i.size());
            for (std::size_t d = 0; d < order.size(); ++d)
              from[order[d]] = i[d];
            return from;
          })};
}

TwinTensor reverse(const TwinTensor &t, std::size_t dim) {
  const Index shape = t.naive.shape;
  return {t.tensor.reverse(static_cast<unsigned>(dim)), t.naive.map(shape, [=](Index i) {
            i[dim] = shape[dim] - 1 - i[dim];
            return i;
          })};
}

TwinTensor everyNth(const TwinTensor &t, std::size_t n, std::size_t dim) {
  Index shape = t.naive.shape;
  shape[dim] = (shape[dim] + n - 1) / n;
  return {t.tensor.subSample(static_cast<unsigned>(n), static_cast<unsigned>(dim)), t.naive.map(shape, [=](Index i) {
            i[dim] *= n;
            return i;
          })};
}

/// Repeats each element n times (upsample), or the whole tensor n times (broadcast).
TwinTensor repeated(const TwinTensor &t, std::size_t n, std::size_t dim, bool each) {
  Index shape = t.naive.shape;
  const std::size_t old = shape[dim];
  shape[dim] *= n;
  const auto d = static_cast<unsigned>(dim);
  const auto times = static_cast<unsigned>(n);
  return {each ? t.tensor.upsample(times, d, poplar::UpsampleMethod::REPEAT) : t.tensor.broadcast(times, d),
          t.naive.map(shape, [=](Index i) {
            i[dim] = each ? i[dim] / n : i[dim] % old;
            return i;
          })};
}

} // namespace

unsigned RandomProgram::someTile() { return below(graph.getTarget().getNumTiles()); }

/// Maps the tensor in pieces to random tiles, or as a whole to one.
void RandomProgram::map(const poplar::Tensor &t) {
  const std::size_t n = t.numElements();
  if (chance(40) || n < 2) {
    graph.setTileMapping(t, someTile());
    return;
  }
  poplar::Graph::TileToTensorMapping mapping(graph.getTarget().getNumTiles());
  for (std::size_t begin = 0; begin < n;) {
    const std::size_t end = std::min<std::size_t>(n, begin + 1 + below(narrow(n)));
    mapping[someTile()].emplace_back(begin, end);
    begin = end;
  }
  graph.setTileMapping(t, mapping);
}

TwinTensor RandomProgram::addVariable(const Kind &kind, std::vector<std::size_t> shape, const std::string &name,
                                      bool constant, bool host, bool initial) {
  Variable v;
  v.constant = constant;
  v.reserved = name.rfind("control", 0) == 0;
  v.first = elements_;
  v.whole.naive = NaiveView::iota(shape, elements_);
  const std::size_t n = v.whole.naive.elements.size();
  elements_ += n;
  std::vector<std::int64_t> values(n);
  for (std::int64_t &x : values)
    x = value(kind);
  // an invalid tensor means no metadata
  const poplar::Tensor meta = kind.type == poplar::QUARTER ? metadata : poplar::Tensor();
  if (constant) {
    v.whole.tensor = graph.addConstant<std::int64_t>(kind.type, meta, shape, values, name);
  } else {
    v.whole.tensor = graph.addVariable(kind.type, meta, shape, name);
    if (initial)
      graph.setInitialValue<std::int64_t>(v.whole.tensor, values);
  }
  map(v.whole.tensor);
  if (host) {
    v.handle = name;
    graph.createHostRead(name, v.whole.tensor);
    if (!constant)
      graph.createHostWrite(name, v.whole.tensor);
  }
  if (!constant && !initial)
    values.assign(n, kUndefined);
  for (std::uint32_t r = 0; r < replicas; ++r)
    v.initial.insert(v.initial.end(), values.begin(), values.end());
  variables.push_back(v);
  return v.whole;
}

void RandomProgram::addVariables() {
  for (const Kind &kind : kinds()) {
    const std::uint32_t n = 2 + below(3);
    for (std::uint32_t i = 0; i < n; ++i) {
      std::vector<std::size_t> shape(1 + below(3));
      for (std::size_t &d : shape)
        d = 1 + below(5);
      if (chance(10))
        shape.back() = 40 + below(40);
      const bool host = i == 0 || chance(60);
      addVariable(kind, shape, std::string(kind.name) + std::to_string(i), false, host, host ? chance(30) : chance(50));
    }
    if (chance(60))
      addVariable(kind, {1 + below(12)}, std::string(kind.name) + "/constant", true, chance(30), true);
  }
}

TwinTensor RandomProgram::someVariable(const Kind &kind, bool writable) {
  for (;;) {
    const Variable &v = variables[below(narrow(variables.size()))];
    if (v.whole.tensor.elementType() == kind.type && !(writable && v.constant) && !v.reserved)
      return v.whole;
  }
}

TwinTensor RandomProgram::viewOnce(const TwinTensor &t, bool writable) {
  const Index &shape = t.naive.shape;
  if (shape.empty())
    return flatten(t);
  const std::size_t dim = below(narrow(shape.size())), size = shape[dim];
  switch (below(writable ? 8 : 11)) {
  case 0: {
    const std::size_t begin = below(narrow(size)), end = begin + 1 + below(narrow(size - begin));
    count("slice");
    return slice(t, begin, end, dim);
  }
  case 1: count("flatten"); return flatten(t);
  case 2: {
    std::vector<unsigned> order(shape.size());
    std::iota(order.begin(), order.end(), 0u);
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[below(narrow(i))]);
    count("dimShuffle");
    return shuffle(t, order);
  }
  case 3: count("reverse"); return reverse(t, dim);
  case 4: count("subSample"); return everyNth(t, 1 + below(3), dim);
  case 5: {
    const std::size_t n = t.naive.elements.size();
    for (std::size_t rows = 2; rows <= 5; ++rows)
      if (n % rows == 0) {
        count("reshape");
        return reshape(t, {n / rows, rows});
      }
    return reshape(t, {1, n});
  }
  case 6: {
    const std::size_t i = below(narrow(shape[0]));
    count("operator[]");
    return {t.tensor[i], NaiveView{Index(shape.begin() + 1, shape.end()), slice(t, i, i + 1, 0).naive.elements}};
  }
  case 7: {
    if (size < 2)
      return t;
    const std::size_t cut = 1 + below(narrow(size - 1));
    count("concat");
    const TwinTensor tail = slice(t, cut, size, dim), head = slice(t, 0, cut, dim);
    const auto at = [=](Index i) {
      i[dim] = (i[dim] + cut) % size;
      return i;
    };
    return {poplar::concat(tail.tensor, head.tensor, static_cast<unsigned>(dim)), t.naive.map(shape, at)};
  }
  case 8: count("broadcast"); return t.naive.elements.size() > 100 ? t : repeated(t, 1 + below(3), dim, false);
  case 9: count("upsample"); return t.naive.elements.size() > 100 ? t : repeated(t, 1 + below(3), dim, true);
  default: {
    const TwinTensor other = someVariable(kindOf(t.tensor.elementType()), false);
    count("concat of variables");
    return joined(flatten(t), flatten(other));
  }
  }
}

TwinTensor RandomProgram::view(TwinTensor t, bool writable) {
  for (std::uint32_t n = below(4); n > 0; --n)
    t = viewOnce(t, writable);
  return t;
}

TwinTensor RandomProgram::source(const Kind &kind, std::size_t elements) {
  TwinTensor t = flatten(view(someVariable(kind, false), false));
  while (t.naive.elements.size() < elements)
    t = joined(t, flatten(view(someVariable(kind, false), false)));
  const std::size_t begin = below(narrow(t.naive.elements.size() - elements + 1));
  return slice(t, begin, begin + elements, 0);
}

TwinTensor RandomProgram::target(const Kind &kind, std::size_t elements, const std::set<std::size_t> &apart) {
  const TwinTensor t = flatten(view(someVariable(kind, true), true));
  const auto taken = [&](std::size_t i) { return apart.count(t.naive.elements[i]) != 0; };
  std::size_t begin = below(narrow(t.naive.elements.size()));
  while (begin < t.naive.elements.size() && taken(begin))
    ++begin;
  std::size_t end = begin;
  while (end < t.naive.elements.size() && end - begin < elements && !taken(end))
    ++end;
  return slice(t, begin, end, 0);
}

} // namespace random_programs
