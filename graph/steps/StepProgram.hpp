// StepProgram: the lowered program, understandable alone. Output of graph/lowering, input of
// liveness, layout and the machine. Flat tables indexed by strong ids; nothing here computes.
//
//   Sequence                       step 0, end = 6      steps are in pre-order = compile-time order;
//     StreamCopyMid                step 1, end = 2      the subtree of step s is [s, steps[s].end)
//     Repeat (count 3)             step 2, end = 6      children of s: s+1, steps[s+1].end, ...
//       Sequence                   step 3, end = 6
//         DoExchange               step 4
//         OnTileExecute            step 5
//
// Programs: `root` is the engine's program (with its Switch over user programs and host accesses); each
// function body is a further tree, found through `functions`.
//
// Invariants (checked by verifySteps, numbered for docs/DESIGN):
//  S1 end > index, children lie inside the parent, leaves have end == index + 1.
//  S2 homes of a variable are sorted by tile and unique; pieces of a variable are sorted by element and disjoint.
//  Several
//     tiles may hold the same elements of a constant: its pieces are sorted by home, then element, disjoint in each
//     home.
//  S3 accesses' ranges are sorted, disjoint, non-empty and inside the variable.
//  S4 every operand (edge, message, transfer, predicate) lies inside its home.
//  S5 vertices of an OnTileExecute are sorted by (tile, order of addition).
//  S6 an OnTileExecute's reads and writes equal the union of its vertices' edges; likewise for exchanges.
#pragma once
#include "base/ElementType.hpp"
#include "base/Ids.hpp"
#include "base/StorageCategory.hpp"
#include "base/StringTable.hpp"
#include "base/TileRegister.hpp"
#include "base/Units.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace popscope {

// ------------------------------------------------------------------ variables
struct ElementRange {
  std::uint64_t begin = 0, end = 0; // half-open
  friend bool operator==(const ElementRange &, const ElementRange &) = default;
};

/// An array variable. Elements live on tiles as `pieces` say; the part on one tile is a *home* (lowered variable),
/// stored contiguously there in ascending element order.
struct StepVar {
  NameId name;
  StorageCategory category = StorageCategory::Variable;
  ElementType type = ElementType::Float;
  std::uint64_t elements = 0;
  bool constant = false;          // category Constant implies it; a compiler-made constant is Variable + constant
  bool interleaved = false;       // must live in the interleaved region
  std::uint64_t addressLimit = 0; // every byte lies below this offset from the base of tile memory, so that the scaled
                                  // pointers of vertices reach it; 0 = anywhere
  std::uint32_t alignment = 4;    // bytes, of each home
  std::uint32_t firstPiece = 0, numPieces = 0;
  std::uint32_t firstHome = 0, numHomes = 0;
  std::int64_t initialData = -1; // offset into StepProgram::data of elements * elementBytes bytes; -1 = none
  std::int64_t graphVar = -1;    // index of the user's variable in the graph; -1 = compiler-made
  bool replicaIndex = false;     // one element that holds the number of its replica
};
struct Piece {
  ElementRange elements; // of the variable
  HomeId home;
  std::uint64_t homeElement = 0; // where elements.begin sits in the home
};
struct Home {
  VarId var;
  TileId tile;
  std::uint64_t elements = 0;
};
/// A contiguous byte range of one home.
struct HomeBytes {
  HomeId home;
  std::uint64_t offset = 0; // bytes from the home's start
  std::uint64_t bytes = 0;
};

// ------------------------------------------------------------------ steps
enum class StepKind : std::uint8_t {
  Sequence,
  Sync,
  DoExchange,
  GlobalExchange,
  OnTileExecute,
  StreamCopyBegin,
  StreamCopyMid,
  StreamCopyEnd,
  Switch,
  If,
  Repeat,
  RepeatWhile,
  WhileTest,
  Call,
  WriteUndef,
  PrintTensor,
  Abort,
  AbortOnCondition,
  ErrorProgram,
  Block,
  AssumeEqualAcrossReplicas,
  TileRegister,
};

/// Bytes of code of one step: `everyTile` on each tile plus extra rows for some tiles.
struct TileCode {
  TileId tile;
  std::uint32_t bytes = 0;
};
struct CodeBytes {
  std::uint32_t everyTile = 0;
  std::uint32_t firstRow = 0, numRows = 0;
};

