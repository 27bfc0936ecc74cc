// ListUses PREFIX... -- FILE... -- FLAG...: prints the declarations in headers below a PREFIX that each FILE uses, one
// per line: "use", qualified name, types of the parameters (of the exact overload), the line of its first use in FILE,
// and FILE. Then prints, for each function that is declared there and defined in a FILE or in a header, what its
// definition ignores: "ignores", name, types of the parameters, and the positions of the parameters that it does not
// name, or "nothing" if its body has no statement. Several FILEs are parsed as one, each header once. Prints "errors"
// and the number of errors, and the first errors on stderr. Declarations that still parse are listed.
#include "Names.hpp"

#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace compat;

namespace {

using Uses = std::map<std::string, unsigned>; // line of output without its number -> the first line of FILE
struct Listing {
  std::map<std::string, Uses> mains; // by real path of FILE
  std::vector<std::string> prefixes;
  Uses *uses = nullptr; // uses in the file that is being visited
  std::set<std::string> ignored;
};

bool isPublic(CXCursor cursor, const Listing &listing) {
  const std::string file = fileOf(cursor);
  for (const std::string &prefix : listing.prefixes)
    if (file.compare(0, prefix.size(), prefix) == 0)
      return true;
  return false;
}

bool isFunction(CXCursorKind kind) {
  return kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate || kind == CXCursor_CXXMethod ||
         kind == CXCursor_Constructor;
}

// Returns the declaration that headers show: for a member of a specialised template that of the template, for a
// definition its declaration.
CXCursor shown(CXCursor cursor) {
  const CXCursor primary = clang_getSpecializedCursorTemplate(cursor);
  return clang_getCanonicalCursor(clang_Cursor_isNull(primary) ? cursor : primary);
}

// Returns whether a header only names a type that is defined elsewhere. Which of several such headers has the first
// declaration depends on the order in which a file includes them.
bool isOnlyNamed(CXCursor type, const Listing &listing) {
  const CXCursorKind kind = clang_getCursorKind(type);
  if (kind != CXCursor_StructDecl && kind != CXCursor_ClassDecl && kind != CXCursor_ClassTemplate)
    return false;
  const CXCursor definition = clang_getCursorDefinition(type);
  return clang_Cursor_isNull(definition) || !isPublic(definition, listing);
}

void noteUse(CXCursor used, CXCursor at, Listing &listing) {
  const CXCursor declaration = shown(used);
  if (!isPublic(declaration, listing) || isOnlyNamed(declaration, listing))
    return;
  unsigned line = 0;
  fileOf(at, &line);
  listing.uses->emplace("use\t" + qualified(declaration) + "\t" + parameters(declaration), line);
}

// A call of an overload set that only instantiation resolves counts as a use of every overload.
void noteUses(CXCursor at, Listing &listing) {
  const CXCursor used = clang_getCursorReferenced(at);
  if (clang_Cursor_isNull(used))
    return;
  const unsigned overloads = clang_getNumOverloadedDecls(used);
  for (unsigned i = 0; i < overloads; ++i)
    noteUse(clang_getOverloadedDecl(used, i), at, listing);
  if (overloads == 0)
    noteUse(used, at, listing);
}

struct Definition {
  std::vector<CXCursor> parameters;
  std::set<std::string> named; // USRs of the parameters that the body or an initialiser names
  unsigned statements = 0;     // in the body itself
};

CXChildVisitResult visitDefinition(CXCursor cursor, CXCursor parent, CXClientData data) {
  Definition &d = *static_cast<Definition *>(data);
  if (clang_getCursorKind(cursor) == CXCursor_ParmDecl && isFunction(clang_getCursorKind(parent))) {
    d.parameters.push_back(cursor);
    return CXChildVisit_Continue;
  }
  d.statements += clang_getCursorKind(parent) == CXCursor_CompoundStmt ? 1 : 0;
  const CXCursor used = clang_getCursorReferenced(cursor);
  if (!clang_Cursor_isNull(used) && clang_getCursorKind(used) == CXCursor_ParmDecl)
    d.named.insert(text(clang_getCursorUSR(used)));
  return CXChildVisit_Recurse;
}

bool isConstructor(CXCursor function) {
  const CXCursorKind kind = clang_getCursorKind(function);
  return kind == CXCursor_Constructor ||
         (kind == CXCursor_FunctionTemplate && clang_getTemplateCursorKind(function) == CXCursor_Constructor);
}

// Returns whether a parameter only selects an overload, so that no body names it.
bool onlyChooses(CXCursor function, CXCursor parameter) {
  const std::string type = text(clang_getTypeSpelling(clang_getCursorType(parameter)));
  const std::string name = text(clang_getCursorSpelling(function));
  return type.find("enable_if") != std::string::npos || type.find("integral_constant") != std::string::npos ||
         (type == "int" && (name == "operator++" || name == "operator--"));
}

void noteIgnored(CXCursor function, Listing &listing) {
  if (!isFunction(clang_getCursorKind(function)) || !clang_isCursorDefinition(function) ||
      clang_CXXMethod_isDefaulted(function))
    return;
  const CXCursor declaration = shown(function);
  if (!isPublic(declaration, listing))
    return;
  Definition d;
  clang_visitChildren(function, visitDefinition, &d);
  std::string left;
  for (size_t i = 0; i < d.parameters.size(); ++i)
    if (!onlyChooses(function, d.parameters[i]) && d.named.count(text(clang_getCursorUSR(d.parameters[i]))) == 0)
      left += (left.empty() ? "" : " ") + std::to_string(i + 1);
  if (left.empty() && d.statements == 0 && !isConstructor(function))
    left = "nothing";
  if (!left.empty())
    listing.ignored.insert("ignores\t" + qualified(declaration) + "\t" + parameters(declaration) + "\t" + left);
}

// Notes the functions that a range-based for calls without a cursor of its own.
CXChildVisitResult visitRange(CXCursor cursor, CXCursor, CXClientData data) {
  Listing &listing = *static_cast<Listing *>(data);
  if (clang_isExpression(clang_getCursorKind(cursor)) == 0)
    return CXChildVisit_Continue;
  const CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
  const CXCursor range =
      clang_getTypeDeclaration(type.kind == CXType_LValueReference ? clang_getPointeeType(type) : type);
  const CXCursor primary = clang_getSpecializedCursorTemplate(range);
  struct Call {
    Listing *listing;
    CXCursor at;
  } call{&listing, cursor};
  clang_visitChildren(
      clang_Cursor_isNull(primary) ? range : primary,
      [](CXCursor member, CXCursor, CXClientData inner) {
        const std::string name = text(clang_getCursorSpelling(member));
        if (name == "begin" || name == "end")
          noteUse(member, static_cast<Call *>(inner)->at, *static_cast<Call *>(inner)->listing);
        return CXChildVisit_Continue;
      },
      &call);
  return CXChildVisit_Break; // the first expression is the range
}

// A class of FILE that overrides a virtual member uses it, because the member exists for that.
void noteOverridden(CXCursor method, Listing &listing) {
  CXCursor *overridden = nullptr;
  unsigned count = 0;
  clang_getOverriddenCursors(method, &overridden, &count);
  for (unsigned i = 0; i < count; ++i)
    noteUse(overridden[i], method, listing);
  clang_disposeOverriddenCursors(overridden);
}

CXChildVisitResult visit(CXCursor cursor, CXCursor, CXClientData data) {
  Listing &listing = *static_cast<Listing *>(data);
  // A FILE also contains what a macro of another file creates there, such as TEST_SUITE.
  const auto known = listing.mains.find(fileOf(cursor));
  const bool main = known != listing.mains.end();
  listing.uses = main ? &known->second : nullptr;
  if (!main && !isPublic(cursor, listing))
    return CXChildVisit_Continue;
  noteIgnored(cursor, listing);
  if (main)
    noteUses(cursor, listing);
  if (main && clang_getCursorKind(cursor) == CXCursor_CXXMethod)
    noteOverridden(cursor, listing);
  if (main && clang_getCursorKind(cursor) == CXCursor_CXXForRangeStmt)
    clang_visitChildren(cursor, visitRange, &listing);
  return CXChildVisit_Recurse;
}

} // namespace

