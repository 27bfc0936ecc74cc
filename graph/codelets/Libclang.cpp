#include "graph/codelets/Libclang.hpp"

#include <dlfcn.h>
#include <poplar/exceptions.hpp>

namespace popscope {
namespace {

[[noreturn]] void fail(const std::string &library, const std::string &why) {
  throw poplar::graph_program_compilation_error("the parser of codelets, " + library + ", cannot be used: " + why +
                                                "; install the libclang that Popscope was built with");
}

template <class Function> void find(void *handle, const std::string &library, const char *name, Function *&function) {
  function = reinterpret_cast<Function *>(dlsym(handle, name));
  if (function == nullptr)
    fail(library, std::string("it has no function ") + name);
}

} // namespace

Libclang openLibclang(const std::string &library) {
  // The library is never closed, because LLVM has state of the whole process.
  void *handle = dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr)
    fail(library, dlerror());
  Libclang result;
#define POPSCOPE_LIBCLANG_FIND(name) find(handle, library, "clang_" #name, result.name);
  POPSCOPE_LIBCLANG_FUNCTIONS(POPSCOPE_LIBCLANG_FIND)
#undef POPSCOPE_LIBCLANG_FIND
  return result;
}

const Libclang &libclang() {
  static const Libclang opened = openLibclang(POPSCOPE_LIBCLANG);
  return opened;
}

std::string takeText(CXString s) {
  const char *text = libclang().getCString(s);
  std::string result = text != nullptr ? text : "";
  libclang().disposeString(s);
  return result;
}

std::vector<std::string> parserErrors(CXTranslationUnit unit) {
  std::vector<std::string> errors;
  for (unsigned i = 0; i != libclang().getNumDiagnostics(unit); ++i) {
    CXDiagnostic diagnostic = libclang().getDiagnostic(unit, i);
    if (libclang().getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
      errors.push_back(takeText(
          libclang().formatDiagnostic(diagnostic, CXDiagnostic_DisplaySourceLocation | CXDiagnostic_DisplayColumn)));
    libclang().disposeDiagnostic(diagnostic);
  }
  return errors;
}

} // namespace popscope
