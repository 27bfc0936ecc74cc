#include "tests/unit/invalid/InvalidUse.hpp"

using namespace poplar;
using namespace poplar::program;

namespace invalid_use {

namespace {

Graph twice(const Device &device) { return Graph(device.getTarget(), replication_factor(2)); }
Device twoIpus() {
  IPUModel model("ipu2");
  model.tilesPerIPU = 2;
  model.numIPUs = 2;
  model.compileIPUCode = false;
  return model.createDevice();
}
Tensor mapped(Graph &graph) {
  Tensor t = graph.addVariable(INT, {2}, "x");
  graph.setTileMapping(t, 0);
  return t;
}

} // namespace

std::vector<Case> programCases() {
  return {
      {"a copy of another size", [](Rig &r) { Copy(r.ints, r.number); }, {"4", "1"}},
      {"a copy of another type", [](Rig &r) { Copy(r.ints, r.variable(FLOAT, {4})); }, {"int", "float"}},
      {"a copy to a constant", [](Rig &r) { Copy(r.ints, r.constant); }, {"constant"}},
      {"a copy to an alias", [](Rig &r) { Copy(r.ints, r.number.reshape({1}).broadcast(4, 0)); }, {"more than once"}},
      {"a copy between graphs",
       [](Rig &r) {
         Rig other;
         Copy(r.ints, other.ints);
       },
       {"different graphs"}},
      {"a copy of no tensor", [](Rig &r) { Copy(Tensor(), r.ints); }, {"invalid tensor"}},
      {"a stream the wrong way", [](Rig &r) { Copy(r.ints, r.graph.addHostToDeviceFIFO("s", INT, 4)); }, {"\"s\""}},
      {"a stream of another size",
       [](Rig &r) { Copy(r.graph.addHostToDeviceFIFO("s", INT, 3), r.ints); },
       {"\"s\"", "4", "3"}},
      {"a stream of another type",
       [](Rig &r) { Copy(r.graph.addHostToDeviceFIFO("s", FLOAT, 4), r.ints); },
       {"\"s\"", "float"}},
      {"no stream", [](Rig &r) { Copy(DataStream(), r.ints); }, {"addHostToDeviceFIFO"}},
      {"no remote buffer", [](Rig &r) { Copy(RemoteBuffer(), r.ints); }, {"addRemoteBuffer"}},
      {"an offset of floats",
       [](Rig &r) { Copy(r.graph.addRemoteBuffer("b", INT, 4, 2), r.ints, r.matrix[0][0]); },
       {"\"b\"", "offset"}},
      {"two offsets for one row",
       [](Rig &r) { Copy(r.graph.addRemoteBuffer("b", INT, 4, 2), r.ints, r.ints.slice(0, 2)); },
       {"\"b\"", "2 offsets"}},
      {"rows times elements that wrap",
       [](Rig &r) {
         Copy(r.graph.addRemoteBuffer("b", INT, std::size_t(1) << 47), r.ints, r.variable(INT, {std::size_t(1) << 18}));
       },
       {"\"b\""}},
      {"no blocks of a stream with an offset",
       [](Rig &r) { Copy(r.graph.addHostToDeviceFIFO("s", INT, 4), r.ints, r.number, 0); },
       {"\"s\"", "0 blocks"}},
      {"2^40 blocks of a stream with an offset",
       [](Rig &r) { Copy(r.graph.addHostToDeviceFIFO("s", INT, 4), r.ints, r.number, std::size_t(1) << 40); },
       {"1099511627776"}},
      {"a compute set of nothing", [](Rig &) { Execute{ComputeSet()}; }, {"addComputeSet"}},
      {"a result of int", [](Rig &r) { Execute(r.graph.addComputeSet(), r.number); }, {"bool"}},
      {"a function of nothing", [](Rig &) { Call{Function()}; }, {"addFunction"}},
      {"a host function of nothing", [](Rig &) { Call(HostFunction(), {}, {}); }, {"addHostFunction"}},
      {"a host function with too few",
       [](Rig &r) { Call(r.graph.addHostFunction("f", {Graph::HostFunctionArgument(INT, 4)}, {}), {}, {}); },
       {"\"f\""}},
      {"If of floats", [](Rig &r) { If(r.matrix[0][0], Sequence(), Sequence()); }, {"predicate", "float"}},
      {"If of two", [](Rig &r) { If(r.ints, Sequence(), Sequence()); }, {"predicate", "ints"}},
      {"Switch of bool", [](Rig &r) { Switch{r.flag}; }, {"Switch"}},
      {"a case twice", [](Rig &r) { Switch(r.number).add(3, Sequence()).add(3, Sequence()); }, {"Switch has a case 3"}},
      {"a loop while four", [](Rig &r) { RepeatWhileTrue(Sequence(), r.ints, Sequence()); }, {"loop"}},
      {"a loop until floats", [](Rig &r) { RepeatWhileFalse(Sequence(), r.matrix[0][0], Sequence()); }, {"loop"}},
      {"an abort on a vector", [](Rig &r) { AbortOnCondition(r.ints); }, {"predicate"}},
      {"WriteUndef of a constant", [](Rig &r) { WriteUndef{r.constant}; }, {"constant"}},
      {"20,000 nested Repeats",
       [](Rig &r) {
         Program p = Copy(r.constant, r.ints);
         for (int i = 0; i < 20000; ++i)
           p = Repeat(1, p);
       },
       {"Repeat", "1000"}},
      {"100,000 nested Sequences",
       [](Rig &r) {
         Program p = Copy(r.constant, r.ints);
         for (int i = 0; i < 100000; ++i)
           p = Sequence(p);
       },
       {"Sequence", "1000"}},
      {"nested Ifs",
       [](Rig &r) {
         Program p;
         for (int i = 0; i < 2000; ++i)
           p = If(r.flag, p, Sequence());
       },
       {"If", "1000"}},
      {"nested loops",
       [](Rig &r) {
         Program p;
         for (int i = 0; i < 2000; ++i)
           p = RepeatWhileTrue(p, r.flag, Sequence());
       },
       {"1000"}},
      {"nested Switches",
       [](Rig &r) {
         Program p;
         for (int i = 0; i < 2000; ++i)
           p = Switch(r.number).add(1, p);
       },
       {"Switch", "1000"}},
      {"nested blocks",
       [](Rig &) {
         Program p;
         for (int i = 0; i < 2000; ++i)
           p = Block(p);
       },
       {"Block", "1000"}},
      {"a chain of 20,000 functions",
       [](Rig &r) {
         Program p = Copy(r.constant, r.ints);
         for (int i = 0; i < 20000; ++i)
           p = Call(r.graph.addFunction(p));
         r.engine(p);
       },
       {"Call", "1000"}},
      {"two replicas for CrossReplicaCopy where there is one",
       [](Rig &r) {
         CrossReplicaCopy(r.ints, r.ints, {{0, 1}, {1, 0}});
       },
       {"replica 0 to 1", "one replica, 0"}},
      {"an empty map for CrossReplicaCopy",
       [](Rig &) {
         Device d = twoIpus();
         Graph g = twice(d);
         Tensor x = mapped(g);
         CrossReplicaCopy(x, x, {});
       },
       {"0 of 2 replicas"}},
      {"part of a map for CrossReplicaCopy",
       [](Rig &) {
         Device d = twoIpus();
         Graph g = twice(d);
         Tensor x = mapped(g);
         CrossReplicaCopy(x, x, {{0, 1}});
       },
       {"1 of 2 replicas", "replica 1"}},
      {"a replica that receives twice",
       [](Rig &) {
         Device d = twoIpus();
         Graph g = twice(d);
         Tensor x = mapped(g);
         CrossReplicaCopy(x, x, {{0, 1}, {1, 1}});
       },
       {"replica 1"}},
      {"a replica that is not there",
       [](Rig &) {
         Device d = twoIpus();
         Graph g = twice(d);
         Tensor x = mapped(g);
         CrossReplicaCopy(x, x, {{0, 1}, {1, 2}});
       },
       {"2"}},
  };
}

} // namespace invalid_use
