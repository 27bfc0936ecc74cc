// CompileSource: compiles one codelet source for one target, from its text to linked files in a work folder.
// CompileSource uses no cached results except precompiled headers; CompileLibrary looks up finished compilations.
#pragma once
#include "base/Parallel.hpp"
#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/CompileLibrary.hpp"
#include "graph/codelets/CompileTogether.hpp"
#include "graph/codelets/CompileTools.hpp"
#include "graph/codelets/FindClasses.hpp"
#include "graph/codelets/PrecompiledHeader.hpp"

#include <memory>
#include <string>
#include <vector>

namespace popscope {

/// The precompiled headers of one source with its flags, for one target. `host` and `standIn` contain the text that
/// precedes the source in a unit (unitHead). `parser` contains <poplar/Vertex.hpp> (vertexHeaderText). All three
/// headers are empty for C, which has no classes. `standIn` is also empty if this machine cannot compile stand-ins.
struct UnitHeads {
  PrecompiledHeader parser, host, standIn;
};
/// Returns the headers. Precompiles a missing header if `often` is true (several sources need the header), or if an
/// earlier compilation used the same flags. Precompiles no header if a flag includes a file of the user before the
/// source (-include, -imacros, -fmodules). `known` is the result of knownFolders. If `parses` is true, also returns the
/// header for the parser.
UnitHeads prepareHeads(const CompileTools &tools, const std::vector<std::string> &known, const CodeletSource &source,
                       const CodeletOptions &options, bool often, bool parses, Threads threads);

struct CompiledUnits {
  CompiledLibrary library;        // its paths lie in the work folder
  std::vector<std::string> files; // all files that the compiler read, including system files; absolute, sorted, each
                                  // once
  FoundClasses found;             // the classes with their fields
};
/// The result of compiling a source for a target with halves of two bytes. A compilation of this source for this target
/// with halves of four bytes reuses the classes and the stand-in. The classes and the stand-in do not depend on the
/// number of bytes of a half.
struct EarlierUnits {
  const CompiledLibrary *library = nullptr;
  const FoundClasses *found = nullptr;
};
/// The compilation of one source: call parse, then finish. The constructor's arguments must outlive the object. Both
/// functions throw poplar::graph_program_compilation_error with the compiler's message.
class SourceCompilation {
public:
  /// Creates the compilation. `earlier` is the result with halves of two bytes, if known. If `earlier` is set, the
  /// compilation takes the code for the substitute instruction set from `earlier`, and does not parse the source again.
  SourceCompilation(const CompileTools &tools, const CodeletSource &source, const CodeletOptions &options,
                    const UnitHeads &heads, const WorkFolder &work, const EarlierUnits &earlier = {});
  ~SourceCompilation();
  SourceCompilation(const SourceCompilation &) = delete;
  SourceCompilation &operator=(const SourceCompilation &) = delete;

  void parse();
  /// Returns the units that parse has written and that one process may compile together with other units. Returns no
  /// units if the source may cause warnings, or if the source or one of its headers has pragmas other than `#pragma
  /// once`. Later, finish compiles all units that compileTogether has not compiled.
  [[nodiscard]] std::vector<WaitingUnit *> waiting();
  CompiledUnits finish(Threads threads);

private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// Returns the preprocessed text for both compilers: the host's compiler and the compiler of the substitute instruction
/// set. The result includes the text before the source. Returns "" if preprocessing fails.
std::string preprocessedUnits(const CompileTools &tools, const CodeletSource &source, const CodeletOptions &options,
                              const WorkFolder &work);

} // namespace popscope
