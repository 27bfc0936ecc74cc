#include "Network.hpp"

#include <algorithm>
#include <array>

using namespace poplar;
using namespace poplar::program;

namespace {

constexpr std::size_t kGroupInputs = 8, kInputGroups = Network::kInputs / kGroupInputs;
// Half-open ranges [at i, at i + 1).
constexpr std::array<std::size_t, 5> kHiddenGroups{0, 8, 16, 24, 30};
constexpr std::array<std::size_t, 4> kBatchParts{0, 6, 12, 16};
constexpr std::size_t kNumHiddenGroups = kHiddenGroups.size() - 1, kNumBatchParts = kBatchParts.size() - 1;
constexpr unsigned kWorkers = 6;

constexpr unsigned kHiddenTile = kInputGroups * kNumHiddenGroups;
constexpr unsigned kOutputTile = kHiddenTile + Network::kHidden * kNumBatchParts;
constexpr unsigned kScoreTile = kOutputTile + Network::kOutputs;
constexpr unsigned kScoreTiles = 3;
constexpr unsigned kTotalsTile = kScoreTile + kScoreTiles;
static_assert(kTotalsTile + 1 == Network::kTiles, "the picture in Network.hpp does not match these constants");

unsigned blockTile(std::size_t group, std::size_t hiddenGroup) {
  return unsigned(group * kNumHiddenGroups + hiddenGroup);
}
unsigned hiddenTile(std::size_t unit, std::size_t part) { return kHiddenTile + unsigned(unit * kNumBatchParts + part); }
unsigned outputTile(std::size_t unit) { return kOutputTile + unsigned(unit); }
unsigned scoreTile(std::size_t digit) { return kScoreTile + unsigned(digit / kWorkers); }

/// Returns the first item of worker `worker` if `items` are divided among six workers in nearly equal runs.
std::size_t shareBegin(std::size_t items, unsigned worker) {
  return items / kWorkers * worker + std::min<std::size_t>(worker, items % kWorkers);
}

/// Returns the rows of a matrix. The caller connects each row as a separate edge.
std::vector<Tensor> rowsOf(const Tensor &matrix) {
  std::vector<Tensor> rows;
  for (std::size_t i = 0; i < matrix.dim(0); ++i)
    rows.push_back(matrix[i].flatten());
  return rows;
}

} // namespace

struct Network::Batch {
  Tensor in;          // [98][16][8]: pixel group, digit, pixel
  Tensor labels;      // [16]
  Tensor partials;    // [98][30][16]: a hidden unit's sum over one pixel group
  Tensor hidden;      // [30][16]
  Tensor hiddenDelta; // [30][16]
  Tensor out;         // [10][16]
  Tensor outDelta;    // [10][16]
  Tensor losses;      // [10][6]: output unit, worker
  Tensor hits;        // [16]
  Sequence read, forward, score, backward, update;
};

Network::Network(Graph &graph, const NetworkOptions &options) : graph_(graph), options_(options) {
  addWeights();
  addStreams();
  Batch batch;
  addForward(batch);
  addScore(batch);
  addBackward(batch);
  addUpdate(batch);

  // The streams carry the weights as [30][784]; the tiles hold them by pixel group.
  const Tensor asMatrix = hiddenWeights_.dimShuffle({1, 0, 2}).reshape({kHidden, kInputs});
  init_ = Sequence({Copy(hiddenWeightsIn, asMatrix, false, "init/Layer1/weights"),
                    Copy(hiddenBiasesIn, hiddenBiases_, false, "init/Layer1/biases"),
                    Copy(outputWeightsIn, outputWeights_, false, "init/Layer3/weights"),
                    Copy(outputBiasesIn, outputBiases_, false, "init/Layer3/biases")},
                   "init");

  const Tensor noHits = graph_.addConstant<unsigned>(UNSIGNED_INT, {}, 0u, "zero/numCorrect");
  const Tensor noLoss = graph_.addConstant<float>(FLOAT, {}, 0.0f, "zero/loss");
  graph_.setTileMapping(noHits, kTotalsTile);
  graph_.setTileMapping(noLoss, kTotalsTile);
  const Sequence clear({Copy(noHits, correct_, false, "clear/numCorrect"), Copy(noLoss, loss_, false, "clear/loss")},
                       "clear");
  const Sequence report(
      {Copy(correct_, correctOut, false, "report/numCorrect"), Copy(loss_, lossOut, false, "report/loss")}, "report");
  const Sequence learn({batch.read, batch.forward, batch.score, batch.backward, batch.update}, "learn");
  const Sequence look({batch.read, batch.forward, batch.score}, "look");
  train_ = Sequence({clear, Repeat(options_.batchesPerRun, learn, "train/batches"), report}, "train");
  test_ = Sequence({clear, Repeat(options_.batchesPerRun, look, "test/batches"), report}, "test");
}

