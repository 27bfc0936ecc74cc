// LoweringContext: the StepProgram under construction and the small operations that all lowering passes share.
// Internal to lowering. One context serves one lower() call on one thread; const members are safe to call in parallel.
#pragma once
#include "base/Check.hpp"
#include "graph/lowering/Lower.hpp"

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace popscope {

/// A contiguous run of elements of one home. A view is a list of fragments in view order.
struct Fragment { HomeId home; std::uint64_t element = 0, count = 0; };

/// What a step does to elements of a variable; joined into Accesses by finishStep.
struct Touch { VarId var; AccessKind kind = AccessKind::Read; std::uint64_t begin = 0, end = 0; };

/// A leaf step whose payload is in the tables but that has no place in the tree yet. The same list is emitted at every
/// occurrence of its program, so that payloads (vertices, messages, code) exist once.
struct LoweredStep {
  StepKind kind = StepKind::Sync;
  NameId name;
  std::uint32_t payload = 0, firstAccess = 0, numAccesses = 0;
};
using LoweredSteps = std::vector<LoweredStep>;

/// Elements that the runs of a view name (the product of its shape, but 0 for a default-constructed view).
std::uint64_t viewCount(const View &view);
/// "name/suffix", or "suffix" when there is no name.
std::string joinName(const std::string &name, const char *suffix);
/// What messages call a variable: its name, or "<anon>".
std::string displayName(const GraphIr &graph, GraphVarId var);

class LoweringContext {
public:
  LoweringContext(const GraphIr &g, const VertexEstimates &e, const CostModel &c, const LoweringOptions &o);

  const GraphIr &graph;
  const VertexEstimates &estimates;
  const CostModel &costs;
  const LoweringOptions &options;
  StepProgram out;
  /// Vertices that read elements which they also write, through different fields: such reads get a copy. Sorted.
  std::vector<VertexId> selfOverlapping;
  std::uint64_t messagesBeforeMerge = 0, bufferedEdges = 0, buffers = 0;

  NameId name(const std::string &text) { return out.names.intern(text); }

  // ---- variables and homes (PlaceVariables.cpp)
  /// `used`: one flag a graph variable.
  void placeVariables(const std::vector<std::uint8_t> &used);
  /// A compiler-made variable with one home per row (tile, elements), tiles ascending. Returns its id.
  VarId addVariable(NameId varName, StorageCategory category, ElementType type,
                    const std::vector<std::pair<TileId, std::uint64_t>> &homes, std::uint32_t alignment = 4);
  [[nodiscard]] TileId tileOf(HomeId home) const { return out.homes[home].tile; }
  [[nodiscard]] const StepVar &varOf(HomeId home) const { return out.vars[out.homes[home].var]; }
  [[nodiscard]] std::uint64_t elementSize(HomeId home) const { return elementBytes(varOf(home).type); }
  [[nodiscard]] IpuId ipuOf(TileId tile) const { return graph.machine.ipuOf(tile); }
  [[nodiscard]] HomeId onlyHome(VarId var) const { return HomeId(out.vars[var].firstHome); }
  /// "<message:NAME>" after the variable of the view's first run.
  NameId bufferName(StorageCategory category, const View &source);

  // ---- views (PlaceView.cpp)
  /// The view's fragments in view order, neighbours joined; stops once there are more than `limit`.
  void fragments(const View &view, std::vector<Fragment> &result, std::size_t limit = ~std::size_t(0)) const;
  [[nodiscard]] HomeBytes bytesOf(const Fragment &f) const;
  /// The single home run that holds the whole view; throws InternalError when there is none.
  [[nodiscard]] HomeBytes singleRun(const View &view) const;
  /// Touches the elements of [offset, offset + bytes) of a home.
  void touch(const HomeBytes &bytes, AccessKind kind, std::vector<Touch> &touches) const;
  /// Stores the touches as sorted accesses of the step. Consumes them.
  LoweredStep finishStep(StepKind kind, NameId stepName, std::uint32_t payload, std::vector<Touch> &touches);

  // ---- moves of data (BuildExchange.cpp, BuildCopies.cpp)
  /// Moves between tiles: "<base>/<Global><suffix>" for those that change the IPU, "<base>/<suffix>" for the rest, each after
  /// its Sync. Appends nothing when there are no moves.
  void addExchanges(LoweredSteps &steps, const std::string &base, const char *suffix, std::vector<Message> moves);
  /// Moves from replica to replica, as StepProgram::replicaMaps[replicaMap] pairs them. Consumes `moves`.
  void addReplicaExchange(LoweredSteps &steps, const std::string &stepName, std::vector<Message> &moves, std::int32_t replicaMap);
  /// On-tile moves: one OnTileExecute of copy vertices, one per (tile, destination home).
  /// Which copy vertex moves [begin, end), all into one home. Homes are free to begin at multiples of 8: it asks for that
  /// where the 64-bit copy gains by it.
  [[nodiscard]] CopyVertexKind copyVertexKind(const std::vector<Message> &moves, std::size_t begin, std::size_t end) const;
  void addCopies(LoweredSteps &steps, const std::string &stepName, std::vector<Message> moves);
  void addSync(LoweredSteps &steps, SyncKind kind);
  /// Pairs two fragment lists of equal length element by element: messages to other tiles, runs on one tile.
  void pairFragments(const std::vector<Fragment> &from, const std::vector<Fragment> &to, std::vector<Message> &remote,
                     std::vector<Message> &local) const;

  // ---- vertex types and footprints (LowerVertices.cpp)
  VertexTypeId vertexType(int codelet);
  VertexTypeId copyVertexType(CopyVertexKind kind);
  std::uint32_t footprint(const VertexFootprint &f);
  std::uint32_t vertexFootprint(const GraphVertex &vertex);
  void addStates(const GraphVertex &vertex, StepVertex &step);

private:
  void indexHome(HomeId home, std::uint32_t piece);
  [[nodiscard]] std::uint32_t findPiece(const StepVar &var, std::uint64_t element) const;
  void appendRange(const StepVar &var, std::uint64_t begin, std::uint64_t end, std::vector<Fragment> &result, std::size_t limit) const;
  void addExchange(LoweredSteps &steps, StepKind kind, const std::string &stepName, std::vector<Message> &moves,
                   std::int32_t replicaMap = -1);
  void addCopyVertex(const std::vector<Message> &moves, std::size_t begin, std::size_t end, std::vector<Touch> &touches);
  std::uint32_t library(const std::string &function, std::uint32_t bytes);

  std::vector<std::uint32_t> homeFirst_, homeCount_; // per home, into homePieces_
  std::vector<std::uint32_t> homePieces_;            // indices of out.pieces by (home, element)
  std::unordered_map<std::uint64_t, NameId> bufferNames_;
  std::vector<VertexTypeId> typeOfCodelet_, typeOfCopy_;
  std::unordered_map<std::string, std::uint32_t> libraries_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> footprintsByHash_;
  struct ShapeHash {
    std::size_t operator()(const std::vector<std::uint64_t> &shape) const;
  };
  std::unordered_map<std::vector<std::uint64_t>, std::uint32_t, ShapeHash> footprintsByShape_; // asked only
  std::vector<std::uint64_t> shape_;               // scratch of vertexFootprint
};

} // namespace popscope
