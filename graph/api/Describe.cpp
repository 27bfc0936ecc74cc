#include "graph/api/Describe.hpp"

#include "base/EditDistance.hpp"
#include "graph/api/GraphAccess.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <fmt/format.h>

namespace popscope {

std::string shapeText(const std::vector<std::size_t> &shape) { return fmt::format("{{{}}}", fmt::join(shape, ",")); }

std::string variableNames(const TensorData &tensor, const char *separator) {
  constexpr std::size_t kMost = 8;
  std::vector<GraphVarId> vars;
  for (const ViewRun &run : tensor.view.runs) {
    if (std::find(vars.begin(), vars.end(), run.var) == vars.end())
      vars.push_back(run.var);
    if (vars.size() > kMost)
      break;
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(vars.size(), kMost); ++i) {
    const std::string &name = tensor.graph->ir.names[tensor.graph->ir.vars[vars[i]].name];
    text += (i == 0 ? "" : separator) + (name.empty() ? fmt::format("variable {}", vars[i].index()) : name);
  }
  return vars.size() > kMost ? text + separator + "..." : text;
}

std::string describe(const TensorData &tensor) {
  const std::string names = variableNames(tensor, ", ");
  return fmt::format("tensor {} of {}{}", shapeText(tensor.view.shape), elementTypeName(tensor.view.type),
                     names.empty() ? "" : " (" + names + ")");
}

std::string describe(const poplar::Tensor &tensor) { return describe(GraphAccess::data(tensor)); }

std::string describe(const GraphShared &graph, VertexId vertex) {
  return fmt::format("vertex {} of type {}", vertex.index(),
                     graph.ir.codelets.at(graph.ir.vertices[vertex].codelet).name);
}

const FieldInfo &fieldInfo(const GraphShared &graph, VertexId vertex, std::uint16_t field) {
  return graph.ir.codelets.at(graph.ir.vertices[vertex].codelet).fields[field];
}

std::string describe(const GraphShared &graph, VertexId vertex, std::uint16_t field) {
  return fmt::format("field {} of {}", fieldInfo(graph, vertex, field).name, describe(graph, vertex));
}

namespace {
std::vector<std::string> fieldNames(const VertexClass &vertexClass) {
  std::vector<std::string> names;
  for (const FieldInfo &f : vertexClass.fields)
    names.push_back(f.name);
  return names;
}
} // namespace

std::string fieldList(const VertexClass &vertexClass) {
  return fmt::format("{}", fmt::join(fieldNames(vertexClass), ", "));
}

void throwUnknownField(const VertexClass &vertexClass, const std::string &field) {
  throw poplar::unknown_field(fmt::format("Vertex type {} has no field \"{}\".{} Its fields are: {}.", vertexClass.name,
                                          field, didYouMean(field, fieldNames(vertexClass)), fieldList(vertexClass)));
}

} // namespace popscope
