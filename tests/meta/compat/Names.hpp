// Spells declarations of libclang in the form that the tools of this folder use.
#pragma once
#include <clang-c/Index.h>

#include <string>

namespace compat {

inline std::string text(CXString string) {
  const char *characters = clang_getCString(string);
  std::string result = characters == nullptr ? "" : characters;
  clang_disposeString(string);
  return result;
}

/// Returns the parameter list of a function, for example "(int, float)" or "()". Returns "" for a declaration without a
/// parameter list, for example a class.
inline std::string parameters(CXCursor cursor) {
  std::string signature = text(clang_getCursorDisplayName(cursor));
  const size_t open = signature.find('(', signature.find("operator()") == 0 ? 10 : 0);
  return open == std::string::npos ? "" : signature.substr(open);
}

inline std::string qualified(CXCursor cursor) {
  std::string name = text(clang_getCursorSpelling(cursor));
  for (CXCursor at = clang_getCursorSemanticParent(cursor); !clang_Cursor_isNull(at);
       at = clang_getCursorSemanticParent(at)) {
    const std::string outer = text(clang_getCursorSpelling(at));
    if (clang_isTranslationUnit(clang_getCursorKind(at)) || outer.empty())
      break;
    name = outer + "::" + name;
  }
  return name;
}

/// Returns the real path of the file that contains the cursor; "" if there is none.
inline std::string fileOf(CXCursor cursor, unsigned *line = nullptr) {
  CXFile file = nullptr;
  clang_getExpansionLocation(clang_getCursorLocation(cursor), &file, line, nullptr, nullptr);
  return file == nullptr ? "" : text(clang_File_tryGetRealPathName(file));
}

} // namespace compat
