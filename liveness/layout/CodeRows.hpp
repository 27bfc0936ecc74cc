// CodeRows: tables of the code, packet headers, control tables and results of counters on each tile. A row states the
// bytes of one storage category that a step needs on a tile.
#pragma once
#include "base/Grouped.hpp"
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/Layout.hpp"

#include <cstdint>

namespace popscope {

struct CodeRow {
  std::uint32_t step = 0;
  Bytes32 bytes;
  StorageCategory category = StorageCategory::ControlCode;
  OwnerKind owner = OwnerKind::Control;
};

/// Returns the rows of exchange code, packet headers, control tables and results of counters, sorted by tile, then
/// step. If `codeIncluded` is false, leaves out exchange code and control tables. A payload (the exchange or copy to
/// which a step refers) counts once, even if several steps share the payload. The payload of a stream copy counts at
/// the copy's StreamCopyMid if the copy has one.
Grouped<CodeRow> collectExchangeRows(const StepProgram &program, bool codeIncluded);

/// A piece of control code ends with the step at which the piece reaches this size. Pieces of this size are small
/// enough to fill gaps between other code in executable memory. These pieces are also large enough that a tile has a
/// few hundred pieces instead of one piece per step.
inline constexpr Bytes32 kControlPieceBytes(1024);

/// Returns the rows of control code, grouped by tile and sorted by step. On each tile, the consecutive steps of a tree
/// form pieces (see kControlPieceBytes). The row of a piece names the piece's first step. A step without code on the
/// tile belongs to no piece.
Grouped<CodeRow> collectControlRows(const StepProgram &program);

} // namespace popscope