struct Step {
  StepKind kind = StepKind::Sequence;
  NameId name;           // as printed after "OnTileExecute: "; may be empty
  SourceId source;       // invalid where no Execute or Copy stands behind it
  std::uint32_t end = 0; // one past the last step of this subtree
  std::uint32_t firstAccess = 0, numAccesses = 0;
  std::uint32_t payload = 0; // index into the table of this kind
  CodeBytes controlCode;     // own control code, children not included
};

enum class AccessKind : std::uint8_t { Read, Write, Undef };
/// What a step does to a variable. A step that reads and writes (InOut) has both, the read first. Where several copies
/// were merged, each has accesses of its own: of source Step::source + member. A compute set that copies were merged
/// with is one of the members, in all of its steps.
struct Access {
  VarId var;
  AccessKind kind = AccessKind::Read;
  std::uint16_t member = 0;
  std::uint32_t firstRange = 0, numRanges = 0; // in StepProgram::ranges
};

/// One occurrence of an Execute or a Copy in the program tree. What one Execute became (exchange before, compute,
/// exchange after) carries one id, so that liveness can count its writes together. Merged copies have adjacent ids.
struct Source {
  NameId name;
  ComputeSetId computeSet; // invalid for copies
};

// ------------------------------------------------------------------ payloads
struct SyncStep {
  std::uint8_t kind = 0;
}; // SyncKind of target-models: 0 internal, 1 external, 2 global

struct Message { // one point-to-point move of an exchange
  HomeId src;
  std::uint64_t srcOffset = 0; // bytes
  HomeId dst;
  std::uint64_t dstOffset = 0;
  std::uint64_t bytes = 0;
};
/// What one tile does in one exchange, planned by PlanExchange.
struct ExchangeTile {
  TileId tile;
  std::uint64_t bytesSent = 0, bytesReceived = 0; // multicast data counts once at the sender
  std::uint32_t messagesReceived = 0;
  std::uint32_t instructions = 0; // of the exchange row
  std::uint32_t codeBytes = 0;
  std::uint32_t headerBytes = 0; // packet headers of what it sends to other IPUs
  std::uint64_t cycles = 0;      // from the common start to this tile's last event
  // Of a DoExchange, what cycles is made of: max(ceil(bytesSent / width), latency + max(transfer, cycles of controls)).
  std::uint32_t latency = 0;  // of the furthest sender, cycles
  std::uint32_t transfer = 0; // cycles in which the words that it receives pass
  std::uint32_t controls = 0; // 2 for another sender, 1 for another address alone
  std::uint32_t buses = 1;    // transfer is that of the buses of so many neighbours, which receive the same
};
struct ExchangeStep { // DoExchange, GlobalExchange
  std::uint32_t firstMessage = 0, numMessages = 0;
  std::uint32_t firstTile = 0, numTiles = 0; // ExchangeTile rows, ascending tile
  std::int32_t replicaMap = -1;              // between replicas: index into replicaMaps; -1 = within one
};
struct ReplicaPair {
  std::uint32_t from = 0, to = 0;
}; // every message goes from replica `from` to replica `to`

struct VertexEdge {
  std::uint16_t field = 0; // index into VertexType::fields of codelets
  bool writes = false, reads = false;
  std::uint32_t subIndex = 0; // element of a vector of edges
  HomeId home;                // invalid when elements == 0
  std::uint64_t offset = 0;   // bytes in the home
  std::uint64_t elements = 0;
};
struct StateValue { // value of a state field (or the size of a vector field)
  std::uint16_t field = 0;
  std::uint64_t elements = 1;  // 1 for a scalar
  std::uint64_t firstByte = 0; // in StepProgram::data, in the field's element type
};
/// Tile-side bytes of one vertex; equal footprints are stored once.
struct VertexFootprint {
  std::uint32_t instanceState = 0, fieldData = 0, vectorListDescriptor = 0, copyDescriptor = 0;      // by storage kind
  std::uint32_t internalState = 0, edgePointers = 0, copyPointers = 0, padding = 0, descriptors = 0; // by category
  friend bool operator==(const VertexFootprint &, const VertexFootprint &) = default;
};
struct StepVertex {
  VertexTypeId type;
  TileId tile;
  std::uint32_t firstEdge = 0, numEdges = 0;
  std::uint32_t firstState = 0, numState = 0;
  std::uint32_t footprint = 0;
  bool fromEstimator = false; // `estimate` comes from the estimator registered for the type
  std::uint64_t id = 0;       // the graph's vertex id
  std::int64_t estimate = -1; // setPerfEstimate / registered estimator; -1 = none
};
/// Two homes of one tile that must not share a memory element: "elem(*a) != elem(*b)" of a codelet. a < b.
struct ApartHomes {
  HomeId a, b;
  friend auto operator<=>(const ApartHomes &, const ApartHomes &) = default;
};
/// Field data of one tile that several vertices have in common and none writes: stored once (sharedDataStorage). It is
/// not part of their footprints.
struct SharedData {
  TileId tile;
  std::uint32_t bytes = 0;
  std::uint32_t firstUse = 0, numUses = 0;
};
struct SharedUse {
  std::uint32_t vertex = 0;
  std::uint16_t field = 0;
}; // in StepProgram::vertices

