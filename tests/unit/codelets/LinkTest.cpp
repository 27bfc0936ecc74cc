// Functions that one codelet file uses and another defines.
#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/GraphObject.hpp"
#include "graph/codelets/Process.hpp"
#include "tests/unit/codelets/Support.hpp"

#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>

using namespace popscope;
using namespace popscope::test;

namespace {

const char *const kCaller =
    "#include <poplar/Vertex.hpp>\nint twice(int);\n"
    "class Caller : public poplar::Vertex { public: poplar::InOut<int> x; bool compute() { *x = twice(*x); return "
    "true; } };\n"
    "class Alone : public poplar::Vertex { public: poplar::InOut<int> x; bool compute() { *x = 5; return true; } };\n";
const char *const kFunction = "static int once(int a) { return a; }\nint twice(int a) { return once(a) + once(a); }\n";
/// A source that also has a vertex class of its own, registered as number 0 like Caller.
const char *const kFunctionAndClass =
    "#include <poplar/Vertex.hpp>\nint twice(int a) { return a + a; }\nint thrice(int);\n"
    "class Other : public poplar::Vertex { public: poplar::InOut<int> x; bool compute() { *x = thrice(*x); return "
    "true; } };\n";
const char *const kThird = "int twice(int);\nint thrice(int a) { return twice(a) + a; }\n";

std::string folder() {
  const std::string file = writeSource("link_caller.cpp", kCaller);
  return file.substr(0, file.rfind('/') + 1);
}
/// Returns the value of x after the class ran on 21, on the host or on the stand-in.
int onHost(const CodeletSet &set, const std::string &name) {
  const VertexClass *c = set.find(name);
  REQUIRE(c != nullptr);
  std::vector<Operand> operands = {operandOf<int>(*c, "x", {21})};
  runOnHost(*c, operands);
  return valuesOf<int>(operands[0].bytes)[0];
}
int onStandIn(const CodeletSet &set, const std::string &name) {
  const VertexClass *c = set.find(name);
  REQUIRE(c != nullptr);
  REQUIRE_MESSAGE(c->standIn != nullptr, c->standInProblem);
  std::vector<Operand> operands = {operandOf<int>(*c, "x", {21})};
  std::vector<std::vector<std::uint8_t>> after;
  const StandInResult result = runOnStandIn(*c, operands, after);
  REQUIRE_MESSAGE(result.problem.empty(), result.problem);
  return valuesOf<int>(after[0])[0];
}

} // namespace

TEST_SUITE_BEGIN("graph.codelets");

TEST_CASE("a function that another source defines, earlier or later, is called on host and stand-in") {
  for (const bool callerFirst : {true, false}) {
    useBuildTree();
    CodeletSet set;
    const CodeletOptions options{"", "ipu2", true};
    set.addSource(callerFirst ? kCaller : kFunction, CodeletSourceKind::Cpp, options, nullptr);
    if (callerFirst)
      CHECK(set.find("Caller")->missing == std::vector<std::string>{"twice(int)"});
    const std::size_t before = set.find("Alone") == nullptr ? 0 : set.size();
    set.addSource(callerFirst ? kFunction : kCaller, CodeletSourceKind::Cpp, options, nullptr);
    CHECK((!callerFirst || set.size() == before)); // linking creates no new classes
    CHECK(set.find("Caller")->missing.empty());
    CHECK(onHost(set, "Caller") == 42);
    CHECK(onStandIn(set, "Caller") == 42);
    CHECK(onHost(set, "Alone") == 5);
    CHECK(onStandIn(set, "Alone") == 5);
  }
}

TEST_CASE("a missing function with a C name keeps its name") {
  useBuildTree();
  CodeletSet set; // the names of C++ types in mangled form are f for float, x for long long
  set.addSource("#include <poplar/Vertex.hpp>\nextern \"C\" int f(int);\nextern \"C\" int x(int);\n"
                "class Caller : public poplar::Vertex { public: poplar::InOut<int> y; bool compute() { *y = f(x(*y)); "
                "return true; } };\n",
                CodeletSourceKind::Cpp, {"", "ipu2", true}, nullptr);
  CHECK(set.find("Caller")->missing == std::vector<std::string>{"f", "x"});
}

TEST_CASE("sources that need each other are whole once all are there") {
  useBuildTree();
  CodeletSet set;
  const CodeletOptions options{"", "ipu1", true};
  set.addSource(kCaller, CodeletSourceKind::Cpp, options, nullptr);
  set.addSource(kFunctionAndClass, CodeletSourceKind::Cpp, options, nullptr);
  CHECK(set.find("Caller")->missing == std::vector<std::string>()); // a name that Other lacks is not missing in Caller
  CHECK(onHost(set, "Caller") == 42);
  CHECK(set.find("Other")->missing == std::vector<std::string>{"thrice(int)"});
  set.addSource(kThird, CodeletSourceKind::Cpp, options, nullptr);
  CHECK(set.find("Other")->missing.empty());
  CHECK(onHost(set, "Other") == 63);
  CHECK(onStandIn(set, "Other") == 63);
  CHECK(onHost(set, "Caller") == 42);
  CHECK(set.size() == 3);
}

