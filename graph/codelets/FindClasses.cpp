#include "graph/codelets/FindClasses.hpp"

#include "graph/codelets/FindConstraints.hpp"

#include <algorithm>
#include <clang-c/Index.h>
#include <functional>
#include <poplar/exceptions.hpp>
#include <set>

namespace popscope {
namespace {

std::string take(CXString s) {
  const char *text = clang_getCString(s);
  std::string result = text != nullptr ? text : "";
  clang_disposeString(s);
  return result;
}

using Visit = std::function<void(CXCursor)>;
void forEachChild(CXCursor cursor, const Visit &visit) {
  clang_visitChildren(
      cursor,
      [](CXCursor child, CXCursor, CXClientData data) {
        (*static_cast<const Visit *>(data))(child);
        return CXChildVisit_Continue;
      },
      const_cast<Visit *>(&visit));
}

void removeAll(std::string &text, const std::string &part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
    text.erase(at, part.size());
}

bool isClass(CXCursorKind kind) { return kind == CXCursor_ClassDecl || kind == CXCursor_StructDecl; }
bool isTemplate(CXCursorKind kind) {
  return kind == CXCursor_ClassTemplate || kind == CXCursor_ClassTemplatePartialSpecialization;
}

bool hasBase(CXCursor cursor) {
  bool found = false;
  forEachChild(cursor, [&](CXCursor child) { found = found || clang_getCursorKind(child) == CXCursor_CXXBaseSpecifier; });
  return found;
}

class Finder {
public:
  explicit Finder(CXTranslationUnit unit) : unit_(unit) {}

  std::vector<CandidateClass> run() {
    walk(clang_getTranslationUnitCursor(unit_));
    return std::move(found_);
  }

private:
  void walk(CXCursor parent) {
    forEachChild(parent, [&](CXCursor child) {
      if (clang_Location_isInSystemHeader(clang_getCursorLocation(child)) != 0)
        return;
      const CXCursorKind kind = clang_getCursorKind(child);
      if (kind == CXCursor_Namespace) {
        scope_.push_back(take(clang_getCursorSpelling(child)));
        walk(child);
        scope_.pop_back();
      } else if (kind == CXCursor_LinkageSpec || kind == CXCursor_UnexposedDecl)
        walk(child);
      else if (isClass(kind))
        addClass(child);
      else if (isTemplate(kind))
        templates_.push_back(child);
    });
  }

  void addClass(CXCursor cursor) {
    const CXCursor pattern = clang_getSpecializedCursorTemplate(cursor);
    // An explicit instantiation has no body of its own: bases, fields and attributes are the template's.
    const bool instantiation = clang_Cursor_isNull(pattern) == 0 && !hasBody(cursor);
    const CXCursor definition = instantiation ? definitionOf(pattern) : cursor;
    if (!instantiation && clang_isCursorDefinition(cursor) == 0)
      return;
    if (!instantiation && clang_Cursor_isNull(pattern) == 0)
      templates_.push_back(cursor); // an explicit specialisation: a dependent base may mean it
    if (hasBase(definition)) {
      CandidateClass candidate;
      candidate.spelling = instantiation ? take(clang_getTypeSpelling(clang_getCursorType(cursor)))
                                         : take(clang_getTypeSpelling(clang_getCanonicalType(clang_getCursorType(cursor))));
      removeAll(candidate.spelling, "(anonymous namespace)::"); // implied by the scope, and no C++
      candidate.scope = scope_;
      locate(cursor, candidate.file, candidate.line);
      std::set<std::string> seen;
      visited_.clear();
      collectFields(definition, candidate.fields, seen);
      candidate.constraints = findConstraints(unit_, definition);
      found_.push_back(std::move(candidate));
    }
    if (!instantiation)
      walk(cursor); // nested classes
  }

  static bool hasBody(CXCursor cursor) {
    bool body = false;
    forEachChild(cursor, [&](CXCursor child) {
      const CXCursorKind kind = clang_getCursorKind(child);
      body = body || kind == CXCursor_CXXBaseSpecifier || kind == CXCursor_FieldDecl || kind == CXCursor_CXXMethod ||
             kind == CXCursor_CXXAccessSpecifier;
    });
    return body;
  }

  static CXCursor definitionOf(CXCursor cursor) {
    const CXCursor definition = clang_getCursorDefinition(cursor);
    return clang_Cursor_isNull(definition) != 0 ? cursor : definition;
  }

  static void locate(CXCursor cursor, std::string &file, unsigned &line) {
    CXString name;
    clang_getPresumedLocation(clang_getCursorLocation(cursor), &name, &line, nullptr);
    file = take(name);
  }

