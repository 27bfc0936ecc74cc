// CodeletObjects: the compiled codelets of a program as bytes. A CodeletObjects contains each library once.
#pragma once
#include "graph/codelets/CodeletSet.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace popscope {

struct CodeletObject {
  std::string sharedObject, standInImage, standInProblem;
}; // file contents; "" if there is no such file
struct CodeletObjects {
  struct Class {
    std::string name;
    std::uint32_t object = 0;
  };
  std::vector<CodeletObject> objects;
  std::vector<Class> classes; // in the order of the CodeletSet
};

/// Reads the files of all libraries of `codelets`. Throws poplar::poplar_error if the file of a library no longer
/// exists.
CodeletObjects collectObjects(const CodeletSet &codelets);
/// Loads the classes of `objects`. Throws poplar::poplar_error if a library does not contain one of its classes, and
/// poplar::graph_object_load_error if a library cannot be loaded.
CodeletSet loadObjects(const CodeletObjects &objects);

} // namespace popscope
