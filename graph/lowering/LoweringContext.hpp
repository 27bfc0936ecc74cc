// LoweringContext: the StepProgram under construction and the small operations that all lowering passes share. This
// header is internal to lowering. One context serves one call of lower(). Several threads may call const members at the
// same time; only one thread may call the other members.
#pragma once
#include "base/Check.hpp"
#include "base/Log.hpp"
#include "graph/lowering/FormTable.hpp"
#include "graph/lowering/JoinTouches.hpp"
#include "graph/lowering/Lower.hpp"
#include "graph/lowering/ReadConstants.hpp"

#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace popscope {

/// A contiguous run of elements of one home. Lowering turns a view into a list of fragments, in view order. A fragment
/// without a home stands for `count` copies of one value of a constant; the reader's tile does not read this value from
/// memory. In this case, `element` is the offset of the value in StepProgram::data. The struct has 16 bytes, because
/// the list of a view can have millions of fragments.
struct Fragment {
  std::uint64_t element = 0;
  HomeId home;
  ElementNumber count;
};
static_assert(sizeof(Fragment) == 16);

/// A run of bytes that becomes a message or, within one tile, a run of a copy vertex. `member` is the number of the
/// source that needs the move (see Access::member).
struct Move : CopyRun {
  std::uint16_t member = 0;
};
using Moves = std::vector<Move>;

/// A leaf step that has its payload in the tables, but no place in the tree yet. All occurrences of a program add the
/// same list of LoweredSteps to the tree, so that each payload (vertices, messages, code) exists only once.
struct LoweredStep {
  StepKind kind = StepKind::Sync;
  NameId name;
  std::uint32_t payload = 0, firstAccess = 0, numAccesses = 0;
};
/// The value of firstAccess for a step whose accesses are not known yet. TouchSteps later derives the accesses from the
/// step's payload.
inline constexpr std::uint32_t kTouchedLater = ~std::uint32_t(0);
using LoweredSteps = std::vector<LoweredStep>;

/// Returns the number of elements in all runs of a view. The result is the product of the view's shape, but 0 for a
/// default-constructed view.
std::uint64_t viewCount(const RunList &view);
/// Returns "name/suffix", or "suffix" if `name` is empty.
std::string joinName(const std::string &name, const char *suffix);
/// Joins the different names, in the order of their first occurrences: "{a,b}". Skips empty names. Returns a single
/// name unchanged, and "" for no names. After about 500 characters, "..." replaces the remaining names.
std::string joinedNames(const std::vector<std::string> &names);
/// Returns the name that messages use for a variable. If the variable has no name, returns "<const>" for a constant and
/// "<anon>" for any other variable.
std::string displayName(const GraphIr &graph, GraphVarId var);

/// The properties of a codelet's field that decide where the field's operand is placed, and which sizes belong to the
/// shape of a vertex (shapeOf).
struct OperandFacts {
  bool reads = false, writes = false;
  bool isVector = false;     // true: elements that are connected one by one form one operand
  bool countMatters = false; // true: the number of elements or inner vectors changes the bytes of the vertex
  bool interleaved = false;
  std::uint32_t alignment = 1;
};

struct TileCopies;
struct CopyShare;

/// Upper bounds for the numbers of table rows that compute sets add.
struct PreparedRows {
  std::size_t vertices = 0, operands = 0, buffers = 0, messages = 0;
};

class LoweringContext {
public:
  LoweringContext(const GraphIr &g, const VertexEstimates &e, const CostModel &c, const LoweringOptions &o);

  const GraphIr &graph;
  const VertexEstimates &estimates;
  const CostModel &costs;
  const LoweringOptions &options;
  StepProgram out;
  LogChannel log{"lowering"};
  struct BodyDumps { // dumps of all bodies, if LoweringOptions::afterPass is set
    std::string naive, mergedStreams;
    std::vector<std::string> mergedCopies; // one dump per body
  } dumps;
  /// The vertices that read and write the same elements through different fields, in ascending order of ids. Each of
  /// these vertices reads a copy of the elements.
  std::vector<VertexId> selfOverlapping;
  std::uint64_t messagesBeforeMerge = 0, bufferedEdges = 0, buffers = 0, copiesBeforeMerge = 0, copiesAfterMerge = 0,
                hostCopiesBeforeMerge = 0, hostCopiesAfterMerge = 0;

