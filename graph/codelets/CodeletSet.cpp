#include "graph/codelets/CodeletSet.hpp"

#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/ContentHash.hpp"
#include "graph/codelets/DescribeClasses.hpp"
#include "graph/codelets/EmbeddedText.hpp"
#include "graph/codelets/GraphObject.hpp"
#include "graph/codelets/LinkLibraries.hpp"
#include "graph/codelets/LoadLibrary.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
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
  throw poplar::file_load_error(
      path + ": the file name does not show the kind of codelet file; use the extension .cpp, .cc, .c, "
             ".S, .s, .ll or .gp, or give its CodeletFileType");
}

bool isForTheTileOnly(CodeletSourceKind kind) {
  return kind == CodeletSourceKind::PreprocessedAsm || kind == CodeletSourceKind::Asm || kind == CodeletSourceKind::Ir;
}

} // namespace

struct LoadedPart {
  CompiledLibrary library;
  std::vector<LoadedClass> classes;
};

namespace {

std::vector<LoadedPart> compileAndLoad(const CodeletSource &source, const CodeletOptions &options,
                                       std::ostream *output) {
  CompiledLibrary library;
  try {
    library = compileLibrary(source, options);
  } catch (const poplar::graph_program_compilation_error &error) {
    if (output != nullptr) { // prints the message without our own first line
      const std::string message = error.what();
      *output << message.substr(message.find('\n') + 1);
    }
    throw;
  }
  if (output != nullptr)
    *output << library.warnings;
  std::vector<LoadedClass> classes = loadLibrary(source.file, library);
  std::vector<LoadedPart> parts;
  parts.push_back({std::move(library), std::move(classes)});
  return parts;
}

std::vector<LoadedPart> loadGraphObject(const std::string &name, const std::string &bytes,
                                        const CodeletOptions &options) {
  std::vector<LoadedPart> parts;
  std::vector<std::string> targets;
  const std::vector<GraphObjectEntry> entries =
      readGraphObject(name, bytes, options.target, options.halfAsFloat, targets);
  for (const GraphObjectEntry &entry : entries) {
    CompiledLibrary library = unpackEntry(entry);
    std::vector<LoadedClass> loaded = loadLibrary(name, library);
    checkDescription(name, entry.classes, loaded, entry.architecture);
    parts.push_back({std::move(library), std::move(loaded)});
  }
  if (entries.empty() && !targets.empty()) {
    std::string known;
    for (const std::string &target : targets)
      known += (known.empty() ? "" : ", ") + target;
    throw poplar::graph_object_load_error(name + ": contains no codelets for the target '" + options.target +
                                          "', only for " + known + "; compile it with popc --target " + options.target);
  }
  return parts;
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
  const CodeletSourceKind actual = kindOf(path, kind);
  const std::string version = ContentHash()
                                  .add(*content)
                                  .add(options.flags)
                                  .add(options.target)
                                  .add(options.halfAsFloat ? "half as float" : "")
                                  .add(options.standIn ? "stand-in" : "")
                                  .add(std::to_string(static_cast<int>(actual)))
                                  .hex();
  const auto known = added_.find(name);
  if (known != added_.end() && known->second == version)
    return false;
  if (isForTheTileOnly(actual)) {
    skipped_.push_back(path);
    if (output != nullptr)
      *output << path << ": note: skipped, its instructions are the tile's own and cannot run here\n";
  } else if (actual == CodeletSourceKind::GraphObject)
    add(path, loadGraphObject(path, *content, options));
  else
    add(path, compileAndLoad({path, withoutByteOrderMark(*content), fs::path(path).parent_path().string(),
                              actual == CodeletSourceKind::C},
                             options, output));
  added_[name] = version;
  return true;
}

void CodeletSet::addSource(const std::string &text, CodeletSourceKind kind, const CodeletOptions &options,
                           std::ostream *output) {
  if (kind == CodeletSourceKind::GraphObject)
    add("graph object in memory", loadGraphObject("graph object in memory", text, options));
  else if (isForTheTileOnly(kind))
    skipped_.emplace_back("<codelet source>");
  else
    add("<codelet source>",
        compileAndLoad({"<codelet source>", withoutByteOrderMark(text), "", kind == CodeletSourceKind::C}, options,
                       output));
}

bool CodeletSet::addRuntimeVertices(const std::string &name, const CodeletOptions &options) {
  if (hasRuntimeVertices_ || normaliseVertexName(name).find("poplar_rt::") != 0)
    return false;
  const std::string origin = "<runtime vertices>";
  add(origin, compileAndLoad({origin, runtimeVerticesText(), "", false}, options, nullptr));
  hasRuntimeVertices_ = true;
  return true;
}

void CodeletSet::add(const std::string &origin, std::vector<LoadedPart> parts) {
  // Checks everything before it adds anything, so that a failed call leaves the set as it was.
  std::map<std::string, Origin> origins = origins_;
  for (LoadedPart &part : parts) {
    std::vector<LoadedClass> fresh;
    for (LoadedClass &loaded : part.classes) {
      const std::string name = loaded.vertexClass.name;
      const auto [known, added] = origins.insert({name, {origin, loaded.definedIn}});
      if (added) {
        fresh.push_back(std::move(loaded));
        continue;
      }
      // A class in a header that several codelet files include is one class.
      const bool sameHeader = known->second.definedIn == loaded.definedIn && loaded.definedIn != origin;
      const std::string &first = known->second.addedFrom;
      if (!sameHeader)
        throw poplar::graph_object_creation_error(
            "the vertex class '" + name + "' is defined by " +
            (first == origin ? origin + ", which this graph already has with other contents or flags; use a new graph"
                             : "both " + first + " and " + origin + "; rename one of them"));
    }
    part.classes = std::move(fresh);
  }
  origins_ = std::move(origins);
  bool linkable = false;
  for (LoadedPart &part : parts) {
    std::vector<int> indices;
    for (LoadedClass &loaded : part.classes) {
      indices.push_back(static_cast<int>(classes_.size()));
      byName_[loaded.vertexClass.name] = indices.back();
      classes_.push_back(std::move(loaded.vertexClass));
    }
    if (part.library.hostObject.empty() && part.library.hostFunctions.empty())
      continue;
    parts_.push_back({origin, std::make_shared<const CompiledLibrary>(std::move(part.library)), std::move(indices)});
    linkable = true;
  }
  if (linkable)
    linkParts();
}

void CodeletSet::linkParts() {
  for (Part &part : parts_) {
    if (part.library->missing.empty() || part.classes.empty())
      continue;
    std::vector<const CompiledLibrary *> others;
    for (const Part &other : parts_)
      if (&other != &part && !other.library->hostFunctions.empty())
        others.push_back(other.library.get());
    if (others.empty())
      continue;
    part.library = std::make_shared<const CompiledLibrary>(linkWithOthers(*part.library, others));
    std::vector<LoadedClass> loaded = loadLibrary(part.origin, *part.library);
    for (const int index : part.classes) {
      VertexClass &old = classes_[static_cast<std::size_t>(index)];
      const auto same = [&](const LoadedClass &l) { return l.vertexClass.name == old.name; };
      if (const auto at = std::find_if(loaded.begin(), loaded.end(), same); at != loaded.end())
        old = at->vertexClass;
    }
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
