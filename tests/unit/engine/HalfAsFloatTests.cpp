// half on a model without accurateHalf: codelets compute with floats, and their results stay floats on the tiles. The
// reference is the same program with FLOAT instead of HALF.
#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>
#include <poplar/Executable.hpp>
#include <poplar/TypeConversion.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

constexpr unsigned kHalfTiles = 4;
constexpr std::size_t kElements = 96;

const char *kSource = R"(
#include <poplar/Vertex.hpp>
using namespace poplar;

template <class T> class Blend : public Vertex {
public:
  Input<Vector<T>> a;
  Vector<Input<Vector<T, VectorLayout::ONE_PTR>>> rows;
  Vector<Input<T>> singles;
  InOut<Vector<T>> acc;
  Output<T> last;
  T scale;
  Vector<T> weights;
  bool compute() {
    for (unsigned i = 0; i != acc.size(); ++i) {
      acc[i] = acc[i] * scale + a[i] * weights[i % weights.size()];
      for (unsigned r = 0; r != rows.size(); ++r)
        acc[i] += rows[r][i] / T(7);
      for (auto single : singles)
        acc[i] -= *single * scale;
    }
    *last = acc[acc.size() - 1];
    return true;
  }
};
template class Blend<float>;
template class Blend<half>;

class Third : public Vertex {
public:
  Output<Vector<half>> x;
  bool compute() {
    for (auto &v : x)
      v = half(1.0f) / half(3.0f);
    return true;
  }
};
class Rest : public Vertex {
public:
  Input<Vector<half>> x;
  Output<Vector<float>> rest;
  bool compute() {
    for (unsigned i = 0; i != x.size(); ++i)
      rest[i] = float(x[i]) * 3.0f - 1.0f;
    return true;
  }
};
)";

const char *kBitsSource = R"(
#include <poplar/Vertex.hpp>
#include <algorithm>
#include <cmath>
using namespace poplar;
class Negate : public Vertex {
public:
  InOut<Vector<half>> x;
  bool compute() {
    for (unsigned i = 0; i < x.size(); i += 2) {
      unsigned short bits;
      static_assert(sizeof(half) == sizeof bits, "a half has 16 bits");
      std::memcpy(&bits, &x[i], sizeof bits);
      bits ^= 0x8000;
      std::memcpy(&x[i], &bits, sizeof bits);
    }
    return true;
  }
};
)";

void add(Graph &graph, const char *text) {
  std::stringstream source(text);
  graph.addCodelets(source);
}

Device deviceWith(bool accurateHalf, unsigned ipus = 1) {
  IPUModel model("ipu1");
  model.tilesPerIPU = kHalfTiles;
  model.numIPUs = ipus;
  model.compileIPUCode = true;
  return model.createDevice({}, accurateHalf);
}

std::vector<std::uint16_t> bitsOf(const std::vector<float> &values) {
  std::vector<std::uint16_t> bits(values.size());
  convertToDeviceType(HALF, ArrayRef<float>(values), bits.data());
  return bits;
}
std::vector<float> floatsOf(const Target &target, const std::vector<std::uint16_t> &bits) {
  std::vector<float> values(bits.size());
  copyDeviceHalfToFloat(target, bits.data(), values.data(), values.size());
  return values;
}

/// Returns some floats that HALF represents exactly.
std::vector<float> someHalves(const Target &target, std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values(n);
  for (float &v : values)
    v = static_cast<float>(static_cast<int>(random() % 4001) - 2000) / 777.0f;
  return floatsOf(target, bitsOf(values));
}

struct Outcome {
  std::vector<std::uint16_t> halves; // the values, rounded at the end
  std::string summary;
};

/// Runs Blend twelve times with copies between the runs: to other tiles, within a tile, from constants.
struct BlendProgram {
  Graph graph;
  Tensor acc;
  Sequence program;
  Type type;

