// Codelets compiled with halves of four bytes, as a model without accurateHalf runs them: the data of the compiled
// classes, when halves keep their two bytes, and how often sources are compiled.
#include "graph/codelets/CompileLibrary.hpp"
#include "graph/codelets/DescribeClasses.hpp"
#include "graph/codelets/GraphObject.hpp"
#include "graph/codelets/TellTargets.hpp"
#include "tests/unit/codelets/Support.hpp"

#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>

using namespace popscope;
using namespace popscope::test;

namespace {

const char *const kHalfFields =
    "template <class T> class Fields : public Vertex { public:\n"
    "  short before; T state; Vector<T, VectorLayout::ONE_PTR> weights; Input<T> one; Input<Vector<T>> in;\n"
    "  Vector<Input<Vector<T, VectorLayout::ONE_PTR, alignof(T)>>> rows; Output<Vector<T, VectorLayout::SPAN, 8>> "
    "out;\n"
    "  bool compute() { for (unsigned i = 0; i != out.size(); ++i) out[i] = in[i] * *one + state; return true; } };\n"
    "template class Fields<half>; template class Fields<float>;\n";
const char *const kNeedsTwoBytes = "class Needs : public Vertex { public: Output<half> x; bool compute() {\n"
                                   "  static_assert(sizeof(half) == 2, \"two bytes\"); *x = 2; return true; } };\n";

std::string unitOf(const std::string &text) { return "#include <poplar/Vertex.hpp>\nusing namespace poplar;\n" + text; }

CodeletSet withFloats(const std::string &text, const std::string &target = "ipu1") {
  useBuildTree();
  CodeletSet set;
  set.addSource(unitOf(text), CodeletSourceKind::Cpp, {"", target, true, true}, nullptr);
  return set;
}

CompiledSource compiledForBoth(const std::string &text, const std::string &flags = "") {
  const std::vector<CodeletTarget> targets = {{"ipu1", false}, {"ipu1", true}};
  return std::move(
      compileLibraries({{{"<halves>", unitOf(text), "", false}, flags, targets, true}}, Threads{2}).front());
}

bool hasFloats(const CompiledLibrary &library, const std::string &field) {
  const std::vector<LoadedClass> classes = loadLibrary("<halves>", library);
  REQUIRE_FALSE(classes.empty());
  const int index = findField(classes.front().vertexClass, field);
  REQUIRE(index >= 0);
  return classes.front().vertexClass.fields[static_cast<std::size_t>(index)].halfAsFloat;
}

} // namespace

TEST_SUITE_BEGIN("graph.codelets");

TEST_CASE("a class with halves of four bytes is the same class: names, layouts, state and code on the tile") {
  const CodeletSet two = codeletsOf(kHalfFields), four = withFloats(kHalfFields);
  REQUIRE(two.size() == 2);
  REQUIRE(four.size() == 2);
  for (const char *name : {"Fields<half>", "Fields<float>"}) {
    CAPTURE(name);
    const VertexClass *a = two.find(name), *b = four.find(name);
    REQUIRE(a != nullptr);
    REQUIRE(b != nullptr);
    CHECK(describeClasses({{*a, ""}}, "ipu1") == describeClasses({{*b, ""}}, "ipu1"));
    CHECK(a->sharedCode == b->sharedCode);
    for (std::size_t f = 0; f != a->fields.size(); ++f) {
      CAPTURE(a->fields[f].name);
      const bool isHalf = a->fields[f].type == ElementType::Half;
      CHECK(b->fields[f].halfAsFloat == isHalf);
      CHECK(hostElementBytes(a->fields[f]) == elementBytes(a->fields[f].type));
      CHECK(hostElementBytes(b->fields[f]) == (isHalf ? 4 : elementBytes(a->fields[f].type)));
      CHECK(b->fields[f].minAlign == a->fields[f].minAlign);
    }
  }
}

TEST_CASE("halves of four bytes are not rounded on the host; the stand-in's have two") {
  const CodeletSet set = withFloats(kHalfFields);
  const VertexClass *c = set.find("Fields<half>");
  REQUIRE(c != nullptr);
  std::vector<Operand> operands = {operandOf<float>(*c, "in", {2049.25f, 1e6f}), operandOf<float>(*c, "one", {1.5f}),
                                   operandOf<float>(*c, "state", {0.125f}), operandOf<float>(*c, "out", {0, 0})};
  CHECK(runOnHost(*c, operands));
  CHECK(valuesOf<float>(operands[3].bytes) == std::vector<float>{2049.25f * 1.5f + 0.125f, 1.5e6f + 0.125f});
}

