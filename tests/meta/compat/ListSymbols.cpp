// ListSymbols DIR HEADER... -- FLAG...: prints the public names that these headers declare themselves, one per line:
// header, kind, qualified name and (for functions) the types of the parameters, separated by tabs, sorted, each once.
// Names that a header only includes are not listed, but the public bases of a class are (kind base, with the base in
// place of the parameters). Private names and those of namespace popscope or of a `detail` namespace are not listed.
// Exits with 2 if the headers, all included together, have errors.
#include "Names.hpp"

#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace compat;

namespace {

struct Listing {
  std::map<std::string, std::string> headers; // real path -> name as it is included
  std::set<std::string> lines;
};

// Returns the header of the listing that declares it; "" if none does.
std::string headerOf(CXCursor cursor, const Listing &listing) {
  const auto found = listing.headers.find(fileOf(cursor));
  return found == listing.headers.end() ? "" : found->second;
}

const char *kindOf(CXCursorKind kind) {
  switch (kind) {
  case CXCursor_ClassDecl:
  case CXCursor_StructDecl:
  case CXCursor_ClassTemplate:
  case CXCursor_UnionDecl: return "class";
  case CXCursor_EnumDecl: return "enum";
  case CXCursor_EnumConstantDecl: return "constant";
  case CXCursor_FunctionDecl:
  case CXCursor_FunctionTemplate: return "function";
  case CXCursor_CXXMethod: return "member";
  case CXCursor_ConversionFunction: return "conversion";
  case CXCursor_Constructor: return "constructor";
  case CXCursor_FieldDecl: return "field";
  case CXCursor_VarDecl: return "variable";
  case CXCursor_TypedefDecl:
  case CXCursor_TypeAliasDecl:
  case CXCursor_TypeAliasTemplateDecl: return "type";
  case CXCursor_MacroDefinition: return "macro";
  default: return nullptr;
  }
}

bool hasMembers(CXCursorKind kind) {
  return kind == CXCursor_ClassDecl || kind == CXCursor_StructDecl || kind == CXCursor_ClassTemplate ||
         kind == CXCursor_UnionDecl || kind == CXCursor_EnumDecl;
}

bool hidden(CXCursor cursor, const std::string &name) {
  const CX_CXXAccessSpecifier access = clang_getCXXAccessSpecifier(cursor);
  return name.empty() || (name[0] == '_' && name != "_id") /* a name of pva */ || name.find("POPSCOPE") == 0 ||
         access == CX_CXXPrivate || access == CX_CXXProtected || name.find("(unnamed") != std::string::npos ||
         name.find("(anonymous") != std::string::npos;
}

struct Scope {
  Listing *listing;
  std::string prefix;
};

CXChildVisitResult visit(CXCursor cursor, CXCursor, CXClientData data) {
  const Scope &scope = *static_cast<Scope *>(data);
  const CXCursorKind kind = clang_getCursorKind(cursor);
  const std::string name = text(clang_getCursorSpelling(cursor));
  if (kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec || kind == CXCursor_UnexposedDecl) {
    if (name == "popscope" || name == "detail" || name == "std")
      return CXChildVisit_Continue;
    Scope inner{scope.listing, name.empty() ? scope.prefix : scope.prefix + name + "::"};
    clang_visitChildren(cursor, visit, &inner);
    return CXChildVisit_Continue;
  }
  if (kind == CXCursor_CXXBaseSpecifier && clang_getCXXAccessSpecifier(cursor) == CX_CXXPublic) {
    const CXCursor base = clang_getTypeDeclaration(clang_getCursorType(cursor));
    const std::string header = headerOf(cursor, *scope.listing);
    if (!header.empty() && scope.prefix.size() > 2)
      scope.listing->lines.insert(header + "\tbase\t" + scope.prefix.substr(0, scope.prefix.size() - 2) + "\t" +
                                  qualified(base));
    return CXChildVisit_Continue;
  }
  const char *word = kindOf(kind);
  if (word == nullptr || hidden(cursor, name) ||
      clang_getCursorAvailability(cursor) == CXAvailability_NotAvailable /* = delete */)
    return CXChildVisit_Continue;
  const std::string header = headerOf(cursor, *scope.listing);
  if (header.empty())
    return CXChildVisit_Continue;
  if (kind == CXCursor_MacroDefinition && (name.size() > 4 && name.find("_HPP") == name.size() - 4))
    return CXChildVisit_Continue;
  // A member that is defined outside its class was listed with the class.
  if (clang_getCursorKind(clang_getCursorSemanticParent(cursor)) !=
      clang_getCursorKind(clang_getCursorLexicalParent(cursor)))
    return CXChildVisit_Continue;
  const bool declaresOnly = hasMembers(kind) && !clang_isCursorDefinition(cursor);
  if (!declaresOnly)
    scope.listing->lines.insert(header + "\t" + word + "\t" + scope.prefix + name + "\t" + parameters(cursor));
  if (hasMembers(kind)) {
    Scope inner{scope.listing, scope.prefix + name + "::"};
    clang_visitChildren(cursor, visit, &inner);
  }
  return CXChildVisit_Continue;
}

} // namespace

int main(int argc, char **argv) {
  Listing listing;
  std::string source;
  int at = 2;
  for (; at < argc && std::string(argv[at]) != "--"; ++at) {
    const std::string path = std::string(argv[1]) + "/" + argv[at];
    std::error_code unknown;
    listing.headers[std::filesystem::canonical(path, unknown).string()] = argv[at];
    source += "#include \"" + path + "\"\n";
  }
  if (listing.headers.empty() || at == argc) {
    std::fputs("usage: ListSymbols DIR HEADER... -- FLAG...\n", stderr);
    return 2;
  }
  CXUnsavedFile file{"symbols.cpp", source.c_str(), source.size()};
  const std::vector<const char *> flags(argv + at + 1, argv + argc);
  CXIndex index = clang_createIndex(0, 1);
  CXTranslationUnit unit = nullptr;
  const CXErrorCode code = clang_parseTranslationUnit2(
      index, "symbols.cpp", flags.data(), static_cast<int>(flags.size()), &file, 1,
      CXTranslationUnit_DetailedPreprocessingRecord | CXTranslationUnit_SkipFunctionBodies, &unit);
  bool failed = code != CXError_Success;
  for (unsigned i = 0; !failed && i < clang_getNumDiagnostics(unit); ++i)
    failed = clang_getDiagnosticSeverity(clang_getDiagnostic(unit, i)) >= CXDiagnostic_Error;
  if (failed) {
    std::fprintf(stderr, "ListSymbols: the headers of %s do not compile together\n", argv[1]);
    return 2;
  }
  Scope scope{&listing, ""};
  clang_visitChildren(clang_getTranslationUnitCursor(unit), visit, &scope);
  for (const std::string &line : listing.lines)
    std::puts(line.c_str());
  clang_disposeTranslationUnit(unit);
  clang_disposeIndex(index);
  return 0;
}
