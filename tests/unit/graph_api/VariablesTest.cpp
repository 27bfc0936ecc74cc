// Constants, initial values, clones and host handles.
#include "graph/api/GraphAccess.hpp"

#include <poplar/Graph.hpp>
#include <popscope/ExactConstant.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

using namespace poplar;

namespace {
const std::vector<std::uint8_t> &initialOf(const Graph &graph, const Tensor &t) {
  return popscope::irOf(graph).vars[popscope::viewOf(t).runs.front().var].initial;
}
template <class T> std::vector<T> valuesOf(const Graph &graph, const Tensor &t) {
  const auto &bytes = initialOf(graph, t);
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}
} // namespace

TEST_SUITE("graph_api.variables") {

  TEST_CASE("constants are converted to the device type") {
    Graph graph(Target::createCPUTarget());
    CHECK(valuesOf<float>(graph, graph.addConstant<float>(FLOAT, {4}, {1., 2., 3., 4.})) ==
          std::vector<float>{1, 2, 3, 4});
    CHECK(valuesOf<float>(graph, graph.addConstant(FLOAT, {2}, 1)) == std::vector<float>{1, 1});
    CHECK(valuesOf<std::int32_t>(graph, graph.addConstant(INT, {}, -2.9)) == std::vector<std::int32_t>{-2});
    CHECK(valuesOf<std::uint32_t>(graph, graph.addConstant(UNSIGNED_INT, {}, -1)) ==
          std::vector<std::uint32_t>{0xffffffffu});
    CHECK(valuesOf<std::uint8_t>(graph, graph.addConstant(BOOL, {}, 7)) == std::vector<std::uint8_t>{1});
    const std::vector<std::size_t> wide{1, 70000};
    CHECK(valuesOf<std::uint32_t>(graph, graph.addConstant(UNSIGNED_INT, {2}, wide.data())) ==
          std::vector<std::uint32_t>{1, 70000});
    CHECK_THROWS_AS(graph.addConstant(UNSIGNED_SHORT, {2}, wide.data()), overflow_error);
    CHECK_THROWS_AS(graph.addConstant(INT, {}, 1e10), overflow_error);
    CHECK(valuesOf<std::int64_t>(graph, graph.addConstant(LONGLONG, {}, -0x1p63)) ==
          std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min()});
    CHECK_THROWS_AS(graph.addConstant(LONGLONG, {}, -0x1p63 - 0x1p11), overflow_error); // the next double below
    CHECK_THROWS_AS(graph.addConstant<float>(FLOAT, {3}, {1., 2.}), tensor_creation_error);
  }

  TEST_CASE("addExactConstant refuses a value that the type cannot hold, and names constant, value and type") {
    Graph graph(Target::createCPUTarget());
    const auto add = [&](const Type &type, auto value) {
      return popscope::addExactConstant(graph, type, {2}, &value, TypeTraits::make<decltype(value)>(), true, {"c"});
    };
    const auto message = [&](const Type &type, auto value) {
      try {
        (void)add(type, value);
      } catch (const overflow_error &e) {
        return std::string(e.what());
      }
      return std::string();
    };
    CHECK(message(INT, 1.5) ==
          "Constant \"c\" of shape {2}: the value 1.5 does not fit int, which holds whole numbers.");
    CHECK(message(UNSIGNED_INT, -1).find("-1 does not fit unsigned int, which holds 0 to 2^32 - 1") !=
          std::string::npos);
    CHECK(message(HALF, 1e6f).find("finite numbers up to 65504") != std::string::npos);
    CHECK(valuesOf<std::int32_t>(graph, add(INT, -2.0)) == std::vector<std::int32_t>{-2, -2});
    CHECK(valuesOf<float>(graph, add(FLOAT, 0.1)) == std::vector<float>{0.1f, 0.1f});
    CHECK_THROWS_AS(popscope::addExactConstant(graph, INT, {2}, nullptr, TypeTraits::make<int>(), false),
                    tensor_creation_error);
  }

  TEST_CASE("a host function that is refused leaves neither its handle nor a stream") {
    Graph graph(Target::createCPUTarget());
    using Argument = Graph::HostFunctionArgument;
    CHECK_THROWS_AS(graph.addHostFunction("f", {Argument(INT, 1)}, {Argument(Type(), 1)}), poplar_error);
    CHECK(popscope::irOf(graph).streams.size() == 0);
    graph.addHostFunction("f", {Argument(INT, 1)}, {Argument(INT, 1)});
    CHECK(popscope::irOf(graph).streams.size() == 2);
    CHECK_THROWS_WITH_AS(graph.addHostFunction("f", {Argument(INT, 1)}, {}), doctest::Contains("is used by another"),
                         poplar_error);
    CHECK(popscope::irOf(graph).streams.size() == 2);
  }

  TEST_CASE("a stream of a replicated part that is refused leaves neither its handle nor a stream") {
    Graph graph(Target::createIPUTarget(2, 2, "ipu2"));
    Graph part = graph.createReplicatedGraph(2);
    graph.addHostToDeviceFIFO("a/replica1", INT, 1);
    CHECK_THROWS_WITH_AS(part.addHostToDeviceFIFO("a", INT, 1), doctest::Contains("\"a/replica1\" is used by another"),
                         poplar_error);
    CHECK_THROWS_AS(part.addDeviceToHostFIFO("a", INT, 1), poplar_error);
    CHECK_THROWS_AS(part.addRemoteBuffer("a", INT, 1), poplar_error);
    CHECK(popscope::irOf(graph).streams.size() == 1);
    graph.addHostToDeviceFIFO("a", INT, 1);
    part.addHostToDeviceFIFO("b", INT, 1);
    CHECK(popscope::irOf(graph).streams.size() == 4);
  }

  TEST_CASE("halves round to nearest even, once") {
    Graph graph(Target::createCPUTarget());
    // 1 + 2^-11 lies half-way between 1 (0x3c00) and its neighbour 0x3c01; a slightly larger value rounds up.
    CHECK(valuesOf<std::uint16_t>(graph, graph.addConstant(HALF, {}, 1.0 + 0x1p-11)) ==
          std::vector<std::uint16_t>{0x3c00});
    CHECK(valuesOf<std::uint16_t>(graph, graph.addConstant(HALF, {}, 1.0 + 0x1p-11 + 0x1p-40)) ==
          std::vector<std::uint16_t>{0x3c01});
    CHECK(valuesOf<std::uint16_t>(graph, graph.addConstantHalf(HALF, {2}, std::uint16_t(0x1234))) ==
          std::vector<std::uint16_t>{0x1234, 0x1234});
    CHECK_THROWS_AS(graph.addConstantHalf(FLOAT, {}, std::uint16_t(0)), type_error);
  }

  TEST_CASE("constant values can be read through views") {
    Graph graph(Target::createCPUTarget());
    const Tensor c = graph.addConstant<float>(FLOAT, {3}, {1.5, 2.5, 3.5});
    float value = 0;
    CHECK(c[1].getConstantValue(&value));
    CHECK(value == 2.5f);
    unsigned whole = 0;
    CHECK(c[2].getConstantValue(&whole));
    // As C++ converts numbers to bool.
    for (const float number : {2.f, -1.f, 0.5f, 0.f, -0.f, std::numeric_limits<float>::quiet_NaN()}) {
      bool truth = false;
      CHECK(graph.addConstant(FLOAT, {}, number).getConstantValue(&truth));
      CHECK(truth == static_cast<bool>(number));
      if (std::trunc(number) == number) {
        CHECK(graph.addConstant(INT, {}, static_cast<int>(number)).getConstantValue(&truth));
        CHECK(truth == static_cast<bool>(number));
      }
    }
    CHECK(whole == 3);
    CHECK_FALSE(c.getConstantValue(&value));
    CHECK_FALSE(graph.addVariable(FLOAT, {}).getConstantValue(&value));
    float reversed[3] = {};
    CHECK(c.reverse(0).getConstantData(reversed, 3));
    CHECK(reversed[0] == 3.5f);
  }

  TEST_CASE("initial values of a view with a run for each element take time for each run, not for each pair") {
    Graph graph(Target::createIPUTarget(1, 4, "ipu1"));
    const std::size_t side = 1000; // a million runs; comparing all pairs would take hours
    const Tensor t = graph.addVariable(FLOAT, {side, side}, "weights");
    graph.setInitialValue(t.transpose(), ArrayRef<float>(std::vector<float>(side * side, 3.0f)));
    CHECK(popscope::irOf(graph).vars[popscope::GraphVarId(0)].initial.size() == 4 * side * side);
  }

  TEST_CASE("initial values go through views into the variable") {
    Graph graph(Target::createCPUTarget());
    const Tensor t = graph.addVariable(INT, {2, 2});
    graph.setInitialValue(t.transpose(), std::vector<int>{1, 2, 3, 4});
    CHECK(valuesOf<std::int32_t>(graph, t) == std::vector<std::int32_t>{1, 3, 2, 4});
    graph.setInitialValue(t[0], 9);
    CHECK(valuesOf<std::int32_t>(graph, t) == std::vector<std::int32_t>{9, 9, 2, 4});
    CHECK_THROWS_AS(graph.setInitialValue(t, std::vector<int>{1}), poplar_error);
  }

  TEST_CASE("clones keep shape, mapping and order") {
    Graph graph(Target::createIPUTarget(1, 4, "ipu1"));
    const Tensor v = graph.addVariable(FLOAT, {4, 3}, VariableMappingMethod::LINEAR, "v");
    const Tensor t = v.transpose();
    for (const TensorCloneMethod method :
         {TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES, TensorCloneMethod::CREATE_NEW_ORDER,
          TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES,
          TensorCloneMethod::GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES}) {
      const std::string name = toString(method);
      CAPTURE(name);
      const Tensor c = graph.clone(HALF, t, "c", method);
      CHECK(c.elementType() == HALF);
      CHECK(c.shape() == t.shape());
      CHECK(graph.getTileMapping(c) == graph.getTileMapping(t));
      CHECK_FALSE(c.intersectsWith(t));
      CHECK(c.isContiguous() == (method == TensorCloneMethod::CREATE_NEW_ORDER));
    }
  }

  TEST_CASE("clones of parts with aliases keep the aliases when asked to") {
    Graph graph(Target::createIPUTarget(1, 4, "ipu1"));
    const Tensor v = graph.addVariable(FLOAT, {4, 3}, VariableMappingMethod::LINEAR, "v");
    const Tensor t = concat(v.slice(2, 4).subSample(2, 1).flatten(), v[2].broadcast(2, 0));
    const Tensor same = graph.clone(t, "same", TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES);
    CHECK(same.containsAliases());
    CHECK(graph.getTileMapping(same) == graph.getTileMapping(t));
    CHECK(same[0] == same[4]);                                                // both are v[2][0]
    CHECK(graph.getVariable(same.getVarRegions()[0].var).numElements() == 5); // v[2][0..2], v[3][0], v[3][2]
    CHECK_FALSE(graph.clone(t).containsAliases());
    const Tensor n = graph.cloneN(v, 3, "n");
    CHECK(n.shapeToString() == "{3,4,3}");
    CHECK(graph.getTileMapping(n[2]) == graph.getTileMapping(v));
    const Tensor sideBySide = graph.cloneN(v, 3, "n", TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES,
                                           TensorCloneDuplicationMethod::DUPLICATE_BY_TILE_CONTIGUOUS_REGION);
    CHECK(sideBySide.shapeToString() == "{3,4,3}");
    CHECK_FALSE(sideBySide.containsAliases());
    CHECK(graph.getTileMapping(sideBySide[1]) == graph.getTileMapping(v));
    CHECK(sideBySide[1].flatten()[0].getVarRegions()[0].interval.begin() ==
          3); // after tile 0's three elements of copy 0
  }

  TEST_CASE("handles are unique and constants are not written") {
    Graph graph(Target::createCPUTarget());
    const Tensor t = graph.addVariable(FLOAT, {4}, "t");
    graph.createHostWrite("x", t);
    graph.createHostRead("x", t); // another kind
    CHECK_THROWS_AS(graph.createHostWrite("x", t), poplar_error);
    CHECK_THROWS_AS(graph.createHostWrite("c", graph.addConstant(FLOAT, {}, 1)), poplar_error);
    CHECK_NOTHROW(graph.createHostWrite("c", t));
    const DataStream in =
        graph.addHostToDeviceFIFO("s", HALF, 8, ReplicatedStreamMode::BROADCAST, {{"bufferingDepth", "2"}});
    CHECK(in.handle() == "s");
    CHECK(in.numElements() == 8);
    CHECK(in.elementType() == HALF);
    CHECK(in.type() == DataStreamType::HostToDeviceFIFO);
    CHECK(in.replicatedMode() == ReplicatedStreamMode::BROADCAST);
    CHECK(popscope::irOf(graph).streams.raw()[0].options.at("bufferingDepth") == "2");
    CHECK_THROWS_AS(graph.addRemoteBuffer("s", HALF, 8), poplar_error);
  }
}
