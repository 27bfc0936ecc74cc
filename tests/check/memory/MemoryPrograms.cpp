#include "tests/check/memory/MemoryPrograms.hpp"

#include "liveness/check/CheckConsumers.hpp"
#include "liveness/check/CheckLayout.hpp"

#include <doctest/doctest.h>
#include <poplar/Executable.hpp>

#include <sstream>

using namespace poplar;

namespace memory_tests {
namespace {

const char *const kCodelets = R"CODE(
#include <poplar/Vertex.hpp>
#include <cmath>
using namespace poplar;
class Copy : public Vertex {
public:
  Input<Vector<float>> in;
  Output<Vector<float>> out;
  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i)
      out[i] = in[i];
    return true;
  }
};
class Scale : public Vertex {
public:
  InOut<Vector<float>> x;
  float by;
  bool compute() {
    for (unsigned i = 0; i < x.size(); ++i)
      x[i] *= by;
    return true;
  }
};
class Rows : public Vertex {
public:
  Vector<Input<Vector<float>>> rows;
  Output<float> out;
  bool compute() {
    *out = rows[0][0];
    return true;
  }
};
class List : public Vertex {
public:
  Input<VectorList<float, VectorListLayout::DELTANELEMENTS>> rows;
  Output<float> out;
  bool compute() {
    *out = rows[0][0];
    return true;
  }
};
class ExpA : public Vertex {
public:
  InOut<float> x;
  bool compute() {
    *x = expf(*x);
    return true;
  }
};
class ExpB : public Vertex {
public:
  InOut<float> x;
  bool compute() {
    *x = expf(*x) + 1.0f;
    return true;
  }
};
class Table : public Vertex {
public:
  const Vector<unsigned> weights;
  InOut<float> x;
  bool compute() {
    *x *= float(weights[0]);
    return true;
  }
};
class Mixed : public Vertex {
public:
  unsigned short count;
  InOut<Vector<float>> x;
  unsigned short more;
  bool compute() {
    x[0] += float(count + more);
    return true;
  }
};
class [[poplar::constraint("elem(*a) != elem(*b)")]] Apart : public Vertex {
public:
  Input<Vector<float>> a;
  InOut<Vector<float>> b;
  bool compute() {
    b[0] += a[0];
    return true;
  }
};
)CODE";

} // namespace

Target modelTarget(unsigned tilesPerIpu, unsigned ipus, bool ipuCode) {
  IPUModel model("ipu1");
  model.numIPUs = ipus;
  model.tilesPerIPU = tilesPerIpu;
  model.compileIPUCode = ipuCode;
  return model.createDevice().getTarget();
}

Target ipuTarget(unsigned tilesPerIpu, unsigned ipus) { return Target::createIPUTarget(ipus, tilesPerIpu, "ipu1"); }

void addCodelets(Graph &graph) {
  std::stringstream source(kCodelets);
  graph.addCodelets(source);
}

Compiled compile(const Graph &graph, const std::vector<program::Program> &programs, const OptionFlags &options) {
  OptionFlags alone = options; // omits the Switch over programs, so that only this program has bytes
  alone.set("popscope.alwaysSwitch", "false");
  Executable executable = compileGraph(graph, programs, alone);
  const Compiled compiled = popscope::ExecutableAccess::of(executable);
  REQUIRE(compiled != nullptr);
  for (const std::string &finding : popscope::checkLayout(compiled->program, compiled->ranges, compiled->layout,
                                                          compiled->machine, compiled->record.codeIncluded))
    FAIL_CHECK(finding);
  for (const std::string &finding :
       popscope::checkConsumers(compiled->program, compiled->layout, compiled->machine, compiled->record.codeIncluded)
           .unreferenced)
    FAIL_CHECK(finding);
  return compiled;
}

std::uint64_t bytes(const Compiled &compiled, unsigned tile, StorageCategory category) {
  std::uint64_t sum = 0;
  for (const popscope::Allocation &a : compiled->layout.ofTile(popscope::TileId(tile)))
    if (a.category == category)
      sum += a.bytes.count();
  return sum;
}

Tensor onTile(Graph &graph, std::size_t floats, unsigned tile, const std::string &name) {
  const Tensor t = graph.addVariable(FLOAT, {floats}, name);
  graph.setTileMapping(t, tile);
  return t;
}

VertexRef vertexOn(Graph &graph, ComputeSet cs, const std::string &type, unsigned tile) {
  const VertexRef v = graph.addVertex(cs, type);
  graph.setTileMapping(v, tile);
  return v;
}

} // namespace memory_tests
