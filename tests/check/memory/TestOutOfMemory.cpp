// The text of the exception for a program that does not fit.
#include "tests/check/memory/MemoryPrograms.hpp"

#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>

using namespace memory_tests;
using namespace poplar;
using namespace poplar::program;

namespace {

std::string messageOf(const Graph &graph, const Program &program) {
  try {
    Engine engine(graph, program);
  } catch (const graph_memory_allocation_error &e) {
    return e.what();
  }
  return "";
}
bool contains(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_SUITE("memory.outOfMemory") {

TEST_CASE("the message names tile, bytes over, step, contributors with their path, and what would fit") {
  Graph graph(modelTarget());
  addCodelets(graph);
  const Tensor a = onTile(graph, 40000, 2, "layer1/weights"), b = onTile(graph, 40000, 2, "layer2/weights");
  const ComputeSet cs = graph.addComputeSet("layer2/copy");
  const VertexRef v = vertexOn(graph, cs, "Copy", 2);
  graph.connect(v["in"], a);
  graph.connect(v["out"], b);
  // Before the compute set only `a` holds a value, after it only `b`.
  const std::string text = messageOf(graph, Sequence({Execute(cs), Copy(b.slice(0, 1), onTile(graph, 1, 1, "c"))}));
  INFO(text);
  CHECK(contains(text, "1 of 4 tiles need more than the 262144 bytes"));
  CHECK(contains(text, "tile 2: "));
  CHECK(contains(text, " over; fullest at step "));
  CHECK(contains(text, "OnTileExecute 'layer2/copy'"));
  CHECK(contains(text, "160000 B  variable 'layer1/weights'"));
  CHECK(contains(text, "160000 B  variable 'layer2/weights'"));
  CHECK(contains(text, "3168 B  stack"));
  CHECK(contains(text, "What would fit: tile 2 with "));
  CHECK(contains(text, "other tiles have "));
  CHECK(contains(text, "debug.allowOutOfMemory"));
}

// ipu1: 16 KiB elements, 32 KiB in the interleaved half. 150,000 bytes from 3,168 on end at 153,168, inside an element that
// ends at 163,840; 100,000 bytes behind it would end at 263,840 of 262,144. Side by side the two would end at 253,168.
TEST_CASE("operands that cannot lie in different memory elements are an error of its own: vertex, fields, elements") {
  const auto build = [](std::size_t bElements) {
    Graph graph(modelTarget());
    addCodelets(graph);
    const Tensor a = onTile(graph, 37500, 2, "left"), b = onTile(graph, bElements, 2, "right");
    const ComputeSet cs = graph.addComputeSet("apart");
    const VertexRef v = vertexOn(graph, cs, "Apart", 2);
    graph.connect(v["a"], a);
    graph.connect(v["b"], b);
    std::string text = "fits";
    try {
      Engine engine(graph, Sequence({Execute(cs), Copy(a.slice(0, 1), onTile(graph, 1, 1, "c")), Copy(b.slice(0, 1), onTile(graph, 1, 1, "d"))}));
    } catch (const memory_elem_constraints_error &e) {
      text = e.what();
    } catch (const graph_memory_allocation_error &) {
      text = "out of memory";
    }
    return text;
  };
  const std::string text = build(25000);
  INFO(text);
  CHECK(contains(text, "('Apart') on tile 2 wants its fields 'a' and 'b' in different memory elements"));
  CHECK(contains(text, "field 'a': variable 'left', 150000 bytes there"));
  CHECK(contains(text, "field 'b': variable 'right', 100000 bytes there"));
  CHECK(contains(text, "lies in memory elements "));
  CHECK(contains(text, "Graph::setTileMapping"));
  CHECK(build(20000) == "fits");
  CHECK(build(30000) == "out of memory"); // 270,000 bytes: too much with or without the constraint
}

TEST_CASE("a variable larger than a tile is named as such") {
  Graph graph(modelTarget());
  const Tensor a = onTile(graph, 100000, 2, "huge"), b = onTile(graph, 1, 1, "b");
  const std::string text = messageOf(graph, Copy(a.slice(0, 1), b));
  INFO(text);
  CHECK(contains(text, "400000 B  variable 'huge' (more than a whole tile)"));
}

TEST_CASE("when all tiles together are too small, the message says that no mapping helps") {
  Graph graph(modelTarget(2));
  const Tensor a = graph.addVariable(FLOAT, {200000}, VariableMappingMethod::LINEAR, "a");
  const Tensor b = onTile(graph, 1, 1, "b");
  const std::string text = messageOf(graph, Copy(a.slice(0, 1), b));
  INFO(text);
  CHECK(contains(text, "2 of 2 tiles"));
  CHECK(contains(text, "less data, or a device with more tiles"));
}

} // TEST_SUITE
