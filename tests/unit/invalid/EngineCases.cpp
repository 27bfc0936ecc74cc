#include "tests/unit/invalid/InvalidUse.hpp"

#include <poplar/DeviceManager.hpp>

#include <sstream>

using namespace poplar;
using namespace poplar::program;

namespace invalid_use {

namespace {

/// An engine that copies a stream "s" and a remote buffer "b" of two rows to ints; the host reads ints as "r" and
/// writes it as "w".
struct Running {
  DataStream s;
  RemoteBuffer b;
  Engine e;
  int data[16] = {};
  explicit Running(Rig &r)
      : s(r.graph.addHostToDeviceFIFO("s", INT, 4)), b(r.graph.addRemoteBuffer("b", INT, 4, 2)),
        e((r.graph.createHostRead("r", r.ints), r.graph.createHostWrite("w", r.ints),
           r.engine(Sequence(Copy(s, r.ints), Copy(b, r.ints))))) {}
};

Case option(const char *name, const char *key, const char *value, std::vector<std::string> says) {
  return {name, [=](Rig &r) { r.engine(Copy(r.constant, r.ints), {{key, value}}); }, std::move(says)};
}

} // namespace

std::vector<Case> engineCases() {
  return {
      // ---- host memory
      {"a null stream",
       [](Rig &r) {
         Running x(r);
         x.e.connectStream("s", nullptr);
       },
       {"'s'", "null"}},
      {"a null stream with an end",
       [](Rig &r) {
         Running x(r);
         x.e.connectStream("s", nullptr, x.data + 4);
       },
       {"'s'", "null"}},
      {"a stream without an end",
       [](Rig &r) {
         Running x(r);
         x.e.connectStream("s", x.data, nullptr);
       },
       {"'s'", "null"}},
      {"a stream that ends before it begins",
       [](Rig &r) {
         Running x(r);
         x.e.connectStream("s", x.data + 4, x.data);
       },
       {"'s'", "before"}},
      {"a stream by its handle that ends before it begins",
       [](Rig &r) {
         Running x(r);
         x.e.connectStream(x.s, x.data + 4, x.data);
       },
       {"'s'", "before"}},
      {"a stream that is too short",
       [](Rig &r) {
         Running x(r);
         x.e.connectStream("s", x.data, x.data + 3);
       },
       {"'s'", "12 bytes", "16 bytes"}},
      {"a stream of one and a half transfers",
       [](Rig &r) {
         Running x(r);
         x.e.connectStream("s", x.data, x.data + 6);
       },
       {"'s'", "24 bytes"}},
      {"a stream that is not there",
       [](Rig &r) {
         Running x(r);
         x.e.connectStream("t", x.data);
       },
       {"'t'", "addHostToDeviceFIFO"}},
      {"a remote buffer as a stream",
       [](Rig &r) {
         Running x(r);
         x.e.connectStream("b", x.data);
       },
       {"'b'", "remote buffer"}},
      {"a stream that nothing is connected to",
       [](Rig &r) {
         Running x(r);
         x.e.run();
       },
       {"'s'"}},
      {"readTensor to null",
       [](Rig &r) {
         Running x(r);
         x.e.readTensor("r", nullptr);
       },
       {"'r'", "null"}},
      {"readTensor to null with an end",
       [](Rig &r) {
         Running x(r);
         x.e.readTensor("r", nullptr, nullptr);
       },
       {"'r'", "null"}},
      {"readTensor that ends before it begins",
       [](Rig &r) {
         Running x(r);
         x.e.readTensor("r", x.data + 8, x.data);
       },
       {"'r'", "before"}},
      {"readTensor to too little",
       [](Rig &r) {
         Running x(r);
         x.e.readTensor("r", x.data, x.data + 3);
       },
       {"'r'", "12", "16"}},
      {"readTensor of what is not there",
       [](Rig &r) {
         Running x(r);
         x.e.readTensor("q", x.data);
       },
       {"'q'", "createHostRead"}},
      {"writeTensor from null",
       [](Rig &r) {
         Running x(r);
         x.e.writeTensor("w", nullptr);
       },
       {"'w'", "null"}},
      {"writeTensor that ends before it begins",
       [](Rig &r) {
         Running x(r);
         x.e.writeTensor("w", x.data + 8, x.data);
       },
       {"'w'", "before"}},
      {"a row to null",
       [](Rig &r) {
         Running x(r);
         x.e.copyFromRemoteBuffer(x.b, nullptr, 0);
       },
       {"'b'", "null", "16 bytes"}},
      {"a row from null",
       [](Rig &r) {
         Running x(r);
         x.e.copyToRemoteBuffer(nullptr, "b", 0);
       },
       {"'b'", "null"}},
      {"row 2 of 2",
       [](Rig &r) {
         Running x(r);
         x.e.copyFromRemoteBuffer("b", x.data, 2);
       },
       {"'b'", "2 rows", "row 2"}},
      {"row -1",
       [](Rig &r) {
         Running x(r);
         x.e.copyFromRemoteBuffer("b", x.data, -1);
       },
       {"'b'", "-1"}},
      {"a row of replica 1 of 1",
       [](Rig &r) {
         Running x(r);
         x.e.copyToRemoteBuffer(x.data, "b", 0, 1);
       },
       {"replica 1", "'b'"}},
      {"a row of a stream",
       [](Rig &r) {
         Running x(r);
         x.e.copyToRemoteBuffer(x.data, "s", 0);
       },
       {"'s'"}},
      // ---- callbacks
      {"an empty function",
       [](Rig &r) {
         Running x(r);
         x.e.connectStreamToCallback("s", std::function<void(void *)>());
       },
       {"'s'", "empty"}},
      {"a null function",
       [](Rig &r) {
         Running x(r);
         void (*f)(void *) = nullptr;
         x.e.connectStreamToCallback("s", f);
       },
       {"'s'", "empty"}},
      {"a null callback",
       [](Rig &r) {
         Running x(r);
         x.e.connectStreamToCallback("s", std::unique_ptr<StreamCallback>());
       },
       {"'s'", "empty"}},
      {"an empty function of a replica",
       [](Rig &r) {
         Running x(r);
         x.e.connectStreamToCallback("s", 0, std::function<void(void *)>());
       },
       {"'s'", "empty"}},
      {"a callback for replica 3",
       [](Rig &r) {
         Running x(r);
         x.e.connectStreamToCallback("s", 3, [](void *) {});
       },
       {"'s'", "replica 3"}},
      {"an empty host function",
       [](Rig &r) {
         const HostFunction f = r.graph.addHostFunction("f", {}, {});
         Engine e = r.engine(Call(f, {}, {}));
         e.connectHostFunction(f, 0,
                               std::function<void(const void *const *, std::size_t, void *const *, std::size_t)>());
       },
       {"'f'", "empty"}},
      {"a host function that is not there",
       [](Rig &r) {
         Running x(r);
         x.e.connectHostFunction("f", 0, [](const void *const *, std::size_t, void *const *, std::size_t) {});
       },
       {"'f'"}},
      // ---- engines
      {"program 1 of 1",
       [](Rig &r) {
         Running x(r);
         x.e.run(1);
       },
       {"1"}},
      {"a run before a load",
       [](Rig &r) {
         Engine e(r.graph, Copy(r.constant, r.ints));
         e.run();
       },
       {"load"}},
      {"a read before a load",
       [](Rig &r) {
         r.graph.createHostRead("r", r.ints);
         Engine e(r.graph, Sequence());
         int x[4];
         e.readTensor("r", x);
       },
       {"load"}},
      {"a run of an engine that was moved from",
       [](Rig &r) {
         Running x(r);
         Engine other(std::move(x.e));
         x.e.run();
       },
       {"moved from"}},
      {"a load of an engine that was moved from",
       [](Rig &r) {
         Running x(r);
         Engine other(std::move(x.e));
         x.e.load(r.device);
       },
       {"moved from"}},
      {"a read of an engine that was moved from",
       [](Rig &r) {
         Running x(r);
         Engine other(std::move(x.e));
         x.e.readTensor("r", x.data);
       },
       {"moved from"}},
      {"a stream of an engine that was moved from",
       [](Rig &r) {
         Running x(r);
         Engine other(std::move(x.e));
         x.e.connectStream("s", x.data);
       },
       {"moved from"}},
      {"a report of an engine that was moved from",
       [](Rig &r) {
         Running x(r);
         Engine other(std::move(x.e));
         x.e.getGraphProfile();
       },
       {"moved from"}},
      {"a summary of an engine that was moved from",
       [](Rig &r) {
         Running x(r);
         Engine other(std::move(x.e));
         std::ostringstream out;
         x.e.printProfileSummary(out);
       },
       {"moved from"}},
      {"a deploy of an engine that was moved from",
       [](Rig &r) {
         Running x(r);
         Engine other(std::move(x.e));
         x.e.deploy();
       },
       {"moved from"}},
      {"handles of an engine that was moved from",
       [](Rig &r) {
         Running x(r);
         Engine other(std::move(x.e));
         (void)x.e.getStreamHandles();
       },
       {"moved from"}},
      {"an engine on another device",
       [](Rig &r) {
         IPUModel m;
         m.tilesPerIPU = 3;
         Engine e(r.graph, Sequence());
         e.load(m.createDevice());
       },
       {"tiles of an IPU (2, the device 3)"}},
      {"an engine of an empty executable", [](Rig &) { Engine e{Executable()}; }, {"compileGraph"}},
      {"an empty executable to a file",
       [](Rig &) {
         std::ostringstream out;
         Executable().serialize(out);
       },
       {"compileGraph"}},
      {"a program of another graph",
       [](Rig &r) {
         Rig other;
         r.engine(Copy(other.constant, other.ints));
       },
       {"another graph"}},
      {"a variable that is not mapped",
       [](Rig &r) { r.engine(Copy(r.constant, r.graph.addVariable(INT, {4}, "loose"))); },
       {"loose"}},
      {"an edge that is not connected",
       [](Rig &r) {
         ComputeSet cs = r.graph.addComputeSet();
         r.graph.setTileMapping(r.graph.addVertex(cs, "V"), 0);
         r.engine(Execute(cs));
       },
       {"V"}},
      {"an element of a field that is not connected",
       [](Rig &r) {
         ComputeSet cs = r.graph.addComputeSet();
         VertexRef v = r.graph.addVertex(cs, "V", {{"a", r.constant}, {"b", r.constant[0]}, {"o", r.number}});
         r.graph.connect(v["rows"][1], r.ints);
         r.graph.setFieldSize(v["tab"], 1);
         r.graph.setTileMapping(v, 0);
         r.engine(Execute(cs));
       },
       {"element 0", "'rows'", "not connected"}},
      {"a summary of a file that is not there",
       [](Rig &) {
         std::ostringstream out;
         poplar::printProfileSummary(out, "/there/is/no/profile.pop");
       },
       {"/there/is/no/profile.pop"}},
      {"a summary with an unknown option",
       [](Rig &r) {
         Running x(r);
         std::ostringstream out;
         x.e.printProfileSummary(out, {{"showVarStorag", "true"}});
       },
       {"showVarStorage"}},
      // ---- options
      option("an option that is not there", "debug.verfy", "true", {"debug.verfy", "debug.verify"}),
      option("perhaps for a truth", "debug.verify", "perhaps", {"debug.verify", "perhaps"}),
      option("tile 99 of 2 for branches", "debug.branchRecordTile", "99", {"debug.branchRecordTile", "99", "2 tiles"}),
      option("tile -1 for branches", "debug.branchRecordTile", "-1", {"debug.branchRecordTile", "-1"}),
      option("a word for a tile", "debug.branchRecordTile", "first", {"debug.branchRecordTile", "first"}),
      option("tile 4,000,000,000 for blocks", "profiler.blocks.tile", "4000000000",
             {"profiler.blocks.tile", "4000000000", "0 to 1"}),
      option("tile 2 of 2 for blocks", "profiler.blocks.tile", "2", {"profiler.blocks.tile", "0 to 1"}),
      option("stacks of 3 bytes", "target.workerStackSizeInBytes", "3", {"target.workerStackSizeInBytes", "3", "8"}),
      option("stacks of 20 nines", "target.workerStackSizeInBytes", "99999999999999999999",
             {"target.workerStackSizeInBytes"}),
      option("stacks of more than a tile", "target.workerStackSizeInBytes", "0x80000",
             {"target.workerStackSizeInBytes", "524288"}),
      option("a supervisor's stack of 5 bytes", "target.supervisorStackSizeInBytes", "5",
             {"target.supervisorStackSizeInBytes", "5"}),
      option("runs that are not ascending", "popscope.profileRuns", "5-3", {"popscope.profileRuns", "5-3"}),
      option("a level that is not there", "debug.computeInstrumentationLevel", "all",
             {"debug.computeInstrumentationLevel", "all"}),
      // ---- devices
      {"a null version", [](Rig &) { IPUModel m(nullptr); }, {"IPUModel", "null"}},
      {"a version that is not there", [](Rig &) { IPUModel m("ipu9"); }, {"ipu9"}},
      {"a model without tiles",
       [](Rig &) {
         IPUModel m;
         m.tilesPerIPU = 0;
         m.createDevice();
       },
       {"0"}},
      {"a model without IPUs",
       [](Rig &) {
         IPUModel m;
         m.numIPUs = 0;
         m.createDevice();
       },
       {"0"}},
      {"stores of 65 bytes",
       [](Rig &) {
         IPUModel m;
         m.atomicStoreGranularity = 65;
         m.createDevice();
       },
       {"65", "64"}},
      {"a profile of a CPU device",
       [](Rig &) {
         Device d = Device::createCPUDevice();
         Graph g(d.getTarget());
         Engine e(g, Sequence());
         e.load(d);
         e.getGraphProfile();
       },
       {"CPU"}},
      {"a virtual target of more IPUs", [](Rig &r) { r.device.getTarget().createVirtualTarget(4, 2); }, {"4"}},
  };
}

} // namespace invalid_use
