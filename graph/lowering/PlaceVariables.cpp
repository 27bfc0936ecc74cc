// PlaceVariables: each graph variable becomes the StepVar of the same index. The elements that one tile holds form a
// home, ascending and without gaps:
//   mapping [0,2)->t1 [2,6)->t0 [6,9)->t1      homes t0: 4 elements, t1: 5;  piece [6,9) sits at element 2 of t1's home
// A variable that no program uses gets neither home nor pieces, because nothing would refer to its bytes.
#include "base/Parallel.hpp"
#include "base/TouchPages.hpp"
#include "graph/lowering/LoweringContext.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <fmt/format.h>

namespace popscope {
namespace {

/// Checks the number of elements of a variable that lowering creates. Throws invalid_tile_mapping above the maximum.
void checkElements(const std::string &name, std::uint64_t elements) {
  if (elements > ElementNumber::kMost)
    throw poplar::invalid_tile_mapping(fmt::format(
        "'{}', the buffer for moved data, has {} elements; a variable has at most {}: move slices of the tensor", name,
        elements, std::uint64_t(ElementNumber::kMost)));
}

} // namespace

void LoweringContext::indexHome(HomeId home, std::uint32_t piece) {
  if (homeFirst_.size() <= home.index()) {
    homeFirst_.push_back(static_cast<std::uint32_t>(homePieces_.size()));
    homeCount_.push_back(0);
  }
  homePieces_.push_back(piece);
  ++homeCount_[home.index()];
}

// Gives each graph variable its row, its pieces and its homes. A variable of the user has one home per tile, with its
// mapped ranges in the order of (tile, element). A constant is placed on the tiles that read it according to `reads`,
// and not on the tiles to which it is mapped. On a CPU, everything is on the one host tile. Cost: linear in variables
// and mapped ranges, except for the sort of ranges per variable.
void LoweringContext::placeVariables(const std::vector<std::uint8_t> &used, const std::vector<GraphVarId> &constants,
                                     const std::vector<ConstantRead> &reads) {
  constants_ = constants;
  out.vars.raw().reserve(graph.vars.size());
  oneValue_.resize(graph.vars.size(), 0);
  std::vector<MappedRange> held; // ranges of a constant that tiles read, by tile; the one range of a variable on a CPU
  auto read = reads.begin();
  std::vector<std::uint32_t> order; // mapped ranges by (tile, element)
  for (std::size_t i = 0; i < graph.vars.size(); ++i) {
    const GraphVar &g = graph.vars[graph.vars.idAt(i)];
    StepVar v;
    v.name = name(displayName(graph, graph.vars.idAt(i)));
    v.category = g.constant ? StorageCategory::Constant : StorageCategory::Variable;
    v.type = g.type;
    v.elements = g.elements;
    v.constant = g.constant;
    v.replicaIndex = g.replicaIndex;
    v.graphVar = static_cast<std::int64_t>(i);
    v.firstPiece = static_cast<std::uint32_t>(out.pieces.size());
    v.firstHome = static_cast<std::uint32_t>(out.homes.size());
    held.clear();
    for (; read != reads.end() && read->var.index() == i; ++read)
      held.push_back({read->elements.begin, read->elements.end, read->tile});
    oneValue_[i] = g.constant && hasOneValue(g) ? 1 : 0;
    const bool isPlaced = used[i] != 0 && !g.constant, isOnHost = isOneHostTile(graph.machine);
    if (isPlaced && isOnHost && g.elements != 0)
      held.push_back({0, g.elements, TileId(0)});
    const std::vector<MappedRange> &mapping = isPlaced && !isOnHost ? g.mapping : held;
    v.numPieces = static_cast<std::uint32_t>(mapping.size());
    order.clear();
    for (std::uint32_t m = 0; m < mapping.size(); ++m) {
      order.push_back(m);
      out.pieces.push_back({{mapping[m].begin, mapping[m].end}, HomeId(), 0});
    }
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return mapping[a].tile != mapping[b].tile ? mapping[a].tile < mapping[b].tile : a < b;
    });
    for (const std::uint32_t m : order) {
      if (v.numHomes == 0 || out.homes.raw().back().tile != mapping[m].tile) {
        out.homes.push({VarId(static_cast<std::uint32_t>(i)), mapping[m].tile, 0});
        ++v.numHomes;
      }
      Piece &piece = out.pieces[v.firstPiece + m];
      piece.home = HomeId(static_cast<std::uint32_t>(out.homes.size() - 1));
      piece.homeElement = out.homes[piece.home].elements;
      out.homes[piece.home].elements += mapping[m].end - mapping[m].begin;
      indexHome(piece.home, v.firstPiece + m);
    }
    if (!g.initial.empty() && constants[i].index() == i) {
      v.initialData = static_cast<std::int64_t>(out.data.size());
      out.data.insert(out.data.end(), g.initial.begin(), g.initial.end());
    }
    out.vars.push(v);
  }
  out.passes.push_back({"PlaceVariables", "lowered variables", graph.vars.size(), out.homes.size()});
}

