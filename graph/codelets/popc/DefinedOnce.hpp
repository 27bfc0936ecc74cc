// DefinedOnce: refuses inputs that define two vertex classes with the same name.
#pragma once
#include "graph/codelets/GraphObject.hpp"

#include <string>
#include <vector>

namespace popscope {

/// Throws poplar::graph_object_creation_error if two entries of graph objects define vertex classes with the same name,
/// and the entries have the same target and the same kind of half. The message contains the class and both files.
/// Throws poplar::graph_object_load_error if the index of a graph object is damaged. Several sources may include the
/// header that defines a class, because this class counts as one class. `inputs` contains, for each entry, the file
/// from which popc read the entry.
void checkDefinedOnce(const std::vector<GraphObjectEntry> &entries, const std::vector<std::string> &inputs);

} // namespace popscope
