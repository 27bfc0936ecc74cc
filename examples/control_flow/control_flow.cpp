// One program with a loop, a branch, a switch, a function that the program calls twice, and a copy between two IPUs.
// The program follows the Collatz sequence of a number: an even number is halved, an odd number is tripled and
// increased by one, until the number is 1. The host checks every result with the same arithmetic and prints the profile
// summary.
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>

#include <iostream>
#include <vector>

using namespace poplar;
using namespace poplar::program;

namespace {

constexpr std::size_t kLength = 48; // length of the vector that travels between the IPUs
constexpr unsigned kTilesPerIpu = 4;
constexpr unsigned kSecondIpu = kTilesPerIpu; // the first tile of the second IPU

struct Results {
  unsigned number, steps, calls;
  std::vector<float> vector;
};

/// Returns the expected results of the device for `start`.
Results expect(unsigned start) {
  Results r{start, 0, 2, std::vector<float>(kLength)};
  for (; r.number != 1; ++r.steps)
    r.number = r.number % 2 == 1 ? 3 * r.number + 1 : r.number / 2;
  // The switch multiplies by 2, 3 or 5, depending on steps % 3. Then two calls and the second IPU each double the
  // vector.
  const float factor = r.steps % 3 == 0 ? 2.0f : r.steps % 3 == 1 ? 3.0f : 5.0f;
  for (std::size_t i = 0; i < kLength; ++i)
    r.vector[i] = float(i) * factor * 8.0f;
  return r;
}

class Builder {
public:
  explicit Builder(Graph &graph) : graph_(graph) {
    number_ = scalar(UNSIGNED_INT, "number");
    steps_ = scalar(UNSIGNED_INT, "steps");
    calls_ = scalar(UNSIGNED_INT, "calls");
    notOne_ = scalar(BOOL, "notOne");
    isOdd_ = scalar(BOOL, "isOdd");
    remainder_ = scalar(INT, "remainder");
    vector_ = graph_.addVariable(FLOAT, {kLength}, "vector");
    farVector_ = graph_.addVariable(FLOAT, {kLength}, "farVector");
    for (unsigned tile = 0; tile < kTilesPerIpu; ++tile) {
      constexpr std::size_t part = kLength / kTilesPerIpu;
      graph_.setTileMapping(vector_.slice(tile * part, (tile + 1) * part), tile);
      graph_.setTileMapping(farVector_.slice(tile * part, (tile + 1) * part), kSecondIpu + tile);
    }
    graph_.createHostWrite("number", number_);
    graph_.createHostWrite("vector", vector_);
    graph_.createHostRead("number", number_);
    graph_.createHostRead("steps", steps_);
    graph_.createHostRead("calls", calls_);
    graph_.createHostRead("farVector", farVector_);
  }

