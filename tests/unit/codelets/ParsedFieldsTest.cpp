// The fields that the parser reports equal those in the compiler's layout.
#include "graph/codelets/CompileSource.hpp"
#include "graph/codelets/FindFields.hpp"
#include "graph/codelets/RegistrationUnit.hpp"
#include "tests/unit/codelets/Support.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace popscope;
using namespace popscope::test;

namespace {

const char *const kSource = R"(#include <poplar/Vertex.hpp>
using namespace poplar;
enum class Mode : unsigned char { A, B };
class Plain : public Vertex { public:
  const unsigned short n; Mode mode; bool flag; half h; double wide; char last;
  Input<float> in; InOut<Vector<float, VectorLayout::ONE_PTR, 8>> v;
  Vector<Input<Vector<unsigned, VectorLayout::COMPACT_PTR, 32>>, VectorLayout::ONE_PTR> rows;
  static int counter; bool compute() { return true; } };
namespace { struct Private : Vertex { void compute() {} private: char a; protected: int b; int x[3]; }; }
template <class T, bool multi> struct Shape : MultiVertex { T first; unsigned char second; Output<Vector<T>> third;
  bool compute(unsigned) { return multi; } };
template struct Shape<char, true>; template struct Shape<double, false>;
template <class T> struct Special : Vertex { T a; bool compute() { return true; } };
template <class T> struct Special<T *> : Vertex { char b; T c; bool compute() { return true; } };
template <> struct Special<int> : Vertex { char d, e; bool compute() { return true; } };
template struct Special<float>; template struct Special<short *>;
struct If : SupervisorVertexIf<true> { char c; float f; bool compute() { return true; } };
struct alignas(64) Aligned : Vertex { char c; alignas(16) float f; bool compute() { return true; } };
struct Virtual : Vertex { char c; virtual void g() {} };
struct Outer { struct Inner : Vertex { long l; void compute() {} }; };
struct __attribute__((packed)) Packed : Vertex { char c; int i; bool compute() { return true; } };
)";
const char *const kOthers = R"(#include <poplar/Vertex.hpp>
using namespace poplar;
struct Common : Vertex { int a; };
struct Inherits : Common { int b; bool compute() { return true; } };
template <bool s> struct Depends : SupervisorVertexIf<s> { int b; bool compute() { return true; } };
template struct Depends<true>;
struct Mixin { int m; };
struct Two : Vertex, Mixin { bool compute() { return true; } };
struct VirtualBase : virtual Vertex { int v; };
struct Bits : Vertex { int a : 3; };
struct Unnamed : Vertex { union { int a; float b; }; };
struct Abstract : Vertex { int a; virtual void g() = 0; };
struct NoVertex : Mixin { int b; };
namespace own { struct Vertex {}; }
struct Other : own::Vertex { int a; };
)";

FoundClasses parsed(const std::string &text, CompileTools &tools, std::vector<std::string> &language) {
  useBuildTree();
  tools = findCompileTools();
  const CodeletSource source{"<fields>", text, ""};
  language = languageArguments(source, {}, tools.toolchain);
  return findClasses(source, language);
}

std::string fieldsOf(const CandidateClass &c) {
  std::string text = c.spelling + ":";
  for (const CandidateField &field : c.fields)
    text += fmt::format(" {}@{}({}:{})", field.name, field.offset, field.place.file, field.place.line);
  return text;
}

} // namespace

TEST_SUITE_BEGIN("graph.codelets");

TEST_CASE("fields that the parser tells are those that the compiler lays out") {
  CompileTools tools{{}, CompileCache(POPSCOPE_BINARY_DIR "/codelet-cache"), ""};
  std::vector<std::string> language;
  FoundClasses found = parsed(kSource, tools, language);
  CHECK(found.errors == std::vector<std::string>{});
  CHECK(found.classes.size() == 12);
  const WorkFolder work(POPSCOPE_BINARY_DIR);
  writeFile(work.path("layout.cpp"), unitHead() + layoutUnit("<fields>", kSource, found));
  std::vector<std::string> command = {tools.toolchain.compiler};
  command.insert(command.end(), language.begin(), language.end());
  command.insert(command.end(), {"-w", "-fno-access-control", "-fsyntax-only", "-Xclang", "-fdump-record-layouts",
                                 work.path("layout.cpp")});
  const ProcessResult dump = runProcess(command);
  REQUIRE_MESSAGE(dump.exitCode == 0, dump.errors);
  std::vector<CandidateClass> asked = found.classes;
  findFields("<fields>", dump.output, asked);
  for (std::size_t i = 0; i != asked.size(); ++i) {
    CHECK_MESSAGE(found.classes[i].fieldsAreKnown, found.classes[i].spelling);
    CHECK(fieldsOf(found.classes[i]) == fieldsOf(asked[i]));
  }
}

TEST_CASE("what a class inherits from others, and fields without a place of their own, are left to the compiler") {
  CompileTools tools{{}, CompileCache(POPSCOPE_BINARY_DIR "/codelet-cache"), ""};
  std::vector<std::string> language;
  for (const CandidateClass &c : parsed(kOthers, tools, language).classes) {
    CHECK_MESSAGE(c.fieldsAreKnown == (c.spelling == "Common"), c.spelling);
    CHECK(c.fields.size() == (c.spelling == "Common" ? 1 : 0));
  }
}

TEST_SUITE_END();
