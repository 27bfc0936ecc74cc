// The programs whose identities are checked: the example's perceptron, and the matrix-vector product and the halo
// stencil of bench/compare. Each program exists in a small size and in its published size.
#pragma once
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace identities {

/// One built program. Owns its graph and the host's side of its streams, so it must outlive the engine.
class Subject {
public:
  virtual ~Subject() = default;
  virtual poplar::Graph &graph() = 0;
  virtual std::vector<poplar::program::Program> programs() const = 0;
  virtual void connect(poplar::Engine &engine) = 0;
  /// Returns the indices of the programs to run, in order.
  virtual std::vector<unsigned> runs() const = 0;
};

struct SubjectRow {
  std::string name;
  unsigned tilesPerIpu = 0, ipus = 1;
  std::function<std::unique_ptr<Subject>(const poplar::Target &)> make;
  /// True if all executions of a step take equal cycles. A counter holds only the last execution of a step, and an
  /// IPU's time line consists of these last executions. If executions differ, as a perceptron's on several batches do,
  /// the IPU's total may be below the model's.
  bool lastIsLikeAll = true;
};

/// Returns the matrix and the stencil on few tiles, the stencil also on two IPUs.
std::vector<SubjectRow> smallSubjects();
/// Returns the perceptron with one batch, on the 496 tiles that it uses.
SubjectRow smallPerceptron();
/// Returns the programs in their published size: 1,216 tiles.
std::vector<SubjectRow> fullSubjects();

} // namespace identities