  BlendProgram(const Device &device, const Type &elements) : graph(device.getTarget()), type(elements) {
    add(graph, kSource);
    const Target &target = device.getTarget();
    const auto on = [&](unsigned tile) { return tile % target.getNumTiles(); };
    const Tensor a = graph.addVariable(type, {kElements}, "a"), other = graph.addVariable(type, {kElements}, "other"),
                 last = graph.addVariable(type, {kHalfTiles}, "last");
    acc = graph.addVariable(type, {kElements}, "acc");
    const std::size_t part = kElements / kHalfTiles;
    for (unsigned tile = 0; tile != kHalfTiles; ++tile) {
      graph.setTileMapping(a.slice(tile * part, (tile + 1) * part), on(tile));
      graph.setTileMapping(acc.slice(tile * part, (tile + 1) * part), on(tile));
      graph.setTileMapping(other.slice(tile * part, (tile + 1) * part), on(tile + 1));
      graph.setTileMapping(last[tile], on(tile));
    }
    const Tensor constant = graph.addConstant<float>(type, {kElements}, someHalves(target, kElements, 3), "constant");
    const Tensor one = graph.addConstant<float>(type, {}, someHalves(target, 1, 4)[0], "one");
    graph.setTileMapping(constant, on(2));
    graph.setTileMapping(one, on(1));
    graph.setInitialValue<float>(a, someHalves(target, kElements, 1));
    graph.createHostWrite("acc", acc);
    graph.createHostRead("acc", acc);
    const ComputeSet cs = graph.addComputeSet("blend");
    const std::vector<float> weights = someHalves(target, 5, 2);
    for (unsigned tile = 0; tile != kHalfTiles; ++tile) {
      const Interval range(tile * part, (tile + 1) * part);
      const VertexRef v = graph.addVertex(cs, type == HALF ? "Blend<half>" : "Blend<float>",
                                          {{"a", a.slice(range)}, {"acc", acc.slice(range)}, {"last", last[tile]}});
      graph.connect(v["rows"], std::vector<Tensor>{other.slice(range), constant.slice(range)});
      graph.connect(v["singles"], concat(other.slice(tile, tile + 1), one.reshape({1})));
      graph.setInitialValue(v["scale"], weights[0]);
      graph.setInitialValue(v["weights"], ArrayRef<float>(weights));
      graph.setTileMapping(v, on(tile));
    }
    const Sequence round({Execute(cs), Copy(acc, other), Copy(other.reverse(0).slice(0, 11), other.slice(40, 51)),
                          Copy(acc.slice(0, 9), a.slice(3, 12)),
                          Copy(one.reshape({1}).broadcast(4, 0), a.slice(50, 54)), Copy(last, other.slice(90, 94))});
    program = Sequence({Repeat(12, round)});
  }

  void set(Engine &engine) const {
    const std::vector<float> values = someHalves(graph.getTarget(), kElements, 5);
    const std::vector<std::uint16_t> bits = bitsOf(values);
    if (type == HALF)
      engine.writeTensor("acc", bits.data(), bits.data() + bits.size());
    else
      engine.writeTensor("acc", values.data(), values.data() + values.size());
  }
  [[nodiscard]] std::vector<std::uint16_t> halves(Engine &engine) const {
    std::vector<std::uint16_t> bits(kElements);
    if (type == HALF) {
      engine.readTensor("acc", bits.data(), bits.data() + bits.size());
      return bits;
    }
    std::vector<float> values(kElements);
    engine.readTensor("acc", values.data(), values.data() + values.size());
    return bitsOf(values);
  }
  Outcome run(const Device &device) {
    Engine engine(graph, program, {{"debug.instrument", "true"}});
    engine.load(device);
    set(engine);
    engine.run(0);
    return {halves(engine), summaryOf(engine)};
  }
};

