// CanonicalName: the name under which a vertex class is known, from the name that its type has in object code.
//
//   N2ns1VIjLj4ELNS_2OpE1ELb1EEE  ->  ns::V<unsigned int,4,ns::Op::MUL,true>
// It has every argument, with defaults. Types are spelled as poplar::Type does, and enumerators are qualified.
#pragma once
#include <functional>
#include <string>

namespace popscope {

/// Returns the name of a value written as "(ns::Op)1", or "" if the value has no name; the value then stays unchanged.
using EnumeratorName = std::function<std::string(const std::string &literal)>;

/// Returns the name of a vertex type. `mangled` is the type's name by the Itanium ABI.
std::string canonicalVertexName(const std::string &mangled, const EnumeratorName &enumerator);

} // namespace popscope