  NameId name(const std::string &text) { return out.names.intern(text); }
  /// Returns the lowered compute set for `ofGraph`, a compute set of the graph. A set with vertices has its row in
  /// StepProgram::computeSets from the start; loweredSet adds the row of an empty set.
  ComputeSetId loweredSet(ComputeSetId ofGraph);

  // ---- variables and homes (PlaceVariables.cpp)
  /// Places the variables of the graph. `used` has one flag per graph variable, which is 1 if the programs use the
  /// variable. `constants` is the result of equalConstants. `reads` lists the elements of constants that each tile
  /// reads.
  void placeVariables(const std::vector<std::uint8_t> &used, const std::vector<GraphVarId> &constants,
                      const std::vector<ConstantRead> &reads);
  /// Returns the lowered variable that contains the run.
  [[nodiscard]] const StepVar &varOf(const ViewRun &run) const {
    return out.vars[VarId(constants_[run.var.index()].index())];
  }
  /// Adds a compiler-made variable and returns its id. Each pair in `homes` is the tile and the number of elements of a
  /// home; the tiles must be in ascending order.
  VarId addVariable(NameId varName, StorageCategory category, ElementType type,
                    const std::vector<std::pair<TileId, std::uint64_t>> &homes);
  /// A compiler-made variable with one home, for addBuffers.
  struct Buffer {
    NameId name;
    StorageCategory category = StorageCategory::Message;
    ElementType type = ElementType::Float;
    TileId tile;
    std::uint64_t elements = 0;
    std::uint32_t alignment = 1;
    bool interleaved = false;
  };
  /// Reserves capacity for these rows in the tables. All threads together touch the new pages of memory (TouchPages).
  void makeRoom(const PreparedRows &rows);
  /// Adds one variable per row. The new homes and variables follow the existing homes and variables, in the order of
  /// the rows.
  void addBuffers(const std::vector<Buffer> &rows);
  [[nodiscard]] TileId tileOf(HomeId home) const { return out.homes[home].tile; }
  [[nodiscard]] const StepVar &varOf(HomeId home) const { return out.vars[out.homes[home].var]; }
  [[nodiscard]] Bytes elementSize(HomeId home) const { return out.elementSize(home); }
  [[nodiscard]] IpuId ipuOf(TileId tile) const { return graph.machine.ipuOf(tile); }
  [[nodiscard]] HomeId onlyHome(VarId var) const { return HomeId(out.vars[var].firstHome); }
  /// Returns the name of a buffer from its category and the name of a variable. Example: "<message:NAME>", or
  /// "<message:anon>" for a variable without a name.
  NameId bufferName(StorageCategory category, GraphVarId source);
  /// Returns the name for a buffer of a view, from the variable of the view's first run.
  NameId bufferName(StorageCategory category, const RunList &source) {
    POPSCOPE_CHECK(!source.empty(), "a buffer for an empty view");
    return bufferName(category, source.front().var);
  }
  [[nodiscard]] bool isConstant(GraphVarId var) const {
    return out.vars[VarId(constants_[var.index()].index())].constant;
  }
  /// Returns the OperandFacts of each field of a codelet.
  [[nodiscard]] const std::vector<OperandFacts> &operandFacts(int codelet) const {
    return operandFacts_[static_cast<std::size_t>(codelet)];
  }

