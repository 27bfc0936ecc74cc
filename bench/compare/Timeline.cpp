// Compares the opening of the user guide's sample report. The opening has the engine's own two copies and its
// broadcast, a copy of one word, a copy of a batch of 16 x 784 floats to 392 tiles, and the first convolution. Vertices
// of the convolution take 999 or 931 cycles. Four neighbouring tiles need the same 128 floats, which lie on four other
// tiles: each tile receives 512 bytes and sends 128, as the report's total of data shows. The report does not show
// which tiles hold these floats; here, the next group of four tiles holds them.
#include "bench/compare/Inputs.hpp"
#include "bench/compare/Row.hpp"

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <pva/pva.hpp>

#include <algorithm>
#include <memory>
#include <sstream>

using namespace poplar;
using namespace poplar::program;

namespace compare {
namespace {

constexpr unsigned kGroups = 98, kInGroup = 4, kActive = kGroups * kInGroup, kFloats = 16 * 784,
                   kOnTile = kFloats / kActive, kLabels = 16,
                   kFromHost = (kFloats + kLabels + 1) * sizeof(float); // batch, labels and a word: one copy

// Returns the tile that holds part t of the batch.
unsigned homeOf(unsigned t) { return (t + kInGroup) % kActive; }

const char *const kCodelets = R"(
#include <poplar/Vertex.hpp>
struct Partial : poplar::MultiVertex {
  poplar::Input<poplar::Vector<float>> in;
  poplar::Output<float> out;
  bool compute(unsigned worker) {
    if (worker == 0)
      *out = in[0];
    return true;
  }
};
)";

struct Printed {
  std::uint64_t from = 0, to = 0, cycles = 0, overlapped = 0, data = 0;
  double mean = 0;
};

// Returns the figures as StepsView prints them.
Printed printed(const pva::ExecutionStep &step) {
  const auto ipu = step.ipus()[0];
  Printed p;
  p.from = ipu.allCycles().from().max();
  p.to = std::max(p.from, ipu.activeCycles().to().max());
  p.cycles = ipu.cycles();
  const std::uint64_t active = ipu.activeCycles().from().min();
  p.overlapped = p.from > active ? std::min(p.from, ipu.activeCycles().to().max()) - active : 0;
  p.data = (ipu.dataIn() + ipu.dataOut()) / 2;
  p.mean = static_cast<double>(ipu.busyCycles()) / static_cast<double>(std::max<std::uint64_t>(1, ipu.activeTiles()));
  return p;
}

bool passesTime(pva::Program::Type type) {
  return type == pva::Program::Type::StreamCopyMid || type == pva::Program::Type::DoExchange ||
         type == pva::Program::Type::OnTileExecute;
}

// Returns half of the bytes that tiles receive and send according to the program's mapping: each tile that needs a part
// receives it once, and its holder sends it once.
std::uint64_t dataOfConvolution() {
  std::uint64_t bytes = 0;
  for (unsigned t = 0; t < kActive; ++t) {
    bool goes = false;
    for (unsigned reader = 0; reader < kActive; ++reader)
      if (reader / kInGroup == t / kInGroup && reader != homeOf(t)) {
        bytes += kOnTile * sizeof(float);
        goes = true;
      }
    bytes += goes ? kOnTile * sizeof(float) : 0;
  }
  return bytes / 2;
}

struct Opening {
  Opening(const Target &target, unsigned estimateFactor);
  Graph graph;
  Sequence program;
  Tensor batch;
};

Opening::Opening(const Target &target, unsigned estimateFactor) : graph(target) {
  std::stringstream source(kCodelets);
  graph.addCodelets(source);
  const Tensor word = graph.addVariable(INT, {1}, "word"), out = graph.addVariable(FLOAT, {kActive}, "out");
  batch = graph.addVariable(FLOAT, {kFloats}, "batch");
  graph.setTileMapping(word, 0);
  const ComputeSet cs = graph.addComputeSet("Convolve");
  for (unsigned t = 0; t < kActive; ++t) {
    const unsigned group = t / kInGroup;
    graph.setTileMapping(batch.slice(t * kOnTile, (t + 1) * kOnTile), homeOf(t));
    graph.setTileMapping(out[t], t);
    const VertexRef v = graph.addVertex(
        cs, "Partial",
        {{"in", batch.slice(group * kInGroup * kOnTile, (group + 1) * kInGroup * kOnTile)}, {"out", out[t]}});
    graph.setTileMapping(v, t);
    graph.setPerfEstimate(v, estimateFactor *
                                 (t % kInGroup == kInGroup - 1 ? 931 : 999)); // 98 of 392 have fewer positions
  }
  // One tile gets 68 bytes in addition to its part of the batch, in the same copy. It is not published what separates
  // the first word from the copy; here, a loop of one iteration separates them.
  const Tensor labels = graph.addVariable(INT, {kLabels}, "labels"), last = graph.addVariable(INT, {1}, "last");
  graph.setTileMapping(labels, 0);
  graph.setTileMapping(last, 0);
  program = Sequence(Copy(graph.addHostToDeviceFIFO("word", INT, 1), word),
                     Repeat(1, Sequence(Copy(graph.addHostToDeviceFIFO("batch", FLOAT, kFloats), batch),
                                        Copy(graph.addHostToDeviceFIFO("labels", INT, kLabels), labels),
                                        Copy(graph.addHostToDeviceFIFO("last", INT, 1), last), Execute(cs))));
}

pva::Report runOpening(unsigned estimateFactor) {
  IPUModel model("ipu1");
  const Device device = model.createDevice();
  Opening opening(device.getTarget(), estimateFactor);
  Engine engine(opening.graph, {opening.program, Sequence(WriteUndef(opening.batch))},
                {{"popscope.hostCopies", "merged"}}); // one copy brings all data, see Opening
  engine.load(device);
  int one = 1;
  std::vector<int> labels(kLabels, 1);
  std::vector<float> values(kFloats, 1.0f);
  engine.connectStream("word", &one, &one + 1);
  engine.connectStream("batch", values.data());
  engine.connectStream("labels", labels.data(), labels.data() + kLabels);
  engine.connectStream("last", &one, &one + 1);
  engine.run(0);
  return engine.getReport();
}

struct Published {
  const char *name;
  Printed p;
  bool cyclesCalibrated;
  std::uint64_t asked; // half the bytes that the program itself moves; 0 for steps that the compiler adds
};

// Returns 1 if the program sets the cycles of the step's vertices.
double givenCycles(const pva::ExecutionStep &step) {
  const auto execute = std::dynamic_pointer_cast<pva::OnTileExecuteProgram>(step.program());
  return execute ? givenByProgram(execute->computeset()) : 0;
}

void addStep(Comparison &c, const Published &wanted, const pva::ExecutionStep &step, bool first) {
  const Printed p = printed(step);
  const double given = givenCycles(step);
  const auto row = [&](const std::string &what, double published, double ours, bool calibrated, double input) {
    c.rows.push_back({std::string(wanted.name) + ": " + what, published, ours, calibrated, input});
  };
  row("from", double(wanted.p.from), double(p.from), first, 0);
  row("to", double(wanted.p.to), double(p.to), first, given * double(p.cycles) / double(p.to));
  row("cycles", double(wanted.p.cycles), double(p.cycles), wanted.cyclesCalibrated, given);
  if (wanted.p.overlapped != 0)
    row("overlapped", double(wanted.p.overlapped), double(p.overlapped), false, 0);
  if (wanted.p.mean != double(wanted.p.cycles))
    row("mean of active tiles", wanted.p.mean, p.mean, wanted.cyclesCalibrated, given);
  if (wanted.p.data != 0)
    row("total data", double(wanted.p.data), double(p.data), false, p.data == wanted.asked ? 1 : 0);
}

} // namespace

