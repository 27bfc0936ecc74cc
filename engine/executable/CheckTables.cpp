#include "engine/executable/CheckTables.hpp"

#include "graph/ir/Archive.hpp"
#include "graph/steps/StepPayloads.hpp"

#include <fmt/format.h>

namespace popscope {
namespace {

class TableCheck {
public:
  TableCheck(const CompiledProgram &compiled, std::size_t classes)
      : c_(compiled), p_(compiled.program), classes_(classes) {}

  void run() {
    variables();
    steps();
    compute();
    moves();
    host();
    lives();
    layout();
    registers();
  }

private:
  static void require(bool holds, const char *table) {
    if (!holds)
      throw ArchiveError(fmt::format("its table of {} is inconsistent", table));
  }
  template <class IdT> static bool in(IdT id, std::size_t size) { return id.valid() && id.index() < size; }
  template <class IdT> static bool inOrNone(IdT id, std::size_t size) { return !id.valid() || id.index() < size; }
  static bool part(std::uint64_t first, std::uint64_t count, std::size_t size) {
    return count <= size && first <= size - count;
  }
  bool bytes(const HomeBytes &b) const {
    return in(b.home, p_.homes.size()) && b.bytes <= p_.homeBytes(b.home) && b.offset <= p_.homeBytes(b.home) - b.bytes;
  }
  /// Returns whether the pieces lie in their home. Checks only the first and the last piece, because the other pieces
  /// lie between these two pieces.
  bool pieces(const HomePieces &p) const {
    if (p.count == 0 || !bytes(p.first))
      return false;
    const auto limit = static_cast<std::int64_t>(p_.homeBytes(p.first.home).count());
    return p.step >= -limit && p.step <= limit && (p.step == 0 || p.count - 1 <= limit / std::abs(p.step)) &&
           bytes(p.at(p.count - 1));
  }
  bool name(NameId id) const { return inOrNone(id, p_.names.size()); }
  static bool type(ElementType t) { return t <= ElementType::QuarterMetadata; }

  void variables() const {
    require(p_.tilesPerIpu == c_.machine.tilesPerIpu && p_.numTiles == c_.machine.numTiles() &&
                p_.replicationFactor > 0 && p_.replicationFactor <= 1u << 16,
            "tiles");
    for (const StepVar &v : p_.vars) {
      require(name(v.name) && type(v.type) && part(v.firstPiece, v.numPieces, p_.pieces.size()) &&
                  part(v.firstHome, v.numHomes, p_.homes.size()),
              "variables");
      require(v.elements < std::uint64_t(1) << 48, "variables");
      require(v.initialData < 0 ||
                  part(static_cast<std::uint64_t>(v.initialData), v.elements * elementBytes(v.type), p_.data.size()),
              "initial values");
      require(!v.replicaIndex || (v.elements == 1 && elementBytes(v.type) == 4), "variables");
    }
    for (const Home &h : p_.homes)
      require(in(h.var, p_.vars.size()) && in(h.tile, p_.numTiles) && h.elements < std::uint64_t(1) << 48, "homes");
    for (const Piece &piece : p_.pieces)
      require(in(piece.home, p_.homes.size()) && piece.elements.begin <= piece.elements.end &&
                  part(piece.homeElement, piece.elements.end - piece.elements.begin, p_.homes[piece.home].elements),
              "pieces");
  }

  // Checks the step table and every table of payloads that steps refer to.
  void steps() const {
    for (const Step &s : p_.steps)
      require(isStepKind(s.kind) && name(s.name) && inOrNone(s.source, p_.sources.size()) && hasPayload(p_, s) &&
                  part(s.firstAccess, s.numAccesses, p_.accesses.size()) && s.end <= p_.steps.size() &&
                  part(s.controlCode.firstRow, s.controlCode.numRows, p_.tileCode.size()),
              "steps");
    for (const Access &a : p_.accesses)
      require(in(a.var, p_.vars.size()) && part(a.firstRange, a.numRanges, p_.ranges.size()), "accesses");
    for (const TypeFlops &f : p_.typeFlops)
      require(in(f.computeSet, p_.computeSets.size()) && in(f.type, p_.vertexTypes.size()), "estimates");
    for (const Source &s : p_.sources)
      require(name(s.name) && inOrNone(s.computeSet, p_.computeSets.size()), "sources");
    for (const SwitchStep &s : p_.switches)
      require(type(s.type) && bytes(s.control) && s.control.bytes >= Bytes(elementBytes(s.type)) &&
                  inOrNone(s.copies, p_.vars.size()),
              "switches");
    for (const TestStep &t : p_.tests)
      require(type(t.type) && bytes(t.predicate) && t.predicate.bytes >= Bytes(elementBytes(t.type)) &&
                  inOrNone(t.copies, p_.vars.size()) && t.text < static_cast<std::int64_t>(p_.messagesText.size()),
              "tests");
    for (const CallStep &c : p_.calls)
      require(in(c.function, p_.functions.size()), "calls");
    for (const auto &f : p_.functions)
      require(in(f.root, p_.steps.size()) && name(f.name), "functions");
    require(!p_.programs.empty() && in(p_.root, p_.steps.size()), "programs");
    for (const EngineProgram &e : p_.programs)
      require(in(e.root, p_.steps.size()) &&
                  (e.kind == EngineProgram::Kind::User || e.kind == EngineProgram::Kind::ReadBlocks ||
                   in(e.stream, p_.streams.size())),
              "programs");
    for (const PrintStep &print : p_.prints) {
      std::uint64_t total = 0, elements = 1;
      for (const HomeBytes &b : print.pieces) {
        require(bytes(b), "prints");
        total += b.bytes.count();
      }
      for (const std::size_t d : print.shape) {
        require(d == 0 || elements <= (std::uint64_t(1) << 40) / d, "prints");
        elements *= d;
      }
      require(type(print.type) && elements * elementBytes(print.type) == total && print.format < c_.printFormats.size(),
              "prints");
    }
  }

