// FindFields: finds the fields that the compiler lays out for a class, including inherited fields. FindFields reads the
// fields from the compiler's dump of record layouts, because only the compiler fully instantiates a class with
// dependent bases.
#pragma once
#include "graph/codelets/FindClasses.hpp"

#include <string>
#include <vector>

namespace popscope {

/// Fills `fields` of every class. Fields of base classes come first. `dump` is the compiler's output for the source
/// that layoutUnit() returns. A class that is abstract or does not derive from a vertex base gets no fields. If `dump`
/// lacks the description of a class, throws poplar::graph_program_compilation_error; the message contains `file` and
/// the class.
void findFields(const std::string &file, const std::string &dump, std::vector<CandidateClass> &classes);

} // namespace popscope
