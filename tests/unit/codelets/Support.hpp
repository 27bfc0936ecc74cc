// Functions that the codelet tests share: a separate cache, sources as text, and running a class on the host and on the
// stand-in with the same operands.
#pragma once
#include "graph/codelets/CodeletSet.hpp"
#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/EmbeddedText.hpp"
#include "graph/codelets/Process.hpp"
#include "graph/codelets/StandIn.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace popscope::test {

inline void useBuildTree() {
  setenv("POPSCOPE_INCLUDE_DIR", POPSCOPE_BINARY_DIR "/include", 1);
  setenv("POPSCOPE_CACHE_DIR", POPSCOPE_BINARY_DIR "/codelet-cache", 1);
}

/// Runs the build's popc with these arguments.
inline ProcessResult popc(std::vector<std::string> arguments) {
  useBuildTree();
  arguments.insert(arguments.begin(), POPSCOPE_BINARY_DIR "/bin/popc");
  return runProcess(arguments);
}

/// Adds `text` as a C++ source.
inline CodeletSet codeletsOf(const std::string &text, const std::string &flags = "",
                             const std::string &target = "ipu1") {
  useBuildTree();
  CodeletSet set;
  set.addSource("#include <poplar/Vertex.hpp>\nusing namespace poplar;\n" + text, CodeletSourceKind::Cpp,
                {flags, target, true}, nullptr);
  return set;
}

/// Returns a source with one class that sets its output `o` to `value`.
inline std::string vertexText(const std::string &name, const std::string &value = "1") {
  return "#include <poplar/Vertex.hpp>\nclass " + name +
         " : public poplar::Vertex { public: poplar::Output<float> o; bool compute() { *o = " + value +
         "; return true; } };\n";
}

/// A separate cache, and a compiler that writes a line to a file each time the compiler starts.
class CountedCompiler {
public:
  CountedCompiler() : work_(POPSCOPE_BINARY_DIR) {
    useBuildTree();
    setenv("POPSCOPE_CACHE_DIR", work_.path("cache").c_str(), 1);
    setenv("POPSCOPE_CXX", work_.path("compiler").c_str(), 1);
    install("");
  }
  ~CountedCompiler() {
    unsetenv("POPSCOPE_CXX");
    useBuildTree();
  }
  void install(const std::string &comment) const {
    writeFile(work_.path("compiler"), "#!/bin/sh\n" + comment + "\necho run >> '" + work_.path("log") +
                                          "'\nexec clang++" + llvmSuffix() + " \"$@\"\n");
    std::filesystem::permissions(work_.path("compiler"), std::filesystem::perms::owner_all);
  }
  [[nodiscard]] long runs() const {
    const std::string log = readFile(work_.path("log")).value_or("");
    return std::count(log.begin(), log.end(), '\n');
  }
  [[nodiscard]] std::string cache() const { return work_.path("cache"); }

private:
  WorkFolder work_;
};

/// Writes a file in the test's folder, and returns its path.
inline std::string writeSource(const std::string &name, const std::string &text) {
  const std::filesystem::path folder = std::filesystem::path(POPSCOPE_BINARY_DIR) / "codelet-sources";
  std::filesystem::create_directories(folder);
  // by a rename, because other tests may read a file of this name at the same time
  const std::filesystem::path part = folder / (name + "." + std::to_string(::getpid()));
  std::ofstream(part) << text;
  std::filesystem::rename(part, folder / name);
  return (folder / name).string();
}

struct Operand {
  std::uint16_t field = 0;
  std::uint32_t subIndex = 0;
  std::vector<std::uint8_t> bytes;
  std::uint64_t elements = 0;
};

template <class T>
Operand operandOf(const VertexClass &c, const std::string &field, const std::vector<T> &values,
                  std::uint32_t subIndex = 0) {
  Operand operand;
  operand.field = static_cast<std::uint16_t>(findField(c, field));
  operand.subIndex = subIndex;
  operand.elements = values.size();
  operand.bytes.resize(values.size() * sizeof(T));
  if (!values.empty())
    std::memcpy(operand.bytes.data(), values.data(), operand.bytes.size());
  return operand;
}
template <class T> std::vector<T> valuesOf(const std::vector<std::uint8_t> &bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty())
    std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// Runs compute() in this process; `operands` receive the results.
bool runOnHost(const VertexClass &c, std::vector<Operand> &operands, unsigned worker = 0);
/// Runs the class on the stand-in; `operands` receive the bytes after the run.
StandInResult runOnStandIn(
    const VertexClass &c, const std::vector<Operand> &operands, std::vector<std::vector<std::uint8_t>> &after,
    unsigned worker = 0, const LibraryCost &cost = [](const std::string &) { return 10; });

} // namespace popscope::test
