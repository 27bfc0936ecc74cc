// ParsedFields: finds the fields of a class with the parser alone. This works if the only base of the class is one of
// poplar's vertex classes. For other classes, FindFields starts a process of the compiler to list inherited fields.
#pragma once
#include "graph/codelets/FindClasses.hpp"

namespace popscope {

/// Fills `fields`, and sets `fieldsAreKnown` if they are complete. `cursor` and `definition` point to CXCursors: that
/// of the class, and that of the template from which it is instantiated (the same cursor if it is no instantiation).
void takeParsedFields(const void *cursor, const void *definition, CandidateClass &candidate);

} // namespace popscope
