#include "graph/codelets/FindClasses.hpp"

#include "base/EditDistance.hpp"
#include "graph/codelets/FindConstraints.hpp"
#include "graph/codelets/Libclang.hpp"
#include "graph/codelets/NearMisses.hpp"
#include "graph/codelets/ParsedFields.hpp"
#include "graph/codelets/ParsedUnit.hpp"
#include "graph/codelets/TellTargets.hpp"
#include "graph/codelets/Words.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <poplar/exceptions.hpp>
#include <set>

namespace popscope {
namespace {

using Visit = std::function<void(CXCursor)>;
void forEachChild(CXCursor cursor, const Visit &visit) {
  libclang().visitChildren(
      cursor,
      [](CXCursor child, CXCursor, CXClientData data) {
        (*static_cast<const Visit *>(data))(child);
        return CXChildVisit_Continue;
      },
      const_cast<Visit *>(&visit));
}

bool isClass(CXCursorKind kind) { return kind == CXCursor_ClassDecl || kind == CXCursor_StructDecl; }
bool isInSystemHeader(CXCursor cursor) {
  return libclang().Location_isInSystemHeader(libclang().getCursorLocation(cursor)) != 0;
}

std::string valueOf(CXCursor enumerator, CXType underlying) {
  const CXTypeKind kind = libclang().getCanonicalType(underlying).kind;
  const bool isUnsigned = kind == CXType_Bool || (kind >= CXType_Char_U && kind <= CXType_UInt128);
  return isUnsigned ? std::to_string(libclang().getEnumConstantDeclUnsignedValue(enumerator))
                    : std::to_string(libclang().getEnumConstantDeclValue(enumerator));
}

/// Adds the first enumerator of each value. Leaves out enumerations that have no name or a reserved name, or that
/// belong to a class template.
void addEnumerators(CXCursor declaration, std::vector<std::pair<std::string, std::string>> &found,
                    std::set<std::string> &known) {
  std::string type =
      takeText(libclang().getTypeSpelling(libclang().getCanonicalType(libclang().getCursorType(declaration))));
  removeAll(type, "(anonymous namespace)::");
  if (type.empty() || type.find('(') != std::string::npos || type.find('<') != std::string::npos ||
      type.rfind("__", 0) == 0)
    return;
  // Enumerators of a plain enum belong to the scope around it.
  const std::size_t last = type.rfind("::");
  const std::string scope = libclang().EnumDecl_isScoped(declaration) != 0 ? type + "::"
                            : last == std::string::npos                    ? ""
                                                                           : type.substr(0, last + 2);
  const CXType underlying = libclang().getEnumDeclIntegerType(declaration);
  forEachChild(declaration, [&](CXCursor child) {
    if (libclang().getCursorKind(child) != CXCursor_EnumConstantDecl)
      return;
    const std::string literal = "(" + type + ")" + valueOf(child, underlying);
    if (known.insert(literal).second)
      found.emplace_back(literal, scope + takeText(libclang().getCursorSpelling(child)));
  });
}

bool hasBase(CXCursor cursor) {
  bool found = false;
  forEachChild(cursor,
               [&](CXCursor child) { found = found || libclang().getCursorKind(child) == CXCursor_CXXBaseSpecifier; });
  return found;
}

class Finder {
public:
  Finder(CXTranslationUnit unit, FoundClasses &found) : unit_(unit), found_(found) {}

  void run() { walk(libclang().getTranslationUnitCursor(unit_)); }

private:
  void walk(CXCursor parent) {
    forEachChild(parent, [&](CXCursor child) {
      const CXCursorKind kind = libclang().getCursorKind(child);
      if (kind == CXCursor_EnumDecl)
        addEnumerators(child, found_.enumerators, knownValues_);
      else if (kind == CXCursor_Namespace)
        walkNamespace(child);
      else if (kind == CXCursor_LinkageSpec || kind == CXCursor_UnexposedDecl)
        walk(child);
      else if (isClass(kind) && !isInSystemHeader(child))
        addClass(child);
    });
  }

