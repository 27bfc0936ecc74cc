// FindClasses: the classes of a C++ source that may be vertices, found with libclang, and the names of their fields.
// What a field's type is, and whether a class really is a vertex, the registration unit decides by templates.
#pragma once
#include <string>
#include <vector>

namespace popscope {

struct CandidateField {
  std::string name;
  unsigned line = 0;
};
struct CandidateClass {
  std::string spelling;                // as named inside `scope`, e.g. "V<unsigned int, 4>"
  std::vector<std::string> scope;      // enclosing namespaces, "" = unnamed
  std::string file;                    // of the definition or explicit instantiation
  unsigned line = 0;
  std::vector<CandidateField> fields;  // own and inherited, base classes first
  std::vector<std::string> constraints;
};
struct FoundClasses {
  std::vector<CandidateClass> classes; // in source order
  std::vector<std::string> errors;     // "file:line:col: error: ..." of the parser
};

/// Parses `text` under the name `file` with the compiler's arguments. Throws poplar_error when libclang itself fails.
FoundClasses findClasses(const std::string &file, const std::string &text, const std::vector<std::string> &arguments);

} // namespace popscope
