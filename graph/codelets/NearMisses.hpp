// NearMisses: finds two mistakes about which popc warns. The first mistake is a class that is probably meant as a
// vertex, but is no vertex class. In sources without vertex classes, popc looks for this mistake. The second mistake is
// a vertex whose compute() is not public. In all other sources, popc looks for the second mistake, and for misspelt
// names of compute().
#pragma once
#include "graph/codelets/CompileLibrary.hpp"

namespace popscope {

/// Returns reasons such as "FILE:LINE: class 'Add' is no vertex: it has no compute()". Call findNearMisses for a source
/// without vertex classes. Parses the source again with the compiler's arguments.
std::vector<std::string> findNearMisses(const CodeletSource &source, const std::vector<std::string> &arguments);
/// Parses the source, and returns the messages that hiddenComputes would return.
std::vector<std::string> findHiddenComputes(const CodeletSource &source, const std::vector<std::string> &arguments);
/// Calls findNearMisses for `source` with the compiler's arguments for `options`, and returns its reasons.
std::vector<std::string> whyNoVertices(const CodeletSource &source, const CodeletOptions &options);
/// Returns "FILE:LINE: the compute() of class 'Add' is not public" for each vertex of the source whose compute() is not
/// public. Popscope runs such a vertex nevertheless. Also returns the reason of findNearMisses for each class that has
/// a method such as Compute(), no compute(), and a base whose name contains "Vertex". popc does not call findNearMisses
/// for a source that has other vertices. Parses the source only if the source probably contains a class with one of
/// these mistakes.
std::vector<std::string> hiddenComputes(const CodeletSource &source, const CodeletOptions &options);

} // namespace popscope
