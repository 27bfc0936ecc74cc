// LoadLibrary: loads a compiled library and returns its vertex classes.
#pragma once
#include "graph/codelets/CompileLibrary.hpp"
#include "graph/codelets/GraphObject.hpp"
#include "graph/codelets/VertexClass.hpp"

#include <string>
#include <vector>

namespace popscope {

struct LoadedClass {
  VertexClass vertexClass;
  std::string definedIn; // the file that contains the definition
};

/// Unpacks the files of an entry of a graph object into the cache.
CompiledLibrary unpackEntry(const GraphObjectEntry &entry);

/// Loads a library. `name` is the user's name for the source or archive. Throws poplar::graph_object_load_error if the
/// object cannot be loaded, if a static object of the codelets throws, or if another version of Popscope compiled the
/// object. If the image of the substitute instruction set cannot be read, sets standInProblem and does not throw. A
/// library without a shared object has no classes.
std::vector<LoadedClass> loadLibrary(const std::string &name, const CompiledLibrary &library);

} // namespace popscope
