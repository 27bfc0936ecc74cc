// Code and packet headers that single steps put on single tiles.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "liveness/data/Layout.hpp"

#include <cstdint>
#include <vector>

namespace popscope {

struct StepRow {
  std::uint32_t tile = 0, step = 0, bytes = 0;
  StorageCategory category = StorageCategory::ControlCode;
  OwnerKind owner = OwnerKind::Control;
};

/// Exchange code and packet headers; ascending steps. A payload that several steps share counts once: a stream copy's
/// at its StreamCopyMid.
std::vector<StepRow> collectExchangeRows(const StepProgram &program, bool codeIncluded);

/// Control code: `everyTile` bytes of a step come on top of the step's row of a tile.
struct ControlRows {
  std::vector<StepRow> everyTile; // tile is unused
  std::vector<StepRow> ofTile;    // ascending steps
};
ControlRows collectControlRows(const StepProgram &program);

} // namespace popscope
