// CodeletObjects: the compiled codelets of a program as bytes: each library once, and the classes in their order.
#pragma once
#include "graph/codelets/CodeletSet.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace popscope {

struct CodeletObject {
  std::string sharedObject, standInImage, standInProblem;
}; // bytes; "" = none
struct CodeletObjects {
  struct Class {
    std::string name;
    std::uint32_t object = 0;
  };
  std::vector<CodeletObject> objects;
  std::vector<Class> classes; // classes in the order of the CodeletSet
};

/// Reads the libraries. Throws poplar::poplar_error if a library's file is gone.
CodeletObjects collectObjects(const CodeletSet &codelets);
/// Loads the classes. Throws poplar::poplar_error if a class is not in its library, and poplar::graph_object_load_error
/// if one cannot be loaded.
CodeletSet loadObjects(const CodeletObjects &objects);

} // namespace popscope
