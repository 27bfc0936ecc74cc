#include "graph/codelets/popc/DefinedOnce.hpp"

#include "base/JsonText.hpp"
#include "graph/codelets/LoadLibrary.hpp"

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <poplar/exceptions.hpp>
#include <tuple>

namespace popscope {
namespace {

using Json = nlohmann::json;

std::vector<std::string> classNames(const GraphObjectEntry &entry, const std::string &input) {
  std::vector<std::string> names;
  try {
    for (const Json &one : jsonOf(entry.classes.empty() ? "[]" : entry.classes))
      names.push_back(one.at("name").get<std::string>());
  } catch (const Json::exception &) {
    throw poplar::graph_object_load_error(input + ": its index is damaged; make the graph object again with popc");
  }
  return names;
}

/// Returns the files that define the classes of an entry, by class.
std::map<std::string, std::string> definitions(const GraphObjectEntry &entry, const std::string &input) {
  std::map<std::string, std::string> files;
  for (const LoadedClass &loaded : loadLibrary(input, unpackEntry(entry)))
    files[loaded.vertexClass.name] = loaded.definedIn;
  return files;
}

} // namespace

void checkDefinedOnce(const std::vector<GraphObjectEntry> &entries, const std::vector<std::string> &inputs) {
  std::map<std::tuple<std::string, bool, std::string>, std::size_t> first; // target, halfAsFloat, class -> entry
  std::map<std::size_t, std::map<std::string, std::string>> loaded;        // only for entries that share a name
  const auto definedIn = [&](std::size_t i, const std::string &name) {
    if (loaded.count(i) == 0)
      loaded[i] = definitions(entries[i], inputs[i]);
    return loaded[i][name];
  };
  const auto origin = [&](std::size_t i) {
    return inputs[i] == entries[i].source ? inputs[i] : inputs[i] + " (compiled from " + entries[i].source + ")";
  };
  for (std::size_t i = 0; i != entries.size(); ++i) {
    for (const std::string &name : classNames(entries[i], inputs[i])) {
      const auto [known, added] = first.insert({{entries[i].target, entries[i].halfAsFloat, name}, i});
      if (added)
        continue;
      const std::size_t other = known->second;
      const std::string file = definedIn(i, name);
      const bool isOfHeader = file != entries[i].source || file != entries[other].source;
      if (isOfHeader && file == definedIn(other, name))
        continue;
      throw poplar::graph_object_creation_error(
          "the vertex class '" + name + "' is defined by both " + origin(other) + " and " + origin(i) +
          (origin(other) == origin(i) ? "; give the file once" : "; rename one of them, or leave one file out"));
    }
  }
}

} // namespace popscope
