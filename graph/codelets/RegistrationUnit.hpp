// RegistrationUnit: the text that Popscope compiles for one codelet source. The text begins with the registry
// (unitHead). Then comes the user's source, with its own file name and line numbers. One registration for each
// candidate class follows. The text ends with conversions of halves (HalfCalls.hpp) and the table of the classes.
#pragma once
#include "graph/codelets/FindClasses.hpp"

#include <string>
#include <vector>

namespace popscope {

/// Returns the text that precedes each source: the headers of codelets, and the code that deduces the fields of a
/// class.
std::string unitHead();
/// Returns a source text that makes the compiler print the layout of each class of `found`. findFields() reads this
/// output.
std::string layoutUnit(const std::string &file, const std::string &text, const FoundClasses &found);
/// Returns the registration unit without the registry, which the compiler includes before this text. Popscope compiles
/// this text twice: for the host, and for the substitute instruction set. The fields of the classes must be known
/// (findFields).
std::string registrationUnit(const std::string &file, const std::string &text, const FoundClasses &found);
/// Returns a hash of all text that Popscope adds to a source, such as the registry and the registrations. The hash is a
/// part of the cache keys of compiled sources and of precompiled headers.
std::string registryVersion();

/// Returns the compiler's messages about a registration unit, without lines about generated text. Also leaves out
/// warnings about conversions from half to float (-Wdouble-promotion), which a tile's compiler does not give. If
/// `onlyMessages` is true, also leaves out source excerpts, which would show generated text.
std::string userDiagnostics(const std::string &compilerOutput, bool onlyMessages);

} // namespace popscope
