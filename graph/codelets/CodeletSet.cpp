#include "graph/codelets/CodeletSet.hpp"

#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/ContentHash.hpp"
#include "graph/codelets/DescribeClasses.hpp"
#include "graph/codelets/GraphObject.hpp"
#include "graph/codelets/LoadLibrary.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <ostream>
#include <poplar/exceptions.hpp>

namespace popscope {
namespace {

namespace fs = std::filesystem;

CodeletSourceKind kindOf(const std::string &path, CodeletSourceKind kind) {
  if (kind != CodeletSourceKind::Auto)
    return kind;
  const std::string extension = fs::path(path).extension().string();
  if (extension == ".c")
    return CodeletSourceKind::C;
  if (extension == ".S")
    return CodeletSourceKind::PreprocessedAsm;
  if (extension == ".s")
    return CodeletSourceKind::Asm;
  if (extension == ".ll")
    return CodeletSourceKind::Ir;
  if (extension == ".gp")
    return CodeletSourceKind::GraphObject;
  if (extension == ".cpp" || extension == ".cc" || extension == ".cxx" || extension == ".C")
    return CodeletSourceKind::Cpp;
  throw poplar::file_load_error(path + ": the kind of codelet file cannot be told from its name; end it in .cpp, .cc, .c, "
                                       ".S, .s, .ll or .gp, or give its CodeletFileType");
}

bool isForTheTileOnly(CodeletSourceKind kind) {
  return kind == CodeletSourceKind::PreprocessedAsm || kind == CodeletSourceKind::Asm || kind == CodeletSourceKind::Ir;
}

std::vector<LoadedClass> compileAndLoad(const CodeletSource &source, const CodeletOptions &options, std::ostream *output) {
  const CompiledLibrary library = compileLibrary(source, options);
  if (output != nullptr)
    *output << library.warnings;
  return loadLibrary(source.file, library);
}

std::vector<LoadedClass> loadGraphObject(const std::string &name, const std::string &bytes, const CodeletOptions &options) {
  const CompileCache cache(findToolchain().cacheDir);
  std::vector<LoadedClass> classes;
  std::vector<std::string> targets;
  const std::vector<GraphObjectEntry> entries = readGraphObject(name, bytes, options.target, targets);
  for (const GraphObjectEntry &entry : entries) {
    CompiledLibrary library;
    library.sharedObject = entry.sharedObject.empty() ? "" : cache.keep(entry.sharedObject, ".so");
    library.standInImage = entry.standInImage.empty() ? "" : cache.keep(entry.standInImage, ".rv");
    library.standInProblem = entry.standInProblem;
    std::vector<LoadedClass> loaded = loadLibrary(name, library);
    checkDescription(name, entry.classes, loaded, entry.target);
    std::move(loaded.begin(), loaded.end(), std::back_inserter(classes));
  }
  if (entries.empty() && !targets.empty()) {
    std::string known;
    for (const std::string &target : targets)
      known += (known.empty() ? "" : ", ") + target;
    throw poplar::graph_object_load_error(name + ": holds no codelets for the target '" + options.target + "', only for " +
                                          known + "; compile it with popc --target " + options.target);
  }
  return classes;
}

} // namespace

bool CodeletSet::addFile(const std::string &path, CodeletSourceKind kind, const CodeletOptions &options,
                         std::ostream *output) {
  const std::optional<std::string> content = readFile(path);
  if (!content)
    throw poplar::file_load_error(path + ": the codelet file cannot be read; paths are relative to the current folder");
  std::error_code error;
  const fs::path canonical = fs::canonical(path, error);
  const std::string name = error ? path : canonical.string();
  const std::string version = ContentHash().add(*content).add(options.flags).add(options.target).hex();
  const auto known = added_.find(name);
  if (known != added_.end() && known->second == version)
    return false;
  const CodeletSourceKind actual = kindOf(path, kind);
  if (isForTheTileOnly(actual)) {
    if (output != nullptr)
      *output << path << ": note: skipped, its instructions are the tile's own and cannot run here\n";
  } else if (actual == CodeletSourceKind::GraphObject)
    add(path, loadGraphObject(path, *content, options));
  else
    add(path, compileAndLoad({path, *content, fs::path(path).parent_path().string(), actual == CodeletSourceKind::C},
                             options, output));
  added_[name] = version;
  return true;
}

void CodeletSet::addSource(const std::string &text, CodeletSourceKind kind, const CodeletOptions &options,
                           std::ostream *output) {
  if (kind == CodeletSourceKind::GraphObject)
    add("graph object in memory", loadGraphObject("graph object in memory", text, options));
  else if (!isForTheTileOnly(kind))
    add("<codelet source>", compileAndLoad({"<codelet source>", text, "", kind == CodeletSourceKind::C}, options, output));
}

void CodeletSet::add(const std::string &origin, std::vector<LoadedClass> classes) {
  // Everything is checked before anything is added, so that a failed call leaves the set as it was.
  std::vector<LoadedClass> fresh;
  std::map<std::string, Origin> origins = origins_;
  for (LoadedClass &loaded : classes) {
    const std::string name = loaded.vertexClass.name;
    const auto [known, added] = origins.insert({name, {origin, loaded.definedIn}});
    if (added) {
      fresh.push_back(std::move(loaded));
      continue;
    }
    // A header that several codelet files include may define a class: that is one class.
    const bool sameHeader = known->second.definedIn == loaded.definedIn && loaded.definedIn != origin;
    if (!sameHeader)
      throw poplar::graph_object_creation_error("the vertex class '" + name + "' is defined by both " +
                                                known->second.addedFrom + " and " + origin + "; rename one of them");
  }
  origins_ = std::move(origins);
  for (LoadedClass &loaded : fresh) {
    byName_[loaded.vertexClass.name] = static_cast<int>(classes_.size());
    classes_.push_back(std::move(loaded.vertexClass));
  }
}

int CodeletSet::indexOf(const std::string &name) const {
  auto at = byName_.find(name);
  if (at == byName_.end())
    at = byName_.find(normaliseVertexName(name));
  return at == byName_.end() ? -1 : at->second;
}

const VertexClass *CodeletSet::find(const std::string &name) const {
  const int index = indexOf(name);
  return index < 0 ? nullptr : &at(index);
}

} // namespace popscope
