// Compute sets. No vertex writes what another vertex reads or writes, and every vertex reads the values from before the
// compute set.
#include "tests/property/programs/RandomProgram.hpp"

#include <algorithm>

namespace random_programs {

using Values = std::vector<std::int64_t>;
using Elements = std::vector<std::size_t>;

struct RandomProgram::Group {
  poplar::ComputeSet set;
  std::set<std::size_t> read, written;
  std::vector<std::function<void(const Values &before, Values &now)>> vertices; // of one replica
  /// Returns the elements that a vertex may not write.
  [[nodiscard]] std::set<std::size_t> taken() const {
    std::set<std::size_t> all = read;
    all.insert(written.begin(), written.end());
    return all;
  }
  [[nodiscard]] bool mayRead(const TwinTensor &t) const {
    return std::none_of(t.naive.elements.begin(), t.naive.elements.end(),
                        [&](std::size_t e) { return written.count(e) != 0; });
  }
  void reads(const TwinTensor &t) { read.insert(t.naive.elements.begin(), t.naive.elements.end()); }
  void writes(const TwinTensor &t) { written.insert(t.naive.elements.begin(), t.naive.elements.end()); }
};

namespace {

/// Returns intervals that cut `n` elements into `rows` rows, some of them empty.
std::vector<std::size_t> cuts(RandomProgram &p, std::size_t n, std::size_t rows) {
  std::vector<std::size_t> at{0, n};
  while (at.size() < rows + 1)
    at.push_back(p.below(narrow(n + 1)));
  std::sort(at.begin(), at.end());
  return at;
}

struct Rows {
  std::vector<poplar::Tensor> tensors;
  std::vector<Elements> elements;
};
Rows rowsOf(const TwinTensor &t, const std::vector<std::size_t> &at) {
  Rows rows;
  for (std::size_t i = 0; i + 1 < at.size(); ++i) {
    rows.tensors.push_back(t.tensor.slice(at[i], at[i + 1]));
    rows.elements.emplace_back(t.naive.elements.begin() + static_cast<std::ptrdiff_t>(at[i]),
                               t.naive.elements.begin() + static_cast<std::ptrdiff_t>(at[i + 1]));
  }
  return rows;
}

std::vector<poplar::Tensor> flattened(std::vector<poplar::Tensor> tensors) {
  for (poplar::Tensor &t : tensors)
    t = t.flatten();
  return tensors;
}

std::string named(const char *vertex, const Kind &kind) { return std::string(vertex) + "<" + kind.name + ">"; }

std::int64_t castValue(const Kind &to, std::int64_t v) { return v == kUndefined ? v : v % to.modulus; }

} // namespace

void RandomProgram::addVertex(Group &g) {
  const std::size_t n = 1 + below(9);
  const auto put = [&](const std::string &type, std::vector<poplar::Graph::ConnectionDesc> fields) {
    count(type);
    const poplar::VertexRef v = graph.addVertex(g.set, type, fields);
    const unsigned tile = someTile();
    graph.setTileMapping(v, tile);
    vertexList_ += "cs" + std::to_string(names_ - 1) + ": " + type + " on tile " + std::to_string(tile) + ":";
    for (const poplar::Graph::ConnectionDesc &c : fields)
      vertexList_ += " " + c.field + " = " + (c.is2D ? poplar::concat(flattened(c.tensors)) : c.tensor).getDebugStr();
    vertexList_ += "\n";
    return v;
  };
  switch (below(7)) {
  case 0: { // out = a + b
    const Kind &kind = someKind();
    const TwinTensor out = target(kind, n, g.taken());
    const std::size_t m = out.naive.elements.size();
    const TwinTensor a = source(kind, m), b = source(kind, m);
    Group alone = g;
    alone.writes(out);
    if (!alone.mayRead(a) || !alone.mayRead(b) || m == 0)
      return;
    put(named("Add", kind), {{"a", a.tensor}, {"b", b.tensor}, {"out", out.tensor}});
    g.reads(a), g.reads(b), g.writes(out);
    g.vertices.push_back(
        [&kind, a = a.naive.elements, b = b.naive.elements, o = out.naive.elements](const Values &before, Values &now) {
          for (std::size_t i = 0; i < o.size(); ++i)
            now[o[i]] = fold(kind, before[a[i]], before[b[i]]);
        });
    return;
  }
  case 1: { // running sums in place
    static const poplar::Type types[] = {poplar::INT, poplar::FLOAT, poplar::HALF, poplar::UNSIGNED_CHAR};
    const Kind &kind = kindOf(types[below(4)]);
    const TwinTensor x = target(kind, n, g.taken());
    if (x.naive.elements.empty())
      return;
    const std::int64_t by = value(kind);
    graph.setInitialValue(put(named("Prefix", kind), {{"x", x.tensor}})["by"], by);
    g.writes(x);
    g.vertices.push_back([&kind, by, x = x.naive.elements](const Values &before, Values &now) {
      std::int64_t s = by;
      for (const std::size_t e : x)
        now[e] = s = fold(kind, s, before[e]);
    });
    return;
  }
  case 2: { // sums of rows of different lengths
    static const poplar::Type types[] = {poplar::INT, poplar::HALF, poplar::SHORT, poplar::QUARTER};
    const Kind &kind = kindOf(types[below(4)]);
    const TwinTensor out = target(kind, 1 + below(4), g.taken());
    const TwinTensor in = source(kind, n);
    Group alone = g;
    alone.writes(out);
    if (!alone.mayRead(in) || out.naive.elements.empty())
      return;
    const Rows rows = rowsOf(in, cuts(*this, n, out.naive.elements.size()));
    put(named("Rows", kind), {{"in", rows.tensors}, {"out", out.tensor}});
    g.reads(in), g.writes(out);
    g.vertices.push_back([&kind, rows = rows.elements, o = out.naive.elements](const Values &before, Values &now) {
      for (std::size_t i = 0; i < o.size(); ++i) {
        std::int64_t s = static_cast<std::int64_t>(i % 2);
        for (const std::size_t e : rows[i])
          s = fold(kind, s, before[e]);
        now[o[i]] = s;
      }
    });
    return;
  }
  case 3: { // one element to rows
    static const poplar::Type types[] = {poplar::FLOAT, poplar::UNSIGNED_CHAR, poplar::QUARTER};
    const Kind &kind = kindOf(types[below(3)]);
    const TwinTensor out = target(kind, n, g.taken());
    const TwinTensor in = source(kind, 1);
    Group alone = g;
    alone.writes(out);
    if (!alone.mayRead(in) || out.naive.elements.empty())
      return;
    const Rows rows = rowsOf(out, cuts(*this, out.naive.elements.size(), 1 + below(3)));
    put(named("Spread", kind), {{"in", in.tensor[0]}, {"out", rows.tensors}});
    g.reads(in), g.writes(out);
    g.vertices.push_back([&kind, in = in.naive.elements, o = out.naive.elements](const Values &before, Values &now) {
      std::int64_t s = before[in[0]];
      for (const std::size_t e : o)
        now[e] = s = fold(kind, s, 1);
    });
    return;
  }
  case 4: { // scalars in reverse order
    static const poplar::Type types[] = {poplar::UNSIGNED_INT, poplar::HALF, poplar::QUARTER};
    const Kind &kind = kindOf(types[below(3)]);
    const TwinTensor x = target(kind, n, g.taken());
    if (x.naive.elements.empty())
      return;
    std::vector<poplar::Tensor> scalars;
    for (std::size_t i = 0; i < x.naive.elements.size(); ++i)
      scalars.push_back(x.tensor[i]);
    put(named("Turn", kind), {{"in", scalars}});
    g.writes(x);
    g.vertices.push_back([x = x.naive.elements](const Values &before, Values &now) {
      for (std::size_t i = 0; i < x.size(); ++i)
        now[x[i]] = before[x[x.size() - 1 - i]];
    });
    return;
  }
  case 5: { // conversions
    static const poplar::Type types[][2] = {
        {poplar::INT, poplar::HALF},          {poplar::HALF, poplar::FLOAT},   {poplar::FLOAT, poplar::UNSIGNED_CHAR},
        {poplar::UNSIGNED_CHAR, poplar::INT}, {poplar::HALF, poplar::QUARTER}, {poplar::QUARTER, poplar::FLOAT}};
    const auto &pair = types[below(6)];
    const Kind &from = kindOf(pair[0]), &to = kindOf(pair[1]);
    const TwinTensor out = target(to, n, g.taken());
    const TwinTensor in = source(from, out.naive.elements.size());
    if (out.naive.elements.empty() || !g.mayRead(in))
      return;
    put(std::string("Cast<") + from.name + "," + to.name + ">", {{"in", in.tensor}, {"out", out.tensor}});
    g.reads(in), g.writes(out);
    g.vertices.push_back([&to, in = in.naive.elements, o = out.naive.elements](const Values &before, Values &now) {
      for (std::size_t i = 0; i < o.size(); ++i)
        now[o[i]] = castValue(to, before[in[i]]);
    });
    return;
  }
  default: { // a share for each of six workers
    const Kind &kind = kindOf(poplar::INT);
    const TwinTensor out = target(kind, 3 * n, g.taken());
    const TwinTensor in = source(kind, out.naive.elements.size());
    Group alone = g;
    alone.writes(out);
    if (out.naive.elements.empty() || !alone.mayRead(in))
      return;
    put("Shares", {{"in", in.tensor}, {"out", out.tensor}});
    g.reads(in), g.writes(out);
    g.vertices.push_back([&kind, in = in.naive.elements, o = out.naive.elements](const Values &before, Values &now) {
      for (std::size_t i = 0; i < o.size(); ++i)
        now[o[i]] = fold(kind, before[in[i]], static_cast<std::int64_t>(i));
    });
  }
  }
}

TwinProgram RandomProgram::execute() {
  Group g{graph.addComputeSet("cs" + std::to_string(names_++)), {}, {}, {}};
  for (std::uint32_t n = 1 + below(5); n > 0; --n)
    addVertex(g);
  count("Execute");
  return {poplar::program::Execute(g.set), [vertices = g.vertices](World &w) {
            for (Values &now : w.values) {
              const Values before = now;
              for (const auto &vertex : vertices)
                vertex(before, now);
            }
          }};
}

/// Adds vertices that vote: the result is the logical AND of their return values.
TwinProgram RandomProgram::vote() {
  Group g{graph.addComputeSet("vote" + std::to_string(names_++)), {}, {}, {}};
  const TwinTensor result = target(kindOf(poplar::BOOL), 1, {});
  Elements inputs;
  for (std::uint32_t n = 1 + below(3); n > 0; --n) {
    const TwinTensor out = target(kindOf(poplar::INT), 1, g.taken()), in = source(kindOf(poplar::INT), 1);
    Group alone = g;
    alone.writes(out);
    if (out.naive.elements.empty() || !alone.mayRead(in))
      continue;
    graph.setTileMapping(graph.addVertex(g.set, "Even", {{"in", in.tensor[0]}, {"out", out.tensor[0]}}), someTile());
    g.reads(in), g.writes(out);
    g.vertices.push_back([i = in.naive.elements[0], o = out.naive.elements[0]](const Values &before, Values &now) {
      now[o] = before[i] == kUndefined ? kUndefined : before[i] % 2 == 0 ? 1 : 0;
    });
    inputs.push_back(in.naive.elements[0]);
  }
  if (result.naive.elements.empty())
    return execute();
  count("Execute with a result");
  return {poplar::program::Execute(g.set, result.tensor[0]),
          [inputs, vertices = g.vertices, r = result.naive.elements[0]](World &w) {
            for (Values &now : w.values) {
              const Values before = now;
              for (const auto &vertex : vertices)
                vertex(before, now);
              now[r] = 1;
              for (const std::size_t e : inputs)
                now[r] = before[e] == kUndefined || now[r] == kUndefined ? kUndefined : before[e] % 2 == 0 ? now[r] : 0;
            }
          }};
}

/// Decrements the counter until it is 0, and sets `done` when it is 0.
TwinProgram RandomProgram::stepDown(const TwinTensor &counter, const TwinTensor &done) {
  const poplar::ComputeSet cs = graph.addComputeSet("step" + std::to_string(names_++));
  graph.setTileMapping(graph.addVertex(cs, "Step", {{"left", counter.tensor}, {"done", done.tensor}}), someTile());
  count("Step");
  return {poplar::program::Execute(cs), [c = counter.naive.elements[0], d = done.naive.elements[0]](World &w) {
            for (Values &now : w.values) {
              now[c] = now[c] > 0 ? now[c] - 1 : now[c];
              now[d] = now[c] <= 0 ? 1 : 0;
            }
          }};
}

} // namespace random_programs
