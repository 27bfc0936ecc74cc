// Lowering: GraphIr and the engine's programs -> StepProgram. The passes, one file each, in this order:
//   CheckGraph             refuse unmapped variables and vertices, unconnected fields, unknown sizes: clear errors,
//                          before anything
//   PlaceVariables         graph variables to StepVars with pieces and homes
//   LowerPrograms          the program tree to steps, in two layers: EmitNaive lists the programs of each body,
//                          MergeStreams rewrites the list, and its rows become steps: Execute -> exchange, compute,
//                          exchange; Copy -> exchange and copy vertices (MergeCopies); host copies, control flow, the
//                          engine's Switch over programs and host accesses
//   TouchSteps             accesses of the steps whose rows contain all touches
//   InsertBlocks           lightweight profiling: which blocks are recorded, where their buffers go to the host
//   PlanExchange           each tile's part in each exchange: bytes, instructions, code bytes, cycles
//   PlaceConstraints       memory elements and address ranges that codelets ask for
//   ShareFieldData         equal read-only field data of one tile: once
//   BuildControlTables     the lists of vertices of the table scheduler
//   InsertInstrumentation  results and instructions of counters
//   SizeControlCode        control code bytes of every step on every tile
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

/// Lightweight profiling. With a filter set, blocks whose whole names match are recorded.
struct BlockOptions {
  std::string blocksFilter, programsFilter; // regular expressions: of Block programs; of any step; "" = none
  std::uint32_t tile = 0;                   // the tile of each IPU on which blocks are recorded
  std::uint32_t bufferBytes = 1000;         // the size of the buffer on each recording tile
  bool implicitFlush = true;                // copy the buffers to the host at the end of loop bodies
  bool streamCopies = false;                // true: stream copies are recorded, too, on the tiles that take part
  bool buffered = true;                     // records take memory and time of the device
  [[nodiscard]] bool on() const { return !blocksFilter.empty() || !programsFilter.empty(); }
};

/// The passes after which the program can be written out (LoweringOptions::afterPass), in their order. ElideCopies runs
/// before lower(), if it is requested.
inline constexpr std::array<std::string_view, 12> kLoweringPasses = {
    "ElideCopies",    "EmitNaive",          "MergeStreams",          "MergeCopies",
    "TouchSteps",     "InsertBlocks",       "PlanExchange",          "PlaceConstraints",
    "ShareFieldData", "BuildControlTables", "InsertInstrumentation", "SizeControlCode"};

/// Is called after a pass; `text()` is the program then: the rows of all bodies up to MergeCopies, and from MergeCopies
/// on dumpSteps (accesses from TouchSteps on) and dumpTables.
using AfterPass = std::function<void(const char *pass, const std::function<std::string()> &text)>;

struct LoweringOptions {
  bool sharedExchangeBus = true;
  std::uint64_t maxCopyMergeBytes =
      ~std::uint64_t(0);         // the maximum bytes that merged copies move together; 0 = copies are not merged
  bool mergesHostCopies = false; // consecutive host copies become one step
  bool tableScheduler = false;   // popscope.scheduler = table
  bool alwaysSwitch = true;      // the engine's opening and Switch even for one program
  bool oneControlCopy =
      false; // an engine with one program opens with one control copy: no sync id precedes the program's number
  bool hostRearranges = false;   // the host puts the data of streams in the order of each tile's memory
  bool sharedMessages = false;   // neighbours share their buses message by message, not only where all is the same
  bool oneCycleMessages = false; // a receiver that listens to another sender executes one control, not two
  bool sortsAsSent = false; // data that is adjacent at its sender arrives in the sender's order, and the tile sorts it
  bool multiAccessCopies = true; // copy vertices may load and store in one cycle
  CounterLevel computeCounters = CounterLevel::Off;
  bool externalExchangeCounters = false; // host copies and exchanges between IPUs have counters
  BlockOptions blocks;
  Threads threads;
  bool controlFlowCounters = false; // loops and conditionals have counters, on one tile:
  TileId recordTile;                // debug.branchRecordTile; invalid = the last one
  PhaseListener *phases = nullptr;  // receives the beginning and end of each pass; may be null
  AfterPass afterPass;              // likewise; may be empty
};

/// Throws poplar exceptions for the user's mistakes: invalid_tile_mapping, graph_connection_error,
/// graph_recursion_error, control_program_error ... each naming the object, the value, the limit and the next step.
StepProgram lower(const GraphIr &graph, const std::vector<ProgramPtr> &programs, const VertexEstimates &estimates,
                  const CostModel &costs, const LoweringOptions &options);

} // namespace popscope
