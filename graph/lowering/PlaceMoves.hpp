// PlaceMoves: determines the moves from home to home that a copy or the operands of a compute set need, and creates the
// buffers of these moves. PlaceMoves makes no steps: MergeCopies decides which moves run together, and ProgramLowering
// builds the steps. The caller must call placeCopy and placeExecute in program order, because PlaceMoves numbers the
// buffers in the order of these calls. A program that occurs again gets the buffers of its first occurrence.
#pragma once
#include "graph/lowering/ExecuteParts.hpp"
#include "graph/lowering/MoveUses.hpp"
#include "graph/lowering/NaiveProgram.hpp"

#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <variant>

namespace popscope {

struct GraphUses;

/// A copy that moves data from home to home.
struct PlacedCopy {
  NaiveProgram program;
  Moves remote, local;
  MovesSummary moved;
  std::optional<HomeUses> uses; // no value until MergeCopies first needs the uses and computes them; again no value
                                // after MergeCopies has taken the uses
};

/// A copy whose source and destination overlap. ProgramLowering adds a temporary variable for the data. No other
/// program runs together with an overlapping copy.
struct OverlappingCopy {
  NaiveProgram program;
  GraphVarId variable;                  // the first variable that the copy reads; the name of the temporary contains
                                        // this variable's name
  std::vector<Fragment> source, target; // the elements that move, both in the same order
};

class MovePlacer {
public:
  /// Creates a placer. `uses` must be the result of collectUses() for `programs`.
  MovePlacer(LoweringContext &context, const GraphUses &uses, const std::vector<ProgramPtr> &programs);
  /// The result of placeCopy: std::monostate if no element moves.
  using Copy = std::variant<std::monostate, PlacedCopy, OverlappingCopy>;
  /// Places a copy between tensors on the device.
  [[nodiscard]] Copy placeCopy(const NaiveProgram &program);
  /// Places the operands of a compute set. Returns null if the set has no vertices and the program has no result
  /// tensor: there is nothing to execute. The placer owns the returned object. For one set, all Executes without a
  /// result tensor get the same object. An Execute with a result tensor gets an object of its own.
  [[nodiscard]] ExecuteParts *placeExecute(const ProgramNode &p);

private:
  void noteRepeated(const ProgramPtr &program);
  void receiveWordsOnce(const ProgramNode &p, const View &source, Moves &remote, Moves &local);

  LoweringContext &c_;
  ExecutePreparer preparer_;
  std::map<std::pair<ComputeSetId, const ProgramNode *>, ExecuteParts>
      executes_;                                            // key: the compute set, and the Execute for an Execute with
                                                            // a result
  std::unordered_set<const ProgramNode *> seen_, repeated_; // programs that occur; programs that occur more than once
  std::unordered_map<const ProgramNode *, std::pair<Moves, Moves>>
      wordMoves_; // the moves of programs whose pieces are not whole words
};

} // namespace popscope