  void registers() const {
    for (const auto *tiles : {&p_.blockProfile.tiles, &p_.blockProfile.bufferTiles})
      for (const TileId t : *tiles)
        require(in(t, p_.numTiles), "blocks");
    for (const TileRegisterStep &r : p_.tileRegisters) {
      require(r.reg <= TileRegister::FpControl &&
                  (r.reg != TileRegister::CycleCounter || (!r.write && !r.pieces.empty())),
              "registers");
      std::uint64_t since = 0, count = 0;
      for (const HomeBytes &b : r.pieces) {
        require(bytes(b), "registers");
        count += b.bytes.count();
      }
      for (const HomeBytes &b : r.since) {
        require(bytes(b), "registers");
        since += b.bytes.count();
      }
      require(since <= sizeof(std::uint64_t) && (r.reg != TileRegister::CycleCounter || count == sizeof(std::uint64_t)),
              "registers");
      for (const TileId t : r.tiles)
        require(in(t, p_.numTiles), "registers");
    }
  }

  // Checks the tables of compute sets: executes, vertex types, vertices, edges, states and copies.
  void compute() const {
    for (const ExecuteStep &e : p_.executes)
      require(part(e.firstVertex, e.numVertices, p_.vertices.size()) &&
                  part(e.firstCopy, e.numCopies, p_.copies.size()) && inOrNone(e.computeSet, p_.computeSets.size()) &&
                  (!e.result.valid() || bytes({e.result, e.resultOffset, Bytes(elementBytes(ElementType::Bool))})),
              "compute sets");
    for (const StepVertexType &t : p_.vertexTypes) {
      require(t.codelet < static_cast<std::int64_t>(classes_), "vertex types");
      for (const std::uint32_t library : t.libraries)
        require(library < p_.libraryCode.size(), "vertex types");
    }
    for (const VertexForm &f : p_.forms)
      require(part(f.firstOperand, f.numOperands, p_.operandKinds.size()) && f.footprint < p_.footprints.size(),
              "forms of vertices");
    for (const StepVertex &v : p_.vertices) {
      require(in(v.type, p_.vertexTypes.size()) && p_.vertexTypes[v.type].codelet >= 0 && in(v.tile, p_.numTiles) &&
                  v.form < p_.forms.size() && part(v.firstEdge, p_.formOf(v).numOperands, p_.edges.size()) &&
                  part(v.firstState, p_.formOf(v).numState, p_.states.size()),
              "vertices");
      for (const VertexEdge e : p_.edgesOf(v))
        require(e.elements == 0 || (in(e.home, p_.homes.size()) && e.elements <= p_.homes[e.home].elements), "edges");
    }
    for (const StateValue &s : p_.states)
      require(s.firstByte <= p_.data.size() && s.elements <= p_.data.size(), "vertex states");
    for (const SharedUse &u : p_.sharedUses)
      require(u.vertex < p_.vertices.size(), "shared field data");
    for (const SharedData &d : p_.sharedData)
      require(in(d.tile, p_.numTiles) && part(d.firstUse, d.numUses, p_.sharedUses.size()), "shared field data");
    for (const ApartHomes &pair : p_.apart)
      require(in(pair.a, p_.homes.size()) && in(pair.b, p_.homes.size()), "homes that lie apart");
    for (const StepStorage &row : p_.storage)
      require(in(row.step, p_.steps.size()) && in(row.tile, p_.numTiles) &&
                  row.category < static_cast<StorageCategory>(kNumStorageCategories),
              "step storage");
    for (const CopyVertex &c : p_.copies)
      require(in(c.type, p_.vertexTypes.size()) && in(c.tile, p_.numTiles) &&
                  part(c.firstRun, c.numRuns, p_.copyRuns.size()) && c.footprint < p_.footprints.size() &&
                  c.kind < c_.machine.copyVertices.size(),
              "copies");
  }