/// Returns the maximum of |3 x - 1| for x = 1/3 after it was moved by `way`; for a half of 16 bits it is 2^-12.
float restAfter(Graph &graph, const Device &device, const Tensor &from, const Program &way, const Tensor &to) {
  const Tensor rest = graph.addVariable(FLOAT, {from.numElements()}, "rest");
  graph.setTileMapping(rest, 3);
  const ComputeSet first = graph.addComputeSet("first"), second = graph.addComputeSet("second");
  const VertexRef third = graph.addVertex(first, "Third", {{"x", from.flatten()}});
  const VertexRef rests = graph.addVertex(second, "Rest", {{"x", to.flatten()}, {"rest", rest}});
  graph.setTileMapping(third, 0);
  graph.setTileMapping(rests, 3);
  graph.createHostRead("rest", rest);
  Engine engine(graph, Sequence({Execute(first), way, Execute(second)}));
  engine.load(device);
  engine.run(0);
  std::vector<float> values(rest.numElements() * device.getTarget().getNumIPUs());
  engine.readTensor("rest", values.data(), values.data() + values.size());
  float greatest = 0;
  for (const float v : values)
    greatest = std::max(greatest, std::fabs(v));
  return greatest;
}

constexpr float kRounded = 1.0f / 4096;

} // namespace

