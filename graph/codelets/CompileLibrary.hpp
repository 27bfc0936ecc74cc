// CompileLibrary: compiles codelet sources to shared objects and to images of the substitute instruction set. A cache
// finds earlier results by the content of the sources.
//
//   <cache>/<key>.json            the entry: headers, files and their hashes, warnings, the stand-in's problem
//   <cache>/<key>-<hash>.so/.rv   the shared object and the linked stand-in image
//   <cache>/<key>-<hash>.o/.rvo, .f.o/.f.rvo   objects, if this source and others may use each other's functions
//   <cache>/precompiled                        precompiled headers of codelets (PrecompiledHeader.hpp)
// The cache renames each file to its final name when the file is complete, so that several processes can share the
// cache.
#pragma once
#include "base/Parallel.hpp"
#include "graph/codelets/CodeletSet.hpp"
#include "graph/codelets/CodeletSource.hpp"
#include "target-models/model/Architectures.hpp"

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

namespace popscope {

struct CompiledLibrary {
  std::string sharedObject; // path of the host's code; "" if the source has no vertex class
  std::string standInImage; // path of the stand-in image; if "", standInProblem explains why there is no image
  std::string standInProblem;
  std::string warnings; // the compiler's warnings about the user's source
  /// The compiler's errors with halves of four bytes. "" means that the source compiles with halves of four bytes, or
  /// that the caller did not request halves of four bytes.
  std::string whyNoFloats;
  /// Paths of relocatable objects, which LinkLibraries.hpp links with the objects of other sources. A path is "" if
  /// there is no such object. hostObject contains the host's code and the registration of the vertex classes.
  /// hostObject is "" if `missing` is empty. hostFunctions contains the host's code without the registration.
  /// hostFunctions is "" if the source defines no function that other sources may call. standInObject and
  /// standInFunctions are the counterparts of hostObject and hostFunctions for the stand-in.
  std::string hostObject, standInObject, hostFunctions, standInFunctions;
  /// Functions (mangled) that the source uses, and that neither the source nor the system defines. If `missing` is not
  /// empty, use sharedObject only to list the classes. The codelets of sharedObject must not run, and loading
  /// sharedObject runs no initialisers.
  std::vector<std::string> missing;
};

/// Compiles a source. If the compiler fails, throws poplar::graph_program_compilation_error with the compiler's
/// message. Throws poplar::file_load_error if the headers of codelets are missing or the cache cannot be written.
CompiledLibrary compileLibrary(const CodeletSource &source, const CodeletOptions &options, Threads threads = {});

/// A target for which codelets are compiled.
struct CodeletTarget {
  std::string name;
  bool halfAsFloat = false; // as in CodeletOptions
};

struct CodeletJob {
  CodeletSource source;
  std::string flags; // as in CodeletOptions
  std::vector<CodeletTarget> targets;
  bool standIn = true;
};
struct CompiledSource {
  std::vector<CompiledLibrary> libraries; // one per target of the job, in order; after an error, empty for each target
                                          // that is not compiled
  std::exception_ptr error; // the exception that compileLibrary would throw for the first target with an error
};
/// Compiles many sources at once. The code compiled for one target also serves each target for which the source has the
/// same meaning (TellTargets.hpp) or the same preprocessed text. The compiled files do not depend on the number of
/// threads.
std::vector<CompiledSource> compileLibraries(const std::vector<CodeletJob> &jobs, Threads threads);

/// The forms in which the compiler can print a source for one target.
enum class CodeletView : std::uint8_t { Preprocessed, Assembly, LlvmIr, Object };

struct ViewedCodelets {
  std::string text;     // the text, or the bytes of an object
  std::string warnings; // one line per function that is left out
};

/// Compiles the source for options.target, and returns the form of the result that `view` selects: text, or the bytes
/// of an object. For C++, all forms except Preprocessed include the registration of the vertex classes. For "cpu", the
/// result is the host's code. For an IPU, the result is code of the substitute instruction set. Leaves out functions
/// that only a tile can run (TileOnly.hpp), with a warning. Throws poplar::graph_program_compilation_error if the
/// source does not compile for the host or, for an IPU, for the substitute instruction set. Throws
/// poplar::file_load_error if the headers of codelets are missing or the cache cannot be written.
ViewedCodelets viewOfCodelets(const CodeletSource &source, const CodeletOptions &options, CodeletView view);

/// Splits flags into words as a shell does, with quotes and backslashes, but without expansions.
std::vector<std::string> splitFlags(const std::string &flags);

/// Returns the architecture of a target. Throws poplar::poplar_error for a name that no machine has.
const Architecture &targetArchitecture(const std::string &target);

} // namespace popscope