  void walkNamespace(CXCursor cursor) {
    const std::string name = takeText(libclang().getCursorSpelling(cursor));
    if (isInSystemHeader(cursor) && (name == "std" || name.rfind("__", 0) == 0))
      return; // a large header without vertices and without arguments of vertices
    scope_.push_back(name);
    walk(cursor);
    scope_.pop_back();
  }

  void addClass(CXCursor cursor) {
    const CXCursor pattern = libclang().getSpecializedCursorTemplate(cursor);
    // An explicit instantiation has no body of its own. Its bases, fields and attributes are those of the template.
    const bool instantiation = libclang().Cursor_isNull(pattern) == 0 && !hasBody(cursor);
    const CXCursor definition = instantiation ? definitionOf(pattern) : cursor;
    if (!instantiation && libclang().isCursorDefinition(cursor) == 0)
      return;
    if (hasBase(definition)) {
      CandidateClass candidate;
      candidate.spelling =
          instantiation
              ? takeText(libclang().getTypeSpelling(libclang().getCursorType(cursor)))
              : takeText(libclang().getTypeSpelling(libclang().getCanonicalType(libclang().getCursorType(cursor))));
      removeAll(candidate.spelling, "(anonymous namespace)::"); // the scope implies this part, which is not valid C++
      candidate.scope = scope_;
      candidate.place = placeOf(cursor);
      forEachChild(definition, [&](CXCursor child) {
        if (libclang().getCursorKind(child) == CXCursor_FieldDecl)
          candidate.ownFields[takeText(libclang().getCursorSpelling(child))] = placeOf(child);
      });
      takeParsedFields(&cursor, &definition, candidate);
      candidate.constraints = findConstraints(unit_, &definition);
      found_.classes.push_back(std::move(candidate));
    }
    if (!instantiation)
      walk(cursor); // nested classes
  }

  static bool hasBody(CXCursor cursor) {
    bool body = false;
    forEachChild(cursor, [&](CXCursor child) {
      const CXCursorKind kind = libclang().getCursorKind(child);
      body = body || kind == CXCursor_CXXBaseSpecifier || kind == CXCursor_FieldDecl || kind == CXCursor_CXXMethod ||
             kind == CXCursor_CXXAccessSpecifier;
    });
    return body;
  }

  static CXCursor definitionOf(CXCursor cursor) {
    const CXCursor definition = libclang().getCursorDefinition(cursor);
    return libclang().Cursor_isNull(definition) != 0 ? cursor : definition;
  }

  static SourcePlace placeOf(CXCursor cursor) {
    CXString name;
    SourcePlace place;
    libclang().getPresumedLocation(libclang().getCursorLocation(cursor), &name, &place.line, nullptr);
    place.file = takeText(name);
    return place;
  }

