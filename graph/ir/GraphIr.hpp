// GraphIr: the user's graph in flat tables, and the nodes of the user's programs. The classes of graph/include build a
// GraphIr, and lowering reads the GraphIr. Tensors are Views (View.hpp). Vertices and their edges are in a VertexTable.
#pragma once
#include "base/ElementType.hpp"
#include "base/Ids.hpp"
#include "base/StringTable.hpp"
#include "base/TileRegister.hpp"
#include "graph/codelets/CodeletSet.hpp"
#include "graph/ir/VertexTable.hpp"
#include "target-models/model/TileMachine.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace popscope {

struct MappedRange {
  std::uint64_t begin = 0, end = 0;
  TileId tile;
}; // a half-open range of elements
/// A split: a graph that Graph::createReplicatedGraph made, or a virtual graph of such a graph. tiles[k][i] is tile i
/// of replica k. Objects that the user makes through this graph belong to replica 0. Each variable, and each stream
/// without broadcast, has a copy for each further replica. Before lowering, ExpandReplicas copies the vertices for the
/// further replicas, into the same compute sets. If the replicas cannot run a program together (ExpandReplicas.hpp),
/// this program becomes one program per replica. Each of these programs has separate compute sets.
struct ReplicaSplit {
  std::vector<std::vector<TileId>> tiles;
  [[nodiscard]] std::uint32_t replicas() const { return static_cast<std::uint32_t>(tiles.size()); }
};

struct GraphVar {
  NameId name;
  ElementType type = ElementType::Float;
  std::uint64_t elements = 0;
  bool constant = false;
  bool replicaIndex = false;         // true: a constant of one element, which holds the number of the replica
  std::vector<std::uint8_t> initial; // device-format bytes of all elements; empty if the variable has no initial values
  std::vector<MappedRange> mapping;  // sorted and disjoint; adjacent ranges of one tile are merged; elements
                                     // in gaps have no tile
  SplitIndex split = 0;
  std::vector<GraphVarId> replicas; // the variables of a split's replicas, this variable first; empty without a split
};

/// Returns whether the machine is a host with only one tile. On such a machine, unmapped elements and vertices lie on
/// this tile.
[[nodiscard]] inline bool isOneHostTile(const TileMachine &machine) {
  return machine.kind == DeviceKind::Cpu && machine.numTiles() == 1;
}
struct GraphComputeSet {
  NameId name;
  VertexList vertices;
  std::uint64_t context = 0; // id of the DebugInfo or debug site of the compute set, or 0; not serialized
};

struct GraphStream {
  std::string handle;
  ElementType type = ElementType::Float;
  std::uint64_t elements = 0, repeats = 1;
  enum class Kind : std::uint8_t { HostToDevice, DeviceToHost, Remote } kind = Kind::HostToDevice;
  bool rearrangeOnHost = false, optimiseMemory = false, broadcast = false;
  std::map<std::string, std::string> options;
  std::int64_t hostFunction = -1; // index of the host function that has this stream as an argument or signal; -1 for
                                  // any other stream
  std::uint32_t argument = 0;     // number of the argument among the inputs (device to host) or outputs; 0 for a signal
  SplitIndex split = 0;           // the split to which the stream belongs: each replica has its own transfers or remote
                                  // buffer
  std::vector<StreamId> replicas; // one stream for each replica of a split, this stream first; empty for BROADCAST,
                                  // and without a split
};
struct HostAccess {
  std::string handle;
  View view;
  bool rearrangeOnHost = false;
};
/// Returns the handle under which the host accesses the metadata of the tensor at `handle`.
inline std::string metadataHandle(const std::string &handle) { return handle + "/metadata"; }
/// Returns the handle under which the host reads constant metadata. A host write of `handle` cannot change this
/// metadata.
inline std::string constantMetadataHandle(const std::string &handle) { return handle + "/constantMetadata"; }

struct GraphHostFunction {
  std::string handle;
  std::vector<StreamId> inputs, outputs;
  StreamId signal; // for a function without inputs and outputs: an empty transfer that notifies the host of the call
};

// ------------------------------------------------------------------ programs
enum class ProgramKind : std::uint8_t {
  Sequence,
  Execute,
  Copy,
  StreamToTensor,
  TensorToStream,
  RemoteToTensor,
  TensorToRemote,
  Repeat,
  RepeatWhileTrue,
  RepeatWhileFalse,
  If,
  Switch,
  Call,
  WriteUndef,
  Sync,
  PrintTensor,
  ErrorProgram,
  Abort,
  AbortOnCondition,
  CrossReplicaCopy,
  AssumeEqualAcrossReplicas,
  Block,
  ReadTileRegister,
  WriteTileRegister,
};

