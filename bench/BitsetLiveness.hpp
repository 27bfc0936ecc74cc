// A reference implementation of liveness/analysis with a dense bitset. Unlike other reference implementations, this
// implementation is tuned for speed, because benchmarks compare its time with the time of the analysis. The
// implementation stores one bit per step and variable, handles 512 variables at a time (one register of AVX-512), and
// sweeps backwards until no bit changes. The implementation shares no code with the analysis, and is compiled with
// -march=native.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace bench {

/// One bit for each of the 512 variables of a chunk, in order.
struct alignas(64) Row {
  std::uint64_t word[8] = {};
};
class BitsetLiveness {
public:
  explicit BitsetLiveness(const popscope::StepProgram &program);
  /// Calls found(number of the chunk's first variable, rows by step) for each chunk. A set bit means that the variable
  /// is live-in or live-out at the step according to data flow alone, without the rule for always-live variables.
  /// Returns the number of chunks.
  std::size_t solve(const std::function<void(std::uint32_t, const std::vector<Row> &)> &found);
  [[nodiscard]] std::uint64_t sweeps() const { return sweeps_; }

private:
  struct Effect {
    std::uint32_t step, var;
    bool read, kill;
  };
  void sweepNode(std::uint32_t node, std::uint64_t &changed);
  bool sweepPassages();
  void addWhatFollowsFunctions();
  void connect();
  std::vector<std::uint32_t> flow(std::uint32_t step, const std::vector<std::uint32_t> &next);
  void reach();
  void collectEffects();
  bool sweep();

  const popscope::StepProgram &p_;
  std::uint32_t steps_;
  std::vector<std::vector<std::uint32_t>> build_;     // successors of nodes, per node; empty after reach()
  std::vector<std::uint32_t> firstNext_, next_;       // successors of nodes, in one list. A node is a step, the second
                                                      // visit of a Repeat, or the return of a function
  std::vector<std::uint32_t> order_;                  // reached nodes, from the end to the start
  std::vector<std::vector<std::uint32_t>> returnsTo_; // per function: the nodes after its reachable calls
  std::vector<std::uint32_t> functionOf_;             // per node: index of its function; ~0 if the node is in no
                                                      // function
  std::vector<Row> clean_;                            // per node: variables that some path to the end of the function
                                                      // does not kill
  std::vector<Row> needed_;                           // per function: variables that are live at the end of the
                                                      // function
  std::vector<std::uint32_t> callOf_;
  std::vector<Effect> effects_; // sorted by variable
  std::vector<std::size_t> firstEffect_;
  std::vector<Row> use_, kill_, in_, live_;
  std::uint64_t sweeps_ = 0;
};

} // namespace bench
