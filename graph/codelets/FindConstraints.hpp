// FindConstraints: finds the [[poplar::constraint("...")]] attributes of a class. The parser drops unknown attributes,
// so findConstraints reads these attributes from the tokens.
#pragma once
#include <string>
#include <vector>

struct CXTranslationUnitImpl; // declared here, so that this header does not include libclang

namespace popscope {

/// Returns the constraints of a class and of its member functions, in source order. Ignores attributes in skipped
/// preprocessor branches. `definition` points to the CXCursor of the class.
std::vector<std::string> findConstraints(CXTranslationUnitImpl *unit, const void *definition);

} // namespace popscope
