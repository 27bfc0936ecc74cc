// ParsedFields: finds the fields of a class with the parser alone. This works if the only base of the class is one of
// poplar's vertex classes. For other classes, FindFields starts a process of the compiler to list inherited fields.
#pragma once
#include "graph/codelets/FindClasses.hpp"

namespace popscope {

/// Fills `fields` and sets `fieldsAreKnown` where that is all. `cursor` and `definition` point at CXCursors: of the
/// class, and of the template it is an instantiation of, or the same.
void takeParsedFields(const void *cursor, const void *definition, CandidateClass &candidate);

} // namespace popscope
