// Payloads of syncs, control flow, PrintTensor, tile registers, messages and blocks, and the memory that the code of
// steps uses in addition to variables. This header is part of StepProgram.hpp.
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

/// Memory that the code of one step uses on one tile in addition to variables: a control table, the results of
/// counters, or a buffer for the records of blocks (at the root step). If several steps of one kind share a payload,
/// the rows belong to the first of these steps.
struct StepStorage {
  StepIndex step;
  TileId tile;
  StorageCategory category = StorageCategory::ControlTable; // ControlTable or InstrumentationResults
  Bytes32 bytes;
  std::uint32_t instructions = 0; // instructions of counters, in addition to the step's other code on this tile
};

/// The payload of Switch and If. An If has no labels. Its two children are first the branch for true, then the branch
/// for false.
struct SwitchStep {
  HomeBytes control; // one element
  VarId copies;      // the variable with the copies of `control` that a broadcast makes on all other tiles; invalid if
                     // there is only one tile
  ElementType type = ElementType::UnsignedInt;
  std::vector<std::int32_t> labels; // one for each child except a default child, which is last
  bool engineSwitch = false;        // true: the engine's Switch over programId; child i is engine program i
};

struct RepeatStep {
  std::uint32_t count = 0;
};

/// The payload of WhileTest and AbortOnCondition. A RepeatWhile has two children, both Sequences. The first child is
/// the condition, which ends with the broadcast of the predicate and a WhileTest leaf. The second child is the body.
/// The payload of the RepeatWhile is the TestStep of the WhileTest leaf.
struct TestStep {
  HomeBytes predicate;
  VarId copies; // the variable with the copies of `predicate` that a broadcast makes on all other tiles; invalid if
                // there is only one tile
  ElementType type = ElementType::Bool;
  bool continueOn =
      true; // if the predicate has this value, the loop runs its body again, or the program continues after the
            // AbortOnCondition
  std::int64_t text = -1; // AbortOnCondition: index into messagesText; -1 if there is no text
};

struct CallStep {
  FunctionId function;
};

/// The payload of PrintTensor. The title is the step's name; the pieces are in the order of the view.
struct PrintStep {
  std::vector<HomeBytes> pieces;
  ElementType type = ElementType::Float;
  std::vector<std::size_t> shape;
  std::uint32_t format = 0;
};

/// A step that moves words between a register and the memory of the same tile, on each tile with pieces. The pieces of
/// a tile hold the words of the tile's register, in order. A write without pieces clears and sets bits of the register
/// on `tiles`.
struct TileRegisterStep {
  TileRegister reg = TileRegister::CycleCounter;
  bool write = false;
  std::vector<HomeBytes> pieces; // read: the destination; write: the source, or empty to clear and set bits
  std::vector<HomeBytes> since;  // for reads of the cycle counter: an earlier count to subtract; may be empty
  std::uint32_t clearBits = 0, setBits = 0;
  std::vector<TileId> tiles; // the tiles of a write without pieces; empty for all tiles
};

/// The payload of Abort and ErrorProgram. An AbortOnCondition refers to its MessageStep through TestStep::text.
struct MessageStep {
  std::string text;
};

struct BlockStep {
  bool recorded = false; // true: lightweight profiling records the block, because the block's name matches a filter; an
                         // implicit block has the name of the step around which the block was made
  bool implicit = false; // true: InsertBlocks made the block, for a step whose name matches profiler.programs.filter
};

/// The settings of lightweight profiling. Lightweight profiling records the cycle counters of some tiles at the
/// beginning and at the end of blocks.
struct BlockProfile {
  bool on = false;
  bool streamCopies = false; // true: stream copies are recorded, too, on the tiles that take part
  std::uint32_t recordsPerTile =
      0; // the capacity of a tile's buffer in records; 0 without buffers: no record is lost, and records cost no time
  std::vector<TileId> tiles;       // the tiles whose blocks are recorded, in ascending order
  std::vector<TileId> bufferTiles; // the tiles that have a buffer: `tiles` and the tiles that record stream copies,
                                   // in ascending order
};

} // namespace popscope
