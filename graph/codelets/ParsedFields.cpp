#include "graph/codelets/ParsedFields.hpp"

#include "graph/codelets/Libclang.hpp"
#include "graph/codelets/Words.hpp"

#include <algorithm>

namespace popscope {
namespace {

/// Returns whether a base class is known to have no fields. This is known only for Vertex, SupervisorVertex and
/// MultiVertex of poplar from a system header. In addition, the base must be neither virtual nor dependent on template
/// arguments.
bool isVertexBase(CXCursor base) {
  const CXCursor declaration =
      libclang().getTypeDeclaration(libclang().getCanonicalType(libclang().getCursorType(base)));
  if (libclang().isVirtualBase(base) != 0 ||
      libclang().Location_isInSystemHeader(libclang().getCursorLocation(declaration)) == 0)
    return false;
  const std::string name =
      takeText(libclang().getTypeSpelling(libclang().getCanonicalType(libclang().getCursorType(base))));
  return name == "poplar::Vertex" || name == "poplar::SupervisorVertex" || name == "poplar::MultiVertex";
}

} // namespace

// Takes the names and offsets of the fields from libclang's layout of the class. This saves a compilation that would
// ask the compiler for the offsets. Takes no fields if the class is abstract, has a base other than one vertex class,
// or has a bit-field, an unnamed field or a field without a known offset.
void takeParsedFields(const void *cursor, const void *definition, CandidateClass &candidate) {
  struct Bases {
    unsigned ours = 0, others = 0;
  } bases;
  libclang().visitChildren(
      *static_cast<const CXCursor *>(definition),
      [](CXCursor child, CXCursor, CXClientData data) {
        auto &b = *static_cast<Bases *>(data);
        if (libclang().getCursorKind(child) == CXCursor_CXXBaseSpecifier)
          ++(isVertexBase(child) ? b.ours : b.others);
        return CXChildVisit_Continue;
      },
      &bases);
  const CXCursor self = *static_cast<const CXCursor *>(cursor);
  if (bases.ours != 1 || bases.others != 0 || libclang().CXXRecord_isAbstract(self) != 0)
    return;
  candidate.fieldsAreKnown = true;
  libclang().Type_visitFields(
      libclang().getCursorType(self),
      [](CXCursor child, CXClientData data) {
        auto &c = *static_cast<CandidateClass *>(data);
        const long long bits = libclang().Cursor_getOffsetOfField(child);
        CandidateField field;
        field.name = takeText(libclang().getCursorSpelling(child));
        const auto own = c.ownFields.find(field.name);
        field.place = own == c.ownFields.end() ? c.place : own->second;
        field.offset = std::to_string(bits / 8);
        // For the fields that are excluded here, the compiler's own layout is needed. A field without a name has no
        // spelling, or from LLVM 16 on a spelling in parentheses.
        const bool isNamed = std::all_of(field.name.begin(), field.name.end(), isWordChar) && !field.name.empty();
        c.fieldsAreKnown = c.fieldsAreKnown && bits >= 0 && libclang().Cursor_isBitField(child) == 0 && isNamed;
        c.fields.push_back(std::move(field));
        return CXVisit_Continue;
      },
      &candidate);
  if (!candidate.fieldsAreKnown)
    candidate.fields.clear();
}

} // namespace popscope
