// ParsedFields: the fields that the parser itself can tell: of a class whose only base is one of the classes that make
// a vertex, its own. What other classes inherit FindFields asks the compiler, which takes a process.
#pragma once
#include "graph/codelets/FindClasses.hpp"

namespace popscope {

/// Fills `fields` and sets `fieldsAreKnown` where that is all. `cursor` and `definition` point at CXCursors: of the
/// class, and of the template it is an instantiation of, or the same.
void takeParsedFields(const void *cursor, const void *definition, CandidateClass &candidate);

} // namespace popscope
