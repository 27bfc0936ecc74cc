#include "liveness/check/CheckConsumers.hpp"

#include "graph/steps/HostCopies.hpp"
#include "graph/steps/StepPayloads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace popscope {
namespace {

// (tile, owner, index, category). Exchanges and host copies have the index of their payload, because several steps can
// share a payload.
using Place = std::tuple<std::uint32_t, OwnerKind, std::uint32_t, StorageCategory>;
using Sizes = std::map<Place, std::vector<Bytes>>;

class WantedPlaces {
public:
  WantedPlaces(const StepProgram &program, const LayoutResult &layout, const TileMachine &machine, bool code)
      : p_(program), machine_(machine), code_(code), usedVars_(program.vars.size(), false),
        runs_(program.executes.size(), false), control_(program.numTiles),
        trees_(program.steps.size(), program.root.index()) {
    for (std::uint32_t tile = 0; tile < program.numTiles; ++tile)
      for (const Allocation &a : layout.ofTile(TileId(tile)))
        if (a.owner == OwnerKind::Control)
          control_[tile].insert(a.ownerIndex);
    for (const auto &function : p_.functions.raw())
      std::fill(trees_.begin() + function.root.index(), trees_.begin() + p_.steps[function.root].end,
                function.root.index());
  }

  Sizes collect() {
    for (std::size_t s = 0; s < p_.steps.size(); ++s)
      addStep(static_cast<std::uint32_t>(s));
    addControlPieces();
    addVertices();
    addVariables();
    addStorage();
    for (std::uint32_t t = 0; t < p_.numTiles; ++t)
      addTile(t);
    return std::move(wanted_);
  }

private:
  void want(TileId tile, OwnerKind owner, std::size_t index, StorageCategory category, Bytes bytes) {
    if (bytes > Bytes())
      wanted_[{tile.index(), owner, static_cast<std::uint32_t>(index), category}].push_back(bytes);
  }
  void read(VarId var) {
    if (var.valid())
      usedVars_[var.index()] = true;
  }
  void read(HomeId home) {
    if (home.valid())
      read(p_.homes[home].var);
  }
  /// Marks a written variable as used if the user created it, because the user may read it. For a variable that
  /// lowering created, a write alone does not count as a use.
  void write(VarId var) {
    if (var.valid() && p_.vars[var].graphVar >= 0)
      usedVars_[var.index()] = true;
  }
  void write(HomeId home) {
    if (home.valid())
      write(p_.homes[home].var);
  }

