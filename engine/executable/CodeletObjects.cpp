#include "engine/executable/CodeletObjects.hpp"

#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/LoadLibrary.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace popscope {
namespace {

std::string contentOf(const std::string &path, const std::string &className) {
  if (path.empty())
    return "";
  std::optional<std::string> content = readFile(path);
  if (!content)
    throw poplar::poplar_error(
        fmt::format("The executable cannot be serialized: the compiled codelets of vertex class '{}' are no "
                    "longer in the cache ({}). Compile the graph again.",
                    className, path));
  return std::move(*content);
}

} // namespace

CodeletObjects collectObjects(const CodeletSet &codelets) {
  CodeletObjects result;
  std::map<std::string, std::uint32_t> known; // by path of the shared object
  for (std::size_t i = 0; i < codelets.size(); ++i) {
    const VertexClass &c = codelets.at(static_cast<int>(i));
    const auto [at, added] = known.insert({c.objectFile, static_cast<std::uint32_t>(result.objects.size())});
    if (added)
      result.objects.push_back({contentOf(c.objectFile, c.name), contentOf(c.standInFile, c.name),
                                c.standInFile.empty() ? c.standInProblem : ""});
    result.classes.push_back({c.name, at->second});
  }
  return result;
}

CodeletSet loadObjects(const CodeletObjects &objects) {
  CodeletSet set;
  if (objects.classes.empty())
    return set;
  const CompileCache cache(findToolchain().cacheDir);
  std::vector<std::vector<LoadedClass>> libraries;
  for (const CodeletObject &object : objects.objects) {
    CompiledLibrary library;
    library.sharedObject = object.sharedObject.empty() ? "" : cache.keep(object.sharedObject, ".so");
    library.standInImage = object.standInImage.empty() ? "" : cache.keep(object.standInImage, ".rv");
    library.standInProblem = object.standInProblem;
    libraries.push_back(loadLibrary("executable", library));
  }
  for (const CodeletObjects::Class &c : objects.classes) {
    const bool known = c.object < libraries.size();
    const auto begin = known ? libraries[c.object].begin() : std::vector<LoadedClass>::iterator();
    const auto end = known ? libraries[c.object].end() : std::vector<LoadedClass>::iterator();
    const auto at = std::find_if(begin, end, [&](const LoadedClass &l) { return l.vertexClass.name == c.name; });
    if (at == end)
      throw poplar::poplar_error(
          fmt::format("The executable cannot be read: its codelets have no vertex class '{}'.", c.name));
    set.addClass(at->vertexClass);
  }
  return set;
}

} // namespace popscope
