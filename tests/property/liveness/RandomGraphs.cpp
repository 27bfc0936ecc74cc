#include "tests/property/liveness/RandomGraphs.hpp"

#include <poplar/Target.hpp>

#include <algorithm>
#include <sstream>
#include <string>

using namespace poplar;
using namespace poplar::program;

namespace popscope::testing {
namespace {

constexpr unsigned kTiles = 3, kMaxDepth = 4;
const char *const kCodelets = R"(
#include <poplar/Vertex.hpp>
struct Sink : poplar::Vertex {
  poplar::Input<poplar::Vector<float>> in;
  bool compute() { return true; }
};
struct Fill : poplar::Vertex {
  poplar::Output<poplar::Vector<float>> out;
  bool compute() { return true; }
};
struct Update : poplar::Vertex {
  poplar::InOut<poplar::Vector<float>> x;
  bool compute() { return true; }
};
struct UpdateAll : poplar::Vertex {
  poplar::Vector<poplar::InOut<poplar::Vector<float>>> xs;
  bool compute() { return true; }
};
)";

} // namespace

RandomGraph::RandomGraph(std::uint32_t seed) : random_(seed), graph_(Target::createIPUTarget(1, kTiles, "ipu2")) {
  std::stringstream source(kCodelets);
  graph_.addCodelets(source);
  addVariables();
}

void RandomGraph::addVariables() {
  for (unsigned v = 0; v < 6; ++v) {
    const std::size_t elements = 1 + below(6);
    const Tensor t = graph_.addVariable(FLOAT, {elements}, "v" + std::to_string(v));
    for (std::size_t at = 0; at < elements;) { // in pieces
      const std::size_t end = std::min<std::size_t>(elements, at + 1 + below(4));
      graph_.setTileMapping(t.slice(at, end), below(kTiles));
      at = end;
    }
    vars_.push_back(t);
    if (chance(10))
      graph_.createHostWrite("write" + std::to_string(v), chance(50) ? t : t.slice(0, 1));
    if (chance(10))
      graph_.createHostRead("read" + std::to_string(v), t);
  }
  constant_ = graph_.addConstant<float>(FLOAT, {4}, {1.0f, 2.0f, 3.0f, 4.0f},
                                        "constant"); // a constant with a single value would be filled in
  predicate_ = graph_.addVariable(BOOL, {}, "predicate");
  selector_ = graph_.addVariable(INT, {}, "selector");
  row_ = graph_.addVariable(UNSIGNED_INT, {1}, "row");
  for (const Tensor &t : {constant_, predicate_, selector_, row_})
    graph_.setTileMapping(t, below(kTiles));
}

Tensor RandomGraph::someView(const Tensor &t) {
  const auto n = static_cast<std::uint32_t>(t.numElements());
  switch (below(7)) {
  case 0: return t.reverse(0);
  case 1: return t.subSample(1 + below(2), 0);
  case 2: {
    const std::uint32_t begin = below(n);
    return t.slice(begin, begin + 1 + below(n - begin));
  }
  case 3: {
    const std::uint32_t middle = below(n);
    return concat(t.slice(middle, n), t.slice(0, middle));
  }
  default: return t;
  }
}

std::vector<Program> RandomGraph::programs() {
  points_ = 0;
  budget_ = 14 + below(20);
  functions_.clear();
  for (unsigned f = below(3); f > 0; --f) // functions call only earlier ones
    functions_.push_back(graph_.addFunction(sequence(2)));
  std::vector<Program> result;
  for (unsigned p = 0, n = chance(60) ? 1 : 1 + below(3); p < n; ++p)
    result.push_back(sequence(0));
  return result;
}

void RandomGraph::addPoint(Sequence &s) { s.add(Sync(SyncType::INTERNAL, "p" + std::to_string(points_++))); }

