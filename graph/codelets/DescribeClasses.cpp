#include "graph/codelets/DescribeClasses.hpp"

#include "base/JsonText.hpp"
#include "graph/codelets/CompileLibrary.hpp"
#include "graph/codelets/TileLayout.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <poplar/exceptions.hpp>

namespace popscope {
namespace {

using Json = nlohmann::json;

constexpr const char *kKinds[] = {"Vertex", "SupervisorVertex", "MultiVertex"};
constexpr const char *kDirections[] = {"state", "input", "output", "inout"};
constexpr const char *kShapes[] = {"scalar", "vector", "vector of scalars", "vector of vectors", "vector list"};
constexpr const char *kPtrLayouts[] = {
    "", "SPAN", "SHORT_SPAN", "ONE_PTR", "SCALED_PTR32", "SCALED_PTR64", "SCALED_PTR128", "COMPACT_PTR"};
constexpr const char *kListLayouts[] = {"",       "ONE_PTR",        "SCALED_PTR32",  "SCALED_PTR64", "SCALED_PTR128",
                                        "DELTAN", "DELTANELEMENTS", "COMPACT_DELTAN"};

template <class E> const char *nameIn(const char *const *names, E value) {
  return names[static_cast<std::size_t>(value)];
}

std::string layoutOf(const FieldInfo &field) {
  std::string layout =
      field.shape == FieldShape::VectorList ? nameIn(kListLayouts, field.list) : nameIn(kPtrLayouts, field.outer);
  if (field.inner != PtrLayout::NotAVector)
    layout += std::string(" of ") + nameIn(kPtrLayouts, field.inner);
  return layout;
}

Json describeClass(const VertexClass &c, const std::string &target) {
  Json fields = Json::array();
  for (const FieldInfo &field : c.fields)
    fields.push_back({{"name", field.name},
                      {"direction", nameIn(kDirections, field.direction)},
                      {"shape", nameIn(kShapes, field.shape)},
                      {"type", elementTypeName(field.type)},
                      {"layout", layoutOf(field)},
                      {"minAlign", field.minAlign}});
  return {{"name", c.name},
          {"kind", nameIn(kKinds, c.kind)},
          {"fields", std::move(fields)},
          {"constraints", c.constraints},
          {"stateBytes", targetArchitecture(target).isHost() ? 0 : tileStateBytes(c, target)},
          {"codeBytes", c.codeBytes}};
}

} // namespace

std::string describeClasses(const std::vector<LoadedClass> &classes, const std::string &target) {
  std::vector<const VertexClass *> sorted;
  for (const LoadedClass &loaded : classes)
    sorted.push_back(&loaded.vertexClass);
  std::sort(sorted.begin(), sorted.end(), [](const VertexClass *a, const VertexClass *b) { return a->name < b->name; });
  Json all = Json::array();
  for (const VertexClass *c : sorted)
    all.push_back(describeClass(*c, target));
  return jsonText(all);
}

void checkDescription(const std::string &name, const std::string &description, const std::vector<LoadedClass> &classes,
                      const std::string &target) {
  if (description != describeClasses(classes, target))
    throw poplar::graph_object_load_error(name + ": its description of vertex classes does not match its code; make "
                                                 "the graph object again with popc");
}

} // namespace popscope
