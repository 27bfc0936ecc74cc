#include "graph/lowering/CheckGraph.hpp"
#include "base/Check.hpp"
#include "graph/ir/ViewOps.hpp"
#include "graph/lowering/LoweringContext.hpp"

#include <poplar/exceptions.hpp>

namespace popscope {
namespace {

std::string vertexLabel(const GraphIr &g, VertexId id) {
  const GraphVertex v = g.vertices[id];
  return fmt::format("vertex {} of type '{}' in compute set '{}'", id.index(), g.codelets.at(v.codelet).name,
                     g.names[g.computeSets[v.computeSet].name]);
}

void checkVertexTile(const GraphIr &g, VertexId id) {
  const TileId tile = g.vertices[id].tile;
  if (!tile.valid())
    throw poplar::invalid_tile_mapping(
        fmt::format("{} is not mapped to a tile: call graph.setTileMapping for it", vertexLabel(g, id)));
  if (tile.index() >= g.machine.numTiles())
    throw poplar::invalid_tile_mapping(fmt::format(
        "{} is mapped to tile {}, but the target has {} tiles: call graph.setTileMapping with a smaller tile number",
        vertexLabel(g, id), tile.index(), g.machine.numTiles()));
}

bool sizeGiven(const GraphVertex &v, std::uint16_t field) { return v.fieldSize(field) || v.state(field); }

void checkFunctions(const GraphIr &g, VertexId id) {
  const std::vector<std::string> &missing = g.codelets.at(g.vertices[id].codelet).missing;
  if (!missing.empty())
    throw poplar::link_error(fmt::format("{}: its codelet file uses {}, which no codelet file of the graph defines: "
                                         "call graph.addCodelets with the file that defines it",
                                         vertexLabel(g, id), fmt::join(missing, ", ")),
                             fmt::format("undefined symbol: {}", fmt::join(missing, "\nundefined symbol: ")));
}

/// The connected elements of one field: their number, and the largest index plus one.
struct ConnectedElements {
  std::uint64_t count = 0, end = 0;
};

/// Throws if an element of a field with several edges has no edge. setFieldSize(v[field][i], 0) states that element i
/// has no edge.
void checkElements(const GraphIr &g, VertexId id, std::uint16_t f, const ConnectedElements &connected) {
  const GraphVertex v = g.vertices[id];
  const FieldInfo &field = g.codelets.at(v.codelet).fields[f];
  const std::uint64_t size = v.fieldSize(f).value_or(connected.end);
  if (connected.count >= size)
    return;
  for (std::uint32_t i = 0; i < size; ++i)
    if (!v.edge(f, i) && v.elementSize(f, i) != 0u)
      throw poplar::graph_connection_error(
          fmt::format("element {} of field '{}' of {} is not connected, and the field has {} elements: call "
                      "graph.connect(vertex[\"{}\"][{}], tensor)",
                      i, field.name, vertexLabel(g, id), size, field.name, i));
}

bool hasElements(const FieldInfo &field) {
  return field.direction != FieldDirection::State && field.shape != FieldShape::Scalar &&
         field.shape != FieldShape::Vector;
}

/// Throws if a field of the vertex is neither connected nor sized as its kind requires. Also throws if the index of a
/// connected field, or the number of a connected element, does not fit into a VertexEdge. `connected` is scratch
/// memory.
void checkFields(const GraphIr &g, VertexId id, std::vector<ConnectedElements> &connected) {
  const GraphVertex v = g.vertices[id];
  const VertexClass &type = g.codelets.at(v.codelet);
  connected.assign(type.fields.size(), {});
  for (const GraphEdge &edge : v.edges()) {
    ConnectedElements &elements = connected.at(edge.field);
    ++elements.count;
    elements.end = std::uint64_t(edge.subIndex) + 1; // edges are sorted
    if (edge.field >= VertexEdge::kMaxFields)
      throw poplar::graph_connection_error(fmt::format("field '{}' of {} is connected and is field number {}; the "
                                                       "lowered program allows {} fields with edges per vertex: "
                                                       "join fields into one vector of vectors",
                                                       type.fields[edge.field].name, vertexLabel(g, id), edge.field + 1,
                                                       std::uint32_t(VertexEdge::kMaxFields)));
    if (edge.subIndex >= VertexEdge::kMaxSubIndices)
      throw poplar::graph_connection_error(fmt::format(
          "element {} of field '{}' of {} is connected; the lowered "
          "program allows {} elements: divide the elements among more vertices",
          edge.subIndex, type.fields[edge.field].name, vertexLabel(g, id), std::uint32_t(VertexEdge::kMaxSubIndices)));
  }
  for (const GraphElementSize &sized : v.elementSizes()) {
    if (sized.elements > 0 && !v.edge(sized.field, sized.subIndex))
      throw poplar::graph_connection_error(
          fmt::format("element {} of field '{}' of {} has {} elements by setFieldSize and is not connected: call "
                      "graph.connect(vertex[\"{}\"][{}], tensor)",
                      sized.subIndex, type.fields.at(sized.field).name, vertexLabel(g, id), sized.elements,
                      type.fields.at(sized.field).name, sized.subIndex));
  }
  for (std::size_t f = 0; f < type.fields.size(); ++f) {
    const FieldInfo &field = type.fields[f];
    if (hasElements(field))
      checkElements(g, id, static_cast<std::uint16_t>(f), connected[f]);
    if (connected[f].count > 0 || sizeGiven(v, static_cast<std::uint16_t>(f)))
      continue;
    if (field.direction != FieldDirection::State)
      throw poplar::graph_connection_error(
          fmt::format("field '{}' of {} is not connected: call graph.connect(vertex[\"{}\"], tensor)", field.name,
                      vertexLabel(g, id), field.name));
    if (field.shape != FieldShape::Scalar)
      throw poplar::no_size_specified(fmt::format(
          "the vector field '{}' of {} has neither a size nor values: call graph.setFieldSize or setInitialValue",
          field.name, vertexLabel(g, id)));
  }
}

void checkNoConstant(const GraphIr &g, const View &view, const std::string &user) {
  for (std::size_t group = 0; group != view.runs.numGroups(); ++group)
    if (const ViewRun &run = view.runs.firstRun(group); run.count > 0 && g.vars[run.var].constant)
      throw poplar::poplar_error(
          fmt::format("{} writes to the constant '{}': constants cannot change; use graph.addVariable", user,
                      displayName(g, run.var)));
}

void checkWritten(const GraphIr &g, const View &view, const std::string &user) {
  checkNoConstant(g, view, user);
  if (!containsAliases(view))
    return;
  const std::vector<VarInterval> sorted = sortedIntervals(view);
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i].var == sorted[i - 1].var && sorted[i].begin < sorted[i - 1].end)
      throw poplar::poplar_error(
          fmt::format("{} writes element {} of '{}' more than once: the destination must name each element once", user,
                      sorted[i].begin, displayName(g, sorted[i].var)));
}

} // namespace

void checkGraph(const GraphIr &g, const GraphUses &uses, Threads threads) {
  parallelFor(threads, uses.computeSets.size(), [&](std::size_t i) {
    std::vector<ConnectedElements> connected;
    for (const VertexId v : g.computeSets[uses.computeSets[i]].vertices) {
      checkVertexTile(g, v);
      checkFunctions(g, v);
      checkFields(g, v, connected);
    }
  });
  for (const ViewUse &use : uses.views)
    if (use.write)
      checkWritten(g, *use.view, use.user);
}

} // namespace popscope