void Network::addWeights() {
  hiddenWeights_ = graph_.addVariable(FLOAT, {kInputGroups, kHidden, kGroupInputs}, "Layer1/Fwd/weights");
  for (std::size_t g = 0; g < kInputGroups; ++g)
    for (std::size_t h = 0; h < kNumHiddenGroups; ++h)
      graph_.setTileMapping(hiddenWeights_[g].slice(kHiddenGroups[h], kHiddenGroups[h + 1]), blockTile(g, h));
  hiddenBiases_ = graph_.addVariable(FLOAT, {kHidden}, "Layer1/Fwd/biases");
  for (std::size_t unit = 0; unit < kHidden; ++unit)
    graph_.setTileMapping(hiddenBiases_[unit], hiddenTile(unit, 0));
  outputWeights_ = graph_.addVariable(FLOAT, {kOutputs, kHidden}, "Layer3/Fwd/weights");
  outputBiases_ = graph_.addVariable(FLOAT, {kOutputs}, "Layer3/Fwd/biases");
  for (std::size_t unit = 0; unit < kOutputs; ++unit) {
    graph_.setTileMapping(outputWeights_[unit], outputTile(unit));
    graph_.setTileMapping(outputBiases_[unit], outputTile(unit));
  }
  correct_ = graph_.addVariable(UNSIGNED_INT, {}, "numCorrect");
  loss_ = graph_.addVariable(FLOAT, {}, "loss");
  graph_.setTileMapping(correct_, kTotalsTile);
  graph_.setTileMapping(loss_, kTotalsTile);
}

void Network::addStreams() {
  hiddenWeightsIn = graph_.addHostToDeviceFIFO("Layer1/weights", FLOAT, kHidden * kInputs);
  hiddenBiasesIn = graph_.addHostToDeviceFIFO("Layer1/biases", FLOAT, kHidden);
  outputWeightsIn = graph_.addHostToDeviceFIFO("Layer3/weights", FLOAT, kOutputs * kHidden);
  outputBiasesIn = graph_.addHostToDeviceFIFO("Layer3/biases", FLOAT, kOutputs);
  imagesIn = graph_.addHostToDeviceFIFO("images", FLOAT, kBatch * kInputs);
  labelsIn = graph_.addHostToDeviceFIFO("labels", UNSIGNED_INT, kBatch);
  correctOut = graph_.addDeviceToHostFIFO("numCorrect", UNSIGNED_INT, 1);
  lossOut = graph_.addDeviceToHostFIFO("loss", FLOAT, 1);
}