Comparison compareTimeline(unsigned estimateFactor) {
  Comparison c;
  c.title = "Opening of the sample report";
  c.program = "The rows show the first seven steps, as the section \"Steps\" of the report prints them";
  c.source = "user guide, format of the summary report, IPU Model of ipu1";
  const Published steps[] = {
      {"copy of the sync word", {118, 118, 7, 0, 2, 7}, true, 0},
      {"copy of the program's number", {472, 472, 9, 0, 4, 9}, true, 0},
      {"broadcast to all tiles", {826, 946, 120, 0, 2432, 103.9}, true, 0},
      {"copy of one word", {1064, 1064, 7, 0, 2, 7}, true, sizeof(int) / 2},
      {"copy of the batch", {1418, 12098, 10700, 0, 25122, 10700}, true, kFromHost / 2},
      {"exchange of the convolution", {12432, 12581, 169, 20, 125440, 146.4}, false, dataOfConvolution()},
      {"convolution", {12581, 13580, 999, 0, 0, 982}, false, 0},
  };
  const pva::Report report = runOpening(estimateFactor);
  std::size_t next = 0;
  for (const auto &step : report.execution().steps())
    if (passesTime(step.program()->type()) && next != std::size(steps)) {
      addStep(c, steps[next], step, next == 0);
      ++next;
    }
  return c;
}

} // namespace compare