  /// Bases first. The fields of a template that a base names are possible fields: which of them the class has is
  /// decided in the registration unit.
  void collectFields(CXCursor record, std::vector<CandidateField> &fields, std::set<std::string> &seen) {
    if (std::any_of(visited_.begin(), visited_.end(), [&](CXCursor c) { return clang_equalCursors(c, record) != 0; }))
      return;
    visited_.push_back(record);
    forEachChild(record, [&](CXCursor child) {
      if (clang_getCursorKind(child) == CXCursor_CXXBaseSpecifier)
        collectBase(child, fields, seen);
    });
    forEachChild(record, [&](CXCursor child) {
      if (clang_getCursorKind(child) != CXCursor_FieldDecl)
        return;
      CandidateField field;
      field.name = take(clang_getCursorSpelling(child));
      std::string file;
      locate(child, file, field.line);
      if (!field.name.empty() && seen.insert(field.name).second)
        fields.push_back(std::move(field));
    });
  }

  void collectBase(CXCursor cursor, std::vector<CandidateField> &fields, std::set<std::string> &seen) {
    const CXCursor declared = clang_getTypeDeclaration(clang_getCanonicalType(clang_getCursorType(cursor)));
    if (isClass(clang_getCursorKind(declared))) {
      const CXCursor pattern = clang_getSpecializedCursorTemplate(declared);
      const bool generic = clang_Cursor_isNull(pattern) == 0 && !hasBody(declared);
      collectFields(definitionOf(generic ? pattern : declared), fields, seen);
    }
    forEachChild(cursor, [&](CXCursor child) { collectReferenced(child, fields, seen); });
  }

  void collectReferenced(CXCursor cursor, std::vector<CandidateField> &fields, std::set<std::string> &seen) {
    const CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_TemplateRef || kind == CXCursor_TypeRef) {
      const CXCursor target = definitionOf(clang_getCursorReferenced(cursor));
      const CXCursorKind targetKind = clang_getCursorKind(target);
      if (isTemplate(targetKind)) {
        collectFields(target, fields, seen);
        for (const CXCursor other : templates_)
          if (clang_equalCursors(clang_getSpecializedCursorTemplate(other), target) != 0)
            collectFields(other, fields, seen);
      } else if (targetKind == CXCursor_TypeAliasTemplateDecl || targetKind == CXCursor_TypeAliasDecl)
        collectBaseOfAlias(target, fields, seen);
    }
  }

  void collectBaseOfAlias(CXCursor alias, std::vector<CandidateField> &fields, std::set<std::string> &seen) {
    if (std::any_of(visited_.begin(), visited_.end(), [&](CXCursor c) { return clang_equalCursors(c, alias) != 0; }))
      return;
    visited_.push_back(alias);
    forEachChild(alias, [&](CXCursor child) {
      collectReferenced(child, fields, seen);
      if (clang_getCursorKind(child) == CXCursor_TypeAliasDecl)
        collectBaseOfAlias(child, fields, seen);
    });
  }

  CXTranslationUnit unit_;
  std::vector<std::string> scope_;
  std::vector<CXCursor> templates_, visited_;
  std::vector<CandidateClass> found_;
};

std::vector<std::string> parserErrors(CXTranslationUnit unit) {
  std::vector<std::string> errors;
  for (unsigned i = 0; i != clang_getNumDiagnostics(unit); ++i) {
    CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
    if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
      errors.push_back(take(clang_formatDiagnostic(diagnostic, CXDiagnostic_DisplaySourceLocation | CXDiagnostic_DisplayColumn)));
    clang_disposeDiagnostic(diagnostic);
  }
  return errors;
}

} // namespace

FoundClasses findClasses(const std::string &file, const std::string &text, const std::vector<std::string> &arguments) {
  std::vector<const char *> args;
  for (const std::string &argument : arguments)
    args.push_back(argument.c_str());
  CXUnsavedFile unsaved{file.c_str(), text.c_str(), text.size()};
  const CXIndex index = clang_createIndex(0, 0);
  CXTranslationUnit unit = nullptr;
  const CXErrorCode code =
      clang_parseTranslationUnit2(index, file.c_str(), args.data(), static_cast<int>(args.size()), &unsaved, 1,
                                  CXTranslationUnit_DetailedPreprocessingRecord | CXTranslationUnit_KeepGoing, &unit);
  if (code != CXError_Success) {
    clang_disposeIndex(index);
    throw poplar::graph_program_compilation_error(file + ": the parser of codelets failed with code " +
                                                  std::to_string(code) + "; check the compile flags");
  }
  FoundClasses result;
  result.errors = parserErrors(unit);
  result.classes = Finder(unit).run();
  clang_disposeTranslationUnit(unit);
  clang_disposeIndex(index);
  return result;
}

} // namespace popscope
