// Small programs that the engine tests share. These programs use only the public API.
#pragma once
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>

#include <functional>
#include <string>
#include <vector>

namespace engine_tests {

/// Source of codelets: Double (out = 2 * in), Sum (out = sum of in), Increment (InOut += 1), Less (out = a < b).
extern const char *kCodelets;
void addTestCodelets(poplar::Graph &graph);

poplar::Device smallModel(unsigned tiles = 4, unsigned ipus = 1, bool compileIpuCode = true);
/// Returns the only device of a simulated machine: one IPU with `tiles` tiles (0 = all tiles of the architecture).
poplar::Device simulatedIpu(unsigned tiles, const std::string &architecture = "ipu1",
                            const poplar::OptionFlags &options = {});

/// A graph with one vector x of `n` floats spread over the tiles and a compute set that adds 1 to each element.
struct IncrementProgram {
  poplar::Graph graph;
  poplar::Tensor x;
  poplar::program::Sequence step;
  IncrementProgram(const poplar::Device &device, unsigned n);
};

std::string summaryOf(poplar::Engine &engine);

/// Returns the text of the exception of type E that `act` throws, or "nothing was thrown".
template <class E> std::string messageOf(const std::function<void()> &act) {
  try {
    act();
  } catch (const E &e) {
    return e.what();
  }
  return "nothing was thrown";
}

} // namespace engine_tests
