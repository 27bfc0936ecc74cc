// FieldView: one field of one vertex, with the sizes, edges and initial values that the graph has stored for this field
// so far.
#pragma once
#include "graph/api/GraphShared.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace popscope {

/// The largest size that every representation of a vector can hold in each dimension. Two representations have exactly
/// this limit: short spans, and the inner vectors of a DeltaNElements list whose alignment is 1.
constexpr std::uint64_t kEveryFieldDim = 2047;

struct FieldView {
  const GraphShared *graph = nullptr;
  VertexId vertex;
  std::uint16_t field = 0;

  [[nodiscard]] const FieldInfo &info() const;
  [[nodiscard]] std::string name() const; // e.g. "field in of vertex 7 of type Sum"
  /// Returns the edges of the field in order of sub-index.
  [[nodiscard]] EdgeRange edges() const;
  [[nodiscard]] std::optional<GraphEdge> edgeAt(std::uint32_t subIndex) const; // no value if there is no edge
  [[nodiscard]] std::optional<GraphState> state() const;                       // no value without initial values
  /// Returns 1 for a scalar. For any other field, returns the first of these numbers that exists: the size that
  /// setFieldSize set, the number of initial values, and the number that the connection gives. For a vector, the
  /// connection gives the number of elements. For a field of several edges, the connection gives the highest sub-index
  /// plus one. Returns no value if none of these numbers exists.
  [[nodiscard]] std::optional<std::uint64_t> size() const;
  [[nodiscard]] bool nested() const; // returns whether the field is a vector of vectors or a vector list
  /// Throws graph_connection_error if `size` exceeds the maximum of dimension `dim` in the field's representation.
  void checkDim(std::uint64_t size, unsigned dim, const char *operation) const;
};

/// Returns the result of Graph::getMaxFieldDim for this graph's target.
[[nodiscard]] std::uint64_t maxDimOf(const GraphShared &graph, const FieldInfo &field, unsigned dim);

} // namespace popscope
