// HostPieces: what a host copy moves, in the order of its stream, as few rows: pieces of equal length at equal
// distances are one. A tensor whose host order is another than its order on the tiles has a piece an element, but few
// distances.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <vector>

namespace popscope {

/// Joins pieces that continue each other, and groups those at equal distances.
class PieceJoiner {
public:
  /// Appends to `out`, which must outlive it.
  explicit PieceJoiner(std::vector<HomePieces> &out) : out_(out) {}
  void add(const HomeBytes &piece);
  /// Ends the collection; call it after the last piece.
  void finish();

private:
  std::vector<HomePieces> &out_;
  HomeBytes open_; // no bytes: none
};

/// Returns the bytes that the pieces cover, each byte once, in the order of homes and offsets, joined.
[[nodiscard]] std::vector<HomeBytes> coverOf(const StepProgram &program, const std::vector<HomePieces> &pieces);

} // namespace popscope
