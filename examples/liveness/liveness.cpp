// The three examples of variable liveness from the Poplar user guide, and a fourth example with WriteUndef.
//
// Each variable has two elements. The elements that one compute set writes decide when the variable is live:
//
//   whole       {0, 1} at once, {0, 1} at once               dead between the two writes
//   partial     {0, 1} at once, {0} alone                    live between: element 1 may still be wanted
//   separate    {0, 1} at once, {0} alone, {1} alone         live between, though both elements get new values
//   undefined   {0, 1} at once, WriteUndef, {0}, {1}         dead between the first write and the WriteUndef
//
// Each variable is read as a whole at the end, because a variable that nothing reads is never live. Look for the names
// below "Live Vars" in the steps "<name>/write ..." of the summary.
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace poplar;
using namespace poplar::program;

namespace {

const char *const kCodelets = R"(
#include <poplar/Vertex.hpp>
using namespace poplar;

class WriteElement : public Vertex {
public:
  Output<float> element;
  float value;
  bool compute() { *element = value; return true; }
};

class Sum : public Vertex {
public:
  Input<Vector<float>> in;
  Output<float> sum;
  bool compute() {
    float total = 0.0f;
    for (unsigned i = 0; i < in.size(); ++i)
      total += in[i];
    *sum = total;
    return true;
  }
};
)";

struct Write {
  std::size_t element;
  float value;
};

class Examples {
public:
  explicit Examples(Graph &graph) : graph_(graph) {
    sums_ = graph_.addVariable(FLOAT, {4}, "sums");
    graph_.setTileMapping(sums_, 0);
    graph_.createHostRead("sums", sums_);
  }
  Tensor variable(const std::string &name) {
    const Tensor t = graph_.addVariable(FLOAT, {2}, name);
    graph_.setTileMapping(t, 0);
    return t;
  }
  /// Returns a program that executes one compute set, which writes the given elements.
  Program write(const std::string &name, const Tensor &variable, const std::vector<Write> &writes) {
    const ComputeSet set = graph_.addComputeSet(name);
    for (const Write &w : writes) {
      const VertexRef v = graph_.addVertex(set, "WriteElement", {{"element", variable[w.element]}});
      graph_.setInitialValue(v["value"], w.value);
      graph_.setTileMapping(v, 0);
    }
    return Execute(set, name);
  }
  /// Returns a program that reads the whole variable and writes the sum of its elements to sums[index].
  Program read(const std::string &name, const Tensor &variable, std::size_t index) {
    const ComputeSet set = graph_.addComputeSet(name);
    const VertexRef v = graph_.addVertex(set, "Sum", {{"in", variable}, {"sum", sums_[index]}});
    graph_.setTileMapping(v, 0);
    return Execute(set, name);
  }

private:
  Graph &graph_;
  Tensor sums_;
};

Sequence buildProgram(Graph &graph) {
  Examples e(graph);
  const Tensor whole = e.variable("whole"), partial = e.variable("partial");
  const Tensor separate = e.variable("separate"), undefined = e.variable("undefined");
  return Sequence(
      {
          e.write("whole/write both", whole, {{0, 1}, {1, 2}}),
          e.write("whole/write both again", whole, {{0, 3}, {1, 4}}),
          e.read("whole/read", whole, 0),

          e.write("partial/write both", partial, {{0, 1}, {1, 2}}),
          e.write("partial/write first", partial, {{0, 3}}),
          e.read("partial/read", partial, 1),

          e.write("separate/write both", separate, {{0, 1}, {1, 2}}),
          e.write("separate/write first", separate, {{0, 3}}),
          e.write("separate/write second", separate, {{1, 4}}),
          e.read("separate/read", separate, 2),

          e.write("undefined/write both", undefined, {{0, 1}, {1, 2}}),
          WriteUndef(undefined, "undefined/write undef"),
          e.write("undefined/write first", undefined, {{0, 3}}),
          e.write("undefined/write second", undefined, {{1, 4}}),
          e.read("undefined/read", undefined, 3),
      },
      "liveness");
}

} // namespace

int main() {
  try {
    IPUModel model("ipu1");
    model.tilesPerIPU = 2;
    const Device device = model.createDevice();
    Graph graph(device.getTarget());
    std::stringstream codelets(kCodelets);
    graph.addCodelets(codelets);
    Engine engine(graph, buildProgram(graph));
    engine.load(device);
    engine.run(0, "all");

    const std::vector<float> wanted = {7, 5, 7, 7};
    std::vector<float> sums(wanted.size());
    engine.readTensor("sums", sums.data(), sums.data() + sums.size());
    engine.printProfileSummary(std::cout, {{"showVarStorage", "true"}});
    if (sums == wanted)
      return 0;
    std::cerr << "liveness: the sums are " << sums[0] << ", " << sums[1] << ", " << sums[2] << ", " << sums[3]
              << "; 7, 5, 7, 7 were expected\n";
    return 1;
  } catch (const std::exception &error) {
    std::cerr << "liveness: " << error.what() << '\n';
    return 2;
  }
}
