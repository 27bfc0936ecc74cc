// NearMisses: finds two mistakes of which popc warns: a class that was probably meant as a vertex, in an archive
// without vertex classes; and a vertex whose compute() is not public.
#pragma once
#include "graph/codelets/CompileLibrary.hpp"

namespace popscope {

/// Returns reasons such as "FILE:LINE: class 'Add' is no vertex: it has no compute()". Call it for a source in which no
/// vertex was found. It parses the source again with the compiler's arguments.
std::vector<std::string> findNearMisses(const std::string &file, const std::string &text,
                                        const std::vector<std::string> &arguments);
/// Returns the messages that hiddenComputes describes.
std::vector<std::string> findHiddenComputes(const std::string &file, const std::string &text,
                                            const std::vector<std::string> &arguments);
/// Calls findNearMisses for `source` with the compiler's arguments for `options`, and returns its reasons.
std::vector<std::string> whyNoVertices(const CodeletSource &source, const CodeletOptions &options);
/// Returns "FILE:LINE: the compute() of class 'Add' is not public" for each such vertex of the source. Such a vertex
/// runs nevertheless. Also returns the reason that findNearMisses gives for a class that derives from a vertex class
/// and has a Compute() but no compute(), because findNearMisses is not called for a source with other vertices. Parses
/// a source only if it probably contains a class of either kind.
std::vector<std::string> hiddenComputes(const CodeletSource &source, const CodeletOptions &options);

} // namespace popscope
