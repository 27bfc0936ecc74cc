// GraphAccess: converts public handles to the plain data of the handles, and back. Within the library, only engine and
// graph/api use GraphAccess.
#pragma once
#include "graph/ir/GraphIr.hpp"

#include <poplar/Graph.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace popscope {

struct GraphShared;
struct Rearrangement;
struct TensorData;
struct StreamData;

/// Returns the contents of the graph, after inserting the collected mappings (settleMappings). The graph and its
/// virtual graphs share these contents. The result is valid as long as one of these graphs exists.
[[nodiscard]] const GraphIr &irOf(const poplar::Graph &graph);
/// Returns the node of a program, never null: an empty program is a Sequence without children.
[[nodiscard]] ProgramPtr nodeOf(const poplar::program::Program &program);
/// Returns the node of each program, in the order of `programs`. Throws control_program_error if a program, or a
/// function that a program calls, uses an object of another graph. Also throws this exception for a handle made from a
/// number, if `graph` has no compute set or function with this number.
[[nodiscard]] std::vector<ProgramPtr> nodesOf(poplar::ArrayRef<poplar::program::Program> programs,
                                              const GraphIr &graph);
/// Returns the view of a tensor. Throws poplar_error for an invalid tensor, and index_error for a slice outside its
/// tensor (TensorData::outside).
[[nodiscard]] const View &viewOf(const poplar::Tensor &tensor);

/// Adds a variable to the graph. A variable of 8-bit floats has no metadata yet.
[[nodiscard]] poplar::Tensor addPlainVariable(const poplar::Graph &graph, const poplar::Type &type,
                                              const std::vector<std::size_t> &shape,
                                              poplar::VariableMappingMethod mappingMethod,
                                              const poplar::DebugContext &dc);

/// Adds a constant with these bytes. A constant of 8-bit floats has no metadata yet.
[[nodiscard]] poplar::Tensor addConstantBytes(const poplar::Graph &graph, const poplar::Type &type,
                                              const std::vector<std::size_t> &shape, std::vector<std::uint8_t> bytes,
                                              const poplar::DebugContext &dc);

/// Functions that read and set the private members of the public classes, which declare GraphAccess as a friend.
struct GraphAccess {
  static const std::shared_ptr<GraphShared> &shared(const poplar::Graph &graph);
  static const GraphHandle &handle(const poplar::Graph &graph);

  static poplar::Tensor tensor(std::shared_ptr<GraphShared> graph, View view);
  static poplar::Tensor tensor(std::shared_ptr<const TensorData> data);
  /// Returns a tensor with the given view, in the graph of `t` and with the metadata of `t`.
  static poplar::Tensor derived(const TensorData &t, View view);
  /// Returns the TensorData of `tensor`, for callers that use the elements. Throws poplar_error for an invalid tensor,
  /// and index_error for a slice outside its tensor (TensorData::outside).
  static const TensorData &data(const poplar::Tensor &tensor);
  /// Returns the TensorData of `tensor`, for callers that only query shape and type, or that make further views of the
  /// tensor. Throws poplar_error for an invalid tensor.
  static const TensorData &shapeOf(const poplar::Tensor &tensor);
  static const std::shared_ptr<const TensorData> &pointer(const poplar::Tensor &tensor) { return tensor.data_; }

  static void setOrder(poplar::TensorRearranger &rearranger, std::shared_ptr<const Rearrangement> order) {
    rearranger.order_ = std::move(order);
  }

  static const ProgramPtr &node(const poplar::program::Program &program) { return program.node_; }
  static void setNode(poplar::program::Program &program, ProgramPtr node) { program.node_ = std::move(node); }

  static poplar::DataStream stream(std::shared_ptr<const StreamData> data);
  static poplar::RemoteBuffer buffer(std::shared_ptr<const StreamData> data);
  /// Returns the data of a stream or remote buffer. Throws poplar_error for a default-constructed handle.
  static const StreamData &data(const poplar::DataStream &stream);
  static const StreamData &data(const poplar::RemoteBuffer &buffer);

  static poplar::HostFunction hostFunction(std::size_t id, const std::string &handle,
                                           std::shared_ptr<GraphShared> graph) {
    poplar::HostFunction f;
    f.graph_ = std::move(graph);
    f.id_ = static_cast<unsigned>(id);
    f.handle_ = handle;
    return f;
  }
  static const std::shared_ptr<GraphShared> &graphOf(const poplar::HostFunction &f) { return f.graph_; }
  static poplar::FunctionBuffer functionBuffer(std::size_t id, const poplar::Function &function) {
    poplar::FunctionBuffer b;
    b.id_ = static_cast<unsigned>(id);
    b.function_ = function;
    return b;
  }
  static const poplar::Function &functionOf(const poplar::FunctionBuffer &buffer) { return buffer.function_; }

  static poplar::ComputeSet computeSet(GraphId graph, ComputeSetId id) {
    poplar::ComputeSet cs(id.index());
    cs.graph_ = graph.index();
    return cs;
  }
  static poplar::Function function(GraphId graph, FunctionId id) {
    poplar::Function f(id.index());
    f.graph_ = graph.index();
    return f;
  }
  /// Returns the graph of a compute set or function. The result is invalid for a handle that was made from a number.
  static GraphId graphOf(const poplar::ComputeSet &cs) { return GraphId(cs.graph_); }
  static GraphId graphOf(const poplar::Function &f) { return GraphId(f.graph_); }

  static poplar::VertexRef vertexRef(const GraphShared *graph, VertexId vertex);
  /// Returns the vertex of the reference. Throws poplar_error unless the reference belongs to `graph`.
  static VertexId vertex(const GraphShared &graph, const poplar::VertexRef &ref);
  static VertexId vertex(const GraphShared &graph, const poplar::FieldRef &ref);
  static std::uint16_t field(const poplar::FieldRef &ref) { return static_cast<std::uint16_t>(ref.field_); }

  static poplar::VertexIntrospector introspector(const GraphShared *graph, VertexId vertex);
  static poplar::FieldData fieldData(std::unique_ptr<FieldView> view);
};

} // namespace popscope
