// GraphShared: the data that all handles on one graph share. TensorData, StreamData and GraphHandle are the contents of
// the public Tensor, DataStream and Graph.
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <poplar/PerfEstimateFunc.hpp>
#include <poplar/Target.hpp>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace popscope {

/// Ranges that are not yet part of the mappings of variables (MapElements.hpp). The first thread that reads a mapping
/// inserts these ranges, unless mapElements has inserted the ranges already.
struct MappedLater {
  std::mutex mutex;
  std::atomic<bool> any = false;
  std::unordered_map<std::uint32_t, std::vector<MappedRange>> calls; // mapped ranges per variable, in the order of the
                                                                     // calls of mapElements
};

struct GraphShared {
  GraphIr ir;
  poplar::Target target;
  struct Estimator {
    poplar::PerfEstimateFunc function;
    bool flops = true; // false: the function estimates cycles only
  };
  std::map<std::string, Estimator> estimators; // key: the normalised vertex name
  /// The vertex type that addVertex looked up last: the name, the index of the class in GraphIr::codelets, and the
  /// number of classes at the time of the lookup.
  struct LastType {
    std::string name;
    int codelet = -1;
    std::size_t ofCodelets = 0;
  } lastType;
  /// Per vertex: the constants that connect(field, value) creates, and the constants of inputs with initial values.
  /// Graph::setTileMapping maps these constants together with their vertex.
  std::unordered_map<std::uint32_t, std::vector<GraphVarId>> vertexConstants;
  MappedLater mappedLater;
  /// A second table of the runtime's classes, which const members of Graph read through findVertexClass. These members
  /// must not add the classes to the graph, because other threads may read the classes of the graph at the same time.
  struct RuntimeClasses {
    std::mutex mutex; // guards `set`
    CodeletSet set;
  } runtimeClasses;
  std::mutex shuffleMutex; // guards TensorData::lastShuffle of all tensors
  std::unordered_set<std::string> writeHandles, readHandles, streamHandles;
};

/// Returns the index of the vertex class with this name, or -1 if the graph has no such class. The first request for a
/// class of the runtime adds all classes of the runtime to the graph.
int vertexClassIndex(GraphShared &graph, const std::string &name);
/// Returns the vertex class with this name, or null. Finds the same classes as vertexClassIndex, does not change the
/// classes of the graph, and may be called from several threads at once.
const VertexClass *findVertexClass(GraphShared &graph, const std::string &name);

/// The last result of dimShuffle for a tensor with many groups of view runs. The result is kept, because programs call
/// t.transpose() once per tile and take a part of each result.
struct LastShuffle {
  std::vector<unsigned> permutation;
  std::optional<View> view; // set when the same shuffle is requested a second time
};

struct TensorData {
  TensorData(View v, std::shared_ptr<GraphShared> g, std::shared_ptr<const TensorData> m = nullptr,
             std::shared_ptr<const std::string> o = nullptr)
      : view(std::move(v)), graph(std::move(g)), metadata(std::move(m)), outside(std::move(o)) {}
  TensorData(TensorData &&) = default; // move only before the data is shared
  TensorData(const TensorData &) = delete;
  TensorData &operator=(const TensorData &) = delete;
  View view;
  std::shared_ptr<GraphShared> graph;
  std::shared_ptr<const TensorData> metadata; // the metadata of a tensor of 8-bit floats; may be null
  /// Null for most views. If Tensor::slices made this view from a region that is not within the sliced tensor, the text
  /// describes the region. A view with this text has a type and a shape, but the elements of the view must not be used.
  std::shared_ptr<const std::string> outside;
  mutable std::shared_ptr<const LastShuffle> lastShuffle; // guarded by GraphShared::shuffleMutex; may be null
};

struct StreamData {
  std::shared_ptr<GraphShared> graph;
  StreamId id;
  [[nodiscard]] const GraphStream &stream() const { return graph->ir.streams[id]; }
};

/// The contents of a Graph: the shared data, and the tiles of the device that this (possibly virtual) graph uses. Tile
/// i of this handle is tile tiles[i] of the device.
struct GraphHandle {
  std::shared_ptr<GraphShared> graph;
  poplar::Target target;
  std::vector<TileId> tiles;                           // empty means all tiles of the device, in order
  std::unordered_map<std::uint32_t, unsigned> inverse; // device tile -> tile of this handle, when tiles is not empty
  SplitIndex split = 0;                                // the split of all objects that the user makes through this
                                                       // handle

  [[nodiscard]] unsigned numTiles() const {
    return tiles.empty() ? graph->ir.machine.numTiles() : static_cast<unsigned>(tiles.size());
  }
  /// Returns the number that a tile of the device has in this handle, or -1 if the handle does not contain the tile.
  [[nodiscard]] std::int64_t virtualTile(TileId tile) const {
    if (tiles.empty())
      return tile.index();
    const auto it = inverse.find(tile.index());
    return it == inverse.end() ? -1 : static_cast<std::int64_t>(it->second);
  }
  /// Converts `tile`, a tile of this handle, to the tile of the device. Throws invalid_tile_mapping if this handle does
  /// not have the tile. The message contains what(), the tile and the limit.
  template <class What> [[nodiscard]] TileId deviceTile(unsigned tile, const What &what) const {
    if (tile >= numTiles())
      throwNoTile(tile, what());
    return tiles.empty() ? TileId(tile) : tiles[tile];
  }
  [[nodiscard]] std::vector<TileId> allTiles() const;

private:
  [[noreturn]] void throwNoTile(unsigned tile, const std::string &what) const;
};

} // namespace popscope