  // ---- what steps refer to
  void addStep(std::uint32_t s) {
    const Step &step = p_.steps[StepIndex(s)];
    for (std::uint32_t a = step.firstAccess; a < step.firstAccess + step.numAccesses; ++a)
      if (p_.accesses[a].kind != AccessKind::Undef) // an Undef needs no memory
        p_.accesses[a].kind == AccessKind::Read ? read(p_.accesses[a].var) : write(p_.accesses[a].var);
    if (stepKindRow(step.kind).operands && hasPayload(p_, step)) // verifySteps finds steps without a payload
      visitPayload(p_, step,
                   Overloaded{[&](const ExchangeStep &) { addExchange(step); },
                              [&](const ExecuteStep &execute) {
                                runs_[step.payload] = true;
                                write(execute.result);
                              },
                              [&](const StreamCopyStep &) { addHostCopy(step); },
                              [&](const SwitchStep &test) {
                                read(test.control.home);
                                read(test.copies);
                              },
                              [&](const TestStep &test) {
                                read(test.predicate.home);
                                read(test.copies);
                              },
                              [&](const PrintStep &print) {
                                for (const HomeBytes &piece : print.pieces)
                                  read(piece.home);
                              },
                              [&](const TileRegisterStep &move) {
                                for (const HomeBytes &piece : move.pieces)
                                  move.write ? read(piece.home) : write(piece.home); // writing a register reads memory
                                for (const HomeBytes &piece : move.since)
                                  read(piece.home);
                              },
                              [](const auto &) {}});
    if (code_)
      addControlCode(s, step);
  }
  void addControlCode(std::uint32_t s, const Step &step) {
    std::map<std::uint32_t, Bytes> ofTile;
    for (std::uint32_t r = step.controlCode.firstRow; r < step.controlCode.firstRow + step.controlCode.numRows; ++r)
      ofTile[p_.tileCode[r].tile.index()] += p_.tileCode[r].bytes;
    if (step.controlCode.everyTile > Bytes32())
      for (std::uint32_t t = 0; t < p_.numTiles; ++t)
        ofTile[t] += step.controlCode.everyTile;
    for (const auto &row : ofTile)
      controlBytes_[{row.first, pieceOf(row.first, s)}] += row.second;
  }
  /// Returns the step whose allocation on the tile holds the control code of `step`. The result is the nearest step, up
  /// to `step`, that belongs to the same tree and owns code on the tile. If there is no such step, the result is the
  /// first step of the tree that owns code on the tile. Call pieceOf() for steps in ascending order.
  [[nodiscard]] std::uint32_t pieceOf(std::uint32_t tile, std::uint32_t step) {
    if (const auto after = control_[tile].upper_bound(step); after != control_[tile].begin()) {
      const std::uint32_t piece = *std::prev(after);
      if (trees_[piece] == trees_[step] && (piece == step || controlBytes_.count({tile, piece}) != 0))
        return piece;
    }
    return unowned_.try_emplace({tile, trees_[step]}, step).first->second;
  }
  void addControlPieces() {
    for (const auto &[piece, bytes] : controlBytes_)
      want(TileId(piece.first), OwnerKind::Control, piece.second, StorageCategory::ControlCode, bytes);
  }
  void addExchange(const Step &step) {
    const bool global = step.kind == StepKind::GlobalExchange;
    if (!exchanges_.insert(step.payload).second)
      return;
    const ExchangeStep &exchange = p_.exchanges[step.payload];
    for (std::uint32_t m = exchange.firstMessage; m < exchange.firstMessage + exchange.numMessages; ++m) {
      read(p_.messages[m].src);
      write(p_.messages[m].dst);
    }
    for (std::uint32_t t = exchange.firstTile; t < exchange.firstTile + exchange.numTiles; ++t) {
      const ExchangeTile &row = p_.exchangeTiles[t];
      if (code_)
        want(row.tile, global ? OwnerKind::GlobalExchange : OwnerKind::InternalExchange, step.payload,
             global ? StorageCategory::GlobalExchangeCode : StorageCategory::InternalExchangeCode, row.codeBytes);
      want(row.tile, OwnerKind::GlobalHeader, step.payload, StorageCategory::GlobalExchangePacketHeader,
           row.headerBytes);
    }
  }
  void addHostCopy(const Step &step) {
    if (!hostCopies_.insert(step.payload).second)
      return;
    const StreamCopyStep &copy = p_.streamCopies[step.payload];
    for (std::uint32_t t = copy.firstTransfer; t < copy.firstTransfer + copy.numTransfers; ++t)
      isToDevice(copy, t) ? write(p_.transfers[t].home.first.home) : read(p_.transfers[t].home.first.home);
    read(copy.offset.home);
    for (std::uint32_t t = copy.firstTile; t < copy.firstTile + copy.numTiles; ++t) {
      const HostTile &row = p_.hostTiles[t];
      if (code_)
        want(row.tile, OwnerKind::HostExchange, step.payload, StorageCategory::HostExchangeCode, row.codeBytes);
      want(row.tile, OwnerKind::HostHeader, step.payload, StorageCategory::HostExchangePacketHeader, row.headerBytes);
    }
  }

