// The text of the exception for a program that does not fit.
#include "tests/check/memory/MemoryPrograms.hpp"

#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>
#include <pva/pva.hpp>
#include <regex>

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
    // Before the compute set only `a` holds a value, and after it only `b`.
    const std::string text = messageOf(graph, Sequence({Execute(cs), Copy(b.slice(0, 1), onTile(graph, 1, 1, "c"))}));
    INFO(text);
    std::smatch poplars; // the pattern that public programs use for Poplar's message
    REQUIRE(std::regex_search(text, poplars,
                              std::regex("^Out of memory on tile 2: (\\d+) bytes used but tiles only have 262144 bytes "
                                         "of memory\n")));
    Engine allowed(graph, Sequence({Execute(cs), Copy(b.slice(0, 1), onTile(graph, 1, 1, "c"))}),
                   {{"debug.allowOutOfMemory", "true"}});
    CHECK(poplars[1] == std::to_string(allowed.getReport().compilation().tiles()[2].memory().total().includingGaps()));
    CHECK(contains(text, "1 of 4 tiles need more than the 262144 bytes"));
    CHECK(contains(text, "tile 2: "));
    CHECK(contains(text, " bytes over (highest address "));
    CHECK(contains(text, "); fullest at step "));
    CHECK(contains(text, " more than a tile has"));
    CHECK(contains(text, "OnTileExecute 'layer2/copy'"));
    CHECK(contains(text, "160000 B  variable 'layer1/weights'"));
    CHECK(contains(text, "160000 B  variable 'layer2/weights'"));
    CHECK(contains(text, "3168 B  stack"));
    CHECK(contains(text, "What would fit with the packing of this compiler, gaps included: tile 2 with "));
    CHECK(contains(text, " bytes less of 'layer1/weights'."));
    CHECK(contains(text, "Other tiles have "));
    CHECK(contains(text, "debug.allowOutOfMemory"));
  }

  // ipu1 has eight elements of 16 KiB, then four of 32 KiB. 150,000 bytes that start near 0 end above 147,456, inside
  // the element that ends at 163,840. The operand in another element has 98,304 bytes after it: 96,000 bytes fit, and
  // 100,000 do not, although the two operands without the constraint would end at about 254,000 of 262,144. 120,000
  // bytes do not fit in any case.
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
        Engine engine(graph, Sequence({Execute(cs), Copy(a.slice(0, 1), onTile(graph, 1, 1, "c")),
                                       Copy(b.slice(0, 1), onTile(graph, 1, 1, "d"))}));
      } catch (const memory_elem_constraints_error &e) {
        text = e.what();
      } catch (const graph_memory_allocation_error &) {
        text = "out of memory";
      }
      return text;
    };
    const std::string text = build(25000);
    INFO(text);
    CHECK(contains(text, "('Apart') on tile 2 needs its fields 'a' and 'b' in different memory elements"));
    CHECK(contains(text, "field 'a': variable 'left', 150000 bytes there"));
    CHECK(contains(text, "field 'b': variable 'right', 100000 bytes there"));
    CHECK(contains(text, "lies in memory elements 1 to 9 of 12"));
    CHECK(contains(text, "because no other adjacent elements are free"));
    CHECK(contains(text, "Graph::setTileMapping"));
    CHECK(build(24000) == "fits");
    CHECK(build(30000) == "out of memory");
  }

  // The same two sizes, but only the copy requires two memory elements.
  TEST_CASE("a copy that finds no two memory elements is one that needs none: the program fits, with a warning") {
    const auto build = [](std::size_t bElements, const OptionFlags &options) {
      Graph graph(modelTarget());
      addCodelets(graph);
      const Tensor a = onTile(graph, 37500, 2, "left"), b = onTile(graph, bElements, 2, "right");
      Engine engine(graph,
                    Sequence({Copy(a.slice(0, bElements), b), Copy(a.slice(0, 1), onTile(graph, 1, 1, "c")),
                              Copy(b.slice(0, 1), onTile(graph, 1, 1, "d"))}),
                    options);
      return engine.getReport();
    };
    const auto kinds = [](const pva::Report &report) {
      std::string names;
      for (const auto &type : report.compilation().vertexTypes())
        names += type.name() + " ";
      return names;
    };
    const pva::Report fits = build(24000, {});
    CHECK(contains(kinds(fits), "Memcpy64BitSupervisor"));
    CHECK(fits.popscope().warnings().empty());
    const pva::Report tight = build(25000, {});
    CHECK_FALSE(contains(kinds(tight), "Memcpy64Bit"));
    CHECK(contains(kinds(tight), "DstStridedCopyDA32"));
    REQUIRE(tight.popscope().warnings().size() == 1);
    CHECK_THROWS_AS(build(30000, {}), graph_memory_allocation_error);
  }

  // On ipu1, memory ends at 262,144 and interleaved memory begins at 131,072. The tile has only stack, packet headers,
  // vertices and data. Without code, data starts at 0 and leaves no gap: 131,072 bytes lie in each region, and the rest
  // lies past the end.
  TEST_CASE("a home over the border of two regions, and one over the end, count in each region with the bytes that lie "
            "there") {
    Graph graph(modelTarget(4, 1, false));
    addCodelets(graph);
    Sequence program;
    for (int i = 0; i < 3; ++i) {
      const Tensor v = onTile(graph, 25000, 2, "v" + std::to_string(i));
      graph.createHostWrite("v" + std::to_string(i), v);
      program.add(Copy(v.slice(0, 1), onTile(graph, 1, 1, "c")));
    }
    Engine engine(graph, program, {{"debug.allowOutOfMemory", "true"}});
    const pva::Report report = engine.getReport();
    const pva::TileMemory memory = report.compilation().tiles()[2].memory();
    CHECK(memory.nonInterleaved().excludingGaps() == 131072);
    CHECK(memory.interleaved().excludingGaps() == 131072);
    const std::uint64_t over = memory.overflowed().excludingGaps();
    CHECK(over > 38000); // 300,000 + 3,168 - 262,144 = 41,024, and some headers
    CHECK(over < 45000);
    CHECK(memory.total().includingGaps() == 262144 + over);
    CHECK(memory.total().excludingGaps() == 262144 + over);
    std::uint64_t byCategory[3] = {};
    for (std::size_t c = 0; c < pva::storageCategoryNames().size(); ++c) {
      const pva::Category category = memory.category().byIndex(c);
      const pva::CategoryRegion regions[] = {category.nonInterleaved(), category.interleaved(), category.overflowed()};
      for (std::size_t r = 0; r < 3; ++r)
        byCategory[r] += regions[r].nonOverlapped();
    }
    CHECK(byCategory[0] == 131072);
    CHECK(byCategory[1] == 131072);
    CHECK(byCategory[2] == over);
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
