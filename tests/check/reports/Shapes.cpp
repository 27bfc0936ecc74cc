// One program in all shapes of profiles: each shape has or lacks the data that some view needs. Arguments: the report's
// folder and the shape.
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/replication_factor.hpp>

#include <popscope/profile.hpp>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

using namespace poplar;
using namespace poplar::program;

namespace {

const char *const kCodelets = R"(
#include <poplar/Vertex.hpp>
using namespace poplar;
class Scale : public Vertex {
public:
  Input<Vector<float>> in;
  Output<Vector<float>> out;
  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i)
      out[i] = in[i] * 2;
    return true;
  }
};
class ScaleWide : public Vertex {
public:
  Input<Vector<float, VectorLayout::SPAN, 16>> in;
  Output<Vector<float, VectorLayout::SPAN, 16>> out;
  bool compute() { return true; }
};
)";

Device deviceFor(const std::string &shape) {
  if (shape == "device" || shape == "second-ipu") {
    for (Device &device : DeviceManager().getDevices(TargetType::IPU, shape == "device" ? 1 : 2))
      if (device.attach())
        return std::move(device);
    std::cerr << "no simulated IPU\n";
    std::exit(2);
  }
  IPUModel model;
  model.numIPUs = shape == "two-ipus" || shape == "replicated" ? 2 : 1;
  model.tilesPerIPU = 4;
  model.compileIPUCode = true;
  return model.createDevice();
}

/// Returns a program with vertices on every other tile, a copy back and, if `overfull`, more data than these tiles
/// hold.
Sequence programOf(Graph &graph, bool overfull) {
  const std::size_t elements = overfull ? 400000 : 4000;
  const unsigned tiles = std::min(graph.getTarget().getNumTiles(), 8U);
  const Tensor a = graph.addVariable(FLOAT, {elements}, "a b"), b = graph.addVariable(FLOAT, {elements}, "Layer1/out");
  const ComputeSet set = graph.addComputeSet("Layer1/scale");
  for (unsigned t = 0; t < tiles; t += 2) {
    const Interval part(t * elements / tiles, (t + 2) * elements / tiles);
    graph.setTileMapping(a.slice(part), t);
    graph.setTileMapping(b.slice(part), overfull ? t : t + 1);
    const VertexRef v = graph.addVertex(set, "Scale");
    graph.setTileMapping(v, t);
    graph.connect(v["in"], a.slice(part));
    graph.connect(v["out"], b.slice(part));
  }
  graph.createHostRead("b", b);
  return Sequence({Execute(set), Copy(b, a, false, "Layer1/back"), Execute(set)});
}

/// Returns a program whose variables on tile 0 live at different times and are aligned to 16 bytes, and need more than
/// the tile has. Each step reads one variable and writes the third after it.
Sequence staircase(Graph &graph) {
  std::vector<Tensor> all;
  for (std::size_t i = 0; i < 12; ++i) {
    all.push_back(graph.addVariable(FLOAT, {45001 + 3211 * (i % 5)}, "stair" + std::to_string(i)));
    graph.setTileMapping(all.back(), 0);
  }
  Sequence program;
  for (std::size_t i = 0; i + 3 < all.size(); ++i) {
    const ComputeSet set = graph.addComputeSet("stair");
    graph.setTileMapping(graph.addVertex(set, "ScaleWide", {{"in", all[i]}, {"out", all[i + 3]}}), 0);
    program.add(Execute(set));
  }
  return program;
}

/// Returns one vertex on the first tile of the second IPU.
Sequence onSecondIpu(Graph &graph) {
  const unsigned tile = graph.getTarget().getTilesPerIPU();
  const Tensor a = graph.addVariable(FLOAT, {100}, "a"), b = graph.addVariable(FLOAT, {100}, "b");
  const ComputeSet set = graph.addComputeSet("Layer1/scale");
  graph.setTileMapping(graph.addVertex(set, "Scale", {{"in", a}, {"out", b}}), tile);
  for (const Tensor &t : {a, b})
    graph.setTileMapping(t, tile);
  return Sequence({Execute(set)});
}

/// Returns copies of equal size from three streams into tensors of different names. The copies have no names, and other
/// programs between them keep them separate.
Sequence unnamedStreams(Graph &graph) {
  const Tensor pair = graph.addVariable(FLOAT, {2, 16}, "pair/left"), third = graph.addVariable(FLOAT, {16}, "third"),
               right = graph.addVariable(FLOAT, {16}, "pair/right");
  for (const Tensor &t : {pair, third, right})
    graph.setTileMapping(t, 1);
  const auto feed = [&](const char *handle, const Tensor &to) {
    return Copy(graph.addHostToDeviceFIFO(handle, FLOAT, to.numElements()), to);
  };
  const Copy between(pair[0], pair[1]);
  return Sequence({feed("one", pair[0]), between, feed("two", third), between,
                   feed("three", concat(pair[1].slice(0, 8), right.slice(8, 16)))});
}

