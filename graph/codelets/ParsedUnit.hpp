// ParsedUnit: a translation unit that libclang parses in the environment of compilers (CompilersEnvironment).
#pragma once
#include "base/FileSizeSignal.hpp"
#include "graph/codelets/CodeletSource.hpp"
#include "graph/codelets/Libclang.hpp"
#include "graph/codelets/Process.hpp"

#include <string>
#include <vector>

namespace popscope {

/// A parsed unit. The constructor parses the text, and the destructor frees libclang's objects.
struct ParsedUnit {
  FileSizeSignal quiet; // libclang writes files on its own threads, which inherit this thread's signal mask
  CompilersEnvironment environment;
  CXIndex index = libclang().createIndex(0, 0);
  CXTranslationUnit unit = nullptr;
  CXErrorCode code = CXError_Failure;

  /// Parses the source with the compiler's arguments. `options` are flags of CXTranslationUnit_Flags.
  ParsedUnit(const CodeletSource &source, const std::vector<std::string> &arguments, unsigned options) {
    const std::string file = asOperand(source.file);
    std::vector<CXUnsavedFile> texts{{file.c_str(), source.text.c_str(), source.text.size()}};
    for (const auto &[path, text] : source.headers)
      texts.push_back({path.c_str(), text.c_str(), text.size()});
    parse(file, arguments, texts, options);
  }
  /// Parses the file on the disk.
  ParsedUnit(const std::string &file, const std::vector<std::string> &arguments, unsigned options) {
    parse(file, arguments, {}, options);
  }
  ~ParsedUnit() {
    if (unit != nullptr)
      libclang().disposeTranslationUnit(unit);
    libclang().disposeIndex(index);
  }
  ParsedUnit(const ParsedUnit &) = delete;
  ParsedUnit &operator=(const ParsedUnit &) = delete;

private:
  /// Returns `file`, with "./" in front if libclang would take `file` for an option.
  static std::string asOperand(const std::string &file) { return (file.starts_with('-') ? "./" : "") + file; }
  void parse(const std::string &file, const std::vector<std::string> &arguments, std::vector<CXUnsavedFile> texts,
             unsigned options) {
    std::vector<const char *> args;
    for (const std::string &argument : arguments)
      args.push_back(argument.c_str());
    code = libclang().parseTranslationUnit2(index, file.c_str(), args.data(), static_cast<int>(args.size()),
                                            texts.data(), static_cast<unsigned>(texts.size()), options, &unit);
  }
};

} // namespace popscope
