// Describe: how messages name tensors, vertices and fields.
#pragma once
#include "graph/api/GraphShared.hpp"

#include <poplar/Tensor.hpp>

#include <string>
#include <vector>

namespace popscope {

/// "{2,3}"
std::string shapeText(const std::vector<std::size_t> &shape);
/// "tensor {2,3} of float (x, y)"
std::string describe(const TensorData &tensor);
std::string describe(const poplar::Tensor &tensor);
/// Names of the variables, in view order, each once; at most a few.
std::string variableNames(const TensorData &tensor, const char *separator);
/// "vertex 7 of type Sum"
std::string describe(const GraphShared &graph, VertexId vertex);
/// "field in of vertex 7 of type Sum"
std::string describe(const GraphShared &graph, VertexId vertex, std::uint16_t field);
/// "in, out, scale"
std::string fieldList(const VertexClass &vertexClass);
[[noreturn]] void throwUnknownField(const VertexClass &vertexClass, const std::string &field);
const FieldInfo &fieldInfo(const GraphShared &graph, VertexId vertex, std::uint16_t field);

} // namespace popscope
