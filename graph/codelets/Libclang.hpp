// Libclang: the functions of libclang that parse codelets. Popscope opens the library only to parse a source, because
// the library contains all of LLVM and takes a tenth of a second to load. A program whose codelets are in the cache, or
// a tool that reads a profile, never opens the library.
#pragma once
#include <clang-c/Index.h>
#include <string>
#include <vector>

namespace popscope {

// Call a function as libclang().NAME(...); clang-c/Index.h documents the function as clang_NAME.
#define POPSCOPE_LIBCLANG_FUNCTIONS(FUNCTION)                                                                          \
  FUNCTION(CXXRecord_isAbstract)                                                                                       \
  FUNCTION(Cursor_getOffsetOfField)                                                                                    \
  FUNCTION(Cursor_isBitField)                                                                                          \
  FUNCTION(Cursor_isNull)                                                                                              \
  FUNCTION(EnumDecl_isScoped)                                                                                          \
  FUNCTION(Location_isInSystemHeader)                                                                                  \
  FUNCTION(Type_visitFields)                                                                                           \
  FUNCTION(createIndex)                                                                                                \
  FUNCTION(disposeDiagnostic)                                                                                          \
  FUNCTION(disposeIndex)                                                                                               \
  FUNCTION(disposeSourceRangeList)                                                                                     \
  FUNCTION(disposeString)                                                                                              \
  FUNCTION(disposeTokens)                                                                                              \
  FUNCTION(disposeTranslationUnit)                                                                                     \
  FUNCTION(formatDiagnostic)                                                                                           \
  FUNCTION(getCXXAccessSpecifier)                                                                                      \
  FUNCTION(getCString)                                                                                                 \
  FUNCTION(getCanonicalType)                                                                                           \
  FUNCTION(getCursorDefinition)                                                                                        \
  FUNCTION(getCursorExtent)                                                                                            \
  FUNCTION(getCursorKind)                                                                                              \
  FUNCTION(getCursorLocation)                                                                                          \
  FUNCTION(getCursorSpelling)                                                                                          \
  FUNCTION(getCursorType)                                                                                              \
  FUNCTION(getDiagnostic)                                                                                              \
  FUNCTION(getDiagnosticSeverity)                                                                                      \
  FUNCTION(getEnumConstantDeclUnsignedValue)                                                                           \
  FUNCTION(getEnumConstantDeclValue)                                                                                   \
  FUNCTION(getEnumDeclIntegerType)                                                                                     \
  FUNCTION(getFileLocation)                                                                                            \
  FUNCTION(getFileName)                                                                                                \
  FUNCTION(getInclusions)                                                                                              \
  FUNCTION(getLocation)                                                                                                \
  FUNCTION(getNumDiagnostics)                                                                                          \
  FUNCTION(getPresumedLocation)                                                                                        \
  FUNCTION(getRangeEnd)                                                                                                \
  FUNCTION(getRangeStart)                                                                                              \
  FUNCTION(getSkippedRanges)                                                                                           \
  FUNCTION(getSpecializedCursorTemplate)                                                                               \
  FUNCTION(getTokenLocation)                                                                                           \
  FUNCTION(getTokenSpelling)                                                                                           \
  FUNCTION(getTranslationUnitCursor)                                                                                   \
  FUNCTION(getTypeDeclaration)                                                                                         \
  FUNCTION(getTypeSpelling)                                                                                            \
  FUNCTION(isCursorDefinition)                                                                                         \
  FUNCTION(isVirtualBase)                                                                                              \
  FUNCTION(parseTranslationUnit2)                                                                                      \
  FUNCTION(saveTranslationUnit)                                                                                        \
  FUNCTION(tokenize)                                                                                                   \
  FUNCTION(visitChildren)

struct Libclang {
#define POPSCOPE_LIBCLANG_MEMBER(name) decltype(&clang_##name) name = nullptr;
  POPSCOPE_LIBCLANG_FUNCTIONS(POPSCOPE_LIBCLANG_MEMBER)
#undef POPSCOPE_LIBCLANG_MEMBER
};

/// Opens `library`, a path or a file name that the dynamic loader can find. Throws graph_program_compilation_error if
/// the library cannot be loaded or lacks a function.
Libclang openLibclang(const std::string &library);

/// Returns the library that was configured for this build. The first call opens the library. Throws
/// graph_program_compilation_error if the library cannot be loaded or lacks a function.
const Libclang &libclang();

/// Returns the text of a string of libclang, and disposes of the string.
std::string takeText(CXString s);

/// Returns the errors of a parsed unit, each in the form of the compiler's output: "FILE:LINE:COLUMN: error: ...".
std::vector<std::string> parserErrors(CXTranslationUnit unit);

} // namespace popscope