int main(int argc, char **argv) {
  Listing listing;
  int at = 1;
  for (; at < argc && std::string(argv[at]) != "--"; ++at)
    listing.prefixes.push_back(std::filesystem::weakly_canonical(argv[at]).string() + "/");
  std::vector<const char *> files;
  for (++at; at < argc && std::string(argv[at]) != "--"; ++at)
    files.push_back(argv[at]);
  if (at >= argc || files.empty()) {
    std::fputs("usage: ListUses PREFIX... -- FILE... -- FLAG...\n", stderr);
    return 2;
  }
  std::string all; // if there are several, a file that includes all of them
  for (const char *file : files) {
    const std::string path = std::filesystem::weakly_canonical(file).string();
    listing.mains[path];
    all += "#include \"" + path + "\"\n";
  }
  const std::string allName = std::filesystem::weakly_canonical(files[0]).parent_path().string() + "/all-of-them.cpp";
  CXUnsavedFile together{allName.c_str(), all.c_str(), all.size()};
  const std::vector<const char *> flags(argv + at + 1, argv + argc);
  CXIndex index = clang_createIndex(0, 0);
  CXTranslationUnit unit = nullptr;
  const bool several = files.size() > 1;
  if (clang_parseTranslationUnit2(index, several ? allName.c_str() : files[0], flags.data(),
                                  static_cast<int>(flags.size()), several ? &together : nullptr, several ? 1 : 0,
                                  CXTranslationUnit_DetailedPreprocessingRecord | CXTranslationUnit_KeepGoing,
                                  &unit) != CXError_Success) {
    std::fprintf(stderr, "ListUses: %s cannot be parsed\n", files[0]);
    return 2;
  }
  unsigned errors = 0;
  for (unsigned i = 0; i < clang_getNumDiagnostics(unit); ++i) {
    CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
    if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error && errors++ < 3)
      std::fprintf(stderr, "%s\n",
                   text(clang_formatDiagnostic(diagnostic, clang_defaultDiagnosticDisplayOptions())).c_str());
    clang_disposeDiagnostic(diagnostic);
  }
  clang_visitChildren(clang_getTranslationUnitCursor(unit), visit, &listing);
  for (const char *file : files)
    for (const auto &use : listing.mains[std::filesystem::weakly_canonical(file).string()])
      std::printf("%s\t%u\t%s\n", use.first.c_str(), use.second, file);
  for (const std::string &line : listing.ignored)
    std::puts(line.c_str());
  if (errors != 0)
    std::printf("errors\t%u\n", errors);
  clang_disposeTranslationUnit(unit);
  clang_disposeIndex(index);
  return 0;
}
