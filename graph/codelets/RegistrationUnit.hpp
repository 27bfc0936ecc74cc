// RegistrationUnit: the text that is compiled for one codelet source: our registry, the user's source under its own
// file name and lines, and one registration for each candidate class.
#pragma once
#include "graph/codelets/FindClasses.hpp"

#include <string>
#include <vector>

namespace popscope {

/// The same text serves the host and the stand-in.
std::string registrationUnit(const std::string &file, const std::string &text,
                             const std::vector<CandidateClass> &classes);
/// Hash of the registry's text: part of every cache key.
std::string registryVersion();

/// What the compiler said of a registration unit, without our own part: lines about generated text are dropped.
/// `onlyMessages` also drops source excerpts, which would show generated text.
std::string userDiagnostics(const std::string &compilerOutput, bool onlyMessages);

} // namespace popscope
