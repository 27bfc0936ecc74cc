// CodeletSet: the vertex classes of a graph. addFile and addSource compile a source, or load a .gp archive, and add the
// classes of the source or archive. If the compile cache (CompileCache) has the result of a compilation with the same
// inputs, CodeletSet takes this result and does not compile the source again. Only const members may be called from
// several threads at once.
#pragma once
#include "graph/codelets/VertexClass.hpp"

#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace popscope {

struct LoadedPart;
struct CompiledLibrary;

enum class CodeletSourceKind : std::uint8_t { Auto, Cpp, C, PreprocessedAsm, Asm, Ir, GraphObject };

struct CodeletOptions {
  std::string flags; // flags as the user types them: "-O3 -I codelets -DX=1"
  /// The architecture of the graph's target, or "cpu". For an archive, `target` is the name of the entries to load
  /// ("ipu2:cpp").
  std::string target = "ipu1";
  bool standIn = true; // true: also compiles the stand-in object, which code sizes and cycle estimates need
  /// true: in the host's code, half is a float of four bytes (HalfFloat.hpp). A graph requests such halves if
  /// halfIsFloat() is true for the graph's machine. If a source assumes halves of two bytes and therefore does not
  /// compile with halves of four bytes, the halves of this source have two bytes. The substitute instruction set always
  /// has halves of two bytes.
  bool halfAsFloat = false;
};

class CodeletSet {
public:
  /// Adds a source or an archive. Skips files of assembly and of IR, and writes a note to `output`. Returns false if
  /// the set already has the file with the same contents, kind and options. Throws poplar::file_load_error if the file
  /// cannot be read or if its kind is unknown. Throws poplar::graph_program_compilation_error if a source does not
  /// compile; the message contains the compiler's own message (the user's file and line). Throws
  /// poplar::graph_object_load_error for a damaged .gp, or for a .gp without code for the target. Throws
  /// poplar::graph_object_creation_error if another file, or this file with other contents or flags, already defined
  /// the same vertex class. A class in a header that both files include is not an error. `output` (may be null)
  /// receives the compiler's output, even if the codelets do not compile. A file that is added later may define
  /// functions that this file uses; VertexClass::missing names the functions that no file defines yet.
  bool addFile(const std::string &path, CodeletSourceKind kind, const CodeletOptions &options, std::ostream *output);
  void addSource(const std::string &text, CodeletSourceKind kind, const CodeletOptions &options, std::ostream *output);

  /// Adds the classes of the runtime (device/RuntimeVertices.cpp) if `name` is in the namespace of the runtime and the
  /// classes were not added before. Returns whether this call added the classes.
  bool addRuntimeVertices(const std::string &name, const CodeletOptions &options);

  /// Adds one class that the caller built, and returns the index of the class. The name of the class must be
  /// normalised. The caller guarantees that the set has no class of this name.
  int addClass(VertexClass vertexClass) {
    const int index = static_cast<int>(classes_.size());
    byName_[vertexClass.name] = index;
    classes_.push_back(std::move(vertexClass));
    return index;
  }

  [[nodiscard]] const VertexClass *find(const std::string &name) const; // normalises `name` first
  [[nodiscard]] int indexOf(const std::string &name) const;             // -1 if the set lacks the class
  [[nodiscard]] const VertexClass &at(int index) const { return classes_[static_cast<std::size_t>(index)]; }
  [[nodiscard]] std::size_t size() const { return classes_.size(); }
  /// Returns the name of the class that is nearest to `name` by edit distance, or "" if no name is near.
  [[nodiscard]] std::string nearest(const std::string &name) const;
  /// Returns the skipped files of assembly and of IR, by the names that the caller used, in the order of the calls.
  [[nodiscard]] const std::vector<std::string> &skipped() const { return skipped_; }
  /// Returns the sorted names of all instances of a class template. `name` is the name of the template, with or without
  /// arguments. Example: for "Adder<double>", returns Adder<float> and Adder<int>.
  [[nodiscard]] std::vector<std::string> instances(const std::string &name) const;

private:
  struct Origin {
    std::string addedFrom, definedIn;
  };
  /// A library that must be linked with other libraries. The library defines functions that other libraries may use, or
  /// uses functions that other libraries may define.
  struct Part {
    std::string origin;
    std::shared_ptr<const CompiledLibrary> library;
    std::vector<int> classes;
  };
  void add(const std::string &origin, std::vector<LoadedPart> parts);
  void linkParts();

  std::vector<VertexClass> classes_;
  std::vector<Part> parts_;
  std::map<std::string, Origin> origins_; // key: class name
  std::map<std::string, int> byName_;
  bool hasRuntimeVertices_ = false;
  std::vector<std::string> skipped_;
  std::map<std::string, std::string> added_; // path -> hash of content, kind and options
};

/// Returns the normal form of a vertex name: "ns::V<float, 4>" -> "ns::V<float,4>"; "> >" -> ">>". Removes "(anonymous
/// namespace)::", and "::" before the name and before template arguments.
std::string normaliseVertexName(const std::string &name);

/// The folders of the public headers, the compiler, and the folder of the compile cache. If the library of Popscope is
/// in <prefix>/lib, the headers are in <prefix>/lib/popscope/include or, if this folder does not exist, in
/// <prefix>/include. POPSCOPE_INCLUDE_DIR, POPSCOPE_CXX and POPSCOPE_CACHE_DIR name other headers, another compiler and
/// another cache.
struct CodeletToolchain {
  std::vector<std::string> includeDirs;
  std::string compiler;
  std::string cacheDir;
  bool devicePaths = false; // true if POPSCOPE_DEVICE_PATHS is 1 or true: __IPU__ is defined for IPU targets
};
CodeletToolchain findToolchain();

} // namespace popscope
