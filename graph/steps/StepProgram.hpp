// StepProgram: the lowered program. graph/lowering produces a StepProgram. Liveness, layout and the machine read the
// StepProgram, and do not need the graph. A StepProgram consists of flat tables indexed by strong ids, and computes
// nothing. Each group of tables has a header that declares the rows of these tables. StepTree declares steps and their
// accesses, StepVariables declares variables, and ExchangeTables, ExecuteTables, HostTables and ControlPayloads declare
// the payloads of steps.
//
//   Sequence                       step 0, end = 6      steps are in pre-order = compile-time order;
//     StreamCopyMid                step 1, end = 2      the subtree of step s is [s, steps[s].end)
//     Repeat (count 3)             step 2, end = 6      children of s: s+1, steps[s+1].end, ...
//       Sequence                   step 3, end = 6
//         DoExchange               step 4
//         OnTileExecute            step 5
//
// Programs: `root` is the engine's program. The root contains a Switch that chooses a user program, a host access or
// the read of recorded blocks. Without this Switch, the root is the only user program. Each function body is a further
// tree, whose root is in `functions`.
//
// Invariants (checked by verifySteps, numbered as in docs/inside/lowering.md):
//  S1 end > index, children lie inside the parent, leaves have end == index + 1.
//  S2 homes of a variable are sorted by tile and unique; pieces of a variable are sorted by element and disjoint.
//     Several tiles may hold the same elements of a constant: the pieces of a constant are sorted by home, then
//     element, and are disjoint within each home.
//  S3 accesses' ranges are sorted, disjoint, non-empty and inside the variable.
//  S4 every operand (edge, message, transfer, predicate) lies inside its home.
//  S5 vertices of an OnTileExecute are sorted by (tile, order of addition), and its copy vertices are sorted by tile.
//  S6 the accesses of a step with operands (StepKindRow::operands) equal the union of its operands: for an
//     OnTileExecute, the edges, copy runs and result; for an exchange, the messages.
#pragma once
#include "base/Units.hpp"
#include "graph/steps/ControlPayloads.hpp"
#include "graph/steps/ExchangeTables.hpp"
#include "graph/steps/ExecuteTables.hpp"
#include "graph/steps/HostTables.hpp"
#include "graph/steps/StepTree.hpp"
#include "graph/steps/StepVariables.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace popscope {

struct StepProgram {
  StringTable names;
  std::uint32_t numTiles = 0, tilesPerIpu = 0;

  IdVector<VarId, StepVar> vars;
  LargeTable<Piece> pieces;
  IdVector<HomeId, Home> homes;
  LargeTable<std::uint8_t> data; // initial values of variables, and values of vertex state and of fills

  IdVector<StepIndex, Step> steps;
  /// For each step, the id of the DebugInfo or debug site (base/DebugSites.hpp) in which the step was made, or 0 if
  /// there is neither. A merged step has the id of its first part. Executables do not store this table, because ids
  /// have a meaning only within the process that built the graph. The table is empty if the ids are unknown.
  LargeTable<std::uint64_t> contexts;
  std::vector<StepContext> moreContexts; // ids of the other parts of merged steps, by step, in program order
  StepIndex root{0};
  struct FunctionInfo {
    StepIndex root;
    NameId name;
  };
  IdVector<FunctionId, FunctionInfo> functions;
  std::vector<EngineProgram> programs; // user programs first, in the order given to the engine

  LargeTable<Access> accesses;
  LargeTable<ElementRange> ranges;
  IdVector<SourceId, Source> sources;
  IdVector<ComputeSetId, NameId> computeSets;

  LargeTable<SyncStep> syncs;
  LargeTable<ExchangeStep> exchanges;
  LargeTable<Message> messages;
  LargeTable<ExchangeTile> exchangeTiles;
  LargeTable<ExecuteStep> executes;
  LargeTable<StepVertex> vertices;
  LargeTable<EdgePlace> edges;   // the places of operands; the operands of one vertex are adjacent
  std::vector<VertexForm> forms; // the properties of vertices other than places
  std::vector<OperandKind> operandKinds;
  LargeTable<StateValue> states;
  std::vector<VertexFootprint> footprints;
  LargeTable<CopyVertex> copies;
  LargeTable<CopyRun> copyRuns;
  std::vector<StreamCopyStep> streamCopies;
  std::vector<StreamPart> streamParts;
  LargeTable<StreamTransfer> transfers;
  LargeTable<HostTile> hostTiles;
  std::vector<SwitchStep> switches;
  std::vector<RepeatStep> repeats;
  std::vector<TestStep> tests;
  std::vector<CallStep> calls;
  std::vector<PrintStep> prints;
  std::vector<MessageStep> messagesText;
  std::vector<TileRegisterStep> tileRegisters;
  std::vector<BlockStep> blocks;
  BlockProfile blockProfile;
  LargeTable<TileCode> tileCode;
  LargeTable<StepStorage> storage;   // sorted by step, category, tile
  Bytes32 tableRunnerBytes;          // bytes of the code that runs control tables, on each tile that has such tables
  std::vector<ApartHomes> apart;     // sorted, unique
  LargeTable<SharedData> sharedData; // sorted by tile
  LargeTable<SharedUse> sharedUses;

  IdVector<VertexTypeId, StepVertexType> vertexTypes;
  std::vector<LibraryCode> libraryCode;
  std::vector<TypeFlops> typeFlops; // sorted by compute set, then type; each pair once
  IdVector<StreamId, StreamInfo> streams;
  std::vector<HostFunctionInfo> hostFunctions;
  std::vector<std::vector<ReplicaPair>> replicaMaps;
  std::vector<PassRecord> passes;
  std::uint32_t replicationFactor = 1;

  // The counts that the summary prints under "Graph:". The counts include the objects that lowering creates.
  std::uint64_t numVertices = 0, numEdges = 0, numVariables = 0, numComputeSets = 0;

  /// Returns the size of one element of the home's variable.
  [[nodiscard]] Bytes elementSize(HomeId h) const { return Bytes(elementBytes(vars[homes[h].var].type)); }
  [[nodiscard]] Bytes homeBytes(HomeId h) const { return elementSize(h) * std::uint64_t(homes[h].elements); }
  /// Returns the bytes of an operand that has a home.
  [[nodiscard]] Bytes edgeBytes(const VertexEdge &edge) const {
    return elementSize(edge.home) * std::uint64_t(edge.elements);
  }
  [[nodiscard]] const VertexForm &formOf(const StepVertex &v) const { return forms[v.form]; }
  [[nodiscard]] VertexEdges edgesOf(const StepVertex &v) const {
    const VertexForm &form = forms[v.form];
    return {edges.data() + v.firstEdge, operandKinds.data() + form.firstOperand, form.numOperands};
  }
};

/// Returns whether the step is the Switch by which the engine chooses one of its programs.
[[nodiscard]] inline bool isEngineSwitch(const StepProgram &program, const Step &step) {
  return step.kind == StepKind::Switch && program.switches[step.payload].engineSwitch;
}
/// Checks S1 to S6. If an invariant is violated, throws InternalError; the message contains the invariant and usually
/// the step or the variable. If an index lies outside of its table, may throw std::out_of_range instead.
void verifySteps(const StepProgram &program);
/// Returns a readable dump, one line per step, for tests and debugging.
std::string dumpSteps(const StepProgram &program);

} // namespace popscope
