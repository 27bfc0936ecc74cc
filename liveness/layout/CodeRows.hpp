// Code and packet headers that single steps put on single tiles.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/Layout.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

struct CodeRow {
  std::uint32_t tile = 0, step = 0, bytes = 0;
  StorageCategory category = StorageCategory::ControlCode;
  OwnerKind owner = OwnerKind::Control;
};

/// Exchange code, packet headers, control tables and results of counters; ascending steps. A payload that several steps
/// share counts once: a stream copy's at its StreamCopyMid.
std::vector<CodeRow> collectExchangeRows(const StepProgram &program, bool codeIncluded);

/// Control code: `everyTile` bytes of a step come on top of the step's row of a tile.
struct ControlRows {
  std::vector<CodeRow> everyTile; // tile is unused
  std::vector<CodeRow> ofTile;    // ascending steps
};
ControlRows collectControlRows(const StepProgram &program);

} // namespace popscope
