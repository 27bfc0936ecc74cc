#include "tests/unit/engine/Programs.hpp"

#include <poplar/DeviceManager.hpp>

#include <cstdlib>
#include <sstream>

using namespace poplar;
using namespace poplar::program;

namespace engine_tests {

const char *kCodelets = R"(
#include <poplar/Vertex.hpp>
using namespace poplar;
class Double : public Vertex {
public:
  Input<Vector<float>> in;
  Output<Vector<float>> out;
  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i)
      out[i] = 2.0f * in[i];
    return true;
  }
};
class Sum : public Vertex {
public:
  Input<Vector<float>> in;
  Output<float> out;
  bool compute() {
    float s = 0;
    for (unsigned i = 0; i < in.size(); ++i)
      s += in[i];
    *out = s;
    return true;
  }
};
class Increment : public Vertex {
public:
  InOut<Vector<float>> x;
  float by;
  bool compute() {
    for (unsigned i = 0; i < x.size(); ++i)
      x[i] += by;
    return true;
  }
};
class Less : public Vertex {
public:
  Input<float> a;
  float limit;
  Output<bool> out;
  bool compute() {
    *out = *a < limit;
    return true;
  }
};
)";

void addTestCodelets(Graph &graph) {
  std::stringstream source(kCodelets);
  graph.addCodelets(source);
}

Device smallModel(unsigned tiles, unsigned ipus, bool compileIpuCode) {
  IPUModel model("ipu1");
  model.tilesPerIPU = tiles;
  model.numIPUs = ipus;
  model.compileIPUCode = compileIpuCode;
  return model.createDevice();
}

Device simulatedIpu(unsigned tiles, const std::string &architecture, const OptionFlags &options) {
  setenv("POPSCOPE_SIM_IPUS", (architecture + ":1").c_str(), 1);
  Device device = std::move(DeviceManager::createDeviceManager().getDevices(TargetType::IPU, 1, options).at(0));
  unsetenv("POPSCOPE_SIM_IPUS");
  return tiles == 0 ? std::move(device) : device.createVirtualDevice(tiles);
}

IncrementProgram::IncrementProgram(const Device &device, unsigned n) : graph(device.getTarget()) {
  addTestCodelets(graph);
  x = graph.addVariable(FLOAT, {n}, VariableMappingMethod::LINEAR, "x");
  const ComputeSet cs = graph.addComputeSet("increment");
  const auto mapping = graph.getTileMapping(x);
  for (unsigned tile = 0; tile < mapping.size(); ++tile)
    for (const Interval &interval : mapping[tile]) {
      const VertexRef v = graph.addVertex(cs, "Increment", {{"x", x.slice(interval)}});
      graph.setInitialValue(v["by"], 1.0f);
      graph.setTileMapping(v, tile);
    }
  step.add(Execute(cs));
}

std::string summaryOf(Engine &engine) {
  std::ostringstream out;
  engine.printProfileSummary(out, {{"showVarStorage", "true"}, {"showExecutionSteps", "true"}});
  return out.str();
}

} // namespace engine_tests
