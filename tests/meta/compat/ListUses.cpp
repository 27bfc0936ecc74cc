// ListUses PREFIX... -- FILE -- FLAG...: what FILE uses of the declarations whose headers lie below a PREFIX, one a line: "use",
// the real path of the header, qualified name, parameters' types, and the line in FILE of its first use; then, for each function
// declared there and defined in FILE (or in a header itself), what its definition leaves out: "ignores", header, name, parameters'
// types, and the positions of parameters that its body does not name, or "nothing" where it has no body to speak of (no statement).
// Errors in FILE are counted on stderr; what still parses is listed.
#include "Names.hpp"

#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace compat;

namespace {

struct Listing {
  std::vector<std::string> prefixes;
  std::map<std::string, unsigned> uses; // line of output without its number -> the first line of FILE
  std::set<std::string> ignored;
};

std::string publicHeader(CXCursor cursor, const Listing& listing) {
  const std::string file = fileOf(cursor);
  for (const std::string& prefix : listing.prefixes)
    if (file.compare(0, prefix.size(), prefix) == 0) return file;
  return "";
}

// The declaration that headers show: of a member of a specialised template the template's, of a definition its declaration.
CXCursor shown(CXCursor cursor) {
  const CXCursor primary = clang_getSpecializedCursorTemplate(cursor);
  return clang_getCanonicalCursor(clang_Cursor_isNull(primary) ? cursor : primary);
}

void noteUse(CXCursor used, CXCursor at, Listing& listing) {
  const CXCursor declaration = shown(used);
  const std::string header = publicHeader(declaration, listing);
  if (header.empty()) return;
  unsigned line = 0;
  fileOf(at, &line);
  listing.uses.emplace("use\t" + header + "\t" + qualified(declaration) + "\t" + parameters(declaration), line);
}

// A call of an overload set that only instantiation decides could be any of them.
void noteUses(CXCursor at, Listing& listing) {
  const CXCursor used = clang_getCursorReferenced(at);
  if (clang_Cursor_isNull(used)) return;
  const unsigned overloads = clang_getNumOverloadedDecls(used);
  for (unsigned i = 0; i < overloads; ++i) noteUse(clang_getOverloadedDecl(used, i), at, listing);
  if (overloads == 0) noteUse(used, at, listing);
}

struct Body {
  std::set<std::string> named; // parameters that the body refers to
  unsigned statements = 0;
};

CXChildVisitResult visitBody(CXCursor cursor, CXCursor parent, CXClientData data) {
  Body& body = *static_cast<Body*>(data);
  if (clang_getCursorKind(parent) == CXCursor_CompoundStmt || clang_isReference(clang_getCursorKind(cursor)) != 0 ||
      clang_getCursorKind(cursor) == CXCursor_MemberRef)
    ++body.statements;
  const CXCursor used = clang_getCursorReferenced(cursor);
  if (!clang_Cursor_isNull(used) && clang_getCursorKind(used) == CXCursor_ParmDecl)
    body.named.insert(text(clang_getCursorUSR(used)) + text(clang_getCursorSpelling(used)));
  return CXChildVisit_Recurse;
}

bool isFunction(CXCursorKind kind) {
  return kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate || kind == CXCursor_CXXMethod || kind == CXCursor_Constructor;
}

void noteIgnored(CXCursor function, Listing& listing) {
  if (!isFunction(clang_getCursorKind(function)) || !clang_isCursorDefinition(function) || clang_CXXMethod_isDefaulted(function)) return;
  const CXCursor declaration = shown(function);
  const std::string header = publicHeader(declaration, listing);
  if (header.empty()) return;
  struct Parts { std::vector<CXCursor> parameters; Body body; unsigned initialisers = 0; } parts;
  clang_visitChildren(
      function,
      [](CXCursor cursor, CXCursor, CXClientData data) {
        Parts& p = *static_cast<Parts*>(data);
        const CXCursorKind kind = clang_getCursorKind(cursor);
        if (kind == CXCursor_ParmDecl) {
          p.parameters.push_back(cursor);
          return CXChildVisit_Continue;
        }
        p.initialisers += kind == CXCursor_MemberRef || kind == CXCursor_TypeRef || clang_isExpression(kind) ? 1 : 0;
        visitBody(cursor, cursor, &p.body);
        clang_visitChildren(cursor, visitBody, &p.body);
        return CXChildVisit_Continue;
      },
      &parts);
  std::string left;
  for (size_t i = 0; i < parts.parameters.size(); ++i) {
    const std::string name = text(clang_getCursorSpelling(parts.parameters[i]));
    if (name.empty() || parts.body.named.count(text(clang_getCursorUSR(parts.parameters[i])) + name) == 0)
      left += (left.empty() ? "" : " ") + std::to_string(i + 1);
  }
  const bool constructs = clang_getCursorKind(function) == CXCursor_Constructor;
  if (left.empty() && parts.body.statements == 0 && !constructs) left = "nothing";
  if (!left.empty())
    listing.ignored.insert("ignores\t" + header + "\t" + qualified(declaration) + "\t" + parameters(declaration) + "\t" + left);
}

CXChildVisitResult visit(CXCursor cursor, CXCursor, CXClientData data) {
  Listing& listing = *static_cast<Listing*>(data);
  const bool main = clang_Location_isFromMainFile(clang_getCursorLocation(cursor)) != 0;
  if (!main && publicHeader(cursor, listing).empty()) return CXChildVisit_Continue;
  noteIgnored(cursor, listing);
  if (main) noteUses(cursor, listing);
  return CXChildVisit_Recurse;
}

}  // namespace

int main(int argc, char** argv) {
  Listing listing;
  int at = 1;
  for (; at < argc && std::string(argv[at]) != "--"; ++at)
    listing.prefixes.push_back(std::filesystem::weakly_canonical(argv[at]).string() + "/");
  if (at + 2 >= argc || std::string(argv[at + 2]) != "--") {
    std::fputs("usage: ListUses PREFIX... -- FILE -- FLAG...\n", stderr);
    return 2;
  }
  const std::vector<const char*> flags(argv + at + 3, argv + argc);
  CXIndex index = clang_createIndex(0, 0);
  CXTranslationUnit unit = nullptr;
  if (clang_parseTranslationUnit2(index, argv[at + 1], flags.data(), static_cast<int>(flags.size()), nullptr, 0,
                                  CXTranslationUnit_DetailedPreprocessingRecord | CXTranslationUnit_KeepGoing, &unit) != CXError_Success) {
    std::fprintf(stderr, "ListUses: %s cannot be parsed\n", argv[at + 1]);
    return 2;
  }
  unsigned errors = 0;
  for (unsigned i = 0; i < clang_getNumDiagnostics(unit); ++i) {
    CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
    if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error && errors++ < 3)
      std::fprintf(stderr, "%s\n", text(clang_formatDiagnostic(diagnostic, clang_defaultDiagnosticDisplayOptions())).c_str());
    clang_disposeDiagnostic(diagnostic);
  }
  clang_visitChildren(clang_getTranslationUnitCursor(unit), visit, &listing);
  for (const auto& use : listing.uses) std::printf("%s\t%u\n", use.first.c_str(), use.second);
  for (const std::string& line : listing.ignored) std::puts(line.c_str());
  if (errors != 0) std::fprintf(stderr, "ListUses: %s: %u error(s)\n", argv[at + 1], errors);
  clang_disposeTranslationUnit(unit);
  clang_disposeIndex(index);
  return 0;
}