  // ---- views (PlaceView.cpp)
  /// Writes the fragments of a view to `result` in view order, and joins adjacent fragments. Stops when there are more
  /// than `limit` fragments. An element of a constant lies in the constant's home on the reader's tile if this home
  /// contains the element. Otherwise, the element becomes a value (a fragment without a home). If the view has several
  /// variables, the elements of a constant also become values if all elements of the constant are equal. Without a
  /// reader's tile, elements of constants lie on the tiles to which the user mapped them.
  void fragments(const RunList &view, std::vector<Fragment> &result, std::size_t limit = ~std::size_t(0),
                 TileId reader = TileId()) const;
  /// Writes to `result`, in the order of the view, the pieces (see HostPieces) that a host copy of the view moves.
  void pieces(const RunList &view, std::vector<HomePieces> &result) const;
  /// Returns whether the view is one run without gaps, in one piece of a variable that is not a constant. If so, sets
  /// `found` to this run. `hint` is the number of the piece to try first, and receives the number of the piece that
  /// contains the first element.
  bool findInPiece(const RunList &view, std::uint32_t &hint, Fragment &found) const;
  /// Returns whether the elements [begin, begin + count) of a variable that is not a constant lie in one piece. `hint`
  /// is the number of the piece to try first, and receives the number of the piece that contains element `begin`. Sets
  /// `found` to a fragment of `count` elements that begins at element `begin`; if the result is false, this fragment
  /// goes past the end of the piece.
  bool findInPiece(GraphVarId variable, std::uint64_t begin, std::uint64_t count, std::uint32_t &hint,
                   Fragment &found) const;
  /// If the fragment is on the tile with the requested alignment, sets `operand` to the place of the fragment and
  /// returns true. Otherwise changes nothing and returns false.
  bool standsOn(const Fragment &found, TileId tile, std::uint32_t alignment, EdgePlace &operand) const;
  /// Writes the fragments of the source of a copy. If the source contains elements of constants, each of these elements
  /// is read on the tile of its destination.
  void fragmentsFor(const View &view, const std::vector<Fragment> &destination, std::vector<Fragment> &result) const;
  /// Returns the type in which the view's elements are stored.
  [[nodiscard]] ElementType storedType(const RunList &view) const;
  [[nodiscard]] HomeBytes bytesOf(const Fragment &f) const;
  /// Returns the single run of a home that contains the whole view. Throws InternalError if the view has no run or
  /// several runs.
  [[nodiscard]] HomeBytes singleRun(const View &view) const;
  /// Appends the elements in a byte range of a home to `touches`, with one touch for each home piece in this range.
  void touch(const HomeBytes &bytes, AccessKind kind, std::vector<Touch> &touches, std::uint16_t member = 0) const;
  /// Returns the bytes that a message to `bytes` writes. An exchange moves whole words. For a message buffer, the
  /// result therefore contains the whole first and last word; nothing else writes the other bytes of these words. For
  /// any other home, the result equals `bytes`.
  [[nodiscard]] HomeBytes writtenByMessage(const HomeBytes &bytes) const;
  /// Returns a step whose accesses are the sorted touches. Stores these accesses in the tables.
  LoweredStep finishStep(StepKind kind, NameId stepName, std::uint32_t payload, std::vector<Touch> touches = {});

  // ---- moves of data (BuildExchange.cpp, BuildCopies.cpp)
  /// Appends exchanges for moves between tiles. A Sync precedes each exchange. An exchange is named
  /// "<base>/Global<suffix>" for moves to another IPU, and "<base>/<suffix>" for other moves. Appends nothing if there
  /// are no moves.
  void addExchanges(LoweredSteps &steps, const std::string &base, const char *suffix, Moves moves);
  /// Appends a Sync and one exchange. With a `replicaMap`, the moves go between the replicas that
  /// StepProgram::replicaMaps[replicaMap] pairs. Sorts `moves`. Appends nothing if there are no moves.
  void addExchange(LoweredSteps &steps, StepKind kind, const std::string &stepName, Moves &moves,
                   std::int32_t replicaMap = -1);
  /// Adds moves within tiles as one OnTileExecute of copy vertices. planTileCopies divides the moves of a tile among
  /// these copy vertices. Adds nothing if there are no moves.
  void addCopies(LoweredSteps &steps, const std::string &stepName, Moves moves);
  void addSync(LoweredSteps &steps, SyncKind kind);
  /// Pairs two fragment lists with equal numbers of elements, element by element. Moves to another tile go to `remote`.
  /// Moves on one tile, and fills, go to `local`.
  void pairFragments(std::span<const Fragment> from, std::span<const Fragment> to, Moves &remote, Moves &local) const;

