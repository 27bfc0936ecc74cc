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
  std::vector<Class> classes; // as the CodeletSet numbers them
};

/// Throws poplar::poplar_error when a library's file is gone.
CodeletObjects collectObjects(const CodeletSet &codelets);
/// Throws poplar::poplar_error when a class is not in its library, poplar::graph_object_load_error when one cannot be
/// loaded.
CodeletSet loadObjects(const CodeletObjects &objects);

} // namespace popscope
