// Trains a small perceptron on digits, with the public Poplar API only. Shows a program with streams, several programs
// in one engine, codelets that are compiled at run time, and the profile summary.
#include "DigitSet.hpp"
#include "Mnist.hpp"
#include "Network.hpp"
#include "Options.hpp"
#include "Random.hpp"

#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>

#include <cmath>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace {

constexpr unsigned kNoLabel = std::numeric_limits<unsigned>::max(); // the label of an unused place in the last batch
constexpr double kWantedAccuracy = 0.9;

/// Supplies digits batch by batch: the engine calls images() and labels() when the device reads the streams. After the
/// last digit, images() supplies blank images, for which no answer is correct.
class Feed {
public:
  void start(const Digits &digits, std::vector<std::size_t> order) {
    digits_ = &digits;
    order_ = std::move(order);
    nextImage_ = nextLabel_ = 0;
  }
  std::size_t runs(std::size_t digitsPerRun) const { return (order_.size() + digitsPerRun - 1) / digitsPerRun; }
  void images(void *to) {
    float *pixels = static_cast<float *>(to);
    for (std::size_t i = 0; i < Network::kBatch; ++i, pixels += kImagePixels)
      if (nextImage_ < order_.size())
        std::memcpy(pixels, &digits_->pixels[order_[nextImage_++] * kImagePixels], kImagePixels * sizeof(float));
      else
        std::memset(pixels, 0, kImagePixels * sizeof(float));
  }
  void labels(void *to) {
    unsigned *labels = static_cast<unsigned *>(to);
    for (std::size_t i = 0; i < Network::kBatch; ++i)
      labels[i] = nextLabel_ < order_.size() ? digits_->labels[order_[nextLabel_++]] : kNoLabel;
  }

private:
  const Digits *digits_ = nullptr;
  std::vector<std::size_t> order_;
  std::size_t nextImage_ = 0, nextLabel_ = 0;
};

/// Shows the progress of an epoch on a terminal. The destructor erases the line.
class Bar {
public:
  Bar(unsigned epoch, const char *what, std::size_t runs)
      : epoch_(epoch), what_(what), runs_(runs), shows_(::isatty(STDERR_FILENO) == 1) {}
  ~Bar() {
    if (shows_)
      std::cerr << "\r\033[K" << std::flush;
  }
  Bar(const Bar &) = delete;
  Bar &operator=(const Bar &) = delete;
  void show(std::size_t done) const {
    constexpr std::size_t kCells = 30;
    const std::size_t full = kCells * done / runs_;
    if (shows_)
      std::cerr << "\rEpoch " << epoch_ << ": " << what_ << " [" << std::string(full, '#')
                << std::string(kCells - full, '.') << "] " << 100 * done / runs_ << " %" << std::flush;
  }

private:
  unsigned epoch_;
  const char *what_;
  std::size_t runs_;
  bool shows_;
};

struct Score {
  double accuracy = 0, loss = 0; // loss: mean per digit
};

/// Runs `program` until the feed is empty. The device's streams write to `correct` and `loss`.
Score runThrough(poplar::Engine &engine, unsigned epoch, unsigned program, const Feed &feed, std::size_t numDigits,
                 unsigned batchesPerRun, const unsigned &correct, const float &loss) {
  std::size_t totalCorrect = 0;
  double totalLoss = 0;
  const std::size_t runs = feed.runs(batchesPerRun * Network::kBatch);
  const char *const label = program == Network::kTrain ? "train" : "test";
  const Bar bar(epoch, label, runs);
  for (std::size_t r = 0; r < runs; ++r) {
    bar.show(r);
    engine.run(program, label);
    totalCorrect += correct;
    totalLoss += loss;
  }
  return {double(totalCorrect) / double(numDigits), totalLoss / double(numDigits)};
}

/// Returns weights that are uniform in +- sqrt(3 / inputs), with a standard deviation of 1 / sqrt(inputs).
std::vector<float> firstWeights(Random &random, std::size_t outputs, std::size_t inputs) {
  std::vector<float> weights(outputs * inputs);
  const float limit = std::sqrt(3.0f / float(inputs));
  for (float &w : weights)
    w = random.between(-limit, limit);
  return weights;
}

