// FindClasses: uses libclang to find the classes of a C++ source that may be vertex classes, and other facts that only
// the parser knows. The parser (ParsedFields) or the compiler (FindFields) lists the fields of a class. Templates of
// the registration unit then decide the kind of each field, and whether the class is a vertex class.
#pragma once
#include "graph/codelets/CodeletSource.hpp"
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
  std::string name;   // "" for an unnamed field
  std::string offset; // offset in the host object in bytes, as decimal text; "" if unknown
  SourcePlace place;  // the place of the field's declaration, or the place of the class if the field is inherited
};
struct CandidateClass {
  std::string spelling;                         // the name as written inside `scope`, e.g. "V<unsigned int, 4>"
  std::vector<std::string> scope;               // enclosing namespaces; "" for an unnamed namespace
  SourcePlace place;                            // the place of the definition or explicit instantiation
  std::map<std::string, SourcePlace> ownFields; // the places where the class declares its own fields
  std::vector<CandidateField> fields; // the fields, from the parser if fieldsAreKnown, otherwise from findFields
  bool fieldsAreKnown = false;
  std::vector<std::string> constraints;
};
struct FoundClasses {
  std::vector<CandidateClass> classes; // in source order
  /// The enumerators, as pairs of texts. The first text is the value in the form of demangled names, "(ns::E)1". The
  /// second text is the enumerator's name, "ns::E::B".
  std::vector<std::pair<std::string, std::string>> enumerators;
  std::vector<std::string> headers; // absolute paths of the user's headers that the source includes
  std::vector<std::string> errors;  // "file:line:col: error: ..." of the parser
  bool hasWarnings = false;         // true: with the user's flags, the parser reported warnings
};

/// Parses `source` with the compiler's arguments. Throws poplar::graph_program_compilation_error if libclang itself
/// fails. Does not throw for errors in the text. FoundClasses::errors lists these errors. `vertexHeader` is the header
/// <poplar/Vertex.hpp>, precompiled by precompileForParser. The parser uses the precompiled header if
/// beginsWithVertexHeader(source.text) is true. If this parse fails or finds errors, the parser starts again without
/// the precompiled header.
FoundClasses findClasses(const CodeletSource &source, const std::vector<std::string> &arguments,
                         const PrecompiledHeader &vertexHeader = {});

/// Returns the text from which precompileForParser makes the argument `vertexHeader` of findClasses.
std::string vertexHeaderText();
/// Precompiles the file `header` to `output` for the parser. Returns Never if the header includes a file outside of the
/// folders `known` (a result of normalFolders).
Precompiled precompileForParser(const std::string &header, const std::vector<std::string> &arguments,
                                const std::vector<std::string> &known, const std::string &output);
/// Returns whether only comments and headers of the C++ library or of poplar precede #include <poplar/Vertex.hpp> in
/// the text. If so, including <poplar/Vertex.hpp> before the text does not change the meaning of the text.
bool beginsWithVertexHeader(const std::string &text);

} // namespace popscope