TEST_CASE("a source that needs halves of two bytes keeps them, and errors are those of its own text") {
  const CodeletSet set = withFloats(kNeedsTwoBytes);
  REQUIRE(set.size() == 1);
  CHECK_FALSE(set.at(0).fields[0].halfAsFloat);
  const CompiledSource both = compiledForBoth(kNeedsTwoBytes);
  CHECK(both.error == nullptr);
  CHECK(both.libraries[0].whyNoFloats.empty());
  CHECK(both.libraries[1].whyNoFloats.find("two bytes") != std::string::npos);
  CHECK(both.libraries[0].sharedObject == both.libraries[1].sharedObject);
  // The second time, the cache has the result.
  const CompiledSource again = compiledForBoth(kNeedsTwoBytes);
  CHECK(again.libraries[1].sharedObject == both.libraries[0].sharedObject);
  CHECK(again.libraries[1].whyNoFloats == both.libraries[1].whyNoFloats);
  CHECK_THROWS_WITH_AS(withFloats("half wrong(half x) { return x + nothing; }\n"), doctest::Contains("'nothing'"),
                       poplar::graph_program_compilation_error);
}

TEST_CASE("a source is compiled with halves of both kinds only where it names a half") {
  const CountedCompiler compiler;
  const CompiledSource none = compiledForBoth("class None : public Vertex { public: Output<float> x; "
                                              "bool compute() { *x = 1; return true; } };\n");
  const long runs = compiler.runs();
  CHECK(none.libraries[0].sharedObject == none.libraries[1].sharedObject);
  // A library that was requested for one kind of half is also found for the other kind.
  const std::string lone = unitOf("class Lone : public Vertex { public: Output<float> x; "
                                  "bool compute() { *x = 1; return true; } };\n");
  const CompiledLibrary one = compileLibrary({"<lone>", lone, "", false}, {"", "ipu1", true, true});
  const long before = compiler.runs();
  CHECK(compileLibrary({"<lone>", lone, "", false}, {"", "ipu1", true, false}).sharedObject == one.sharedObject);
  CHECK(compiler.runs() == before);
  const CompiledSource both = compiledForBoth("class Both : public Vertex { public: Output<half> x; "
                                              "bool compute() { *x = 1; return true; } };\n");
  CHECK(both.libraries[1].whyNoFloats.empty());
  CHECK_FALSE(hasFloats(both.libraries[0], "x"));
  CHECK(hasFloats(both.libraries[1], "x"));
  // The stand-in is compiled only once.
  CHECK(readFile(both.libraries[0].standInImage) == readFile(both.libraries[1].standInImage));
  CHECK(runs > 0);
}

TEST_CASE("text that may stand for a half tells how many bytes it has") {
  useBuildTree();
  const auto tells = [](const std::string &text, const std::vector<std::string> &files = {}) {
    return mayTellHalves(text, "", files, {});
  };
  CHECK_FALSE(tells("#include <poplar/HalfFloat.hpp>\nclass V { float x; poplar::IeeeHalf y; };\n"));
  for (const char *text : {"half x;", "half4 x;", "auto x = 1.0_h;", "auto x = 1_h;", "#define J(a, b) a##b",
                           "x = toHalf(y);", "ha\\\nlf x;", "quarter q;", "__builtin_ipu_f16v2add(x, y);"})
    CHECK_MESSAGE(tells(text), text);
  CHECK_FALSE(tells("int size_h, max_height;\n"));
  const std::string header = writeSource("names_half.hpp", "typedef half H16;\n");
  CHECK(tells("#include \"names_half.hpp\"\nH16 x;\n", {header}));
  CHECK(tells("class V { float x; };\n", {"/no/such/header.hpp"}));
}

TEST_CASE("a graph object has code for both kinds of half, for every machine") {
  const std::string source = writeSource("halves.cpp", unitOf(kHalfFields));
  REQUIRE(popc({"--target", "cpu,ipu1", source, "-o", source + ".gp"}).exitCode == 0);
  for (const char *target : {"cpu", "ipu1"})
    for (const bool halfAsFloat : {false, true}) {
      CAPTURE(target);
      CAPTURE(halfAsFloat);
      CodeletSet set;
      set.addFile(source + ".gp", CodeletSourceKind::Auto, {"", target, true, halfAsFloat}, nullptr);
      REQUIRE(set.size() == 2);
      const VertexClass *c = set.find("Fields<half>");
      REQUIRE(c != nullptr);
      CHECK(c->fields[static_cast<std::size_t>(findField(*c, "in"))].halfAsFloat == halfAsFloat);
    }
  const std::string needs = writeSource("needs_two_bytes.cpp", unitOf(kNeedsTwoBytes));
  const ProcessResult told = popc({"--verbose", "--target", "ipu1", needs, "-o", needs + ".gp"});
  CHECK(told.exitCode == 0);
  CHECK(told.errors.find(needs + " does not compile with half as float, so half has two bytes") != std::string::npos);
  CHECK(popc({"--target", "ipu1", needs, "-o", needs + ".gp"}).errors.empty());
}

TEST_SUITE_END();
