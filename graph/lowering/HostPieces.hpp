// HostPieces: lists the pieces of a host copy in the order of its stream, in few rows. Pieces of equal length at equal
// distances form one row. If the elements of a tensor have one order on the host and another order on the tiles, each
// element may be a separate piece. Even then, few rows suffice, because the distances between the pieces have few
// different values.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <vector>

namespace popscope {

/// A joiner of consecutive pieces that are adjacent in a home. Groups pieces of equal length at equal distances.
class PieceJoiner {
public:
  /// Makes a joiner that appends rows to `out`, which must outlive the joiner.
  explicit PieceJoiner(std::vector<HomePieces> &out) : out_(out) {}
  void add(const HomeBytes &piece);
  /// Appends the open piece to `out`. Must be called after the last piece.
  void finish();

private:
  std::vector<HomePieces> &out_;
  HomeBytes open_; // the piece that the next piece may continue; no bytes if there is no such piece
};

/// Returns the bytes that the pieces cover, as joined ranges that are sorted by home and offset.
[[nodiscard]] std::vector<HomeBytes> coverOf(const StepProgram &program, const std::vector<HomePieces> &pieces);

} // namespace popscope