/// Without a source (src invalid) it is a fill: srcOffset is where StepProgram::data has the element that is written.
struct CopyRun {
  HomeId src;
  std::uint64_t srcOffset = 0;
  HomeId dst;
  std::uint64_t dstOffset = 0;
  std::uint64_t bytes = 0;
};
/// A runtime copy vertex (poplar_rt::*), all runs on one tile.
struct CopyVertex {
  VertexTypeId type;
  TileId tile;
  std::uint8_t kind = 0; // CopyVertexKind of target-models/costs
  std::uint32_t firstRun = 0, numRuns = 0;
  std::uint64_t bytes = 0;
  std::uint32_t footprint = 0;
  std::uint64_t cycles = 0; // thread cycles (worker) or tile cycles (supervisor)
};
struct ExecuteStep {
  ComputeSetId computeSet;
  std::uint32_t firstVertex = 0, numVertices = 0;
  std::uint32_t firstCopy = 0, numCopies = 0;
  HomeId result;
  std::uint64_t resultOffset = 0; // BOOL that receives the AND of compute(); invalid = none
};

/// Memory that the code of one step uses on one tile beside variables: a control table, or the results of counters. A
/// payload that several steps share has its rows at the first of them.
struct StepStorage {
  StepIndex step;
  TileId tile;
  StorageCategory category = StorageCategory::ControlTable; // or InstrumentationResults
  std::uint32_t bytes = 0;
  std::uint32_t instructions = 0; // of counters: beside the step's other code on this tile
};

struct StreamTransfer {
  HomeBytes home;
  std::uint64_t streamOffset = 0; // bytes within one stream element block
};
/// What one stream brings or takes in a host copy.
struct StreamPart {
  StreamId stream;
  std::uint32_t firstTransfer = 0, numTransfers = 0;
};
struct HostTile {
  TileId tile;
  std::uint64_t bytes = 0;
  std::uint32_t codeBytes = 0, headerBytes = 0;
};
struct StreamCopyStep {
  // StreamPart rows, of different streams; none for the engine's own (programId, sync id, flush of blocks), one where
  // there is an offset.
  std::uint32_t firstPart = 0, numParts = 0;
  bool toDevice = true;
  std::uint32_t firstTransfer = 0, numTransfers = 0; // those of all parts, in their order
  std::uint32_t firstTile = 0, numTiles = 0;         // HostTile rows
  std::uint64_t bytes = 0;
  std::uint64_t cycles = 0;
  enum class Engine : std::uint8_t { None, SyncId, ProgramId, BlockFlush } engine = Engine::None;
  // The rows of a remote buffer, or the blocks of a stream's host buffer; home invalid = row 0, or the stream's next
  // block.
  bool remote = false;
  HomeBytes offset;
  std::uint32_t blocks = 0; // of a stream with an offset: how many its host buffer has
};