// The arguments of a program in addition to its children and views. kProgramKinds assigns one struct to each kind.
struct ExecuteArguments {
  ComputeSetId computeSet;
  bool operator==(const ExecuteArguments &) const = default;
};
struct HostCopyArguments {
  StreamId stream;          // the stream or remote buffer
  std::uint32_t blocks = 0; // for a stream with an offset: number of blocks from which each replica can choose
  bool operator==(const HostCopyArguments &) const = default;
};
struct CrossReplicaArguments {
  std::map<unsigned, unsigned> replicaMap; // the receiving replica for each sending replica
  bool operator==(const CrossReplicaArguments &) const = default;
};
struct RepeatArguments {
  std::uint32_t count = 0;
  bool operator==(const RepeatArguments &) const = default;
};
struct SwitchArguments {
  std::vector<std::int32_t> labels;
  bool hasDefault = false;
  bool operator==(const SwitchArguments &) const = default;
};
struct CallArguments {
  FunctionId function;
  bool operator==(const CallArguments &) const = default;
};
struct SyncArguments {
  std::uint8_t type = 0; // SyncType: 0 external, 1 internal, 2 global
  bool operator==(const SyncArguments &) const = default;
};
struct TextArguments {
  std::string text;         // the title of a PrintTensor, the message of an abort or error
  std::uint32_t format = 0; // index into GraphIr::printFormats, for a printed tensor
  bool operator==(const TextArguments &) const = default;
};
/// `a` and `b` are the views of the ProgramNode. ReadTileRegister reads the register into `b`. If `a` has elements,
/// which is possible for the cycle counter only, ReadTileRegister subtracts the value in `a` from the count.
/// WriteTileRegister writes the value in `a` to the register. If `a` has no elements, WriteTileRegister writes (old &
/// ~clearBits) | setBits on `tiles`.
struct TileRegisterArguments {
  TileRegister reg = TileRegister::CycleCounter;
  std::uint32_t clearBits = 0, setBits = 0;
  std::vector<TileId> tiles; // the tiles of a write without `a`; empty for all tiles
  bool operator==(const TileRegisterArguments &) const = default;
};
using ProgramArguments =
    std::variant<std::monostate, ExecuteArguments, HostCopyArguments, CrossReplicaArguments, RepeatArguments,
                 SwitchArguments, CallArguments, SyncArguments, TextArguments, TileRegisterArguments>;

/// A node of a program. A node that is part of another program is immutable, because copies of a program share the
/// children.
struct ProgramNode {
  ProgramKind kind = ProgramKind::Sequence;
  std::string name;          // debug path
  std::uint32_t depth = 1;   // number of programs on the longest path to a leaf, including this program
  std::uint64_t context = 0; // id of the DebugInfo or debug site of the program, or 0; not serialized
  /// The children. Sequence: the parts. Repeat and Block: the body. If: the branch for true, the branch for false.
  /// RepeatWhile: the condition, the body. Switch: the cases in order, and then the default if hasDefault is true.
  std::vector<std::shared_ptr<const ProgramNode>> children;
  /// The views of the program. In copies, `a` is the source and `b` the destination; a stream has no view. For tile
  /// registers, see TileRegisterArguments. In other kinds, `a` is the predicate, the control value, the result of
  /// Execute, or the tensor.
  View a, b;
  /// The numbers of rows or blocks, for copies of remote buffers and streams. The view has no elements if there is no
  /// offset.
  View offset;
  ProgramArguments arguments;
  /// The graph of the program's tensors, compute set or function, for checks only; not serialized. Invalid if the
  /// program has none of these objects, or has only handles that the user made from numbers.
  GraphId graph;

  /// Returns the arguments, which must be of this type.
  template <class Arguments> [[nodiscard]] const Arguments &as() const { return std::get<Arguments>(arguments); }
  template <class Arguments> [[nodiscard]] Arguments &as() { return std::get<Arguments>(arguments); }
};
using ProgramPtr = std::shared_ptr<const ProgramNode>;

/// The parts of a PrintTensorFmt. A PrintTensor without a PrintTensorFmt uses the defaults of this struct, for example
/// seven digits, as in the public tutorials.
struct PrintFormat {
  unsigned summariseThreshold = 1000, edgeItems = 3, maxLineWidth = 75, digits = 7, floatFormat = 0;
  char separator = ' ', open = '[', close = ']';
  friend bool operator==(const PrintFormat &, const PrintFormat &) = default;
};

struct GraphIr {
  /// The id of the graph. The file of a serialized graph does not contain the id, and a copy of the graph for lowering
  /// keeps the id. Invalid if no handle refers to the graph.
  GraphId id;
  TileMachine machine;
  std::uint32_t replicationFactor = 1;
  StringTable names;
  CodeletSet codelets;
  IdVector<GraphVarId, GraphVar> vars;
  IdVector<ComputeSetId, GraphComputeSet> computeSets;
  VertexTable vertices;
  IdVector<StreamId, GraphStream> streams; // FIFOs and remote buffers; programs refer to them by id
  std::vector<HostAccess> hostWrites, hostReads;
  struct GraphFunction {
    ProgramPtr body;
    std::string name;
  };
  IdVector<FunctionId, GraphFunction> functions;
  std::vector<GraphHostFunction> hostFunctions;
  std::vector<FunctionId> functionBuffers; // the function of each function buffer
  std::vector<ReplicaSplit> splits;
  std::vector<PrintFormat> printFormats{PrintFormat{}};
};

/// The results of registered estimators, for vertices that have no estimate of their own (GraphVertex::cycleEstimate).
/// Both vectors are indexed by vertex id. `cycles` contains thread cycles (worker) or tile cycles (supervisor), and
/// `flops` contains floating-point operations. An entry is -1 if the number is not known. estimateVertices (graph/api)
/// fills both vectors before lowering, so that lowering need not call the estimators of the user's program. `cycles` is
/// empty if no vertex type of the graph has a registered estimator. `flops` is empty if none of these estimators
/// estimates floating-point operations.
struct VertexEstimates {
  std::vector<std::int64_t> cycles{}, flops{};
  friend bool operator==(const VertexEstimates &, const VertexEstimates &) = default;
};

} // namespace popscope