  // ---- vertex types and footprints (LowerVertices.cpp)
  VertexTypeId vertexType(int codelet);
  VertexTypeId copyVertexType(CopyVertexKind kind);
  std::uint32_t vertexFootprint(const GraphVertex &vertex);
  /// Returns whether the footprint of a vertex of this codelet depends on the sizes of its fields. Even then, vertices
  /// whose fields have equal sizes (shapeOf) have equal footprints.
  [[nodiscard]] bool footprintDependsOnSizes(int codelet) const {
    return shapeMatters_[static_cast<std::size_t>(codelet)] != 0;
  }
  void shapeOf(const GraphVertex &vertex, std::vector<std::uint64_t> &shape) const;
  struct ShapeHash {
    std::size_t operator()(const std::vector<std::uint64_t> &shape) const;
  };
  /// Appends the vertex's values of state fields to the tables.
  void addStates(const GraphVertex &vertex, LargeTable<StateValue> &states, LargeTable<std::uint8_t> &data) const;
  /// Returns the number that FormTable gives a form of vertices.
  std::uint32_t vertexForm(const VertexForm &form, std::span<const OperandKind> operands) {
    return forms_.numberOf(form, operands);
  }

private:
  void indexHome(HomeId home, std::uint32_t piece);
  [[nodiscard]] std::uint32_t findPiece(const StepVar &var, std::uint64_t element) const;
  [[nodiscard]] std::uint32_t findPieceNear(const StepVar &var, std::uint64_t element, std::uint32_t hint) const;
  void appendRange(const StepVar &var, std::uint64_t begin, std::uint64_t end, std::vector<Fragment> &result,
                   std::size_t limit) const;
  void appendConstant(const StepVar &var, std::uint64_t begin, std::uint64_t end, TileId reader, bool filled,
                      std::vector<Fragment> &result) const;
  void appendRun(const ViewRun &run, TileId reader, bool filled, std::vector<Fragment> &result,
                 std::size_t limit) const;
  /// Appends the fragments of one run of the view.
  void appendFragments(const RunList &view, const ViewRun &run, TileId reader, std::vector<Fragment> &result,
                       std::size_t limit) const;
  void addCopyVertex(TileId tile, const TileCopies &plan, const CopyShare &share);
  std::uint32_t library(const std::string &function, Bytes32 bytes);

  PreparedRows prepared_;                               // sums of the arguments of makeRoom so far
  std::vector<std::vector<OperandFacts>> operandFacts_; // per codelet: the facts of each field
  std::vector<ComputeSetId> loweredSets_;               // per compute set of the graph: the lowered set; invalid if
                                                        // there is none yet
  std::vector<std::uint8_t> oneValue_;                  // per graph variable: 1 for a constant whose elements are all
                                                        // equal
  std::vector<GraphVarId> constants_;                   // per graph variable: the variable itself, or the first equal
                                                        // constant (equalConstants)
  std::vector<std::uint32_t> homeFirst_, homeCount_;    // per home: the range of the home in homePieces_
  std::vector<std::uint32_t> homePieces_;               // indices of out.pieces by (home, element)
  std::unordered_map<std::uint64_t, NameId> bufferNames_;
  std::uint64_t lastBufferKey_ = ~std::uint64_t(0); // the key in bufferNames_ of the name that was requested last
  NameId lastBufferName_;
  std::vector<VertexTypeId> typeOfCodelet_, typeOfCopy_;
  std::unordered_map<std::string, std::uint32_t> libraries_;
  FootprintTable footprints_{out.footprints};
  FormTable forms_{out.forms, out.operandKinds};
  std::unordered_map<std::vector<std::uint64_t>, std::uint32_t, ShapeHash> footprintsByShape_; // lookup only
  std::vector<std::uint64_t> shape_;       // temporary memory of vertexFootprint
  std::vector<std::uint8_t> shapeMatters_; // per codelet: see footprintDependsOnSizes
};

} // namespace popscope
