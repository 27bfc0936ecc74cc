// Random graphs and programs, built through the public API. The graphs and programs are valid by construction. Points
// are Sync programs named "p0", "p1", ...: they touch nothing, so the same variables are live before and after a point.
#pragma once
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

namespace popscope::testing {

class RandomGraph {
public:
  explicit RandomGraph(std::uint32_t seed);
  /// Returns the engine's programs, one to three. Adds compute sets, functions and streams to the graph as needed.
  std::vector<poplar::program::Program> programs();
  [[nodiscard]] const poplar::Graph &graph() const { return graph_; }

private:
  using Program = poplar::program::Program;
  using Sequence = poplar::program::Sequence;
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); } // equal on all hosts
  bool chance(std::uint32_t percent) { return below(100) < percent; }

  void addVariables();
  poplar::Tensor someView(const poplar::Tensor &t);
  poplar::Tensor someVariable() { return vars_[below(static_cast<std::uint32_t>(vars_.size()))]; }
  poplar::Tensor source(std::size_t elements, const poplar::Tensor &notOf);
  void addPoint(Sequence &sequence);
  Sequence sequence(unsigned depth);
  Program child(unsigned depth);
  Program leaf();
  Program execute();
  Program copy();
  Program hostCopy();
  Program overwriteInParts();
  Program copiesAndSets();
  void connect(poplar::ComputeSet cs, const char *codelet, const char *field, const poplar::Tensor &t);
  void update(poplar::ComputeSet cs, const poplar::Tensor &t, std::vector<poplar::Tensor> &left);
  Program control(unsigned depth);

  std::mt19937 random_;
  poplar::Graph graph_;
  std::vector<poplar::Tensor> vars_; // rank 1, float
  poplar::Tensor constant_, predicate_, selector_, row_;
  std::vector<poplar::Function> functions_; // functions that the current program may call
  unsigned points_ = 0, names_ = 0, budget_ = 0;
};

} // namespace popscope::testing
