// The perceptron as a Poplar graph. The network has 784 inputs, 30 hidden units and 10 output units. The activation
// function of all units is the sigmoid, and the loss is half the sum of squared errors. The training uses plain
// gradient descent.
//
// The network uses kTiles tiles of the device. The data lies on these tiles:
//
//   tiles    0 .. 391   98 groups of 8 pixels x 4 groups of hidden units (8, 8, 8, 6): each tile has a block of the
//                       hidden layer's weights, which no other tile reads, and the group's pixels for a quarter of the
//                       batch
//   tiles  392 .. 481   30 hidden units x 3 parts of the batch (6, 6, 4 digits): activations, errors and biases
//   tiles  482 .. 491   the output units: weights, biases, activations, errors
//   tiles  492 .. 495   the digits' labels, the score and the loss
#pragma once
#include <poplar/DataStream.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include <vector>

struct NetworkOptions {
  float learningRate = 3.0f;
  unsigned batchesPerRun = 5;
  bool splitBackward = false; // computes the hidden units' errors in two compute sets, each for a part of the batch
  bool writeUndef = false;    // adds a WriteUndef of the hidden units' errors before the program computes these errors
};

class Network {
public:
  static constexpr std::size_t kInputs = 784, kHidden = 30, kOutputs = 10, kBatch = 16;
  static constexpr unsigned kTiles = 496;
  /// Programs of the engine, in the order of programs().
  enum ProgramIndex : unsigned { kInit, kTrain, kTest };

  /// Builds variables, vertices and programs in `graph`, which must contain the codelets and outlive this object.
  Network(poplar::Graph &graph, const NetworkOptions &options);
  std::vector<poplar::program::Program> programs() const { return {init_, train_, test_}; }

  // Streams from host to device. The streams of weights and biases carry [30][784], [30], [10][30] and [10] floats.
  poplar::DataStream hiddenWeightsIn, hiddenBiasesIn, outputWeightsIn, outputBiasesIn;
  poplar::DataStream imagesIn, labelsIn; // a batch: [16][784] floats and [16] unsigned numbers
  // Streams from device to host. Once per run, these streams carry the number of digits classified correctly, and the
  // sum of the losses.
  poplar::DataStream correctOut, lossOut;

private:
  struct Batch; // variables of one batch and the programs that compute with them

  void addWeights();
  void addStreams();
  void addForward(Batch &batch);
  void addScore(Batch &batch);
  void addBackward(Batch &batch);
  void addUpdate(Batch &batch);

  poplar::Graph &graph_;
  NetworkOptions options_;
  poplar::Tensor hiddenWeights_; // [98][30][8]: pixel group, hidden unit, pixel
  poplar::Tensor hiddenBiases_;  // [30]
  poplar::Tensor outputWeights_; // [10][30]
  poplar::Tensor outputBiases_;  // [10]
  poplar::Tensor correct_, loss_;
  poplar::program::Sequence init_, train_, test_;
};
