#include "tests/check/identities/Subjects.hpp"

#include "bench/compare/HaloProgram.hpp"
#include "bench/compare/MatVecProgram.hpp"
#include "examples/mlp/Network.hpp"

#include <map>

using namespace poplar;
using namespace poplar::program;

namespace identities {
namespace {

class MatVecSubject : public Subject {
public:
  MatVecSubject(const Target &target, compare::MatVecSize size)
      : program_(target, size), vector_(size.columns, 1.0f), matrix_(std::size_t(size.rows) * size.columns, 1.0f),
        out_(size.rows) {}
  Graph &graph() override { return program_.graph; }
  std::vector<Program> programs() const override { return {program_.program}; }
  void connect(Engine &engine) override {
    engine.connectStream("vector", vector_.data());
    engine.connectStream("matrix", matrix_.data());
    engine.connectStream("out", out_.data());
  }
  std::vector<unsigned> runs() const override { return {0}; }

private:
  compare::MatVecProgram program_;
  std::vector<float> vector_, matrix_, out_;
};

class HaloSubject : public Subject {
public:
  HaloSubject(const Target &target, compare::HaloSize size) : program_(target, size) {}
  Graph &graph() override { return program_.graph; }
  std::vector<Program> programs() const override { return {program_.fill, program_.iterate}; }
  void connect(Engine &) override {}
  std::vector<unsigned> runs() const override { return {0, 1}; }

private:
  compare::HaloProgram program_;
};

class PerceptronSubject : public Subject {
public:
  PerceptronSubject(const Target &target, unsigned batches) : graph_(target) {
    graph_.addCodelets(IDENTITIES_MLP_CODELETS, CodeletFileType::Auto, "-O3");
    NetworkOptions options;
    options.batchesPerRun = batches;
    network_ = std::make_unique<Network>(graph_, options);
  }
  Graph &graph() override { return graph_; }
  std::vector<Program> programs() const override { return network_->programs(); }
  void connect(Engine &engine) override {
    const auto floats = [&](const DataStream &stream, std::size_t n) {
      std::vector<float> &data = data_[stream.handle()];
      data.assign(n, 0.125f);
      engine.connectStream(stream, data.data(), data.data() + data.size());
    };
    floats(network_->hiddenWeightsIn, Network::kHidden * Network::kInputs);
    floats(network_->hiddenBiasesIn, Network::kHidden);
    floats(network_->outputWeightsIn, Network::kOutputs * Network::kHidden);
    floats(network_->outputBiasesIn, Network::kOutputs);
    floats(network_->imagesIn, Network::kBatch * Network::kInputs);
    floats(network_->lossOut, 1);
    engine.connectStream(network_->labelsIn, labels_.data(), labels_.data() + labels_.size());
    engine.connectStream(network_->correctOut, &correct_, &correct_ + 1);
  }
  std::vector<unsigned> runs() const override { return {Network::kInit, Network::kTrain, Network::kTest}; }

private:
  Graph graph_;
  std::unique_ptr<Network> network_;
  std::map<std::string, std::vector<float>> data_;
  std::vector<unsigned> labels_ = std::vector<unsigned>(Network::kBatch, 3);
  unsigned correct_ = 0;
};

template <class Made, class Size> auto maker(Size size) {
  return [size](const Target &target) -> std::unique_ptr<Subject> { return std::make_unique<Made>(target, size); };
}

compare::HaloSize halo(unsigned block, unsigned down, unsigned iterations) {
  compare::HaloSize size;
  size.block = block;
  size.down = down;
  size.iterations = iterations;
  return size;
}
compare::MatVecSize matVec(unsigned rows, unsigned columns) {
  compare::MatVecSize size;
  size.rows = rows;
  size.columns = columns;
  return size;
}

} // namespace

std::vector<SubjectRow> smallSubjects() {
  return {{"matrix times vector", 16, 1, maker<MatVecSubject>(matVec(100, 40))},
          {"halo", 16, 1, maker<HaloSubject>(halo(10, 8, 3))},
          {"halo on two IPUs", 8, 2, maker<HaloSubject>(halo(10, 8, 3))}};
}

SubjectRow smallPerceptron() { return {"perceptron", Network::kTiles, 1, maker<PerceptronSubject>(1u)}; }

std::vector<SubjectRow> fullSubjects() {
  return {{"perceptron", 1216, 1, maker<PerceptronSubject>(5u), false},
          {"matrix times vector", 1216, 1, maker<MatVecSubject>(compare::MatVecSize())},
          {"halo", 1216, 1, maker<HaloSubject>(compare::HaloSize())}};
}

} // namespace identities