TEST_CASE("two sets define the same function differently") {
  useBuildTree();
  CodeletSet one, two;
  const CodeletOptions options{"", "cpu", false};
  one.addSource(kCaller, CodeletSourceKind::Cpp, options, nullptr);
  two.addSource(kCaller, CodeletSourceKind::Cpp, options, nullptr);
  one.addSource("int twice(int a) { return 2 * a; }", CodeletSourceKind::Cpp, options, nullptr);
  two.addSource("int twice(int a) { return 100 * a; }", CodeletSourceKind::Cpp, options, nullptr);
  CHECK(onHost(one, "Caller") == 42);
  CHECK(onHost(two, "Caller") == 2100);
}

TEST_CASE("popc links the files that it is given, and a graph object may lack what another has") {
  const std::string caller = writeSource("link_caller.cpp", kCaller),
                    function = writeSource("link_function.cpp", kFunction);
  REQUIRE(popc({"-target=ipu2", caller, function, "-o", folder() + "link_both.gp"}).exitCode == 0);
  REQUIRE(popc({"-target", "ipu2", caller, "-o", folder() + "link_caller.gp"}).exitCode == 0);
  REQUIRE(popc({"--target", "ipu2", function, "-o", folder() + "link_function.gp"}).exitCode == 0);
  REQUIRE(popc({"--target", "ipu2", folder() + "link_function.gp", folder() + "link_caller.gp", "-o",
                folder() + "link_merged.gp"})
              .exitCode == 0);
  const CodeletOptions options{"", "ipu2", true};
  for (const char *whole : {"link_both.gp", "link_merged.gp"}) {
    CodeletSet set;
    set.addFile(folder() + whole, CodeletSourceKind::Auto, options, nullptr);
    CHECK(onHost(set, "Caller") == 42);
    CHECK(onStandIn(set, "Caller") == 42);
    for (const GraphObjectEntry &entry : readGraphObject(whole, readFile(folder() + whole).value_or("")))
      CHECK(entry.missing.empty());
  }
  CodeletSet parts;
  parts.addFile(folder() + "link_caller.gp", CodeletSourceKind::Auto, options, nullptr);
  CHECK(parts.find("Caller")->missing == std::vector<std::string>{"twice(int)"});
  parts.addFile(folder() + "link_function.gp", CodeletSourceKind::Auto, options, nullptr);
  CHECK(onHost(parts, "Caller") == 42);
  CHECK(parts.find("Caller")->codeBytes > parts.find("Alone")->codeBytes); // the function's code is counted
  CHECK(popc({"-target", "ipu9", caller, "-o", folder() + "x.gp"}).exitCode == 2);
}

TEST_CASE("elements of an input span can be bound as a tile's codelets do") {
  const CodeletSet set = codeletsOf("#include <ipuvectormath>\nclass V : public Vertex { public: Input<Vector<float, "
                                    "VectorLayout::SPAN, 8>> a; Input<Vector<float>> b; "
                                    "Output<float> o; bool compute() { float *p = &a[0]; float &q = b[1]; const float "
                                    "*r = &b[0]; *o = *p + q + *r; return true; } };");
  const VertexClass &c = set.at(0);
  std::vector<Operand> operands = {operandOf<float>(c, "a", {1}), operandOf<float>(c, "b", {2, 4}),
                                   operandOf<float>(c, "o", {0})};
  runOnHost(c, operands);
  CHECK(valuesOf<float>(operands[2].bytes)[0] == 7);
  CHECK_MESSAGE(c.standIn != nullptr, c.standInProblem);
}

TEST_CASE("a source that lacks a function is loaded without its initialisers, and with them once the function exists") {
  useBuildTree();
  CodeletSet set;
  const CodeletOptions options{"-O0", "ipu2", false};
  set.addSource("#include <poplar/Vertex.hpp>\nextern int counter;\nint twice(int);\n"
                "static int calls = ++counter, begin = twice(4);\n"
                "class Begins : public poplar::Vertex { public: poplar::InOut<int> x; bool compute() { *x += begin + "
                "calls; return true; } };\n",
                CodeletSourceKind::Cpp, options, nullptr);
  REQUIRE(set.find("Begins") != nullptr);
  CHECK(set.find("Begins")->missing == std::vector<std::string>{"twice(int)", "counter"});
  set.addSource("int counter = 100;\n" + std::string(kFunction), CodeletSourceKind::Cpp, options, nullptr);
  CHECK(onHost(set, "Begins") == 21 + 8 + 101);
}

TEST_SUITE_END();