RandomGraph::Sequence RandomGraph::sequence(unsigned depth) {
  Sequence s;
  addPoint(s);
  for (unsigned i = 0, n = below(5); i < n && budget_ > 0; ++i) {
    --budget_;
    s.add(child(depth + 1));
    addPoint(s);
  }
  return s;
}

Program RandomGraph::child(unsigned depth) { return depth < kMaxDepth && chance(35) ? control(depth) : leaf(); }

Program RandomGraph::leaf() {
  switch (below(21)) {
  case 16:
  case 17: return overwriteInParts();
  case 18:
  case 19:
  case 20: return copiesAndSets();
  case 0: return WriteUndef(someView(someVariable()));
  case 1: return PrintTensor(someView(someVariable()));
  case 2: return AbortOnCondition(predicate_);
  case 3:
    if (chance(85))
      return AssumeEqualAcrossReplicas(someVariable());
    return chance(50) ? Program(Abort("stop")) : Program(ErrorProgram("stop", someVariable()));
  case 4:
  case 5:
  case 6: return copy();
  case 7:
  case 8: return hostCopy();
  case 9:
    return functions_.empty() ? execute() : Call(functions_[below(static_cast<std::uint32_t>(functions_.size()))]);
  default: return execute();
  }
}

void RandomGraph::connect(ComputeSet cs, const char *codelet, const char *field, const Tensor &t) {
  const VertexRef v = graph_.addVertex(cs, codelet, {{field, t}});
  graph_.setTileMapping(v, below(kTiles));
}

// One to three variables, each used in one way, so that no two vertices race.
Program RandomGraph::execute() {
  const ComputeSet cs = graph_.addComputeSet("cs" + std::to_string(names_++));
  std::vector<Tensor> left = vars_;
  for (unsigned i = 0, n = 1 + below(3); i < n; ++i) {
    const auto at = left.begin() + below(static_cast<std::uint32_t>(left.size()));
    const Tensor t = *at;
    left.erase(at);
    const auto size = static_cast<std::uint32_t>(t.numElements());
    switch (below(10)) {
    case 0:
    case 1: connect(cs, "Sink", "in", someView(t)); break;
    case 2: connect(cs, "Update", "x", someView(t)); break;
    case 8: connect(cs, "Update", "x", t); break; // mostly on another tile, because elements are spread over tiles
    case 9: update(cs, t, left); break;
    case 3: connect(cs, "Sink", "in", concat(constant_.slice(0, 2), someView(t))); break;
    case 4: { // in two parts, possibly with a gap
      const std::uint32_t middle = below(size), from = std::min(size, middle + (chance(30) ? 1 : 0));
      if (middle > 0)
        connect(cs, "Fill", "out", t.slice(0, middle));
      if (from < size)
        connect(cs, "Fill", "out", t.slice(from, size));
      break;
    }
    case 5: { // one vertex writes this variable and a part of another
      const Tensor other = left[below(static_cast<std::uint32_t>(left.size()))];
      left.erase(std::find_if(left.begin(), left.end(), [&](const Tensor &o) { return o == other; }));
      connect(cs, "Fill", "out", concat(t, someView(other)));
      break;
    }
    default: connect(cs, "Fill", "out", someView(t));
    }
  }
  return chance(20) ? Execute(cs, predicate_) : Execute(cs);
}

// The variable is read and written in two parts: by two vertices, by one field, or by one vertex with a part of another
// variable.
void RandomGraph::update(ComputeSet cs, const Tensor &t, std::vector<Tensor> &left) {
  const auto size = static_cast<std::uint32_t>(t.numElements());
  const std::uint32_t middle = below(size);
  if (chance(30)) {
    const Tensor other = left[below(static_cast<std::uint32_t>(left.size()))];
    left.erase(std::find_if(left.begin(), left.end(), [&](const Tensor &o) { return o == other; }));
    return connect(cs, "Update", "x", concat(t.slice(middle, size), someView(other)));
  }
  if (middle > 0 && chance(50)) {
    const VertexRef v =
        graph_.addVertex(cs, "UpdateAll", {{"xs", std::vector<Tensor>{t.slice(middle, size), t.slice(0, middle)}}});
    return graph_.setTileMapping(v, below(kTiles));
  }
  if (middle > 0)
    connect(cs, "Update", "x", t.slice(0, middle));
  connect(cs, "Update", "x", t.slice(middle, size));
}