struct SwitchStep {  // If: two children, true then false; no cases
  HomeBytes control; // one element
  VarId copies;      // where it was broadcast to: all other tiles; invalid = one tile
  ElementType type = ElementType::UnsignedInt;
  std::vector<std::int32_t> labels; // one per child; the default child (last) has no label
  bool engineSwitch = false;        // over programId: child i is engine program i
};
struct RepeatStep {
  std::uint32_t count = 0;
};
// RepeatWhile has two children, both Sequences: the condition, which ends with the broadcast of the predicate and a
// WhileTest leaf, and the body. Its payload is the TestStep of that leaf.
struct TestStep { // WhileTest, AbortOnCondition
  HomeBytes predicate;
  VarId copies; // as in SwitchStep
  ElementType type = ElementType::Bool;
  bool continueOn = true; // truth of the predicate that goes on
  std::int64_t text = -1; // AbortOnCondition: index into messagesText; -1 = none
};
struct CallStep {
  FunctionId function;
};
struct PrintStep {
  std::vector<HomeBytes> pieces;
  ElementType type = ElementType::Float;
  std::vector<std::size_t> shape;
  std::uint32_t format = 0;
}; // title is the step's name; pieces in view order
/// Moves words between a register of tiles and their memory. The tile of a piece says whose register is meant; pieces
/// of one tile are the register's words in order.
struct TileRegisterStep {
  TileRegister reg = TileRegister::CycleCounter;
  bool write = false;
  std::vector<HomeBytes> pieces; // read: destination; write: source, none = clear and set bits
  std::vector<HomeBytes> since;  // reading cycles: an earlier count to subtract; may be empty
  std::uint32_t clearBits = 0, setBits = 0;
  std::vector<TileId> tiles; // of a write without pieces; empty = all
};
struct MessageStep {
  std::string text;
}; // Abort, ErrorProgram; AbortOnCondition through TestStep::text
struct BlockStep {
  bool recorded = false; // by lightweight profiling: profiler.blocks.filter names it
  bool implicit = false; // not the user's: around a step that profiler.programs.filter names
};
/// Lightweight profiling: when recorded blocks began and ended, as the cycle counters of some tiles said.
struct BlockProfile {
  bool on = false;
  bool streamCopies = false;        // these too, on the tiles that take part
  std::uint32_t recordsPerTile = 0; // that a buffer holds; 0 = no buffers: nothing is lost, nothing costs
  std::vector<TileId> tiles;        // whose blocks are recorded; ascending
  std::vector<TileId> bufferTiles;  // those and the tiles of stream copies; ascending
};

// ------------------------------------------------------------------ the rest
enum class VertexKind : std::uint8_t { Worker, Supervisor, Multi, Copy };
struct StepVertexType {
  std::string name;
  VertexKind kind = VertexKind::Worker;
  std::int64_t codelet = -1;   // index into the loaded codelet classes; -1 = runtime vertex
  std::uint32_t codeBytes = 0; // entry and what only it reaches; 0 and !codeKnown = unknown
  bool codeKnown = false;
  std::vector<std::uint32_t> libraries; // indices into StepProgram::libraryCode
  std::uint32_t stateBytes = 0;         // of one instance, vectors of edges excluded
};
/// Code that several vertex types share: linked once per tile that has one of them.
struct LibraryCode {
  std::string name;
  std::uint32_t bytes = 0;
};

struct StreamInfo {
  std::string handle;
  bool toDevice = true;
  ElementType type = ElementType::Float;
  std::uint64_t elements = 0; // one transfer
  std::uint64_t repeats = 1;  // remote buffer rows
  enum class Kind : std::uint8_t { Fifo, Remote, HostAccess, HostFunction } kind = Kind::Fifo;
  bool broadcast = false;            // every replica gets the same data
  std::uint32_t bufferingDepth = 1;  // transfers that the host may hold ready
  std::uint32_t part = 0, parts = 1; // one of the streams of a replicated graph's replicas: share `part` of a buffer
  std::uint32_t hostFunction = 0, argument = 0; // of kind HostFunction; toDevice = an output of the function
};
/// A function on the host: a transfer for each input, then one for each output.
struct HostFunctionInfo {
  std::string handle;
  std::uint32_t numInputs = 0, numOutputs = 0;
};
struct EngineProgram {
  enum class Kind : std::uint8_t {
    User,
    HostWrite,
    HostRead,
    ReadBlocks
  } kind = Kind::User; // the last: what is left in buffers of blocks
  std::string handle;  // of a host access
  StepIndex root;      // its Sequence below the Switch (or the only program)
  StreamId stream;     // of a host access
};
/// What a compiler pass did, for "optimisation information".
struct PassRecord {
  std::string name;
  std::string unit;
  std::uint64_t before = 0, after = 0;
};

