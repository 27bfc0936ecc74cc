// Lowering: turns a GraphIr and the engine's programs into a StepProgram. The passes run in this order. Each pass has a
// source file of its name:
//   CheckGraph             refuses unmapped vertices, unconnected fields, unknown sizes, writes of constants
//   CheckMapping           refuses used elements without a tile
//   CheckRaces             refuses vertices of a compute set that write an element twice, or write elements which other
//                          vertices read or write
//   PlaceVariables         turns graph variables into StepVars with pieces and homes
//   LowerPrograms          turns the program tree into steps, in two layers: EmitNaive (NaiveProgram) lists the
//                          programs of each body, MergeStreams rewrites the list, and the rows of the list become
//                          steps: Execute -> exchange, compute, exchange; Copy -> exchange and copy vertices
//                          (MergeCopies); host copies, control flow, the engine's Switch over programs and host
//                          accesses
//   TouchSteps             adds the accesses of the steps whose rows contain all touches
//   InsertBlocks           lightweight profiling: chooses the blocks to record, and inserts the steps that copy records
//                          to the host
//   PlanExchange           plans each tile's part in each exchange: bytes, instructions, code bytes, cycles
//   PlaceConstraints       collects the demands of codelets on memory elements and on addresses
//   ShareFieldData         stores equal read-only field data of one tile once
//   BuildControlTables     builds the lists of vertices of the table scheduler
//   InsertInstrumentation  adds results and instructions of counters
//   SizeControlCode        computes the control code bytes of every step on every tile
#pragma once
#include "base/Parallel.hpp"
#include "base/Phases.hpp"
#include "graph/ir/GraphIr.hpp"
#include "graph/steps/StepProgram.hpp"
#include "target-models/costs/CostModel.hpp"

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace popscope {

/// The scope of a compute set's counters: every tile, every vertex, one tile of each IPU, or one tile of the device.
enum class CounterLevel : std::uint8_t { Off, Tile, Vertex, Ipu, Device };

/// The options of lightweight profiling. Tiles record the blocks and steps whose whole names match a filter.
struct BlockOptions {
  std::string blocksFilter, programsFilter; // regular expressions for the names of Block programs, and of other
                                            // steps that take time; an empty text matches no name
  std::uint32_t tile = 0;                   // the tile of each IPU on which blocks are recorded
  std::uint32_t bufferBytes = 1000;         // bytes of records in the buffer on each recording tile, rounded up to
                                            // whole records
  bool implicitFlush = true;                // true: loop bodies that record something end with a copy of the
                                            // buffers to the host
  bool streamCopies = false;                // true: stream copies are recorded, too, on the tiles that take part
  bool buffered = true;                     // true: tiles store records in buffers, which takes memory and time on the
                                            // device
  [[nodiscard]] bool on() const { return !blocksFilter.empty() || !programsFilter.empty(); }
};

/// The passes after which the program can be written out (LoweringOptions::afterPass), in the order in which they run.
/// ElideCopies runs before lower(), and only on request.
inline constexpr std::array<std::string_view, 12> kLoweringPasses = {
    "ElideCopies",    "EmitNaive",          "MergeStreams",          "MergeCopies",
    "TouchSteps",     "InsertBlocks",       "PlanExchange",          "PlaceConstraints",
    "ShareFieldData", "BuildControlTables", "InsertInstrumentation", "SizeControlCode"};

/// A function that compilation calls after ElideCopies, and that lower() calls after every other pass of
/// kLoweringPasses. `text()` returns the program after the pass as text. For ElideCopies, EmitNaive and MergeStreams,
/// the text lists the rows of the naive program. For MergeCopies, the text lists the merged rows, and then the output
/// of dumpSteps and dumpTables. For later passes, the text is the output of dumpSteps (with the accesses of all steps)
/// and then of dumpTables.
using AfterPass = std::function<void(const char *pass, const std::function<std::string()> &text)>;

struct LoweringOptions {
  bool sharedExchangeBus = true;
  std::uint64_t maxCopyMergeBytes =
      ~std::uint64_t(0);         // the maximum bytes that merged copies move together; 0 if copies are not merged
  bool mergesHostCopies = false; // true: consecutive host copies become one step
  bool tableScheduler = false;   // true: the option popscope.scheduler is "table"
  bool alwaysSwitch = true;      // true: control copies and a Switch of the engine come before a program, even if there
                                 // is only one program
  bool oneControlCopy =
      false; // true: a run of an engine with one program begins with one control copy (the program's number) instead of
             // two (a sync id, then the program's number)
  bool hostRearranges = false;   // true: the host puts the data of streams into the order of each tile's memory
  bool sharedMessages = false;   // true: two neighbouring tiles share their buses for each message that both tiles
                                 // receive; false: two neighbouring tiles share their buses only if both receive
                                 // exactly the same messages
  bool oneCycleMessages = false; // true: a receiver that changes to another sender executes one control instruction
                                 // instead of two
  bool sortsAsSent = false;      // true: data that is adjacent on the sending tile arrives in the order of the sending
                                 // tile, and the receiving tile sorts the data
  bool multiAccessCopies = true; // true: copy vertices may load and store in one cycle
  CounterLevel computeCounters = CounterLevel::Off;
  bool externalExchangeCounters = false; // true: host copies and exchanges between IPUs have counters
  BlockOptions blocks;
  Threads threads;
  bool controlFlowCounters = false; // true: loops and conditionals have counters, on recordTile
  TileId recordTile;                // the tile of these counters (debug.branchRecordTile); invalid for the last tile
  PhaseListener *phases = nullptr;  // receives the beginning and end of each pass; may be null
  AfterPass afterPass;              // called after each pass; may be empty
};

/// Lowers the programs. Throws poplar exceptions for the user's mistakes: invalid_tile_mapping, graph_connection_error,
/// graph_recursion_error, control_program_error and others. Each message contains the object, the value and the limit,
/// and states what the user can do.
StepProgram lower(const GraphIr &graph, const std::vector<ProgramPtr> &programs, const VertexEstimates &estimates,
                  const CostModel &costs, const LoweringOptions &options);

} // namespace popscope