// Two consecutive programs write all elements of one variable.
Program RandomGraph::overwriteInParts() {
  const Tensor t = someVariable();
  const std::size_t n = t.numElements(), middle = below(static_cast<std::uint32_t>(n));
  Sequence both;
  for (const Tensor &part : {t.slice(0, middle), t.slice(middle, n)}) {
    if (part.numElements() == 0)
      continue;
    if (chance(40)) {
      both.add(Copy(source(part.numElements(), t), part));
      continue;
    }
    const ComputeSet cs = graph_.addComputeSet("part" + std::to_string(names_++));
    connect(cs, "Fill", "out", part);
    both.add(Execute(cs));
  }
  return both;
}

// There is no point in between, so lowering may merge some of them.
Program RandomGraph::copiesAndSets() {
  Sequence all;
  for (std::uint32_t n = 2 + below(4); n > 0; --n)
    all.add(chance(65) ? copy() : execute());
  return all;
}

// Returns as many elements of another variable or of the constant, or one element broadcast.
Tensor RandomGraph::source(std::size_t elements, const Tensor &notOf) {
  for (unsigned attempt = 0; attempt < 4; ++attempt) {
    const Tensor t = chance(15) ? constant_ : someVariable();
    if (t == notOf)
      continue;
    const Tensor view = someView(t);
    if (view.numElements() >= elements)
      return view.slice(0, elements);
    return view.slice(0, 1).broadcast(static_cast<unsigned>(elements), 0);
  }
  return constant_.slice(0, 1).broadcast(static_cast<unsigned>(elements), 0);
}

Program RandomGraph::copy() {
  const Tensor t = someVariable();
  const std::size_t n = t.numElements();
  if (n > 1 && chance(25)) // within one variable, overlapping or not; no element is copied to itself
    return chance(50) ? Copy(t.slice(0, n - 1), t.slice(1, n)) : Copy(t.slice(1, n), t.slice(0, n - 1));
  const Tensor destination = someView(t);
  return Copy(source(destination.numElements(), t), destination);
}

Program RandomGraph::hostCopy() {
  const Tensor view = someView(someVariable());
  const std::string handle = "s" + std::to_string(names_++);
  switch (below(4)) {
  case 0: return Copy(graph_.addHostToDeviceFIFO(handle, FLOAT, view.numElements()), view);
  case 1: return Copy(view, graph_.addDeviceToHostFIFO(handle, FLOAT, view.numElements()));
  default: break;
  }
  const RemoteBuffer buffer = graph_.addRemoteBuffer(handle, FLOAT, view.numElements(), 4);
  if (chance(50))
    return chance(50) ? Copy(buffer, view, row_) : Copy(view, buffer, row_);
  return chance(50) ? Copy(buffer, view) : Copy(view, buffer);
}

Program RandomGraph::control(unsigned depth) {
  switch (below(7)) {
  case 0: return Repeat(below(3), sequence(depth));
  case 1: return RepeatWhileTrue(sequence(depth), predicate_, sequence(depth));
  case 2: return RepeatWhileFalse(sequence(depth), predicate_, sequence(depth));
  case 3: return sequence(depth);
  case 4: {
    std::vector<std::pair<std::int32_t, Program>> cases;
    for (unsigned c = 0, n = 1 + below(2); c < n; ++c)
      cases.emplace_back(static_cast<std::int32_t>(c), sequence(depth));
    return chance(50) ? Switch(selector_, cases, sequence(depth)) : Switch(selector_, cases);
  }
  default: return If(predicate_, sequence(depth), chance(70) ? sequence(depth) : Sequence());
  }
}

} // namespace popscope::testing
