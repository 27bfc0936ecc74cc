// FindClasses: the classes of a C++ source that may be vertices, found with libclang, and what else only the parser
// knows. Which fields a class has the parser tells (ParsedFields) or the compiler (FindFields); what they are, and
// whether the class really is a vertex, the registration unit decides by templates.
#pragma once
#include "graph/codelets/PrecompiledHeader.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace popscope {

struct SourcePlace {
  std::string file;
  unsigned line = 0;
};
struct CandidateField {
  std::string name;   // "" = unnamed
  std::string offset; // bytes, decimal, in the host object
  SourcePlace place;  // of the class when the field is inherited
};
struct CandidateClass {
  std::string spelling;                         // as named inside `scope`, e.g. "V<unsigned int, 4>"
  std::vector<std::string> scope;               // enclosing namespaces, "" = unnamed
  SourcePlace place;                            // of the definition or explicit instantiation
  std::map<std::string, SourcePlace> ownFields; // where the class's own fields are declared
  std::vector<CandidateField> fields;           // from the parser where known, else filled by findFields
  bool fieldsAreKnown = false;
  std::vector<std::string> constraints;
};
struct FoundClasses {
  std::vector<CandidateClass> classes; // in source order
  /// A value of an enumeration as a demangled name spells it, "(ns::E)1", and the enumerator, "ns::E::B".
  std::vector<std::pair<std::string, std::string>> enumerators;
  std::vector<std::string> headers; // the user's, as included: absolute paths
  std::vector<std::string> errors;  // "file:line:col: error: ..." of the parser
  bool hasWarnings = false;         // the parser's, with the user's flags
};

/// Parses `text` under the name `file` with the compiler's arguments. Throws poplar_error when libclang itself fails.
/// `vertexHeader` is the header of vertices, precompiled by precompileForParser; the parser uses it if the text begins
/// with that header.
FoundClasses findClasses(const std::string &file, const std::string &text, const std::vector<std::string> &arguments,
                         const PrecompiledHeader &vertexHeader = {});

/// Returns the text of the header of vertices, the input for vertexHeader of findClasses.
std::string vertexHeaderText();
/// Precompiles a header for the parser. precompileWith describes `known`.
Precompiled precompileForParser(const std::string &header, const std::vector<std::string> &arguments,
                                const std::vector<std::string> &known, const std::string &output);
/// Returns whether the text before #include <poplar/Vertex.hpp> consists only of comments and headers of the C++
/// library or of poplar: it then has the same meaning after that header.
bool beginsWithVertexHeader(const std::string &text);

} // namespace popscope