VarId LoweringContext::addVariable(NameId varName, StorageCategory category, ElementType type,
                                   const std::vector<std::pair<TileId, std::uint64_t>> &homes) {
  StepVar v;
  v.name = varName;
  v.category = category;
  v.type = type;
  v.alignment = kWordBytes;
  v.firstPiece = static_cast<std::uint32_t>(out.pieces.size());
  v.firstHome = static_cast<std::uint32_t>(out.homes.size());
  v.numPieces = v.numHomes = static_cast<std::uint32_t>(homes.size());
  const VarId id(static_cast<std::uint32_t>(out.vars.size()));
  std::uint64_t elements = 0; // number of elements so far
  for (const auto &row : homes) {
    checkElements(out.names[varName], elements + row.second);
    const HomeId home = out.homes.push({id, row.first, row.second});
    indexHome(home, static_cast<std::uint32_t>(out.pieces.size()));
    out.pieces.push_back({{elements, elements + row.second}, home, 0});
    elements += row.second;
  }
  v.elements = elements;
  return out.vars.push(v);
}

/// Reserves capacity. Lower has already reserved a row for each executed vertex.
void LoweringContext::makeRoom(const PreparedRows &rows) {
  prepared_.vertices += rows.vertices;
  prepared_.buffers += rows.buffers;
  prepared_.messages += rows.messages;
  const std::size_t all = std::max(out.vertices.capacity(), prepared_.vertices), left = all - prepared_.vertices;
  const std::size_t moreBuffers = rows.buffers + expectedRows(prepared_.buffers, prepared_.vertices, left);
  TouchPages()
      .behind(out.vertices, rows.vertices)
      .behind(out.edges, rows.operands)
      .behind(out.vars.raw(), rows.buffers, moreBuffers)
      .behind(out.homes.raw(), rows.buffers, moreBuffers)
      .behind(out.pieces, rows.buffers, moreBuffers)
      .behind(out.messages, rows.messages, rows.messages + expectedRows(prepared_.messages, prepared_.vertices, left))
      .run(options.threads);
}

// Each buffer has one home with one piece. So the tables grow by as many rows as there are buffers, and tasks fill the
// new rows in parallel.
void LoweringContext::addBuffers(const std::vector<Buffer> &rows) {
  const std::size_t vars = out.vars.size(), homes = out.homes.size(), pieces = out.pieces.size(),
                    places = homePieces_.size();
  for (const Buffer &row : rows)
    checkElements(out.names[row.name], row.elements);
  out.vars.resize(vars + rows.size());
  out.homes.resize(homes + rows.size());
  out.pieces.resize(pieces + rows.size());
  homeFirst_.resize(homes + rows.size());
  homeCount_.resize(homes + rows.size());
  homePieces_.resize(places + rows.size());
  parallelRanges(options.threads, rows.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Buffer &row = rows[i];
      const VarId var(static_cast<std::uint32_t>(vars + i));
      const HomeId home(static_cast<std::uint32_t>(homes + i));
      const auto piece = static_cast<std::uint32_t>(pieces + i);
      StepVar &v = out.vars[var];
      v.name = row.name;
      v.category = row.category;
      v.type = row.type;
      v.elements = row.elements;
      v.interleaved = row.interleaved;
      v.alignment = std::max(kWordBytes, row.alignment);
      v.firstPiece = piece;
      v.firstHome = home.index();
      v.numPieces = v.numHomes = 1;
      out.homes[home] = {var, row.tile, row.elements};
      out.pieces[piece] = {{0, row.elements}, home, 0};
      homeFirst_[home.index()] = static_cast<std::uint32_t>(places + i);
      homeCount_[home.index()] = 1;
      homePieces_[places + i] = piece;
    }
  });
}

NameId LoweringContext::bufferName(StorageCategory category, GraphVarId source) {
  const std::uint64_t key = (std::uint64_t(category) << 32) | source.index();
  if (key == lastBufferKey_)
    return lastBufferName_;
  lastBufferKey_ = key;
  NameId &known = bufferNames_[key];
  if (!known.valid()) {
    const std::string &plain = graph.names[graph.vars[source].name];
    known = name(std::string("<") + storageCategoryKey(category) + ":" + (plain.empty() ? "anon" : plain) + ">");
  }
  return lastBufferName_ = known;
}

} // namespace popscope
