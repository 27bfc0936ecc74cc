// LoadLibrary: from a compiled library to its vertex classes.
#pragma once
#include "graph/codelets/CompileLibrary.hpp"
#include "graph/codelets/GraphObject.hpp"
#include "graph/codelets/VertexClass.hpp"

#include <string>
#include <vector>

namespace popscope {

struct LoadedClass {
  VertexClass vertexClass;
  std::string definedIn; // file that holds the definition
};

/// The files of an entry of a graph object, in the cache.
CompiledLibrary unpackEntry(const GraphObjectEntry &entry);

/// `name` is the source or archive as the user knows it. Throws poplar::graph_object_load_error when the object cannot
/// be loaded. A stand-in image that cannot be read only sets standInProblem.
std::vector<LoadedClass> loadLibrary(const std::string &name, const CompiledLibrary &library);

} // namespace popscope