TEST_SUITE("engine.half as float") {

  TEST_CASE("a stray write behind a half is told in the bytes of the machine's half") {
    for (const bool accurateHalf : {false, true}) {
      CAPTURE(accurateHalf);
      const Device device = deviceWith(accurateHalf);
      Graph graph(device.getTarget());
      add(graph, R"(
#include <poplar/Vertex.hpp>
using namespace poplar;
class Stray : public Vertex {
public:
  Output<Vector<half>> out;
  bool compute() {
    for (unsigned i = 0; i != out.size(); ++i)
      out[i] = half(1.0f);
    half *data = &out[0];
    data[out.size() + 2] = half(7.0f);
    return true;
  }
};
)");
      const Tensor x = graph.addVariable(HALF, {4}, "x");
      graph.setTileMapping(x, 0);
      const ComputeSet set = graph.addComputeSet("stray");
      graph.setTileMapping(graph.addVertex(set, "Stray", {{"out", x}}), 0);
      Engine engine(graph, Execute(set), {{"debug.runtimeVerify", "true"}});
      engine.load(device);
      std::string message;
      try {
        engine.run();
      } catch (const application_runtime_error &e) {
        message = e.what();
      }
      CHECK_MESSAGE(message.find("writes up to 6 bytes behind field 'out' (4 elements)") != std::string::npos, message);
    }
  }

  TEST_CASE("without accurateHalf values are those of the program in floats, rounded when the host reads them") {
    const Device floats = deviceWith(false), halves = deviceWith(true);
    BlendProgram inHalf(floats, HALF), inFloat(floats, FLOAT), accurate(halves, HALF);
    const Outcome half = inHalf.run(floats), exact = accurate.run(halves);
    CHECK(half.halves == inFloat.run(floats).halves);
    CHECK(half.halves != exact.halves);
    // Memory and cycles count two bytes per half in both cases.
    CHECK(half.summary == exact.summary);
    const Device cpu = Device::createCPUDevice();
    BlendProgram onCpu(cpu, HALF);
    CHECK(onCpu.run(cpu).halves == half.halves);
  }

  TEST_CASE("an executable from a file computes as it did") {
    const Device device = deviceWith(false);
    BlendProgram p(device, HALF);
    const Outcome before = p.run(device);
    std::stringstream file;
    compileGraph(p.graph, {p.program}).serialize(file);
    Engine engine(Executable::deserialize(file));
    engine.load(device);
    p.set(engine);
    engine.run(0);
    CHECK(p.halves(engine) == before.halves);
  }

  TEST_CASE(
      "copies between tiles, on a tile and between replicas round nothing; the host's and remote bytes are halves") {
    for (const bool accurateHalf : {false, true}) {
      CAPTURE(accurateHalf);
      const float onDevice = accurateHalf ? kRounded : 0.0f;
      const auto with = [&](unsigned replicas, const auto &way) {
        const Device device = deviceWith(accurateHalf, replicas);
        Graph graph(device.getTarget(), replication_factor(replicas));
        add(graph, kSource);
        const Tensor x = graph.addVariable(HALF, {6}, "x"), y = graph.addVariable(HALF, {6}, "y");
        graph.setTileMapping(x, 0);
        graph.setTileMapping(y, 0);
        const auto [program, to] = way(graph, x, y);
        return restAfter(graph, device, x, program, to);
      };
      CHECK(with(1, [](Graph &, Tensor x, Tensor) { return std::pair<Program, Tensor>(Sequence(), x); }) == onDevice);
      CHECK(with(1, [](Graph &, Tensor x, Tensor y) { return std::pair<Program, Tensor>(Copy(x.reverse(0), y), y); }) ==
            onDevice);
      CHECK(with(1, [](Graph &graph, Tensor x, Tensor y) {
              graph.setTileMapping(y, 2);
              return std::pair<Program, Tensor>(Copy(x, y), y);
            }) == onDevice);
      CHECK(with(2, [](Graph &, Tensor x, Tensor y) {
              return std::pair<Program, Tensor>(CrossReplicaCopy(x, y, {{0, 1}, {1, 0}}), y);
            }) == onDevice);
      CHECK(with(1, [](Graph &graph, Tensor x, Tensor y) {
              const RemoteBuffer buffer = graph.addRemoteBuffer("buffer", HALF, 6);
              return std::pair<Program, Tensor>(Sequence({Copy(x, buffer), Copy(buffer, y)}), y);
            }) == kRounded);
    }
  }

  TEST_CASE("codelets that need halves of two bytes get them: their operands are rounded, all else is not") {
    const Device device = deviceWith(false);
    // Negate runs twice, so that all values have their original sign: the elements that it changes were rounded, the
    // others were not.
    for (const unsigned element : {0u, 1u}) {
      CAPTURE(element);
      Graph graph(device.getTarget());
      add(graph, kSource);
      add(graph, kBitsSource);
      const Tensor x = graph.addVariable(HALF, {6}, "x");
      graph.setTileMapping(x, 0);
      const ComputeSet cs = graph.addComputeSet("negate");
      graph.setTileMapping(graph.addVertex(cs, "Negate", {{"x", x}}), 0);
      const float rest =
          restAfter(graph, device, x, Sequence({Execute(cs), Execute(cs)}), x.slice(element, element + 1));
      CHECK(rest == (element == 0 ? kRounded : 0.0f));
    }
  }

  TEST_CASE("a tensor of halves read as 16-bit integers has the bits of halves") {
    const Device device = deviceWith(false);
    Graph graph(device.getTarget());
    std::stringstream source("#include <poplar/Vertex.hpp>\nusing namespace poplar;\n"
                             "class Flip : public Vertex { public: InOut<Vector<unsigned short>> x; "
                             "bool compute() { for (auto &v : x) v ^= 0x8000; return true; } };\n");
    graph.addCodelets(source);
    const Tensor x = graph.addVariable(HALF, {6}, "x"), copied = graph.addVariable(UNSIGNED_SHORT, {6}, "copied"),
                 back = graph.addVariable(HALF, {6}, "back");
    for (const Tensor &t : {x, copied, back})
      graph.setTileMapping(t, 1);
    const std::vector<float> values = someHalves(device.getTarget(), 6, 9);
    graph.setInitialValue<float>(x, values);
    const ComputeSet cs = graph.addComputeSet("flip");
    graph.setTileMapping(graph.addVertex(cs, "Flip", {{"x", x.reinterpret(UNSIGNED_SHORT)}}), 1);
    graph.createHostRead("copied", copied);
    graph.createHostRead("back", back);
    Engine engine(graph, Sequence({Execute(cs), Copy(x.reinterpret(UNSIGNED_SHORT), copied),
                                   Copy(copied.reinterpret(HALF), back)}));
    engine.load(device);
    engine.run(0);
    std::vector<std::uint16_t> expected = bitsOf(values), bits(6);
    for (std::uint16_t &b : expected)
      b ^= 0x8000;
    engine.readTensor("copied", bits.data(), bits.data() + bits.size());
    CHECK(bits == expected);
    engine.readTensor("back", bits.data(), bits.data() + bits.size());
    CHECK(bits == expected);
  }
}