void Network::addForward(Batch &batch) {
  batch.in = graph_.addVariable(FLOAT, {kInputGroups, kBatch, kGroupInputs}, "images");
  batch.labels = graph_.addVariable(UNSIGNED_INT, {kBatch}, "labels");
  batch.partials = graph_.addVariable(FLOAT, {kInputGroups, kHidden, kBatch}, "Layer1/Fwd/partials");
  batch.hidden = graph_.addVariable(FLOAT, {kHidden, kBatch}, "Layer1/Fwd/activations");
  batch.out = graph_.addVariable(FLOAT, {kOutputs, kBatch}, "Layer3/Fwd/activations");

  const ComputeSet multiply = graph_.addComputeSet("Layer1/Fwd/Multiply");
  constexpr std::size_t quarter = kBatch / kNumHiddenGroups;
  for (std::size_t g = 0; g < kInputGroups; ++g)
    for (std::size_t h = 0; h < kNumHiddenGroups; ++h) {
      const unsigned tile = blockTile(g, h);
      const Tensor partials = batch.partials[g].slice(kHiddenGroups[h], kHiddenGroups[h + 1]);
      graph_.setTileMapping(batch.in[g].slice(h * quarter, (h + 1) * quarter), tile);
      graph_.setTileMapping(partials, tile);
      const VertexRef v = graph_.addVertex(multiply, "PartialProducts");
      graph_.connect(v["weights"], hiddenWeights_[g].slice(kHiddenGroups[h], kHiddenGroups[h + 1]).flatten());
      graph_.connect(v["in"], batch.in[g].flatten());
      graph_.connect(v["partials"], partials.flatten());
      graph_.setInitialValue(v["inputs"], unsigned(kGroupInputs));
      graph_.setInitialValue(v["batch"], unsigned(kBatch));
      graph_.setTileMapping(v, tile);
    }

  const ComputeSet reduce = graph_.addComputeSet("Layer1/Fwd/Reduce");
  const ComputeSet activate = graph_.addComputeSet("Layer1/Fwd/NonLinearity");
  for (std::size_t unit = 0; unit < kHidden; ++unit)
    for (std::size_t p = 0; p < kNumBatchParts; ++p) {
      const std::size_t from = kBatchParts[p], to = kBatchParts[p + 1];
      const Tensor sums = batch.hidden[unit].slice(from, to);
      graph_.setTileMapping(sums, hiddenTile(unit, p));
      const VertexRef r = graph_.addVertex(reduce, "ReducePartials");
      graph_.connect(r["rows"], rowsOf(batch.partials.slice({0, unit, from}, {kInputGroups, unit + 1, to})));
      graph_.connect(r["out"], sums);
      graph_.setTileMapping(r, hiddenTile(unit, p));
      const VertexRef s = graph_.addVertex(activate, "BiasSigmoid");
      graph_.connect(s["data"], sums);
      graph_.connect(s["bias"], hiddenBiases_[unit]);
      graph_.setTileMapping(s, hiddenTile(unit, p));
    }

  const ComputeSet dense = graph_.addComputeSet("Layer3/Fwd/Dense");
  for (std::size_t unit = 0; unit < kOutputs; ++unit) {
    graph_.setTileMapping(batch.out[unit], outputTile(unit));
    for (unsigned worker = 0; worker < kWorkers; ++worker) {
      const std::size_t from = shareBegin(kBatch, worker), to = shareBegin(kBatch, worker + 1);
      const VertexRef v = graph_.addVertex(dense, "DenseSigmoid");
      graph_.connect(v["in"], rowsOf(batch.hidden.slice(from, to, 1)));
      graph_.connect(v["weights"], outputWeights_[unit]);
      graph_.connect(v["bias"], outputBiases_[unit]);
      graph_.connect(v["out"], batch.out[unit].slice(from, to));
      graph_.setTileMapping(v, outputTile(unit));
    }
  }

  const Tensor images = batch.in.dimShuffle({1, 0, 2}).reshape({kBatch, kInputs});
  batch.read = Sequence(
      {Copy(imagesIn, images, false, "read/images"), Copy(labelsIn, batch.labels, false, "read/labels")}, "read");
  batch.forward = Sequence({Execute(multiply, "Layer1/Fwd/Multiply"), Execute(reduce, "Layer1/Fwd/Reduce"),
                            Execute(activate, "Layer1/Fwd/NonLinearity"), Execute(dense, "Layer3/Fwd/Dense")},
                           "forward");
}

void Network::addScore(Batch &batch) {
  batch.outDelta = graph_.addVariable(FLOAT, {kOutputs, kBatch}, "Layer3/Bwd/deltas");
  batch.losses = graph_.addVariable(FLOAT, {kOutputs, kWorkers}, "Layer5/Loss/losses");
  batch.hits = graph_.addVariable(UNSIGNED_INT, {kBatch}, "Layer5/Loss/hits");
  const ComputeSet score = graph_.addComputeSet("Layer5/Loss/SumSquared");
  for (std::size_t unit = 0; unit < kOutputs; ++unit) {
    graph_.setTileMapping(batch.outDelta[unit], outputTile(unit));
    graph_.setTileMapping(batch.losses[unit], outputTile(unit));
    for (unsigned worker = 0; worker < kWorkers; ++worker) {
      const std::size_t from = shareBegin(kBatch, worker), to = shareBegin(kBatch, worker + 1);
      const VertexRef v = graph_.addVertex(score, "SumSquaredError");
      graph_.connect(v["out"], batch.out[unit].slice(from, to));
      graph_.connect(v["labels"], batch.labels.slice(from, to));
      graph_.connect(v["delta"], batch.outDelta[unit].slice(from, to));
      graph_.connect(v["loss"], batch.losses[unit][worker]);
      graph_.setInitialValue(v["unit"], unsigned(unit));
      graph_.setTileMapping(v, outputTile(unit));
    }
  }
  for (std::size_t digit = 0; digit < kBatch; ++digit) {
    graph_.setTileMapping(batch.labels[digit], scoreTile(digit));
    graph_.setTileMapping(batch.hits[digit], scoreTile(digit));
    const VertexRef v = graph_.addVertex(score, "IsCorrect");
    graph_.connect(v["out"], batch.out.slice(digit, digit + 1, 1).flatten());
    graph_.connect(v["label"], batch.labels[digit]);
    graph_.connect(v["correct"], batch.hits[digit]);
    graph_.setTileMapping(v, scoreTile(digit));
  }

  const ComputeSet total = graph_.addComputeSet("Layer5/Loss/Totals");
  const auto addTotal = [&](const char *type, const Tensor &parts, const Tensor &sum) {
    const VertexRef v = graph_.addVertex(total, type);
    graph_.connect(v["parts"], parts);
    graph_.connect(v["total"], sum);
    graph_.setTileMapping(v, kTotalsTile);
  };
  addTotal("AddToTotal<unsigned int>", batch.hits, correct_);
  addTotal("AddToTotal<float>", batch.losses.flatten(), loss_);
  batch.score = Sequence({Execute(score, "Layer5/Loss/SumSquared"), Execute(total, "Layer5/Loss/Totals")}, "score");
}

