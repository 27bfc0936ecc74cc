// CanonicalName: converts the name that a vertex class has in object code to the name that graphs use.
//
//   N2ns1VIjLj4ELNS_2OpE1ELb1EEE  ->  ns::V<unsigned int,4,ns::Op::MUL,true>
// The result contains every template argument, including defaults. Types have the spelling of poplar::Type, and
// enumerators are qualified.
#pragma once
#include <functional>
#include <string>

namespace popscope {

/// A function that returns the enumerator's name for a value written as "(ns::Op)1". The function returns "" if the
/// value has no name; the canonical name then contains the value as written.
using EnumeratorName = std::function<std::string(const std::string &literal)>;

/// Returns the name of a vertex type. `mangled` is the type's name by the Itanium ABI.
std::string canonicalVertexName(const std::string &mangled, const EnumeratorName &enumerator);

} // namespace popscope