  // ---- vertices that run, with their fields and symbols
  void addVertex(TileId tile, OwnerKind owner, std::size_t index, std::uint32_t footprint, VertexTypeId type) {
    const VertexFootprint &f = p_.footprints.at(footprint);
    want(tile, owner, index, StorageCategory::VertexInstanceState, f.instanceState);
    want(tile, owner, index, StorageCategory::VertexFieldData, f.fieldData);
    want(tile, owner, index, StorageCategory::VectorListDescriptor, f.vectorListDescriptor);
    want(tile, owner, index, StorageCategory::CopyDescriptor, f.copyDescriptor);
    symbols_.insert({tile.index(), type.index()});
  }
  void addVertices() {
    for (std::size_t e = 0; e < p_.executes.size(); ++e) {
      const ExecuteStep &execute = p_.executes[e];
      if (!runs_[e])
        continue;
      for (std::uint32_t v = execute.firstVertex; v < execute.firstVertex + execute.numVertices; ++v) {
        const StepVertex &vertex = p_.vertices[v];
        addVertex(vertex.tile, OwnerKind::Vertex, v, p_.formOf(vertex).footprint, vertex.type);
        for (const VertexEdge edge : p_.edgesOf(vertex))
          edge.reads ? read(edge.home) : write(edge.home);
      }
      for (std::uint32_t c = execute.firstCopy; c < execute.firstCopy + execute.numCopies; ++c) {
        const CopyVertex &copy = p_.copies[c];
        addVertex(copy.tile, OwnerKind::CopyVertex, c, copy.footprint, copy.type);
        for (std::uint32_t r = copy.firstRun; r < copy.firstRun + copy.numRuns; ++r) {
          if (p_.copyRuns[r].src.valid()) // a fill has no source
            read(p_.copyRuns[r].src);
          write(p_.copyRuns[r].dst);
        }
      }
    }
    for (std::size_t d = 0; d < p_.sharedData.size(); ++d)
      if (p_.sharedData[d].numUses > 1)
        want(p_.sharedData[d].tile, OwnerKind::SharedData, d, StorageCategory::SharedDataStorage,
             p_.sharedData[d].bytes);
    if (code_)
      addSymbols();
  }
  void addSymbols() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, unsigned> users; // (tile, library function)
    for (const auto &symbol : symbols_) {
      const StepVertexType &type = p_.vertexTypes[VertexTypeId(symbol.second)];
      want(TileId(symbol.first), OwnerKind::VertexCode, symbol.second, StorageCategory::VertexCode, type.codeBytes);
      for (const std::uint32_t library : type.libraries)
        ++users[{symbol.first, library}];
    }
    for (const auto &entry : users)
      want(TileId(entry.first.first), OwnerKind::LibraryCode, entry.first.second,
           entry.second > 1 ? StorageCategory::SharedCodeStorage : StorageCategory::VertexCode,
           p_.libraryCode[entry.first.second].bytes);
  }

  // ---- variables and storage
  void addVariables() {
    for (std::size_t v = 0; v < usedVars_.size(); ++v) {
      const StepVar &var = p_.vars[p_.vars.idAt(v)];
      for (std::uint32_t h = var.firstHome; usedVars_[v] && h < var.firstHome + var.numHomes; ++h)
        want(p_.homes[HomeId(h)].tile, OwnerKind::Home, h, var.category, p_.homeBytes(HomeId(h)));
    }
  }
  void addStorage() {
    for (const StepStorage &row : p_.storage) {
      const bool table = row.category == StorageCategory::ControlTable;
      if (table && !code_)
        continue;
      want(row.tile, table ? OwnerKind::ControlTable : OwnerKind::Instrumentation, row.step.index(), row.category,
           row.bytes);
      if (table)
        tables_.insert(row.tile.index());
    }
  }
  void addTile(std::uint32_t t) {
    want(TileId(t), OwnerKind::Stack, 0, StorageCategory::Stack,
         Bytes(machine_.stack.workerBytes) * machine_.workerContexts + Bytes(machine_.stack.supervisorBytes));
    if (!code_)
      return;
    want(TileId(t), OwnerKind::Runtime, 0, StorageCategory::VertexCode, Bytes(machine_.code.runtimeBytes));
    if (tables_.count(t) != 0)
      want(TileId(t), OwnerKind::Runtime, 1, StorageCategory::ControlCode, p_.tableRunnerBytes);
  }

