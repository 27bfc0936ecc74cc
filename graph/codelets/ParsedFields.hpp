// ParsedFields: finds the fields of a class with the parser alone. The parser suffices if
// - the only base of the class is one of poplar's vertex classes, and is not a virtual base,
// - the class is not abstract, and
// - the class has no bit-fields, no unnamed fields, and no fields whose offsets libclang does not know.
// For other classes, a process of the compiler lists the fields (FindFields).
#pragma once
#include "graph/codelets/FindClasses.hpp"

namespace popscope {

/// Fills `fields` and sets `fieldsAreKnown` if the parser suffices. Otherwise leaves `fields` empty and
/// `fieldsAreKnown` false. `cursor` points to the CXCursor of the class. `definition` points to the CXCursor of the
/// template from which the class is instantiated. For a class that is no instance of a template, `definition` points to
/// the CXCursor of the class.
void takeParsedFields(const void *cursor, const void *definition, CandidateClass &candidate);

} // namespace popscope