  void moves() const {
    for (const CopyRun &r : p_.copyRuns)
      require(bytes({r.dst, r.dstOffset, r.bytes}) &&
                  (r.src.valid()
                       ? bytes({r.src, r.srcOffset, r.bytes})
                       : part(r.srcOffset.count(), elementBytes(p_.vars[p_.homes[r.dst].var].type), p_.data.size())),
              "copies");
    for (const Message &m : p_.messages)
      require(bytes({m.src, m.srcOffset, m.bytes}) && bytes({m.dst, m.dstOffset, m.bytes}), "messages");
    for (const ExchangeStep &e : p_.exchanges)
      require(part(e.firstMessage, e.numMessages, p_.messages.size()) &&
                  part(e.firstTile, e.numTiles, p_.exchangeTiles.size()) &&
                  e.replicaMap < static_cast<std::int64_t>(p_.replicaMaps.size()),
              "exchanges");
    for (const ExchangeTile &t : p_.exchangeTiles)
      require(in(t.tile, p_.numTiles), "exchanges");
    for (const auto &map : p_.replicaMaps)
      for (const ReplicaPair &pair : map)
        require(pair.from < p_.replicationFactor && pair.to < p_.replicationFactor, "replicas");
  }

  void host() const {
    for (const StreamCopyStep &s : p_.streamCopies)
      require((s.engine != StreamCopyStep::Engine::None
                   ? s.numParts == 0
                   : s.numParts > 0 && (s.numParts == 1 || !(s.remote || s.offset.home.valid()))) &&
                  part(s.firstPart, s.numParts, p_.streamParts.size()) &&
                  part(s.firstTransfer, s.numTransfers, p_.transfers.size()) &&
                  part(s.firstTile, s.numTiles, p_.hostTiles.size()) &&
                  (!s.offset.home.valid() || (bytes(s.offset) && isMultiple(s.offset.bytes, kWordBytes))),
              "host copies");
    for (const StreamPart &s : p_.streamParts)
      require(in(s.stream, p_.streams.size()) && part(s.firstTransfer, s.numTransfers, p_.transfers.size()),
              "host copies");
    for (const StreamTransfer &t : p_.transfers)
      require(pieces(t.home), "host copies");
    for (const HostTile &t : p_.hostTiles)
      require(in(t.tile, p_.numTiles), "host copies");
    for (const StreamInfo &s : p_.streams) {
      require(type(s.type) && s.elements < std::uint64_t(1) << 40 && s.bufferingDepth > 0 && s.part < s.parts,
              "streams");
      if (s.kind != StreamInfo::Kind::HostFunction)
        continue;
      require(s.hostFunction < p_.hostFunctions.size(), "host functions");
      const HostFunctionInfo &f = p_.hostFunctions[s.hostFunction];
      const bool isSignal = !s.toDevice && f.numInputs == 0 && f.numOutputs == 0 && s.argument == 0 && s.elements == 0;
      require(isSignal || s.argument < (s.toDevice ? f.numOutputs : f.numInputs), "host functions");
    }
    for (const HostFunctionInfo &f : p_.hostFunctions)
      require(f.numInputs <= p_.streams.size() && f.numOutputs <= p_.streams.size(), "host functions");
  }

  void lives() const {
    const LiveRanges &r = c_.ranges;
    require(r.live.size() == p_.vars.size() && r.always.size() == p_.vars.size(), "lives");
    for (const LiveClass &c : r.classes)
      require(part(c.firstInterval, c.numIntervals, r.intervals.size()), "lives");
    for (const LiveClassId id : r.live)
      require(in(id, r.classes.size()), "lives");
    require(r.split.size() == p_.vars.size(), "lives");
    for (const HomeLife &life : r.homeLives)
      require(in(life.home, p_.homes.size()) && in(life.live, r.classes.size()) && in(life.occupied, r.classes.size()),
              "lives");
  }

  void layout() const {
    require(c_.layout.tiles.size() == p_.numTiles && c_.layout.firstOfTile.size() == p_.numTiles + std::size_t(1),
            "tile memory");
    for (std::size_t t = 0; t < p_.numTiles; ++t)
      require(c_.layout.firstOfTile[t] <= c_.layout.firstOfTile[t + 1] &&
                  c_.layout.firstOfTile[t + 1] <= c_.layout.allocations.size(),
              "tile memory");
    for (const Allocation &a : c_.layout.allocations)
      require(a.category < static_cast<StorageCategory>(kNumStorageCategories) &&
                  (a.owner != OwnerKind::Home || a.ownerIndex < p_.homes.size()),
              "allocations");
    for (const TileId t : c_.layout.tilesOutOfMemory)
      require(in(t, p_.numTiles), "tile memory");
  }

  const CompiledProgram &c_;
  const StepProgram &p_;
  std::size_t classes_;
};

} // namespace

void checkTables(const CompiledProgram &compiled, std::size_t classes) { TableCheck(compiled, classes).run(); }

} // namespace popscope