void Network::addBackward(Batch &batch) {
  batch.hiddenDelta = graph_.addVariable(FLOAT, {kHidden, kBatch}, "Layer1/Bwd/deltas");
  std::vector<ComputeSet> backward;
  if (options_.splitBackward)
    backward = {graph_.addComputeSet("Layer3/Bwd/HiddenError/first"),
                graph_.addComputeSet("Layer3/Bwd/HiddenError/rest")};
  else
    backward = {graph_.addComputeSet("Layer3/Bwd/HiddenError")};
  for (std::size_t unit = 0; unit < kHidden; ++unit)
    for (std::size_t p = 0; p < kNumBatchParts; ++p) {
      const std::size_t from = kBatchParts[p], to = kBatchParts[p + 1];
      const Tensor delta = batch.hiddenDelta[unit].slice(from, to);
      graph_.setTileMapping(delta, hiddenTile(unit, p));
      const VertexRef v = graph_.addVertex(backward[p == 0 ? 0 : backward.size() - 1], "HiddenError");
      graph_.connect(v["weights"], outputWeights_.slice(unit, unit + 1, 1).flatten());
      graph_.connect(v["next"], rowsOf(batch.outDelta.slice(from, to, 1)));
      graph_.connect(v["act"], batch.hidden[unit].slice(from, to));
      graph_.connect(v["delta"], delta);
      graph_.setTileMapping(v, hiddenTile(unit, p));
    }
  batch.backward = Sequence(DebugContext("backward"));
  if (options_.writeUndef)
    batch.backward.add(WriteUndef(batch.hiddenDelta, "Layer1/Bwd/deltas/undefined"));
  for (const ComputeSet &set : backward)
    batch.backward.add(Execute(set, "Layer3/Bwd/HiddenError"));
}

void Network::addUpdate(Batch &batch) {
  const float rate = options_.learningRate / float(kBatch);
  const auto addBias = [&](ComputeSet set, const Tensor &bias, const Tensor &delta, unsigned tile) {
    const VertexRef v = graph_.addVertex(set, "UpdateBias");
    graph_.connect(v["bias"], bias);
    graph_.connect(v["delta"], delta);
    graph_.setInitialValue(v["rate"], rate);
    graph_.setTileMapping(v, tile);
  };

  const ComputeSet output = graph_.addComputeSet("Layer3/Wu/Update");
  for (std::size_t unit = 0; unit < kOutputs; ++unit) {
    for (unsigned worker = 0; worker < kWorkers; ++worker) {
      const std::size_t from = shareBegin(kHidden, worker), to = shareBegin(kHidden, worker + 1);
      const VertexRef v = graph_.addVertex(output, "UpdateRow");
      graph_.connect(v["weights"], outputWeights_[unit].slice(from, to));
      graph_.connect(v["in"], batch.hidden.slice(from, to).flatten());
      graph_.connect(v["delta"], batch.outDelta[unit]);
      graph_.setInitialValue(v["rate"], rate);
      graph_.setTileMapping(v, outputTile(unit));
    }
    addBias(output, outputBiases_[unit], batch.outDelta[unit], outputTile(unit));
  }

  const ComputeSet hidden = graph_.addComputeSet("Layer1/Wu/Update");
  for (std::size_t g = 0; g < kInputGroups; ++g)
    for (std::size_t h = 0; h < kNumHiddenGroups; ++h) {
      const std::size_t from = kHiddenGroups[h], to = kHiddenGroups[h + 1];
      const VertexRef v = graph_.addVertex(hidden, "UpdateBlock");
      graph_.connect(v["weights"], hiddenWeights_[g].slice(from, to).flatten());
      graph_.connect(v["delta"], batch.hiddenDelta.slice(from, to).flatten());
      graph_.connect(v["in"], batch.in[g].flatten());
      graph_.setInitialValue(v["inputs"], unsigned(kGroupInputs));
      graph_.setInitialValue(v["batch"], unsigned(kBatch));
      graph_.setInitialValue(v["rate"], rate);
      graph_.setTileMapping(v, blockTile(g, h));
    }
  for (std::size_t unit = 0; unit < kHidden; ++unit)
    addBias(hidden, hiddenBiases_[unit], batch.hiddenDelta[unit], hiddenTile(unit, 0));
  batch.update = Sequence({Execute(output, "Layer3/Wu/Update"), Execute(hidden, "Layer1/Wu/Update")}, "update");
}
