// Programs that write profiles for the viewer's tests. Usage: viewer_programs NAME; POPLAR_ENGINE_OPTIONS sets the
// profile's folder. Names:
//   overfull: does not fit on one tile            overfull_twice: does not fit on two tiles
//   hostile: names that are markup                properties: names of JavaScript properties
//   pod: 64 IPUs                                  layers: nested operations, in which a WriteUndef saves memory
//   blocks: an IPU that records blocks            waits: two compute sets make tiles wait
//   two: two IPUs                                 replicas: two replicas
//   many: a thousand compute sets                 late: one late tile among 1,472
//   live: runs on request, one for each line of input
#include "tests/package/TwiceCodelet.hpp"

#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>

#include <cstdlib>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace poplar;
using namespace poplar::program;

namespace {

void addVertex(Graph &graph, ComputeSet set, Tensor in, Tensor out, unsigned tile, unsigned cycles = 0) {
  VertexRef vertex = graph.addVertex(set, "Twice", {{"in", in}, {"out", out}});
  graph.setTileMapping(vertex, tile);
  graph.setPerfEstimate(vertex, cycles == 0 ? 100 + 10 * tile : cycles, in.numElements());
}

/// Puts twice as much on tile 1 as it holds, and a little on the other tiles.
Program overfull(Graph &graph) {
  const unsigned twice = 2 * graph.getTarget().getBytesPerTile() / 4;
  Tensor big = graph.addVariable(FLOAT, {twice}, "activations"), small = graph.addVariable(FLOAT, {12}, "inputs");
  graph.setTileMapping(big, 1);
  graph.setTileMapping(small, 0);
  ComputeSet set = graph.addComputeSet("expand");
  addVertex(graph, set, small, big.slice(0, 12), 1);
  ComputeSet again = graph.addComputeSet("shrink");
  addVertex(graph, again, big.slice(0, 12), small, 0);
  return Sequence(Execute(set), Execute(again));
}

/// Two tiles do not fit, each because of other variables; for tile 5, removing any one of its variables suffices.
Program overfullTwice(Graph &graph) {
  const unsigned memory = graph.getTarget().getBytesPerTile() / 4;
  Sequence program;
  const auto work = [&](const std::string &name, unsigned elements, unsigned tile) {
    Tensor t = graph.addVariable(FLOAT, {elements}, name);
    graph.setTileMapping(t, tile);
    graph.createHostRead(name, t);
    graph.createHostWrite(name, t);
    ComputeSet set = graph.addComputeSet("use " + name);
    addVertex(graph, set, t.slice(0, 12), t.slice(12, 24), tile);
    program.add(Execute(set));
  };
  work("weights", memory + memory / 4, 2);
  work("state", memory / 2 + memory / 8, 5);
  work("more", memory / 2, 5);
  return program;
}

Program hostile(Graph &graph) {
  const std::string name =
      "<img src=x onerror=\"window.hostile=1\"></script><script>window.hostile=2</script>\xe2\x80\xae&amp;'\"";
  Tensor a = graph.addVariable(FLOAT, {64}, name), b = graph.addVariable(FLOAT, {64}, "javascript:window.hostile=3");
  graph.setTileMapping(a, 0);
  graph.setTileMapping(b, 3);
  ComputeSet set = graph.addComputeSet(name), back = graph.addComputeSet(std::string(3000, 'x') + name);
  addVertex(graph, set, a, b, 2);
  addVertex(graph, back, b, a, 1);
  return Sequence(Execute(set), Execute(back));
}

/// Variables and compute sets with the names of properties that every JavaScript object has.
Program properties(Graph &graph) {
  Sequence program;
  unsigned tile = 0;
  for (const char *name : {"toString", "__proto__/constructor", "__proto__", "constructor", "hasOwnProperty"}) {
    const ComputeSet set = graph.addComputeSet(name);
    const Tensor in = graph.addVariable(FLOAT, {1024 - tile}, name);
    graph.setTileMapping(in, tile);
    graph.createHostRead(name, in);
    const Tensor out = graph.addVariable(FLOAT, {64}, std::string(name) + "/out");
    graph.setTileMapping(out, tile);
    addVertex(graph, set, in.slice(0, 64), out, tile++);
    program.add(Execute(set));
  }
  return program;
}

Program pod(Graph &graph, unsigned tiles) {
  Tensor a = graph.addVariable(FLOAT, {tiles, 4}, "a"), b = graph.addVariable(FLOAT, {tiles, 4}, "b");
  ComputeSet set = graph.addComputeSet("twice");
  for (unsigned tile = 0; tile < tiles; ++tile) {
    graph.setTileMapping(a[tile], tile);
    graph.setTileMapping(b[tile], (tile + 1) % tiles);
    addVertex(graph, set, a[tile], b[tile], tile);
  }
  return Sequence(Repeat(3, Execute(set)), Copy(b, a));
}

Tensor variable(Graph &graph, const DebugContext &context, unsigned elements, unsigned tile) {
  const Tensor t = graph.addVariable(FLOAT, {elements}, context);
  graph.setTileMapping(t, tile);
  return t;
}

/// Returns 2 * in on a tile, in the way of an operation library.
Tensor doubled(Graph &graph, const Tensor &in, unsigned tile, Sequence &program, const DebugContext &context) {
  DebugInfo info(context, "library");
  info.setValue("api", "doubled");
  const Tensor out = variable(graph, {info, "out"}, static_cast<unsigned>(in.numElements()), tile);
  const ComputeSet set = graph.addComputeSet({info, "Double"});
  addVertex(graph, set, in, out, tile);
  program.add(Execute(set));
  return out;
}

/// Nested operations, and an array whose halves are overwritten one after the other: a WriteUndef before `big` would
/// save memory.
Program layers(Graph &graph) {
  const DebugInfo whole(DebugContext("model"), "application");
  Sequence program;
  const Tensor in = variable(graph, "in", 64, 0), v = variable(graph, "v", 8, 0),
               other = variable(graph, "other", 8, 0), big = variable(graph, "big", 512, 0),
               tail = variable(graph, "tail", 8, 0);
  const Tensor source = graph.addConstant<float>(FLOAT, {512}, 1.0f, "source");
  graph.setTileMapping(source, 0);
  {
    DebugInfo twice(DebugContext(whole, "quadruple"), "application");
    twice.setValue("op_type", "Quadruple");
    const Tensor once = doubled(graph, in, 0, program, {twice, "first"}),
                 moved = variable(graph, {twice, "moved"}, 64, 1);
    program.add(Copy(once, moved, false, {twice, "move"}));
    (void)doubled(graph, moved, 1, program, {twice, "second"});
  }
  { const DebugInfo nothing(DebugContext(whole, "nothing"), "library"); }
  Sequence body({}, DebugContext(whole, "body"));
  (void)doubled(graph, in, 3, body, DebugContext(whole, "again"));
  program.add(Repeat(3, body, {whole, "loop"}));
  graph.createHostRead("other", other);
  graph.createHostRead("tail", tail);
  program.add(Copy(source.slice(0, 8), v));
  program.add(Copy(v, other));
  program.add(Copy(source, big));
  program.add(Copy(big.slice(0, 8), tail));
  program.add(Copy(source.slice(0, 4), v.slice(0, 4)));
  program.add(Copy(source.slice(0, 4), v.slice(4, 8)));
  program.add(Copy(v, other));
  return program;
}

/// Two of the compute sets make tiles wait: in "uneven" one tile works far longer than the others, and "lonely" has
/// only one tile. The others take equally long on each tile; "balanced" begins on each tile when that tile has left
/// "uneven".
Program waits(Graph &graph) {
  constexpr unsigned kTiles = 8;
  Sequence body;
  std::vector<Tensor> values;
  for (unsigned tile = 0; tile < kTiles; ++tile)
    values.push_back(variable(graph, "value" + std::to_string(tile), 16, tile));
  const auto set = [&](const std::string &name, const std::function<unsigned(unsigned)> &cyclesOn) {
    const ComputeSet made = graph.addComputeSet(name);
    for (unsigned tile = 0; tile < kTiles; ++tile)
      if (const unsigned cycles = cyclesOn(tile); cycles != 0) {
        addVertex(graph, made, values[tile], variable(graph, name + "/out", 16, tile), tile, cycles);
      }
    body.add(Execute(made));
  };
  set("uneven", [](unsigned tile) { return tile == 3 ? 50000u : 1000u; });
  set("balanced", [](unsigned) { return 2000u; });
  body.add(Copy(values[2], values[6])); // a meeting of all tiles
  set("lonely", [](unsigned tile) { return tile == 5 ? 20000u : 0u; });
  set("even", [](unsigned) { return 3000u; });
  body.add(Copy(values[3], values[5]));
  return Repeat(3, body);
}

/// A thousand compute sets in ten layers; each reads what the previous one wrote on another tile.
Program many(Graph &graph) {
  constexpr unsigned kSets = 1000, kTiles = 8;
  Sequence body;
  Tensor before = variable(graph, "in", 16, 0);
  for (unsigned i = 0; i < kSets; ++i) {
    const std::string name = "Layer" + std::to_string(i / 100) + "/Step" + std::to_string(i % 100);
    const ComputeSet set = graph.addComputeSet(name);
    const Tensor out = variable(graph, name + "/out", 16, (i + 1) % kTiles);
    addVertex(graph, set, before, out, (i + 1) % kTiles, 100 + i % 7 * 50);
    body.add(Execute(set));
    before = out;
  }
  return body;
}

/// All tiles of a chip do the same work, except one that does a hundred times as much; then all exchange data.
Program late(Graph &graph) {
  constexpr unsigned kLate = 1040;
  const unsigned tiles = graph.getTarget().getNumTiles();
  Tensor a = graph.addVariable(FLOAT, {tiles, 4}, "a"), b = graph.addVariable(FLOAT, {tiles, 4}, "b");
  const ComputeSet set = graph.addComputeSet("uneven"), next = graph.addComputeSet("even");
  for (unsigned tile = 0; tile < tiles; ++tile) {
    graph.setTileMapping(a[tile], tile);
    graph.setTileMapping(b[tile], (tile + 1) % tiles);
    addVertex(graph, set, a[tile], b[tile], tile, tile == kLate ? 100000u : 1000u);
    addVertex(graph, next, b[tile], a[tile], tile, 1000u);
  }
  return Repeat(3, Sequence(Execute(set), Execute(next)));
}

/// Nested blocks on two tiles, executed twice.
Program blocks(Graph &graph) {
  const auto work = [&](const std::string &name, unsigned tile) {
    const ComputeSet set = graph.addComputeSet(name);
    addVertex(graph, set, variable(graph, name + "/in", 16, tile), variable(graph, name + "/out", 16, tile), tile);
    return Execute(set);
  };
  const auto stage = [&](const std::string &name, unsigned tile) {
    return Block(Sequence(Block(work(name + "/a", tile), "a"), Block(work(name + "/b", tile), "b")), name);
  };
  return Repeat(2, Sequence(stage("stage1", 0), stage("stage2", 5)));
}

Device simulatedIpu() {
  setenv("POPSCOPE_SIM_IPUS", "ipu2:1", 1);
  return DeviceManager::createDeviceManager().getDevices(TargetType::IPU, 1).at(0).createVirtualDevice(8);
}

Device modelOf(const std::string &which) {
  IPUModel model = which == "late" ? IPUModel("ipu2") : IPUModel();
  model.numIPUs = which == "pod" ? 64 : which == "two" ? 2 : which == "replicas" ? 4 : 1;
  if (which != "pod" && which != "late")
    model.tilesPerIPU = 8;
  return model.createDevice();
}

Program programOf(const std::string &which, Graph &graph) {
  return which == "overfull"                                       ? overfull(graph)
         : which == "overfull_twice"                               ? overfullTwice(graph)
         : which == "properties"                                   ? properties(graph)
         : which == "many"                                         ? many(graph)
         : which == "pod" || which == "two" || which == "replicas" ? pod(graph, graph.getTarget().getNumTiles())
         : which == "layers" || which == "live"                    ? layers(graph)
         : which == "blocks"                                       ? blocks(graph)
         : which == "waits"                                        ? waits(graph)
         : which == "late"                                         ? late(graph)
                                                                   : hostile(graph);
}

int run(const std::string &which) {
  Device device = which == "blocks" ? simulatedIpu() : modelOf(which);
  Graph graph(device.getTarget(), replication_factor(which == "replicas" ? 2 : 1));
  std::stringstream source(kTwiceCodelet);
  graph.addCodelets(source);
  const Program program = programOf(which, graph);
  OptionFlags options{{"debug.allowOutOfMemory", "true"}};
  if (which == "layers")
    options.set("opt.maxCopyMergeSize", "0"); // a merged copy would overwrite all of v in the step after its last read
  if (which == "blocks") {
    options.set("debug.instrument", "true");
    options.set("profiler.blocks.filter", ".*");
  }
  if (which == "live")
    options.set("autoReport.streamAtEachRun", "true");
  Engine engine(graph, program, options);
  engine.load(device);
  if (which == "live") { // one run per line, so that a reader can look at the profile in between
    std::cout << "ready" << std::endl;
    for (std::string name; std::getline(std::cin, name);) {
      engine.run(0, name);
      std::cout << "ran" << std::endl;
    }
    return 0;
  }
  engine.run();
  if (which == "layers")
    engine.run(0, "the second run");
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  try {
    return argc == 2 ? run(argv[1]) : 2;
  } catch (const std::exception &problem) {
    std::cerr << "viewer_programs: " << problem.what() << "\n";
    return 1;
  }
}