/// Returns copies of a row between a remote buffer and a variable whose parts on the tiles are no whole words, so that
/// the row goes through host message buffers.
Sequence rowsOfHalfWords(Graph &graph) {
  constexpr unsigned kValues = 50, kRun = 7;
  const RemoteBuffer weights = graph.addRemoteBuffer("weights", SHORT, kValues, 4);
  const Tensor row = graph.addVariable(SHORT, {kValues}, "row"), index = graph.addVariable(UNSIGNED_INT, {1}, "index");
  for (unsigned i = 0; i < kValues; ++i)
    graph.setTileMapping(row[i], i / kRun % 3);
  graph.setTileMapping(index, 2);
  graph.setInitialValue(index, std::vector<unsigned>{1});
  return Sequence({Copy(weights, row, index), Copy(row, weights, index)});
}

/// Returns conditionals whose branches only call a function, so that no step of a branch itself takes time.
Sequence branches(Graph &graph) {
  const Tensor a = graph.addVariable(FLOAT, {8}, "a"), b = graph.addVariable(FLOAT, {8}, "b"),
               yes = graph.addVariable(BOOL, {}, "yes"), which = graph.addVariable(INT, {}, "which");
  for (const Tensor &t : {a, b, yes, which})
    graph.setTileMapping(t, 0);
  const ComputeSet set = graph.addComputeSet("scale");
  graph.setTileMapping(graph.addVertex(set, "Scale", {{"in", a}, {"out", b}}), 0);
  graph.setInitialValue(yes, true);
  graph.setInitialValue(which, 7);
  const Function scale = graph.addFunction(Execute(set));
  const Call call(scale);
  Switch cases(which);
  cases.add(3, call);
  cases.add(7, Sequence({call, Repeat(5, call)}));
  const Repeat inner(3, Sequence({call, Execute(set)}));
  return Sequence(
      {If(yes, Execute(set), call), If(yes, call, Execute(set)), cases, If(yes, Sequence({call, inner}), cases)});
}

/// Returns a Repeat of one iteration. The variable "halves" stays live after its last read, because two copies write it.
Sequence once(Graph &graph) {
  const Tensor a = graph.addVariable(FLOAT, {8}, "a"), b = graph.addVariable(FLOAT, {8}, "b"),
               halves = graph.addVariable(FLOAT, {8}, "halves");
  const ComputeSet first = graph.addComputeSet("first"), set = graph.addComputeSet("scale");
  for (const Tensor &t : {a, b, halves})
    graph.setTileMapping(t, 0);
  graph.setTileMapping(graph.addVertex(first, "Scale", {{"in", halves}, {"out", b}}), 0);
  graph.setTileMapping(graph.addVertex(set, "Scale", {{"in", a}, {"out", b}}), 0);
  return Sequence({Copy(a.slice(0, 4), halves.slice(0, 4)), Copy(a.slice(4, 8), halves.slice(4, 8)), Execute(first),
                   Repeat(1, Execute(set)), Execute(set)});
}

} // namespace

int main(int, char **argv) {
  const std::string shape = argv[2];
  if (shape == "bare-elsewhere" && ::chdir("report") != 0)
    return 1;
  const Device device = deviceFor(shape);
  Graph graph(device.getTarget(), replication_factor(shape == "replicated" ? 2 : 1));
  std::stringstream codelets(kCodelets);
  graph.addCodelets(codelets);
  OptionFlags options;
  const bool bare = shape.rfind("bare", 0) == 0; // requests nothing
  if (!bare)
    options.set("autoReport.directory", argv[1]);
  if (shape != "sparse" && !bare)
    options.set("autoReport.all", "true");
  else if (shape == "sparse")
    options.set("autoReport.outputExecutionProfile", "true");
  if (shape == "tried")
    options.set("popscope.tryAdvice", "16");
  if (shape == "device" || shape == "second-ipu")
    options.set("debug.instrument", "true");
  if (shape == "stepless")
    options.set("popscope.alwaysSwitch", "false");
  if (shape == "unrecorded")
    options.set("autoReport.outputExecutionProfile", "false");
  const bool overfull = shape == "overfull" || shape == "tried" || shape == "gaps";
  const Sequence program = shape == "streams"      ? unnamedStreams(graph)
                           : shape == "rows"       ? rowsOfHalfWords(graph)
                           : shape == "branches"   ? branches(graph)
                           : shape == "second-ipu" ? onSecondIpu(graph)
                           : shape == "gaps"       ? staircase(graph)
                           : shape == "once"       ? once(graph)
                           : shape == "stepless"   ? Sequence()
                                                   : programOf(graph, overfull);
  try {
    Engine engine(graph, program, options);
    if (shape == "compiled")
      return 0;
    engine.load(device);
    std::vector<float> data(16);
    for (const char *handle : {"one", "two", "three"})
      if (shape == "streams")
        engine.connectStream(handle, data.data(), data.data() + data.size());
    if (shape == "labelled") {
      for (const char *label : {"warm up", "measured"}) {
        const popscope::profile::Scope scope(engine, label);
        engine.run(0, "same name");
      }
      return 0;
    }
    engine.run(0, "first");
    if (shape == "bare-moved" && ::chdir("report") != 0)
      return 1;
    engine.run(0, "second");
    if (shape == "killed" || shape == "bare-killed")
      std::raise(SIGKILL);
    if (shape == "bare-aborted")
      std::abort();
    if (shape == "exited" || shape == "bare-exited") // while the engine lives
      std::exit(7);
  } catch (const graph_memory_allocation_error &e) {
    std::cout << e.what() << "\n";
    return overfull ? 0 : 1;
  }
  return 0;
}
