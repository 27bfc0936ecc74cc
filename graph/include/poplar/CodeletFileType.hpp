// CodeletFileType: the language of a codelet file given to Graph::addCodelets.
#pragma once
#include <string>

namespace poplar {

enum class CodeletFileType { PreprocessedAsmSource, AsmSource, IrSource, CSource, CppSource, Object, Auto };

/// Returns the type by extension: .cpp .cc .cxx .C C++, .c C, .S assembly to preprocess, .s assembly, .ll IR, .gp
/// object; Auto otherwise.
CodeletFileType getCodeletFileType(const char *path);
/// Returns the usual extension with its dot, e.g. ".cpp", or "" for Auto.
std::string getExtensionFromFileType(CodeletFileType type);

} // namespace poplar
