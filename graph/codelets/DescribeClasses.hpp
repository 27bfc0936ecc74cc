// DescribeClasses: writes the vertex classes of a compiled library as JSON, for the index of a graph object. A reader
// of the index then finds the classes without loading any code.
//
//   [{"name", "kind", "fields": [{"name", "direction", "shape", "type", "layout", "minAlign"}], "constraints": [...],
//     "stateBytes", "codeBytes"}], sorted by name
#pragma once
#include "graph/codelets/LoadLibrary.hpp"

namespace popscope {

/// Describes classes as text. `target` determines stateBytes, which is 0 for "cpu".
std::string describeClasses(const std::vector<LoadedClass> &classes, const std::string &target);

/// Throws poplar::graph_object_load_error if `description` does not match the classes. In this case, the code and the
/// description come from different compilations. The message contains `name`.
void checkDescription(const std::string &name, const std::string &description, const std::vector<LoadedClass> &classes,
                      const std::string &target);

} // namespace popscope