  Program build() {
    const Tensor zero = graph_.addConstant<unsigned>(UNSIGNED_INT, {}, 0u, "zero");
    graph_.setTileMapping(zero, 0);
    const Sequence clear({Copy(zero, steps_, false, "clear/steps"), Copy(zero, calls_, false, "clear/calls")}, "clear");

    const ComputeSet examine = graph_.addComputeSet("examine");
    const VertexRef v =
        graph_.addVertex(examine, "Examine", {{"number", number_}, {"notOne", notOne_}, {"isOdd", isOdd_}});
    graph_.setTileMapping(v, 0);
    const If step(isOdd_, onNumber("tripleAndOne", "TripleAndOne", number_), onNumber("halve", "Halve", number_),
                  "step");
    const Sequence next({step, onNumber("countStep", "Increment", steps_)}, "next");
    const RepeatWhileTrue collatz(Execute(examine, "examine"), notOne_, next, "collatz");

    const ComputeSet remainder = graph_.addComputeSet("remainder");
    const VertexRef r = graph_.addVertex(remainder, "Remainder", {{"number", steps_}, {"remainder", remainder_}});
    graph_.setInitialValue(r["divisor"], 3u);
    graph_.setTileMapping(r, 0);
    const Switch choose(remainder_, {{0, scale("scaleBy2", vector_, 2)}, {1, scale("scaleBy3", vector_, 3)}},
                        scale("scaleBy5", vector_, 5), "choose");

    const Function doubleAndCount = graph_.addFunction(Sequence(
        {scale("function/double", vector_, 2), onNumber("function/countCall", "Increment", calls_)}, "function"));
    return Sequence({clear, collatz, Execute(remainder, "remainder"), choose, Call(doubleAndCount, "call/first"),
                     Call(doubleAndCount, "call/second"), Copy(vector_, farVector_, false, "far/copy"),
                     scale("far/double", farVector_, 2)},
                    "controlFlow");
  }

private:
  Tensor scalar(const Type &type, const char *name) {
    const Tensor t = graph_.addVariable(type, {}, name);
    graph_.setTileMapping(t, 0);
    return t;
  }
  Program onNumber(const char *name, const char *vertexType, const Tensor &number) {
    const ComputeSet set = graph_.addComputeSet(name);
    const VertexRef v = graph_.addVertex(set, vertexType, {{"number", number}});
    graph_.setTileMapping(v, 0);
    return Execute(set, name);
  }
  /// Returns a program with a vertex on every tile that holds a part of `data`.
  Program scale(const char *name, const Tensor &data, float factor) {
    const ComputeSet set = graph_.addComputeSet(name);
    const Graph::TileToTensorMapping mapping = graph_.getTileMapping(data);
    for (unsigned tile = 0; tile < mapping.size(); ++tile)
      for (const Interval &part : mapping[tile]) {
        const VertexRef v = graph_.addVertex(set, "Scale", {{"data", data.slice(part)}});
        graph_.setInitialValue(v["factor"], factor);
        graph_.setTileMapping(v, tile);
      }
    return Execute(set, name);
  }

  Graph &graph_;
  Tensor number_, steps_, calls_, notOne_, isOdd_, remainder_, vector_, farVector_;
};

Results runFrom(Engine &engine, unsigned start) {
  std::vector<float> in(kLength);
  for (std::size_t i = 0; i < kLength; ++i)
    in[i] = float(i);
  engine.writeTensor("number", &start, &start + 1);
  engine.writeTensor("vector", in.data(), in.data() + in.size());
  engine.run(0, "from " + std::to_string(start));
  Results r{0, 0, 0, std::vector<float>(kLength)};
  engine.readTensor("number", &r.number, &r.number + 1);
  engine.readTensor("steps", &r.steps, &r.steps + 1);
  engine.readTensor("calls", &r.calls, &r.calls + 1);
  engine.readTensor("farVector", r.vector.data(), r.vector.data() + r.vector.size());
  return r;
}

bool check(unsigned start, const Results &got) {
  const Results want = expect(start);
  const bool good =
      got.number == want.number && got.steps == want.steps && got.calls == want.calls && got.vector == want.vector;
  std::cout << start << ": " << got.steps << " steps to " << got.number << ", " << got.calls << " calls, last element "
            << got.vector.back() << (good ? ": as expected" : ": WRONG") << '\n';
  if (!good)
    std::cerr << "control_flow: " << start << " should give " << want.steps << " steps to " << want.number << ", "
              << want.calls << " calls, last element " << want.vector.back() << '\n';
  return good;
}

} // namespace

int main(int argc, char **argv) {
  try {
    IPUModel model("ipu1");
    model.numIPUs = 2;
    model.tilesPerIPU = kTilesPerIpu;
    model.compileIPUCode = true;
    const Device device = model.createDevice();
    Graph graph(device.getTarget());
    graph.addCodelets(argc > 1 ? argv[1] : CONTROL_FLOW_CODELETS);
    Engine engine(graph, Builder(graph).build());
    engine.load(device);

    bool good = true;
    for (unsigned start : {1u, 6u, 27u, 97u}) // 0, 8, 111 and 118 steps, so each case of the switch runs
      good = check(start, runFrom(engine, start)) && good;
    std::cout << '\n';
    engine.printProfileSummary(std::cout, {{"showExecutionSteps", "false"}, {"showPerIpuMemoryUsage", "true"}});
    return good ? 0 : 1;
  } catch (const std::exception &error) {
    std::cerr << "control_flow: " << error.what() << '\n';
    return 2;
  }
}
