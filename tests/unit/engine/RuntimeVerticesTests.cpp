// The runtime's vertex classes that PopLibs 2.5 and later add by name: a program names them without addCodelets.
#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>
#include <pva/pva.hpp>

#include <map>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

struct Job {
  std::string vertexClass; // without "poplar_rt::" and type
  unsigned rows, columns, matrices;
  std::map<std::string, unsigned> state;
  std::vector<unsigned short> workList; // of SplitTranspose1D
};

/// One vertex on tile 1 of a model; T is the host's type of the same size as `type`.
template <class T> struct Transposition {
  Device device = smallModel(2);
  Graph graph{device.getTarget()};
  Job job;
  Tensor in, out;
  ComputeSet cs = graph.addComputeSet("transpose");

  Transposition(const Type &type, const Job &j) : job(j) {
    in = graph.addVariable(equivalent_device_type<T>().value, {size() * j.matrices}, "in");
    out = graph.addVariable(equivalent_device_type<T>().value, {size() * j.matrices}, "out");
    graph.setTileMapping(in, 1);
    graph.setTileMapping(out, 1);
    graph.createHostWrite("in", in);
    graph.createHostRead("out", out);
    const VertexRef v = graph.addVertex(cs, "poplar_rt::" + j.vertexClass + "<" + type.toString() + ">");
    graph.setTileMapping(v, 1);
    if (j.vertexClass == "Transpose2D") {
      graph.connect(v["src"], in.reinterpret(type).reshape({j.matrices, size()}));
      graph.connect(v["dst"], out.reinterpret(type).reshape({j.matrices, size()}));
    } else {
      graph.connect(v["src"], in.reinterpret(type));
      graph.connect(v["dst"], out.reinterpret(type));
    }
    for (const auto &[field, value] : j.state)
      graph.setInitialValue(v[field], value);
    if (!j.workList.empty()) {
      const Tensor list = graph.addConstant(UNSIGNED_SHORT, {j.workList.size()}, j.workList.data());
      graph.setTileMapping(list, 1);
      graph.connect(v["workList"], list);
    }
  }
  [[nodiscard]] std::size_t size() const { return std::size_t(job.rows) * job.columns; }

  /// Returns the cycles of the vertex. First checks its result against a loop over rows and columns.
  std::uint64_t cycles() {
    std::vector<T> from(size() * job.matrices), to(from.size()), expected;
    for (std::size_t i = 0; i < from.size(); ++i)
      from[i] = static_cast<T>(i + 1);
    for (unsigned m = 0; m < job.matrices; ++m)
      for (unsigned c = 0; c < job.columns; ++c)
        for (unsigned r = 0; r < job.rows; ++r)
          expected.push_back(from[(m * job.rows + r) * job.columns + c]);
    Engine engine(graph, Execute(cs));
    engine.load(device);
    engine.writeTensor("in", from.data(), from.data() + from.size());
    engine.run(0);
    engine.readTensor("out", to.data(), to.data() + to.size());
    CHECK(to == expected);
    const pva::Report report = engine.getReport();
    for (const auto &type : report.execution().lastVertexTypes())
      if (type.type.name().find("poplar_rt::" + job.vertexClass) == 0)
        return type.cycles;
    return 0;
  }
};

} // namespace

TEST_SUITE("engine") {
  TEST_CASE("vertices of the runtime: transpositions are there without addCodelets") {
    // Cycles by hand, from the estimates that PopLibs 2.3 published for its classes of the same work.
    const auto blocks = [](unsigned rows, unsigned columns) {
      return std::map<std::string, unsigned>{{"numSrcRowsD4Or8", rows}, {"numSrcColumnsD4Or8", columns}};
    };
    const auto of = [](unsigned rows, unsigned columns) {
      return std::map<std::string, unsigned>{{"numSrcRows", rows}, {"numSrcColumns", columns}};
    };
    using Half = unsigned short;
    auto state = blocks(1, 1);
    state["numTranspositionsM1"] = 2;
    CHECK(Transposition<Half>(HALF, {"Transpose1DSingleWorker", 4, 4, 3, state, {}}).cycles() == 17 + 20 + 4);

    state = blocks(2, 3); // 7 matrices of 8 x 12: one worker has two, five have one
    state["numTranspositions"] = 2;
    state["workerCount"] = 1;
    CHECK(Transposition<Half>(HALF, {"Transpose1D", 8, 12, 7, state, {}}).cycles() ==
          7 + 6 * (29 + 2 * (18 + 2 * (12 + 4)) - 7));

    // Two matrices of 16 x 8: two workers for each, with eight rows.
    CHECK(
        Transposition<std::int16_t>(
            SHORT, {"SplitTranspose1D", 16, 8, 2, blocks(4, 2), {0, 0, 2, 2, 16, 2, 2, 2, 32, 32, 2, 2, 48, 34, 2, 2}})
            .cycles() == 7 + 6 * (29 + 18 + 2 * 12 - 7));

    CHECK(Transposition<unsigned>(FLOAT, {"Transpose2D", 3, 5, 2, of(3, 5), {}}).cycles() == 13 + 2 * (8 + 5 * 11));
    CHECK(Transposition<int>(INT, {"Transpose2D", 4, 6, 1, of(4, 6), {}}).cycles() == 27 + 11 + 2 * (6 + 3 * 2));
    CHECK(Transposition<Half>(HALF, {"Transpose2D", 5, 3, 3, of(5, 3), {}}).cycles() == 15 + 3 * (8 + 3 * 17));
    CHECK(Transposition<unsigned char>(UNSIGNED_CHAR, {"Transpose2D", 8, 16, 1, of(8, 16), {}}).cycles() ==
          39 + 12 + 15);
  }

  TEST_CASE("vertices of the runtime: operands smaller than a matrix divide nothing by zero") {
    // 16 elements, where the state asks for a matrix of 16 x 16, and one part without rows
    Job job{"SplitTranspose1D", 4, 4, 1, {{"numSrcRowsD4Or8", 4}, {"numSrcColumnsD4Or8", 4}}, {0, 0, 0, 0}};
    Transposition<unsigned short> small(SHORT, job);
    Engine engine(small.graph, Execute(small.cs));
    engine.load(small.device);
    engine.run(0);
    const pva::Report report = engine.getReport();
    std::uint64_t cycles = 0;
    for (const auto &type : report.execution().lastVertexTypes())
      cycles += type.cycles;
    CHECK(cycles == 7 + 6 * (29 - 7));
  }

  TEST_CASE("vertices of the runtime: a graph has them when it asks, and no others of that namespace") {
    Graph graph(smallModel(2).getTarget());
    CHECK(graph.hasCodelet("poplar_rt::Transpose1D<half>"));
    CHECK_FALSE(graph.hasCodelet("poplar_rt::Transpose1D<float>"));
    CHECK_FALSE(graph.hasCodelet("poplar_rt::NoSuch"));
    CHECK(graph.getMaxVertexFieldValue("poplar_rt::Transpose2D<float>", "numSrcRows") == 65535);
    CHECK_THROWS_AS(graph.addVertex(graph.addComputeSet("cs"), "poplar_rt::NoSuch"), poplar_error);
  }
}