  CXTranslationUnit unit_;
  FoundClasses &found_;
  std::vector<std::string> scope_;
  std::set<std::string> knownValues_;
};

std::string normalPath(CXFile file) {
  return std::filesystem::absolute(takeText(libclang().getFileName(file))).lexically_normal().string();
}

/// Returns whether all included files lie in the folders. Also compares real paths, because a path such as
/// "/lib/gcc/../../include" names another folder if /lib is a link.
bool includesOnly(CXTranslationUnit unit, const std::vector<std::string> &folders) {
  struct Search {
    const std::vector<std::string> &folders;
    bool only;
  } search{folders, true};
  libclang().getInclusions(
      unit,
      [](CXFile file, CXSourceLocation *, unsigned depth, CXClientData data) {
        auto &s = *static_cast<Search *>(data);
        std::error_code error;
        s.only = s.only && (depth == 0 || liesIn(normalPath(file), s.folders) ||
                            liesIn(std::filesystem::canonical(takeText(libclang().getFileName(file)), error).string(),
                                   s.folders));
      },
      &search);
  return search.only;
}

std::vector<std::string> userHeaders(CXTranslationUnit unit) {
  struct Search {
    CXTranslationUnit unit;
    std::set<std::string> headers;
  } search{unit, {}};
  libclang().getInclusions(
      unit,
      [](CXFile file, CXSourceLocation *, unsigned depth, CXClientData data) {
        auto &s = *static_cast<Search *>(data);
        if (depth != 0 && libclang().Location_isInSystemHeader(libclang().getLocation(s.unit, file, 1, 1)) == 0)
          s.headers.insert(normalPath(file));
      },
      &search);
  return {search.headers.begin(), search.headers.end()};
}

/// Parses a source. Returns false, and sets `code`, if libclang fails.
bool parse(const CodeletSource &source, const std::vector<std::string> &arguments, FoundClasses &result,
           CXErrorCode &code) {
  const ParsedUnit parsed(source, arguments,
                          CXTranslationUnit_DetailedPreprocessingRecord | CXTranslationUnit_KeepGoing);
  code = parsed.code;
  if (code != CXError_Success)
    return false;
  result.errors = parserErrors(parsed.unit);
  result.hasWarnings = libclang().getNumDiagnostics(parsed.unit) > result.errors.size();
  Finder(parsed.unit, result).run();
  std::sort(result.enumerators.begin(), result.enumerators.end()); // headers may be included in a different order
  result.headers = userHeaders(parsed.unit);
  return true;
}

/// Returns the beginning of the next word or directive of C++, after blanks and comments.
std::size_t skipComments(const std::string &text, std::size_t at) {
  for (;;) {
    at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
    if (text.compare(at, 2, "//") == 0)
      at = std::min(text.find('\n', at), text.size());
    else if (text.compare(at, 2, "/*") == 0)
      at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    else
      return at;
  }
}

/// Searches the user's classes and class templates for those that were meant as vertices.
class NearMisses {
public:
  explicit NearMisses(CXTranslationUnit unit) { walk(libclang().getTranslationUnitCursor(unit)); }
  std::vector<std::string> told, hiddenComputes;

private:
  void walk(CXCursor parent) {
    forEachChild(parent, [&](CXCursor child) {
      const CXCursorKind kind = libclang().getCursorKind(child);
      if (isInSystemHeader(child))
        return;
      if (isClass(kind) || kind == CXCursor_ClassTemplate)
        look(child, kind == CXCursor_ClassTemplate);
      if (isClass(kind) || kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec || kind == CXCursor_UnexposedDecl)
        walk(child);
    });
  }

