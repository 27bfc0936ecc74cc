// FindFields: the fields that the compiler itself lays out for a class, inherited ones included. Asked of the compiler
// (its dump of record layouts), because only there is a class with dependent bases fully instantiated.
#pragma once
#include "graph/codelets/FindClasses.hpp"

#include <string>
#include <vector>

namespace popscope {

/// Fills `fields` of every class, bases first, from what the compiler printed for layoutUnit(). Empty for a class that
/// does not derive from a vertex base. Throws poplar::graph_program_compilation_error naming `file` and the class when
/// the output does not describe it.
void findFields(const std::string &file, const std::string &dump, std::vector<CandidateClass> &classes);

} // namespace popscope
