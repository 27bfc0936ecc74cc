// Extension: makes several calls that add and connect vertices act as one call. If one of the calls fails, the graph is
// as it was before the first call.
//
//   popscope::NewVertices added(graph);
//   poplar::VertexRef v = graph.addVertex(cs, "Scale");
//   graph.connect(v["in"], x); // if this throws, the graph has no vertex v
//   added.keep();
#pragma once
#include <cstddef>

namespace poplar {
class Graph;
} // namespace poplar

namespace popscope {

/// A scope of new vertices. If keep() was not called, the end of the scope removes the vertices, variables and
/// constants that the graph got within the scope. The connections and values of these vertices disappear, too. Tensors
/// of the removed variables and constants must not be used afterwards. The graph must outlive the object.
class NewVertices {
public:
  explicit NewVertices(poplar::Graph &graph);
  ~NewVertices();
  NewVertices(const NewVertices &) = delete;
  NewVertices &operator=(const NewVertices &) = delete;
  /// Keeps all vertices that were added since the beginning of the scope.
  void keep() { kept_ = true; }

private:
  poplar::Graph &graph_;
  std::size_t vertices_, variables_;
  bool kept_ = false;
};

} // namespace popscope
