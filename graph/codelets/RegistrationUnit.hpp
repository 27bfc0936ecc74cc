// RegistrationUnit: the text that is compiled for one codelet source: behind our registry (unitHead) the user's source
// under its own file name and lines, and one registration for each candidate class.
#pragma once
#include "graph/codelets/FindClasses.hpp"

#include <string>
#include <vector>

namespace popscope {

/// What stands before the text of each unit: headers of codelets and what deduces a class's fields.
std::string unitHead();
/// What makes the compiler print the layout of each class that it is asked to dump: see FindFields.
std::string layoutUnit(const std::string &file, const std::string &text, const FoundClasses &found);
/// The same text serves the host and the stand-in. The classes' fields are those that findFields found.
std::string registrationUnit(const std::string &file, const std::string &text, const FoundClasses &found);
/// Hash of the registry's text: part of every cache key.
std::string registryVersion();

/// What the compiler said of a registration unit, without our own part: lines about generated text are dropped.
/// `onlyMessages` also drops source excerpts, which would show generated text.
std::string userDiagnostics(const std::string &compilerOutput, bool onlyMessages);

} // namespace popscope
