// CodeletFileType: the language of a codelet file given to Graph::addCodelets.
#pragma once
#include <string>

namespace poplar {

enum class CodeletFileType { PreprocessedAsmSource, AsmSource, IrSource, CSource, CppSource, Object, Auto };

/// Returns the type that the extension shows: C++ for .cpp, .cc, .cxx and .C; C for .c; assembly to preprocess for .S;
/// assembly for .s; IR for .ll; object for .gp. Returns Auto for any other extension.
CodeletFileType getCodeletFileType(const char *path);
/// Returns the usual extension with its dot, e.g. ".cpp", or "" for Auto.
std::string getExtensionFromFileType(CodeletFileType type);

} // namespace poplar