/// Floating-point operations in one execution of a compute set: of those of its vertices of one type that have an
/// estimate of them.
struct TypeFlops {
  ComputeSetId computeSet;
  VertexTypeId type;
  std::uint64_t vertices = 0, flops = 0;
};

/// A further DebugInfo, or place in the code, that a step was made in.
struct StepContext {
  StepIndex step;
  std::uint64_t context = 0;
};

struct StepProgram {
  StringTable names;
  std::uint32_t numTiles = 0, tilesPerIpu = 0;

  IdVector<VarId, StepVar> vars;
  std::vector<Piece> pieces;
  IdVector<HomeId, Home> homes;
  std::vector<std::uint8_t> data; // initial values and vertex state values

  IdVector<StepIndex, Step> steps;
  std::vector<std::uint64_t> contexts;   // by step: id of the DebugInfo it was made in, 0 = none; empty = not
                                         // known: ids have a meaning within one process only. Of what was
                                         // merged it is the first one's,
  std::vector<StepContext> moreContexts; // and these the others', by step, in program order
  StepIndex root{0};
  struct FunctionInfo {
    StepIndex root;
    NameId name;
  };
  IdVector<FunctionId, FunctionInfo> functions;
  std::vector<EngineProgram> programs; // user programs first, in the order given to the engine

  std::vector<Access> accesses;
  std::vector<ElementRange> ranges;
  IdVector<SourceId, Source> sources;
  IdVector<ComputeSetId, NameId> computeSets;

  std::vector<SyncStep> syncs;
  std::vector<ExchangeStep> exchanges;
  std::vector<Message> messages;
  std::vector<ExchangeTile> exchangeTiles;
  std::vector<ExecuteStep> executes;
  std::vector<StepVertex> vertices;
  std::vector<VertexEdge> edges;
  std::vector<StateValue> states;
  std::vector<VertexFootprint> footprints;
  std::vector<CopyVertex> copies;
  std::vector<CopyRun> copyRuns;
  std::vector<StreamCopyStep> streamCopies;
  std::vector<StreamPart> streamParts;
  std::vector<StreamTransfer> transfers;
  std::vector<HostTile> hostTiles;
  std::vector<SwitchStep> switches;
  std::vector<RepeatStep> repeats;
  std::vector<TestStep> tests;
  std::vector<CallStep> calls;
  std::vector<PrintStep> prints;
  std::vector<MessageStep> messagesText;
  std::vector<TileRegisterStep> tileRegisters;
  std::vector<BlockStep> blocks;
  BlockProfile blockProfile;
  std::vector<TileCode> tileCode;
  std::vector<StepStorage> storage;   // by step, category, tile
  std::uint32_t tableRunnerBytes = 0; // code on each tile with a control table
  std::vector<ApartHomes> apart;      // sorted, unique
  std::vector<SharedData> sharedData; // by tile
  std::vector<SharedUse> sharedUses;

  IdVector<VertexTypeId, StepVertexType> vertexTypes;
  std::vector<LibraryCode> libraryCode;
  std::vector<TypeFlops> typeFlops; // by compute set, then type; each pair once
  IdVector<StreamId, StreamInfo> streams;
  std::vector<HostFunctionInfo> hostFunctions;
  std::vector<std::vector<ReplicaPair>> replicaMaps;
  std::vector<PassRecord> passes;
  std::uint32_t replicationFactor = 1;

  // Counts of the user's graph, as "Graph:" prints them: vertices and compute sets include compiler-made ones.
  std::uint64_t numVertices = 0, numEdges = 0, numVariables = 0, numComputeSets = 0;

  [[nodiscard]] std::uint64_t homeBytes(HomeId h) const {
    return homes[h].elements * elementBytes(vars[homes[h].var].type);
  }
};

/// The kind's name as profiles store it: "DoExchange", "StreamCopyBegin", "Switch", ...
const char *stepKindName(StepKind kind);
/// Checks S1..S6; throws InternalError naming the step and the invariant.
void verifySteps(const StepProgram &program);
/// Readable dump, one line a step, for goldens and debugging.
std::string dumpSteps(const StepProgram &program);

} // namespace popscope
