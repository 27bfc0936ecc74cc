// Code and packet headers that single steps put on single tiles.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/Layout.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace popscope {

struct CodeRow {
  std::uint32_t step = 0;
  Bytes32 bytes;
  StorageCategory category = StorageCategory::ControlCode;
  OwnerKind owner = OwnerKind::Control;
};
/// Rows of all tiles; those of one lie together.
class CodeRows {
public:
  [[nodiscard]] std::span<const CodeRow> operator[](std::size_t tile) const {
    return {rows_.data() + first_[tile], first_[tile + 1] - first_[tile]};
  }

private:
  friend class CodeRowsBuilder;
  std::vector<std::size_t> first_; // by tile, and one more
  LargeTable<CodeRow> rows_;
};

/// Exchange code, packet headers, control tables and results of counters; of each tile in ascending steps. A payload
/// that several steps share counts once: a stream copy's at its StreamCopyMid.
CodeRows collectExchangeRows(const StepProgram &program, bool codeIncluded);

/// A piece of control code ends with the step that brings it to this size. Small enough to fill what other code leaves
/// of executable memory, large enough that a tile has a few hundred pieces and not one a step.
inline constexpr Bytes32 kControlPieceBytes(1024);

/// Control code: the steps of a tree that follow one another are one piece on each tile, under its first step that has
/// code there; of each tile in ascending steps.
CodeRows collectControlRows(const StepProgram &program);

} // namespace popscope
