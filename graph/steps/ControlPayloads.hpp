// Payloads of control flow and of small steps without data movement, and the memory of their code. This header is part
// of StepProgram.hpp.
#pragma once
#include "base/ElementType.hpp"
#include "base/StorageCategory.hpp"
#include "base/TileRegister.hpp"
#include "graph/steps/StepVariables.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace popscope {

struct SyncStep {
  std::uint8_t kind = 0; // SyncKind of target-models: 0 internal, 1 external, 2 global
};

/// Memory that the code of one step uses on one tile in addition to variables: a control table, or the results of
/// counters. If several steps share a payload, the rows belong to the first of these steps.
struct StepStorage {
  StepIndex step;
  TileId tile;
  StorageCategory category = StorageCategory::ControlTable; // or InstrumentationResults
  Bytes32 bytes;
  std::uint32_t instructions = 0; // instructions of counters, in addition to the step's other code on this tile
};

/// The payload of Switch and If. An If has two children, first true, then false, and no labels.
struct SwitchStep {
  HomeBytes control; // one element
  VarId copies;      // the copies of the broadcast on all other tiles; invalid = one tile
  ElementType type = ElementType::UnsignedInt;
  std::vector<std::int32_t> labels; // one per child; the default child (last) has no label
  bool engineSwitch = false;        // true: it switches over programId, and child i is engine program i
};

struct RepeatStep {
  std::uint32_t count = 0;
};

/// The payload of WhileTest and AbortOnCondition. A RepeatWhile has two children, both Sequences: the condition, which
/// ends with the broadcast of the predicate and a WhileTest leaf, and the body. The payload of the RepeatWhile is the
/// TestStep of that leaf.
struct TestStep {
  HomeBytes predicate;
  VarId copies; // as in SwitchStep
  ElementType type = ElementType::Bool;
  bool continueOn = true; // the loop continues if the predicate has this value
  std::int64_t text = -1; // AbortOnCondition: index into messagesText; -1 = none
};

struct CallStep {
  FunctionId function;
};

/// The title is the step's name; pieces are in the order of the view.
struct PrintStep {
  std::vector<HomeBytes> pieces;
  ElementType type = ElementType::Float;
  std::vector<std::size_t> shape;
  std::uint32_t format = 0;
};

/// Moves words between a register of tiles and their memory. The register is that of the piece's tile; pieces of one
/// tile are the register's words in order.
struct TileRegisterStep {
  TileRegister reg = TileRegister::CycleCounter;
  bool write = false;
  std::vector<HomeBytes> pieces; // read: destination; write: source, none = clear and set bits
  std::vector<HomeBytes> since;  // reading cycles: an earlier count to subtract; may be empty
  std::uint32_t clearBits = 0, setBits = 0;
  std::vector<TileId> tiles; // the tiles of a write without pieces; empty = all
};

/// The payload of Abort and ErrorProgram. AbortOnCondition refers to one through TestStep::text.
struct MessageStep {
  std::string text;
};

struct BlockStep {
  bool recorded = false; // lightweight profiling records it: profiler.blocks.filter matches its name
  bool implicit = false; // it surrounds a step that profiler.programs.filter matches; the user did not make it
};

/// Lightweight profiling: the beginning and end of recorded blocks, by the cycle counters of some tiles.
struct BlockProfile {
  bool on = false;
  bool streamCopies = false; // true: stream copies are recorded, too, on the tiles that take part
  std::uint32_t recordsPerTile =
      0; // the number of records of a buffer; 0 = no buffers, so that no record is lost or costs time
  std::vector<TileId> tiles;       // the tiles whose blocks are recorded; ascending
  std::vector<TileId> bufferTiles; // the tiles of `tiles` and those of stream copies; ascending
};

} // namespace popscope