void connect(poplar::Engine &engine, const poplar::DataStream &stream, std::vector<float> &data) {
  engine.connectStream(stream, data.data(), data.data() + data.size());
}

Score trainAndTest(const Options &options, const DigitSets &digits) {
  poplar::IPUModel model("ipu1");
  model.tilesPerIPU = 1216;
  model.compileIPUCode = true; // the profile then contains the memory of code
  const poplar::Device device = model.createDevice();
  poplar::Graph graph(device.getTarget());
  graph.addCodelets(options.codelets, poplar::CodeletFileType::Auto, "-O3");

  NetworkOptions networkOptions;
  networkOptions.batchesPerRun = options.batchesPerRun;
  networkOptions.splitBackward = options.splitBackward;
  networkOptions.writeUndef = options.writeUndef;
  Network network(graph, networkOptions);
  const std::vector<poplar::program::Program> programs = network.programs();
  poplar::Engine engine(graph, programs);

  Random random(options.seed);
  std::vector<float> hiddenWeights = firstWeights(random, Network::kHidden, Network::kInputs);
  std::vector<float> outputWeights = firstWeights(random, Network::kOutputs, Network::kHidden);
  std::vector<float> hiddenBiases(Network::kHidden), outputBiases(Network::kOutputs);
  connect(engine, network.hiddenWeightsIn, hiddenWeights);
  connect(engine, network.outputWeightsIn, outputWeights);
  connect(engine, network.hiddenBiasesIn, hiddenBiases);
  connect(engine, network.outputBiasesIn, outputBiases);
  Feed feed;
  engine.connectStreamToCallback(network.imagesIn, [&feed](void *to) { feed.images(to); });
  engine.connectStreamToCallback(network.labelsIn, [&feed](void *to) { feed.labels(to); });
  unsigned correct = 0;
  float loss = 0;
  engine.connectStream(network.correctOut, &correct, &correct + 1);
  engine.connectStream(network.lossOut, &loss, &loss + 1);

  engine.load(device);
  engine.run(Network::kInit, "init");
  Score score;
  std::cout << std::fixed;
  for (unsigned epoch = 1; epoch <= options.epochs; ++epoch) {
    feed.start(digits.training, random.order(digits.training.size()));
    const Score training =
        runThrough(engine, epoch, Network::kTrain, feed, digits.training.size(), options.batchesPerRun, correct, loss);
    std::vector<std::size_t> inOrder(digits.heldBack.size());
    for (std::size_t i = 0; i < inOrder.size(); ++i)
      inOrder[i] = i;
    feed.start(digits.heldBack, inOrder);
    score =
        runThrough(engine, epoch, Network::kTest, feed, digits.heldBack.size(), options.batchesPerRun, correct, loss);
    std::cout << "Epoch " << epoch << ": training loss " << std::setprecision(4) << training.loss << ", accuracy "
              << std::setprecision(1) << 100 * training.accuracy << " % in training, " << 100 * score.accuracy
              << " % on held-back digits" << std::endl;
  }
  if (options.summary) {
    const char *const show = options.steps ? "true" : "false";
    std::cout << '\n';
    engine.printProfileSummary(std::cout, {{"showVarStorage", show}, {"showExecutionSteps", show}});
    std::cout.flush();
  }
  return score;
}

} // namespace

int main(int argc, char **argv) {
  try {
    const Options options = parseOptions(argc, argv);
    if (options.help) {
      std::cout << usage("mlp");
      return 0;
    }
    const DigitSets digits = options.dataFolder.empty() ? makeDigitSets(options.seed) : readMnist(options.dataFolder);
    std::cout << digits.training.size() << " digits to train with, " << digits.heldBack.size() << " held back"
              << std::endl;
    const Score score = trainAndTest(options, digits);
    if (score.accuracy > kWantedAccuracy)
      return 0;
    std::cerr << "mlp: " << std::fixed << std::setprecision(1) << 100 * score.accuracy
              << " % of the held-back digits are named correctly; more than 90 % were expected. More --epochs may help."
              << std::endl;
    return 1;
  } catch (const std::exception &error) {
    std::cerr << "mlp: " << error.what() << std::endl;
    return 2;
  }
}
