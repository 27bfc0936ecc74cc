// Graph: the tiles of elements and vertices.
#include "graph/api/Describe.hpp"
#include "graph/api/GraphAccess.hpp"
#include "graph/api/GraphShared.hpp"
#include "graph/api/MapElements.hpp"
#include "graph/api/TensorChecks.hpp"
#include "graph/ir/MappingOps.hpp"
#include "graph/ir/Replicas.hpp"

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <tuple>

using popscope::GraphAccess;
using popscope::GraphHandle;
using popscope::GraphVarId;
using popscope::MappedRange;
using popscope::TensorData;
using popscope::TileId;

namespace poplar {

namespace {

struct VarMappedRange {
  GraphVarId var;
  std::uint32_t order; // position in the list of all ranges of the call
  MappedRange range;
};

/// Writes each variable's ranges. If a view names an element more than once, its last tile counts, as with several
/// calls of setTileMapping.
void applyRanges(const TensorData &t, std::vector<VarMappedRange> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const VarMappedRange &a, const VarMappedRange &b) {
    return std::tie(a.var, a.range.begin, a.range.end) < std::tie(b.var, b.range.begin, b.range.end);
  });
  for (auto begin = ranges.begin(); begin != ranges.end();) {
    const auto end = std::find_if(begin, ranges.end(), [&](const VarMappedRange &r) { return r.var != begin->var; });
    std::vector<MappedRange> ofVariable;
    bool conflict = false;
    for (auto next = begin; next != end; ++next) {
      const bool meets = !ofVariable.empty() && next->range.begin <= ofVariable.back().end;
      if (meets && next->range.tile == ofVariable.back().tile)
        ofVariable.back().end = std::max(ofVariable.back().end, next->range.end);
      else {
        conflict = conflict || (meets && next->range.begin < ofVariable.back().end);
        ofVariable.push_back(next->range);
      }
    }
    if (conflict) { // mapElements maps ranges one after the other, so the order of the call decides
      std::sort(begin, end, [](const VarMappedRange &a, const VarMappedRange &b) { return a.order < b.order; });
      ofVariable.clear();
      std::transform(begin, end, std::back_inserter(ofVariable), [](const VarMappedRange &r) { return r.range; });
    }
    popscope::mapElements(*t.graph, begin->var, ofVariable);
    begin = end;
  }
}

/// Adds the ranges of variables at the positions of the interval.
void addRanges(const TensorData &t, const Interval &interval, TileId tile, std::vector<VarMappedRange> &ranges) {
  popscope::PieceReader reader(t.view.runs, interval.begin(), interval.end());
  while (const auto piece = reader.next())
    ranges.push_back(
        {piece->var, static_cast<std::uint32_t>(ranges.size()), {piece->begin, piece->begin + piece->count, tile}});
}

void checkInterval(const TensorData &t, const Interval &interval, std::size_t tile) {
  if (interval.begin() > interval.end() || interval.end() > t.view.elements())
    throw invalid_tile_mapping(
        fmt::format("setTileMapping: the interval [{},{}) of tile {} is not within {}, which has "
                    "{} elements.",
                    interval.begin(), interval.end(), tile, popscope::describe(t), t.view.elements()));
}

void addInterval(std::vector<Interval> &intervals, std::size_t begin, std::size_t end) {
  if (!intervals.empty() && intervals.back().end() == begin)
    intervals.back() = Interval(intervals.back().begin(), end);
  else
    intervals.emplace_back(begin, end);
}

struct Mapping {
  Graph::TileToTensorMapping byTile;
  std::uint64_t mapped = 0;  // elements with a tile of this graph
  std::int64_t outside = -1; // a device tile that this graph does not have
};

Mapping readMapping(const GraphHandle &handle, const TensorData &t) {
  popscope::settleMappings(*t.graph);
  Mapping m;
  m.byTile.resize(handle.numTiles());
  std::uint64_t position = 0;
  for (const popscope::ViewRun &run : t.view.runs) {
    popscope::forEachMapped(t.graph->ir.vars[run.var].mapping, run, position,
                            [&](std::uint64_t begin, std::uint64_t end, TileId tile) {
                              const std::int64_t at = handle.virtualTile(tile);
                              if (at < 0) {
                                m.outside = tile.index();
                                return;
                              }
                              addInterval(m.byTile[static_cast<std::size_t>(at)], begin, end);
                              m.mapped += end - begin;
                            });
    position += run.count;
  }
  return m;
}

} // namespace