  /// Notes why a class that looks like a vertex is not a vertex. The reasons are: a compute() but no base class; a base
  /// class of vertices but no compute(); a template that is never instantiated. Also notes each vertex whose compute()
  /// is not public.
  void look(CXCursor cursor, bool isTemplate) {
    bool anyBase = false, vertex = false, compute = false, hidden = false;
    std::vector<std::string> methods;
    forEachChild(cursor, [&](CXCursor child) {
      const CXCursorKind kind = libclang().getCursorKind(child);
      const std::string name = takeText(libclang().getCursorSpelling(child));
      if (kind == CXCursor_CXXBaseSpecifier) {
        anyBase = true;
        vertex = vertex || takeText(libclang().getTypeSpelling(libclang().getCursorType(child))).find("Vertex") !=
                               std::string::npos;
      } else if (kind == CXCursor_CXXMethod && name == "compute") {
        compute = true;
        hidden = libclang().getCXXAccessSpecifier(child) != CX_CXXPublic;
      } else if (kind == CXCursor_CXXMethod) {
        methods.push_back(name);
      }
    });
    std::string reason;
    if (!anyBase && compute)
      reason = "it has no base class; derive it from poplar::Vertex";
    else if (vertex && !compute && !nearest("compute", methods).empty())
      reason = "it has no compute(), but " + nearest("compute", methods) + "(); did you mean compute?";
    else if (vertex && !compute)
      reason = "it has no compute(); add bool compute()";
    else if (vertex && isTemplate)
      reason = "the template is never instantiated; add, for example, template class " +
               takeText(libclang().getCursorSpelling(cursor)) + "<float>;";
    if (reason.empty() && !hidden)
      return;
    CXString file;
    unsigned line = 0;
    libclang().getPresumedLocation(libclang().getCursorLocation(cursor), &file, &line, nullptr);
    const std::string place = takeText(file) + ":" + std::to_string(line),
                      name = "class '" + takeText(libclang().getCursorSpelling(cursor)) + "'";
    if (!reason.empty())
      told.push_back(place + ": " + name + " is no vertex: " + reason);
    if (vertex && !compute && !nearest("compute", methods).empty()) // no base class of vertices
      hiddenComputes.push_back(told.back());
    if (vertex && hidden)
      hiddenComputes.push_back(place + ": the compute() of " + name +
                               " is not public; write public: before it, as codelets for Poplar have it");
  }
};

} // namespace

std::vector<std::string> findNearMisses(const CodeletSource &source, const std::vector<std::string> &arguments) {
  const ParsedUnit parsed(source, arguments, CXTranslationUnit_KeepGoing);
  return parsed.code == CXError_Success ? NearMisses(parsed.unit).told : std::vector<std::string>();
}

std::vector<std::string> findHiddenComputes(const CodeletSource &source, const std::vector<std::string> &arguments) {
  const ParsedUnit parsed(source, arguments, CXTranslationUnit_KeepGoing);
  return parsed.code == CXError_Success ? NearMisses(parsed.unit).hiddenComputes : std::vector<std::string>();
}

bool beginsWithVertexHeader(const std::string &text) {
  if (text.find("\\\n") < text.find("<poplar/Vertex.hpp>"))
    return false; // comments and directives may continue in the next line
  const std::string begin = "#include <";
  for (std::size_t at = skipComments(text, 0); text.compare(at, begin.size(), begin) == 0;
       at = skipComments(text, at)) {
    at += begin.size();
    const std::size_t end = text.find_first_of(">\n", at);
    if (end == std::string::npos || text[end] != '>')
      return false;
    const std::string header = text.substr(at, end - at);
    if (header == "poplar/Vertex.hpp")
      return true;
    if (header.rfind("poplar/", 0) != 0 &&
        header.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") != header.npos)
      return false;
    at = end + 1;
  }
  return false;
}

std::string vertexHeaderText() { return "#include <poplar/Vertex.hpp>\n"; }

Precompiled precompileForParser(const std::string &header, const std::vector<std::string> &arguments,
                                const std::vector<std::string> &known, const std::string &output) {
  std::vector<std::string> words = arguments;
  words.insert(words.end(), {kInstantiateInHeader, "-x", "c++-header"});
  const ParsedUnit parsed(header, words, CXTranslationUnit_Incomplete | CXTranslationUnit_ForSerialization);
  if (parsed.code != CXError_Success || !parserErrors(parsed.unit).empty())
    return Precompiled::Failed;
  if (!includesOnly(parsed.unit, known))
    return Precompiled::Never;
  return libclang().saveTranslationUnit(parsed.unit, output.c_str(), CXSaveTranslationUnit_None) == CXSaveError_None
             ? Precompiled::Yes
             : Precompiled::Failed;
}

namespace {

/// Returns ", such as -std=c++20" with the flag that chooses the language, or "" without such a flag.
std::string suchAsStandard(const std::vector<std::string> &arguments) {
  const auto flag = std::find_if(arguments.rbegin(), arguments.rend(),
                                 [](const std::string &argument) { return argument.rfind("-std=", 0) == 0; });
  return flag == arguments.rend() ? "" : ", such as " + *flag;
}

} // namespace

FoundClasses findClasses(const CodeletSource &source, const std::vector<std::string> &arguments,
                         const PrecompiledHeader &vertexHeader) {
  CXErrorCode code = CXError_Success;
  const bool behind = !vertexHeader.made.empty() && beginsWithVertexHeader(source.text);
  if (behind) {
    std::vector<std::string> words = {"-include-pch", vertexHeader.made};
    words.insert(words.end(), arguments.begin(), arguments.end());
    FoundClasses found;
    if (parse(source, words, found, code) && found.errors.empty())
      return found;
  }
  FoundClasses found;
  if (!parse(source, arguments, found, code))
    throw poplar::graph_program_compilation_error(source.file + ": libclang failed with code " + std::to_string(code) +
                                                  "; check the compile flags" + suchAsStandard(arguments));
  if (behind && found.errors.empty())
    dropPrecompiled(vertexHeader);
  return found;
}

} // namespace popscope
