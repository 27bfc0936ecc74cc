#include "tests/unit/invalid/InvalidUse.hpp"

#include <cmath>
#include <sstream>

using namespace poplar;
using namespace poplar::program;

namespace invalid_use {

namespace {
const std::size_t k2To60 = std::size_t(1) << 60;
} // namespace

std::vector<Case> graphCases() {
  return {
      // ---- tile mapping
      {"a tensor on tile 2 of 2", [](Rig &r) { r.graph.setTileMapping(r.ints, 2); }, {"ints", "tile 2", "2 tiles"}},
      {"a vertex on tile 4,294,967,295",
       [](Rig &r) { r.graph.setTileMapping(r.vertex(), ~0u); },
       {"4294967295", "2 tiles"}},
      {"a mapping of three tiles",
       [](Rig &r) {
         r.graph.setTileMapping(r.ints, {{}, {}, {{0, 4}}});
       },
       {"tile 2"}},
      {"a mapping past the end",
       [](Rig &r) {
         r.graph.setTileMapping(r.ints, {{{2, 9}}});
       },
       {"[2,9)", "4 elements"}},
      {"a tensor of another graph",
       [](Rig &r) {
         Rig other;
         r.graph.setTileMapping(other.ints, 0);
       },
       {"another graph"}},
      {"the mapping of what has none",
       [](Rig &r) { r.graph.getTileMapping(r.graph.addVariable(INT, {3}, "loose")); },
       {"loose", "3"}},
      {"a variable that is not there", [](Rig &r) { r.graph.getVariable(VariableRef(9999, 0)); }, {"9999"}},
      {"2^30 elements on a tile",
       [](Rig &r) {
         Tensor t = r.variable(INT, {std::size_t(1) << 30}, "wide");
         r.engine(Copy(t, r.variable(INT, {std::size_t(1) << 30})));
       },
       {"wide", "4294967295"}},
      {"2^47 elements on a tile",
       [](Rig &r) {
         Tensor t = r.variable(INT, {std::size_t(1) << 47}, "wide");
         r.engine(Copy(t, r.variable(INT, {std::size_t(1) << 47})));
       },
       {"wide", "4294967295"}},
      // ---- vertices and fields
      {"a class that is not there", [](Rig &r) { r.graph.addVertex(r.graph.addComputeSet(), "W"); }, {"\"W\""}},
      {"a class without compute",
       [](Rig &r) { r.graph.addVertex(r.graph.addComputeSet(), "WithoutCompute"); },
       {"WithoutCompute", "compute"}},
      {"a compute set that was never made",
       [](Rig &r) { r.graph.addVertex(ComputeSet(), "V"); },
       {"default-constructed", "addComputeSet"}},
      {"a compute set that is not there", [](Rig &r) { r.graph.addVertex(ComputeSet(77), "V"); }, {"77"}},
      {"a field that is not there", [](Rig &r) { r.vertex()["roes"]; }, {"roes", "rows"}},
      {"a field of no vertex", [](Rig &) { VertexRef()["a"]; }, {"addVertex"}},
      {"an element of an element", [](Rig &r) { r.vertex()["rows"][0][1]; }, {"1"}},
      {"50,000 elements of a SHORT_SPAN edge",
       [](Rig &r) { r.graph.connect(r.vertex()["a"], r.variable(INT, {50000})); },
       {"field a", "50000", "2047"}},
      {"2,048 elements of a SHORT_SPAN edge",
       [](Rig &r) { r.graph.connect(r.vertex()["a"], r.variable(INT, {2048})); },
       {"2048", "2047"}},
      {"a size past what an edge holds", [](Rig &r) { r.graph.setFieldSize(r.vertex()["a"], 2048); }, {"2048", "2047"}},
      {"a state of 2^60 elements",
       [](Rig &r) { r.graph.setFieldSize(r.vertex()["tab"], k2To60); },
       {"tab", "1152921504606846976"}},
      {"a state of 2^31 elements",
       [](Rig &r) { r.graph.setFieldSize(r.vertex()["tab"], std::size_t(1) << 31); },
       {"tab", "2147483648"}},
      {"a row of 2^60 elements",
       [](Rig &r) { r.graph.setFieldSize(r.vertex()["rows"][0], k2To60); },
       {"rows", "1152921504606846976"}},
      {"row 2^32",
       [](Rig &r) { r.graph.connect(r.vertex()["rows"][std::size_t(1) << 32], r.ints); },
       {"rows", "4294967297"}},
      {"row 2^64 - 1",
       [](Rig &r) { r.graph.connect(r.vertex()["rows"][~std::size_t(0)], r.ints); },
       {"18446744073709551615"}},
      {"the size of row 2^32",
       [](Rig &r) { r.graph.setFieldSize(r.vertex()["rows"][std::size_t(1) << 32], 1); },
       {"rows", "4294967297"}},
      {"the size of a scalar", [](Rig &r) { r.graph.setFieldSize(r.vertex()["n"], 1); }, {"field n", "scalar"}},
      {"the size of what has none", [](Rig &r) { r.graph.getFieldSize(r.vertex()["tab"]); }, {"tab"}},
      {"floats on an edge of ints",
       [](Rig &r) { r.graph.connect(r.vertex()["a"], r.matrix.flatten()); },
       {"field a", "int", "float"}},
      {"a matrix on a vector edge",
       [](Rig &r) {
         r.graph.connect(r.vertex()["a"], r.variable(INT, {2, 2}));
       },
       {"rank 2"}},
      {"a vector on a scalar edge", [](Rig &r) { r.graph.connect(r.vertex()["b"], r.ints); }, {"4"}},
      {"a constant to write to", [](Rig &r) { r.graph.connect(r.vertex()["o"], r.constant[0]); }, {"constant"}},
      {"an edge twice",
       [](Rig &r) {
         VertexRef v = r.vertex();
         r.graph.connect(v["o"], r.number);
         r.graph.connect(v["o"], r.number);
       },
       {"connected already"}},
      {"a tensor for state", [](Rig &r) { r.graph.connect(r.vertex()["n"], r.number); }, {"state"}},
      {"a list for a vector",
       [](Rig &r) {
         r.graph.connect(r.vertex()["a"], std::vector<Tensor>{r.ints, r.ints});
       },
       {"2 tensors"}},
      {"an edge of another graph",
       [](Rig &r) {
         Rig other;
         r.graph.connect(r.vertex()["a"], other.ints);
       },
       {"another graph"}},
      {"a vertex of another graph",
       [](Rig &r) {
         Rig other;
         r.graph.setTileMapping(other.vertex(), 0);
       },
       {"another graph"}},
      {"a value that is too large for an edge",
       [](Rig &r) { r.graph.connect(r.vertex()["b"], 3000000000u); },
       {"3000000000", "int"}},
      {"the largest size of no dimension", [](Rig &r) { (void)r.graph.getMaxFieldDim("V", "a", 1); }, {"dimension 1"}},
      {"the largest size of a field that is not there",
       [](Rig &r) { (void)r.graph.getMaxFieldDim("V", "aa", 0); },
       {"aa"}},
      {"an estimate of 2^63 cycles",
       [](Rig &r) { r.graph.setPerfEstimate(r.vertex(), std::uint64_t(1) << 63); },
       {"9223372036854775808"}},
      {"a cycle estimate of 2^64 - 1",
       [](Rig &r) { r.graph.setCycleEstimate(r.vertex(), ~std::uint64_t(0)); },
       {"18446744073709551615"}},
      {"an estimate that nobody gave", [](Rig &r) { (void)r.graph.getPerfEstimate(r.vertex()); }, {"V"}},
      {"an empty estimator",
       [](Rig &r) { r.graph.registerPerfEstimator("V", PerfEstimateFunc()); },
       {"\"V\"", "empty"}},
      {"an empty cycle estimator",
       [](Rig &r) { r.graph.registerCycleEstimator("V", CycleEstimateFunc()); },
       {"\"V\"", "empty"}},
      // ---- values
      {"-1 for unsigned",
       [](Rig &r) { r.graph.setInitialValue(r.vertex()["n"], -1); },
       {"field n", "-1", "unsigned int"}},
      {"-1 for unsigned elements",
       [](Rig &r) { r.graph.setInitialValue(r.variable(UNSIGNED_INT, {2}, "u"), -1); },
       {"(u)", "-1"}},
      {"2 for bool", [](Rig &r) { r.graph.setInitialValue(r.flag, 2); }, {"flag", "2", "bool"}},
      {"1.5 for int", [](Rig &r) { r.graph.setInitialValue(r.ints, 1.5); }, {"ints", "1.5", "int"}},
      {"2^31 for int", [](Rig &r) { r.graph.setInitialValue(r.ints, 2147483648u); }, {"2147483648"}},
      {"2^31 as a double for int", [](Rig &r) { r.graph.setInitialValue(r.ints, 2147483648.0); }, {"2147483648"}},
      {"not a number for int", [](Rig &r) { r.graph.setInitialValue(r.ints, std::nan("")); }, {"nan"}},
      {"1e10 for half",
       [](Rig &r) { r.graph.setInitialValue(r.variable(HALF, {2}, "h"), 1e10f); },
       {"(h)", "10000000000", "65504"}},
      {"1e300 for float", [](Rig &r) { r.graph.setInitialValue(r.matrix, 1e300); }, {"matrix", "1e+300"}},
      {"200 for a signed char", [](Rig &r) { r.graph.setInitialValue(r.variable(SIGNED_CHAR, {2}), 200); }, {"200"}},
      {"256 for an unsigned char",
       [](Rig &r) { r.graph.setInitialValue(r.variable(UNSIGNED_CHAR, {2}), 256); },
       {"256"}},
      {"70,000 for a short", [](Rig &r) { r.graph.setInitialValue(r.variable(SHORT, {2}), 70000); }, {"70000"}},
      {"2^63 for long long",
       [](Rig &r) { r.graph.setInitialValue(r.variable(LONGLONG, {2}), std::uint64_t(1) << 63); },
       {"9223372036854775808"}},
      {"a value for a constant", [](Rig &r) { r.graph.setInitialValue(r.constant, 3); }, {"constant"}},
      {"two values for one element",
       [](Rig &r) {
         r.graph.setInitialValue(concat(r.ints[0].expand({0}), r.ints[0].expand({0})), std::vector<int>{1, 2});
       },
       {"ints", "positions 0 and 1"}},
      {"five values for four elements",
       [](Rig &r) {
         r.graph.setInitialValue(r.ints, std::vector<int>{1, 2, 3, 4, 5});
       },
       {"5 values", "4 elements"}},
      {"a value for 2^47 elements",
       [](Rig &r) { r.graph.setInitialValue(r.graph.addVariable(INT, {std::size_t(1) << 47}, "wide"), 1); },
       {"wide", "4294967296"}},
      {"bits of halves for floats", [](Rig &r) { r.graph.setInitialValueHalf(r.matrix, std::uint16_t(1)); }, {"float"}},
      {"a value for an output", [](Rig &r) { r.graph.setInitialValue(r.vertex()["o"], 1); }, {"field o"}},
      {"a value past a sized state",
       [](Rig &r) {
         VertexRef v = r.vertex();
         r.graph.setFieldSize(v["tab"], 2);
         r.graph.setInitialValue(v["tab"][2], 1);
       },
       {"2 elements", "element 2"}},
      {"three values for a state of two",
       [](Rig &r) {
         VertexRef v = r.vertex();
         r.graph.setFieldSize(v["tab"], 2);
         r.graph.setInitialValue(v["tab"], std::vector<int>{1, 2, 3});
       },
       {"2 elements", "3"}},
      // ---- streams
      {"a stream without a handle", [](Rig &r) { r.graph.addHostToDeviceFIFO("", INT, 1); }, {"handle"}},
      {"a handle twice",
       [](Rig &r) {
         r.graph.addHostToDeviceFIFO("s", INT, 1);
         r.graph.addDeviceToHostFIFO("s", INT, 1);
       },
       {"\"s\""}},
      {"a stream without a type", [](Rig &r) { r.graph.addHostToDeviceFIFO("s", Type(), 1); }, {"\"s\"", "type"}},
      {"a stream of 2^62 elements",
       [](Rig &r) { r.graph.addHostToDeviceFIFO("s", INT, k2To62); },
       {"\"s\"", "4611686018427387904"}},
      {"a stream to the host of 2^62 elements",
       [](Rig &r) { r.graph.addDeviceToHostFIFO("s", INT, k2To62); },
       {"\"s\"", "4611686018427387904"}},
      {"no buffer for a stream",
       [](Rig &r) {
         r.graph.addHostToDeviceFIFO("s", INT, 1, ReplicatedStreamMode::REPLICATE, {{"bufferingDepth", "0"}});
       },
       {"\"s\"", "bufferingDepth"}},
      {"an option that no stream has",
       [](Rig &r) {
         r.graph.addHostToDeviceFIFO("s", INT, 1, ReplicatedStreamMode::REPLICATE, {{"bufferDepth", "1"}});
       },
       {"bufferDepth", "bufferingDepth"}},
      {"a remote buffer of 2^62 elements",
       [](Rig &r) { r.graph.addRemoteBuffer("b", INT, k2To62); },
       {"\"b\"", "4611686018427387904"}},
      {"a remote buffer of 2^80 elements in rows",
       [](Rig &r) { r.graph.addRemoteBuffer("b", INT, std::size_t(1) << 40, std::size_t(1) << 40); },
       {"\"b\"", "1099511627776"}},
      {"a host function's argument of 2^62",
       [](Rig &r) { r.graph.addHostFunction("f", {Graph::HostFunctionArgument(INT, k2To62)}, {}); },
       {"\"f\"", "4611686018427387904"}},
      {"a host function's result without a type",
       [](Rig &r) { r.graph.addHostFunction("f", {}, {Graph::HostFunctionArgument(Type(), 1)}); },
       {"\"f\"", "default-constructed Type"}},
      {"a host function without a handle", [](Rig &r) { r.graph.addHostFunction("", {}, {}); }, {"handle"}},
      {"a host write of a constant", [](Rig &r) { r.graph.createHostWrite("w", r.constant); }, {"\"w\"", "constant"}},
      {"a host read twice",
       [](Rig &r) {
         r.graph.createHostRead("r", r.ints);
         r.graph.createHostRead("r", r.ints);
       },
       {"\"r\""}},
      {"a code buffer of no function",
       [](Rig &r) { r.graph.addFunctionBuffer(Function(), FunctionBufferMappingType::REMOTE); },
       {"default-constructed Function", "addFunction"}},
      // ---- graphs
      {"codelets that are not there", [](Rig &r) { r.graph.addCodelets("nowhere.cpp"); }, {"nowhere.cpp"}},
      {"a virtual graph of 3 tiles", [](Rig &r) { r.graph.createVirtualGraph(3); }, {"3", "2"}},
      {"a virtual graph of tiles [1,5)", [](Rig &r) { r.graph.createVirtualGraph(1, 5); }, {"5"}},
      {"a virtual graph of a tile twice",
       [](Rig &r) {
         r.graph.createVirtualGraph({0, 0});
       },
       {"tile 0"}},
      {"a virtual graph of tile 9",
       [](Rig &r) {
         r.graph.createVirtualGraph(std::vector<unsigned>{0, 9});
       },
       {"no tile 9", "2 tiles"}},
      {"the device's tile of tile 2 of 2",
       [](Rig &r) { (void)r.graph.convertVirtualTileToPhysicalTile(2); },
       {"convertVirtualTileToPhysicalTile: there is no tile 2", "2 tiles"}},
      {"a virtual graph of nothing", [](Rig &r) { r.graph.createVirtualGraph(std::vector<unsigned>{}); }, {"empty"}},
      {"a graph in 3 parts", [](Rig &r) { r.graph.createReplicatedGraph(3); }, {"3", "2"}},
      {"a graph in 0 parts", [](Rig &r) { r.graph.createReplicatedGraph(0); }, {"0"}},
      {"a graph in 7 replicas", [](Rig &r) { Graph(r.device.getTarget(), replication_factor(7)); }, {"7"}},
      {"a tile that the device has not",
       [](Rig &r) { (void)r.graph.convertPhysicalTileToVirtualTile(1, 0); },
       {"IPU 1"}},
      {"a graph that was moved from",
       [](Rig &r) {
         Graph g(std::move(r.graph));
         r.graph.addComputeSet();
       },
       {"moved from"}},
      {"tensors of no file",
       [](Rig &r) {
         std::stringstream s("nonsense");
         r.graph.deserializeTensors(s, SerializationFormat::Binary);
       },
       {}},
  };
}

} // namespace invalid_use
