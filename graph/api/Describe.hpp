// Describe: returns the texts that messages use to describe tensors, vertices and fields.
#pragma once
#include "graph/api/GraphShared.hpp"

#include <poplar/Tensor.hpp>

#include <string>
#include <vector>

namespace popscope {

/// Returns the shape as text, e.g. "{2,3}".
std::string shapeText(const std::vector<std::size_t> &shape);
/// Returns a description of the tensor, e.g. "tensor {2,3} of float (x, y)".
std::string describe(const TensorData &tensor);
std::string describe(const poplar::Tensor &tensor);
/// Returns the names of the first 8 variables of the tensor, in view order and without repetitions. If there are more
/// variables, "..." follows.
std::string variableNames(const TensorData &tensor, const char *separator);
/// Returns a description of the vertex, e.g. "vertex 7 of type Sum".
std::string describe(const GraphShared &graph, VertexId vertex);
/// Returns a description of the field, e.g. "field in of vertex 7 of type Sum".
std::string describe(const GraphShared &graph, VertexId vertex, std::uint16_t field);
/// Returns the names of the fields, e.g. "in, out, scale".
std::string fieldList(const VertexClass &vertexClass);
[[noreturn]] void throwUnknownField(const VertexClass &vertexClass, const std::string &field);
const FieldInfo &fieldInfo(const GraphShared &graph, VertexId vertex, std::uint16_t field);

} // namespace popscope