  const StepProgram &p_;
  const TileMachine &machine_;
  bool code_;
  std::vector<bool> usedVars_, runs_;
  std::set<std::uint32_t> exchanges_, hostCopies_, tables_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> symbols_;                // (tile, vertex type)
  std::vector<std::set<std::uint32_t>> control_;                             // per tile: steps that own code
  std::vector<std::uint32_t> trees_;                                         // per step: the root of its tree
  std::map<std::pair<std::uint32_t, std::uint32_t>, Bytes> controlBytes_;    // per tile and owning step
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> unowned_; // per tile and tree: the first step that
                                                                             // owns no code
  Sizes wanted_;
};

// Returns the allocation's place. If the owner does not exist, the place has the tile and an impossible index.
Place placeOf(const StepProgram &p, std::uint32_t tile, const Allocation &a) {
  std::uint32_t index = a.ownerIndex;
  const auto payloadOf = [&](auto isKind) {
    const bool known = index < p.steps.size() && isKind(p.steps[StepIndex(index)].kind);
    index = known ? p.steps[StepIndex(index)].payload : ~0U;
  };
  switch (a.owner) {
  case OwnerKind::InternalExchange: payloadOf([](StepKind k) { return k == StepKind::DoExchange; }); break;
  case OwnerKind::GlobalExchange:
  case OwnerKind::GlobalHeader: payloadOf([](StepKind k) { return k == StepKind::GlobalExchange; }); break;
  case OwnerKind::HostExchange:
  case OwnerKind::HostHeader:
    payloadOf([](StepKind k) { return stepKindRow(k).payload == StepPayload::StreamCopy; });
    break;
  case OwnerKind::Home:
  case OwnerKind::Vertex:
  case OwnerKind::CopyVertex:
  case OwnerKind::VertexCode:
  case OwnerKind::LibraryCode:
  case OwnerKind::Runtime:
  case OwnerKind::Control:
  case OwnerKind::Stack:
  case OwnerKind::Instrumentation:
  case OwnerKind::ControlTable:
  case OwnerKind::SharedData: break;
  }
  return {tile, a.owner, index, a.category};
}

void compare(const Sizes &some, const Sizes &others, const char *text, std::vector<std::string> &findings) {
  for (const auto &[place, bytes] : some)
    if (const auto other = others.find(place); other == others.end() || other->second != bytes)
      findings.push_back(fmt::format("tile {}: {} of {} bytes (owner {} index {}) {}", std::get<0>(place),
                                     storageCategoryKey(std::get<3>(place)), bytes.front().count(),
                                     static_cast<int>(std::get<1>(place)), std::get<2>(place), text));
}

} // namespace

ConsumerFindings checkConsumers(const StepProgram &program, const LayoutResult &layout, const TileMachine &machine,
                                bool codeIncluded) {
  Sizes wanted = WantedPlaces(program, layout, machine, codeIncluded).collect(), given;
  for (std::uint32_t tile = 0; tile < program.numTiles; ++tile)
    for (const Allocation &a : layout.ofTile(TileId(tile)))
      given[placeOf(program, tile, a)].push_back(a.bytes);
  for (Sizes *sizes : {&wanted, &given})
    for (auto &entry : *sizes)
      std::sort(entry.second.begin(), entry.second.end());
  ConsumerFindings findings;
  compare(given, wanted, "is referred to by nothing", findings.unreferenced);
  compare(wanted, given, "has no allocation of its size", findings.unplaced);
  return findings;
}

} // namespace popscope
