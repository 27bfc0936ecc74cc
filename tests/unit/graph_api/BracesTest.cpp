// Lists in braces as arguments of functions that take an ArrayRef or a std::vector: every such pair of overloads.
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/Program.hpp>

#include <doctest/doctest.h>
#include <sstream>

using namespace poplar;
using namespace poplar::program;

TEST_SUITE("graph.braces") {

  TEST_CASE("initial values of tensors and fields") {
    Graph graph;
    std::stringstream code("#include <poplar/Vertex.hpp>\nstruct Poly : poplar::Vertex { poplar::Vector<float> k; "
                           "poplar::Vector<poplar::Input<poplar::Vector<float>>> in; void compute() {} };\n");
    graph.addCodelets(code);
    const Tensor x = graph.addVariable(FLOAT, {3}, "x");
    graph.setInitialValue<float>(x, {1.5f, 2.5f, 3.5f});
    graph.setInitialValue(x, std::vector<float>{1, 2, 3});
    graph.setInitialValue(x, ArrayRef<float>({1, 2, 3}));
    graph.setInitialValue<float>(x, 4);
    graph.setInitialValueHalf(graph.addVariable(HALF, {2}), {1, 2});
    const VertexRef v = graph.addVertex(graph.addComputeSet(), "Poly");
    graph.setInitialValue<float>(v["k"], {2.0f, 1.0f});
    CHECK(graph.getFieldSize(v["k"]) == 2);
    const std::vector<float> three{1, 2, 3};
    const VertexRef w = graph.addVertex(graph.addComputeSet(), "Poly");
    graph.setInitialValue(w["k"], three);
    CHECK(graph.getFieldSize(w["k"]) == 3);
    graph.connect(w["in"], {x, x});
    CHECK(graph.getFieldSize(w["in"]) == 2);
  }

  TEST_CASE("connections of a vertex") {
    Graph graph;
    std::stringstream code("#include <poplar/Vertex.hpp>\nstruct Rows : poplar::Vertex { "
                           "poplar::Vector<poplar::Input<poplar::Vector<float>>> in; void compute() {} };\n");
    graph.addCodelets(code);
    const Tensor x = graph.addVariable(FLOAT, {3}, "x");
    const ComputeSet set = graph.addComputeSet();
    const std::vector<Tensor> list{x, x, x};
    CHECK(graph.getFieldSize(graph.addVertex(set, "Rows", {{"in", {x, x}}})["in"]) == 2);
    CHECK(graph.getFieldSize(graph.addVertex(set, "Rows", {{"in", list}})["in"]) == 3);
    CHECK(graph.getFieldSize(graph.addVertex(set, "Rows", {{"in", ArrayRef<Tensor>(list)}})["in"]) == 3);
  }

  TEST_CASE("parts and shapes of tensors") {
    Graph graph;
    const Tensor x = graph.addVariable(FLOAT, {6, 2}, "x");
    CHECK(x.slices({{0, 2}, {3, 6}}).size() == 2);
    CHECK(x.slices({Interval(0, 2)}).size() == 1);
    CHECK(x.slices(std::vector<Interval>{{0, 2}, {3, 6}}).size() == 2);
    CHECK(x.slices(std::vector<std::vector<Interval>>{{{0, 2}, {3, 6}}})[0].dim(0) == 5);
    CHECK(x.slices(std::vector<unsigned>{1, 2}).size() == 2);
    CHECK(x.slices({1u, 2u, 3u}).size() == 3);
    CHECK(x.slice({0, 1}, {2, 2}).numElements() == 2);
    CHECK(x.reshape({3, 4}).dim(1) == 4);
    CHECK(concat({x, x}).dim(0) == 12);
    CHECK(concat(std::vector<Tensor>{x, x}, 1).dim(1) == 4);
    CHECK(graph.addConstant<float>(FLOAT, {2}, {1, 2}).numElements() == 2);
    CHECK(graph.addConstant<bool>(BOOL, {}, true, "yes").rank() == 0);
    CHECK(graph.addConstant<bool>(BOOL, {2}, true, "yes").numElements() == 2);
    CHECK(graph.getSortedContiguousRegions(x, {{0, 2}, {4, 5}}).size() >= 1);
  }

  TEST_CASE("sequences, virtual graphs and codelet files") {
    Graph graph(IPUModel().createDevice());
    const Tensor x = graph.addVariable(FLOAT, {4}, VariableMappingMethod::LINEAR, "x"), y = graph.clone(x);
    const Copy copy(x, y);
    CHECK_FALSE(Sequence({copy, copy}).isEmpty());
    CHECK_FALSE(Sequence(std::vector<Program>{copy}).isEmpty());
    CHECK_FALSE(Sequence{copy, copy}.isEmpty());
    CHECK(graph.createVirtualGraph({0, 1, 5}).getTarget().getNumTiles() == 3);
    CHECK(graph.createVirtualGraph(std::vector<unsigned>{0, 1}).getTarget().getNumTiles() == 2);
    CHECK_FALSE(graph.addCodelets(std::vector<std::string>{}));
  }
}
