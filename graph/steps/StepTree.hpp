// The tree of a StepProgram: the steps, the accesses of steps to variables, and the sources of steps. This header is
// part of StepProgram.hpp.
#pragma once
#include "base/Ids.hpp"
#include "base/StringTable.hpp"
#include "base/Units.hpp"
#include "graph/steps/StepKinds.hpp"

#include <cstdint>
#include <string>

namespace popscope {

/// Bytes of code of one step on one tile, in addition to the step's CodeBytes::everyTile.
struct TileCode {
  TileId tile;
  Bytes32 bytes;
  friend bool operator==(const TileCode &, const TileCode &) = default;
};

/// Bytes of code of one step: `everyTile` on each tile, plus the additional rows of StepProgram::tileCode for some
/// tiles.
struct CodeBytes {
  Bytes32 everyTile;
  std::uint32_t firstRow = 0, numRows = 0;
};

struct Step {
  StepKind kind = StepKind::Sequence;
  NameId name;           // the text after the kind, as in "OnTileExecute: NAME"; may be empty
  SourceId source;       // invalid if the step does not come from an Execute or a copy
  std::uint32_t end = 0; // one past the last step of this subtree
  std::uint32_t firstAccess = 0, numAccesses = 0;
  std::uint32_t payload = 0; // index into the payload table of the step's kind
  CodeBytes controlCode;     // the step's own control code, without the control code of its children
};

enum class AccessKind : std::uint8_t { Read, Write, Undef };

/// One access of a step to a variable. A step that reads and writes the variable (InOut) has two accesses, of which the
/// read is the first. In a step of several merged copies, each access belongs to one copy: the number of the copy's
/// source is the sum of Step::source and `member`. If copies were merged with a compute set, all accesses of the
/// compute set's own steps have one common value of `member`.
struct Access {
  VarId var;
  AccessKind kind = AccessKind::Read;
  std::uint16_t member = 0;
  std::uint32_t firstRange = 0, numRanges = 0; // range in StepProgram::ranges
};

/// One occurrence of an Execute or a copy in the program tree. Host copies and broadcasts of control words count as
/// copies. All steps of one Execute (exchange before, compute, exchange after) have the same source id, so that
/// liveness can count the writes of these steps together. The sources of merged copies have adjacent ids.
struct Source {
  NameId name;
  ComputeSetId computeSet; // invalid for copies
};

struct EngineProgram {
  enum class Kind : std::uint8_t {
    User,
    HostWrite,
    HostRead,
    ReadBlocks
  } kind = Kind::User; // ReadBlocks reads the records that remain in the buffers of blocks
  std::string handle;  // the handle of a host access
  StepIndex root;      // the program's Sequence below the engine's Switch; without a Switch, the root of the engine's
                       // only program
  StreamId stream;     // the stream of a host access
};

/// The number of objects before and after a compiler pass, for the section "Optimizations" of a summary. `unit` names
/// the counted objects.
struct PassRecord {
  std::string name;
  std::string unit;
  std::uint64_t before = 0, after = 0;
};

/// The id of one more context of a merged step, in addition to the step's entry in StepProgram::contexts. A context is
/// a DebugInfo, or a place in the user's code.
struct StepContext {
  StepIndex step;
  std::uint64_t context = 0;
};

} // namespace popscope