void Graph::setTileMapping(VertexRef v, unsigned tileNum) {
  const GraphHandle &handle = GraphAccess::handle(*this);
  const popscope::VertexId id = GraphAccess::vertex(*handle.graph, v);
  const TileId tile = handle.deviceTile(tileNum, [&] { return popscope::describe(*handle.graph, id); });
  handle.graph->ir.vertices.setTile(id, tile);
  const auto constants = handle.graph->vertexConstants.find(id.index());
  if (constants == handle.graph->vertexConstants.end())
    return;
  for (const GraphVarId var : constants->second) {
    handle.graph->ir.vars[var].mapping = {{0, handle.graph->ir.vars[var].elements, tile}};
    popscope::copyMappingToReplicas(handle.graph->ir, var);
  }
}

void Graph::setTileMapping(const Tensor &t, unsigned tileNum) {
  const GraphHandle &handle = GraphAccess::handle(*this);
  const TensorData &data = popscope::ownTensor(*this, t, "setTileMapping");
  const TileId tile = handle.deviceTile(tileNum, [&] { return popscope::describe(data); });
  std::vector<VarMappedRange> ranges;
  for (const popscope::VarInterval &i : popscope::joinedIntervals(data.view))
    ranges.push_back({i.var, static_cast<std::uint32_t>(ranges.size()), {i.begin, i.end, tile}});
  applyRanges(data, std::move(ranges));
}

void Graph::setTileMapping(const Tensor &t, const TileToTensorMapping &mapping) {
  const GraphHandle &handle = GraphAccess::handle(*this);
  const TensorData &data = popscope::ownTensor(*this, t, "setTileMapping");
  popscope::checkListable(data.view);
  std::vector<VarMappedRange> ranges;
  for (std::size_t tile = 0; tile < mapping.size(); ++tile) {
    for (const Interval &interval : mapping[tile]) {
      checkInterval(data, interval, tile);
      if (interval.size() > 0)
        addRanges(data, interval,
                  handle.deviceTile(static_cast<unsigned>(tile), [&] { return popscope::describe(data); }), ranges);
    }
  }
  applyRanges(data, std::move(ranges));
}

Graph::TileToTensorMapping Graph::getTileMapping(const Tensor &t, bool requireComplete) const {
  const GraphHandle &handle = GraphAccess::handle(*this);
  const TensorData &data = popscope::ownTensor(*this, t, "getTileMapping");
  Mapping m = readMapping(handle, data);
  if (requireComplete && m.mapped != data.view.elements())
    throw invalid_tile_mapping(fmt::format(
        "getTileMapping: {} of the {} elements of {} are not mapped to a tile{}. Map them with setTileMapping.",
        data.view.elements() - m.mapped, data.view.elements(), popscope::describe(data),
        m.outside < 0 ? std::string() : fmt::format(" of this graph (one is on tile {} of the device)", m.outside)));
  return std::move(m.byTile);
}

Graph::TileToTensorMapping Graph::getTileMapping(const Tensor &t, bool *isComplete) const {
  const GraphHandle &handle = GraphAccess::handle(*this);
  const TensorData &data = popscope::ownTensor(*this, t, "getTileMapping");
  Mapping m = readMapping(handle, data);
  if (isComplete)
    *isComplete = m.mapped == data.view.elements();
  return std::move(m.byTile);
}

Graph::TileToTensorMapping Graph::getVariableTileMapping(const Tensor &t) const {
  const TensorData &data = popscope::ownTensor(*this, t, "getVariableTileMapping");
  for (const popscope::ViewRun &run : data.view.runs)
    if (run.var != data.view.runs.front().var)
      throw poplar_error(
          fmt::format("getVariableTileMapping: {} has elements of more than one variable.", popscope::describe(data)));
  if (data.view.runs.empty())
    return TileToTensorMapping(GraphAccess::handle(*this).numTiles());
  return getTileMapping(getVariable(VariableRef(data.view.runs.front().var.index(), 0)), false);
}

} // namespace poplar
