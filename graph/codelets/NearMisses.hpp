// NearMisses: finds mistakes about which popc warns. In a source without vertex classes, popc looks for classes that
// are probably meant as vertices, but are no vertex classes. In any other source, popc looks for vertices whose
// compute() is not public, and for misspelt names of compute().
#pragma once
#include "graph/codelets/CompileLibrary.hpp"

namespace popscope {

/// Returns reasons such as "FILE:LINE: class 'Add' is no vertex: it has no compute()". Call findNearMisses for a source
/// without vertex classes. Parses the source again with the compiler's arguments.
std::vector<std::string> findNearMisses(const CodeletSource &source, const std::vector<std::string> &arguments);
/// Parses the source, and returns the messages that hiddenComputes would return.
std::vector<std::string> findHiddenComputes(const CodeletSource &source, const std::vector<std::string> &arguments);
/// Calls findNearMisses for `source` with the compiler's arguments for `options`, and returns the reasons of
/// findNearMisses.
std::vector<std::string> whyNoVertices(const CodeletSource &source, const CodeletOptions &options);
/// Returns "FILE:LINE: the compute() of class 'Add' is not public" for each vertex of the source whose compute() is not
/// public. Popscope runs such a vertex nevertheless. Also returns the reason of findNearMisses for each class with a
/// misspelt compute(). Such a class has a method such as Compute(), has no compute(), and has a base whose name
/// contains "Vertex". popc calls hiddenComputes instead of findNearMisses for a source that has vertices. Parses the
/// source only if the source probably contains a class with a misspelt compute(), or with a compute() that is not
/// public.
std::vector<std::string> hiddenComputes(const CodeletSource &source, const CodeletOptions &options);

} // namespace popscope
