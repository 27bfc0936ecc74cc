// Classes that look as if they were meant as vertices and are none, with the reason: what popc says of an archive
// without a vertex class.
#pragma once
#include "graph/codelets/CompileLibrary.hpp"

namespace popscope {

/// "FILE:LINE: class 'Add' is no vertex: it has no compute()". Parses again, with the compiler's arguments: for a
/// source in which no vertex was found.
std::vector<std::string> findNearMisses(const std::string &file, const std::string &text,
                                        const std::vector<std::string> &arguments);
/// The same of a source as compileLibrary takes it.
std::vector<std::string> whyNoVertices(const CodeletSource &source, const CodeletOptions &options);

} // namespace popscope
