// PrepareExecute: prepares the parts of a compute set that do not depend on earlier lowering. These parts are the
// places of the set's operands (in place or in buffers), the moves to and from these buffers, and the rows of the set's
// vertices. If there are several threads, the preparer prepares several sets at a time, on all threads, before the
// programs need these sets. Homes, types and footprints get their numbers later, when lowering places the set, in the
// order of the programs.
#pragma once
#include "graph/lowering/ClassifyEdges.hpp"

#include <utility>
#include <vector>

namespace popscope {

/// Consecutive vertices of a compute set: all vertices that the set has on one tile or several consecutive tiles.
struct PreparedVertices {
  // Until placeOperands runs, firstEdge of a vertex is an index into `operands`. Until buildExecute runs, `type` is an
  // index into `codelets`, `form` is an index into `forms`, firstState is an index into `states`, and the `footprint`
  // of a form is an index into `shapes`.
  std::vector<StepVertex> vertices;
  std::vector<EdgePlace> operands; // the home of an operand in a buffer is a localHome
  std::vector<VertexForm> forms;
  std::vector<OperandKind> operandKinds; // operands of `forms`
  std::vector<int> codelets;             // codelets in the order of first use
  std::vector<VertexId> shapes;          // one vertex per codelet or, if footprintDependsOnSizes(), per shape;
                                         // in the order of first use
  LargeTable<StateValue> states;
  LargeTable<std::uint8_t> data; // the values of `states`
  std::vector<HomeDemand> demands;
  std::vector<LoweringContext::Buffer> buffers; // these buffers have no names yet
  std::vector<GraphVarId> sources;              // per buffer: the variable from which the buffer's name is made
  Moves receive, gather, send, scatter;         // buffers are localHomes
  std::uint64_t numBuffered = 0;                // number of operands that lie in buffers
  bool anyPieces = false;                       // true: a move of `receive` begins or arrives within a word
};
struct PreparedExecute {
  std::vector<PreparedVertices> parts; // in the order of tiles
  [[nodiscard]] std::size_t numVertices() const;
};

/// The bit that marks a localHome: the number of a buffer in PreparedVertices::buffers, used until the buffer has a
/// home.
inline constexpr std::uint32_t kLocalHome = std::uint32_t(1) << 31;
inline HomeId localHome(std::size_t buffer) { return HomeId(kLocalHome | static_cast<std::uint32_t>(buffer)); }
/// If `home` is a localHome, returns the final home of this buffer. `firstBuffer` is the final home of buffer number 0.
/// Returns any other home unchanged.
inline HomeId placedHome(HomeId home, std::uint32_t firstBuffer) {
  return home.valid() && home.index() >= kLocalHome ? HomeId((home.index() & ~kLocalHome) + firstBuffer) : home;
}

class ExecutePreparer {
public:
  /// Creates a preparer. `order` lists compute sets in the expected order of the calls of take(). `context` must
  /// outlive the preparer. The preparer reads only those tables of `context` that PlaceVariables fills.
  ExecutePreparer(const LoweringContext &context, std::vector<ComputeSetId> order);
  /// Returns the prepared compute set. If the set is not prepared yet, prepares the set now. If there are several
  /// threads, this call also prepares some of the sets that come later in `order`.
  [[nodiscard]] PreparedExecute take(ComputeSetId computeSet);
  /// Returns the numbers of rows that were prepared since the last call. The caller is about to add these rows to the
  /// tables.
  [[nodiscard]] PreparedRows newRows() { return std::exchange(newRows_, {}); }

private:
  enum class State : std::uint8_t { Waiting, Ready, Taken };
  void prepare(const std::vector<ComputeSetId> &sets);

  const LoweringContext &c_;
  std::vector<ComputeSetId> order_;
  std::vector<std::uint32_t> position_; // position of each compute set in order_
  std::vector<State> states_;           // per compute set
  std::vector<PreparedExecute> ready_;  // per compute set
  PreparedRows newRows_;
};

} // namespace popscope
