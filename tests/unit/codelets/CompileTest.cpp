#include "tests/unit/codelets/Support.hpp"

#include <cerrno>
#include <doctest/doctest.h>
#include <filesystem>
#include <poplar/exceptions.hpp>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

using namespace popscope;
using namespace popscope::test;

namespace {

/// Returns what() of the exception that `action` throws; "" if it throws none of type E.
template <class E, class Action> std::string messageOf(Action action) {
  try {
    action();
  } catch (const E &error) {
    return error.what();
  }
  return "";
}
bool contains(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

const char *const kAdder = "#include <poplar/Vertex.hpp>\n"
                           "class Adder : public poplar::Vertex {\n"
                           "public:\n"
                           "  poplar::Input<float> a;\n"
                           "  poplar::Output<float> out;\n"
                           "  bool compute() { *out = a + 1.0f; return true; }\n"
                           "};\n";

} // namespace

TEST_SUITE_BEGIN("graph.codelets");

TEST_CASE("a codelet file is compiled, found and run") {
  useBuildTree();
  CodeletSet set;
  CHECK(set.addFile(writeSource("adder.cpp", kAdder), CodeletSourceKind::Auto, {}, nullptr));
  const VertexClass *adder = set.find("Adder");
  REQUIRE(adder != nullptr);
  std::vector<Operand> operands = {operandOf<float>(*adder, "a", {41}), operandOf<float>(*adder, "out", {0})};
  CHECK(runOnHost(*adder, operands));
  CHECK(valuesOf<float>(operands[1].bytes) == std::vector<float>{42});
}

TEST_CASE("a file whose name begins with a dash is compiled, and messages name its mistakes") {
  useBuildTree();
  const std::filesystem::path before = std::filesystem::current_path(), path = writeSource("-x.cpp", kAdder);
  writeSource("-y.cpp",
              "#include <poplar/Vertex.hpp>\nstruct V : poplar::Vertex { bool compute() { return none; } };\n");
  std::filesystem::current_path(path.parent_path());
  CodeletSet set;
  CHECK_NOTHROW(set.addFile("-x.cpp", CodeletSourceKind::Auto, {}, nullptr));
  CHECK(set.find("Adder") != nullptr);
  const std::string message = messageOf<poplar::graph_program_compilation_error>(
      [&] { set.addFile("-y.cpp", CodeletSourceKind::Auto, {}, nullptr); });
  CHECK_MESSAGE(contains(message, "-y.cpp:2:"), message);
  CHECK_FALSE(contains(message, "libclang"));
  std::filesystem::current_path(before);
}

TEST_CASE("adding the same file again changes nothing and says so") {
  useBuildTree();
  CodeletSet set;
  const std::string path = writeSource("adder.cpp", kAdder);
  CHECK(set.addFile(path, CodeletSourceKind::Auto, {}, nullptr));
  CHECK_FALSE(set.addFile(path, CodeletSourceKind::Auto, {}, nullptr));
  CHECK(set.size() == 1);
}

TEST_CASE("a source error is told with the user's file, line and column and nothing of ours") {
  useBuildTree();
  CodeletSet set;
  const std::string path = writeSource("wrong.cpp", std::string(kAdder) + "int broken() { return undeclared; }\n");
  const std::string message = messageOf<poplar::graph_program_compilation_error>(
      [&] { set.addFile(path, CodeletSourceKind::Auto, {}, nullptr); });
  CHECK(contains(message, path + ":8:23: error: use of undeclared identifier 'undeclared'"));
  CHECK_FALSE(contains(message, "popscope regist"));
  CHECK_FALSE(contains(message, "popscope_generated"));
  CHECK(set.size() == 0);
}

TEST_CASE("a field of a type that no vertex can hold is refused at its own line") {
  const std::string message = messageOf<poplar::graph_program_compilation_error>(
      [] { codeletsOf("class V : public Vertex {\npublic:\n  float *raw;\n  bool compute() { return true; }\n};"); });
  CHECK(contains(message, "<codelet source>:5:"));
  CHECK(contains(message, "field 'raw' has a type that a vertex cannot hold"));
  CHECK_FALSE(contains(message, "popscope_generated"));
}

TEST_CASE("compute with the wrong arguments is refused") {
  const std::string message = messageOf<poplar::graph_program_compilation_error>(
      [] { codeletsOf("class V : public Vertex { public: bool compute(float) { return true; } };"); });
  CHECK(contains(message, "compute() of this vertex cannot be called"));
}

TEST_CASE("a function that nobody defines is named") {
  const CodeletSet set = codeletsOf("float missing(float);\nclass V : public Vertex { public: Output<float> o; bool "
                                    "compute() { *o = missing(1); return true; } };");
  CHECK(set.at(0).missing == std::vector<std::string>{"missing(float)"}); // another file may still define it
}

TEST_CASE("a compiler that fails without a message, writes nothing or cannot be started is named") {
  const CountedCompiler compiler;
  const auto why = [&] {
    return messageOf<poplar::graph_program_compilation_error>(
        [] { codeletsOf("struct V : Vertex { Output<int> o; bool compute() { return true; } };"); });
  };
  const std::string name = "the compiler '" + std::string(getenv("POPSCOPE_CXX")) + "' ";
  compiler.install("exit 1");
  CHECK_MESSAGE(contains(why(), name + "ended with exit code 1 and no message"), why());
  compiler.install("exit 0");
  CHECK_MESSAGE(contains(why(), name + "reports no error, but wrote no object"), why());
  compiler.install("");
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
  const int next = dup(0); // the lowest free descriptor
  ::close(next);
  const rlimit few{static_cast<rlim_t>(next), before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_NOFILE, &few) == 0);
  const ProcessResult result = runProcess({"true"});
  REQUIRE(setrlimit(RLIMIT_NOFILE, &before) == 0);
  CHECK_FALSE(result.started);
  CHECK(result.startError == EMFILE);
}

TEST_CASE("messages of the compiler are cut at a length that a person reads") {
  std::string text = "int x = ";
  for (int i = 0; i < 3000; ++i)
    text += "#error " + std::string(200, 'e') + "\n";
  const std::string why =
      messageOf<poplar::graph_program_compilation_error>([&] { codeletsOf(text, "-ferror-limit=0"); });
  CHECK(why.size() < 70000);
  CHECK(contains(why, " more bytes of messages are left out\n"));
}

TEST_CASE("a last flag without its value is refused, because it would take a word of ours") {
  for (const char *flags : {"-I", "-O2 -D", "-Wall -include"}) {
    const std::string why = messageOf<poplar::graph_program_compilation_error>([&] { codeletsOf(kAdder, flags); });
    CHECK_MESSAGE(contains(why, "is the last flag and has no value"), why);
  }
}

TEST_CASE("a missing file is told by its path") {
  useBuildTree();
  CodeletSet set;
  CHECK(contains(messageOf<poplar::file_load_error>(
                     [&] { set.addFile("no/such/codelet.cpp", CodeletSourceKind::Auto, {}, nullptr); }),
                 "no/such/codelet.cpp"));
}

TEST_CASE("a source without vertex classes adds none and prints nothing") {
  useBuildTree();
  std::ostringstream output;
  CodeletSet set;
  set.addSource("namespace a { struct Base {}; struct B : Base { int x; }; }\n", CodeletSourceKind::Cpp, {}, &output);
  CHECK(set.size() == 0);
  CHECK(output.str().empty());
}

TEST_CASE("one class name in two files is an error that names both") {
  useBuildTree();
  CodeletSet set;
  const std::string first = writeSource("first.cpp", kAdder), second = writeSource("second.cpp", kAdder);
  set.addFile(first, CodeletSourceKind::Auto, {}, nullptr);
  const std::string message = messageOf<poplar::graph_object_creation_error>(
      [&] { set.addFile(second, CodeletSourceKind::Auto, {}, nullptr); });
  CHECK(contains(message, first));
  CHECK(contains(message, second));
  CHECK(contains(message, "'Adder'"));
}

TEST_CASE("a class in a header that two files include is one class") {
  useBuildTree();
  writeSource("common.hpp", "#pragma once\n" + std::string(kAdder));
  CodeletSet set;
  set.addFile(writeSource("one.cpp", "#include \"common.hpp\"\n"), CodeletSourceKind::Auto, {}, nullptr);
  CHECK(
      set.addFile(writeSource("two.cpp", "#include \"common.hpp\"\nint two;\n"), CodeletSourceKind::Auto, {}, nullptr));
  CHECK(set.size() == 1);
}

TEST_CASE("a file that a graph has with other flags is refused, and named once") {
  CodeletSet set;
  const std::string path = writeSource("flags.cpp", vertexText("Flags", "1"));
  set.addFile(path, CodeletSourceKind::Auto, {}, nullptr);
  CodeletOptions other;
  other.flags = "-DOTHER=1";
  CHECK_THROWS_WITH(set.addFile(path, CodeletSourceKind::Auto, other, nullptr),
                    ("the vertex class 'Flags' is defined by " + path +
                     ", which this graph already has with other contents or flags; use a new graph")
                        .c_str());
}

TEST_CASE("a file that was skipped as assembly is compiled when it is added as C++") {
  useBuildTree();
  CodeletSet set;
  const std::string path = writeSource("kinds.cpp", vertexText("Kinds", "1"));
  CHECK(set.addFile(path, CodeletSourceKind::Asm, {}, nullptr));
  CHECK(set.size() == 0);
  CHECK(set.addFile(path, CodeletSourceKind::Cpp, {}, nullptr));
  CHECK(set.size() == 1);
  CHECK_FALSE(set.addFile(path, CodeletSourceKind::Auto, {}, nullptr)); // by its name, the file is C++
  CodeletOptions floats;
  floats.halfAsFloat = true;
  CHECK_THROWS_AS(set.addFile(path, CodeletSourceKind::Cpp, floats, nullptr), poplar::graph_object_creation_error);
  CodeletOptions hostOnly;
  hostOnly.standIn = false;
  CHECK_THROWS_AS(set.addFile(path, CodeletSourceKind::Cpp, hostOnly, nullptr), poplar::graph_object_creation_error);
}

TEST_CASE("a vertex has the same fields, constraints and estimate in each standard of C++") {
  useBuildTree();
  const std::string path =
      writeSource("standard.cpp", "#include <poplar/Vertex.hpp>\nusing namespace poplar;\n"
                                  "class [[poplar::constraint(\"elem(*a) != elem(*b)\")]] Any : public Vertex {\n"
                                  "public: Input<Vector<float>> a; InOut<Vector<float>> b; float factor;\n"
                                  "  bool compute() { *b.begin() += factor * a[0]; return true; }\n"
                                  "  unsigned long long getCycleEstimate() const { return 7 + b.size(); } };");
  for (const char *standard : {"c++11", "c++14", "gnu++14", "c++17", "c++20"}) {
    CAPTURE(standard);
    CodeletSet set;
    set.addFile(path, CodeletSourceKind::Auto, {std::string("-std=") + standard}, nullptr);
    REQUIRE(set.size() == 1);
    const VertexClass &c = set.at(0);
    CHECK(c.fields.size() == 3);
    CHECK(c.constraints.size() == 1);
    CHECK(c.hasCycleEstimate);
    CHECK((c.run != nullptr));
    CHECK_MESSAGE(c.standIn != nullptr, c.standInProblem);
  }
}

TEST_CASE("an exception of a static object is an error that names the source, and leaves the set as it was") {
  useBuildTree();
  CodeletSet set;
  const auto source = [](const char *thrown) {
    return "#include <stdexcept>\n" + vertexText("Static", "count") +
           "struct Mine : std::runtime_error { using runtime_error::runtime_error; ~Mine() override {} };\n"
           "struct Thrower { Thrower() { if (count == 3) throw " +
           thrown + "; } };\nstatic Thrower thrower;\n";
  };
  const auto with = [&](const char *count, const char *thrown) {
    return "static int begin() { return " + std::string(count) + "; }\nstatic int count = begin();\n" + source(thrown);
  };
  for (int attempt = 0; attempt < 2; ++attempt) {
    for (const char *thrown : {"std::runtime_error(\"the sky falls\")", "Mine(\"the sky falls\")"}) {
      const std::string why = messageOf<poplar::graph_object_load_error>(
          [&] { set.addFile(writeSource("static.cpp", with("3", thrown)), CodeletSourceKind::Auto, {}, nullptr); });
      CHECK_MESSAGE(contains(why, "static.cpp: a static object of the codelets throws: the sky falls; "), why);
    }
    CHECK(contains(messageOf<poplar::graph_object_load_error>([&] {
                     set.addFile(writeSource("static.cpp", with("3", "7")), CodeletSourceKind::Auto, {}, nullptr);
                   }),
                   "throws: an exception that is no std::exception"));
    CHECK(set.size() == 0);
  }
  CodeletSet sets[2]; // the initialisers run once, however many graphs have the file
  for (CodeletSet &other : sets) {
    other.addFile(writeSource("once.cpp", "static int runs = 0, count = ++runs;\n" + vertexText("Once", "count")),
                  CodeletSourceKind::Auto, {}, nullptr);
    REQUIRE(other.find("Once") != nullptr);
    std::vector<Operand> operands = {operandOf<float>(*other.find("Once"), "o", {0})};
    runOnHost(*other.find("Once"), operands, 0);
    CHECK(valuesOf<float>(operands[0].bytes)[0] == 1);
  }
}

TEST_CASE("a changed header is compiled again, an unchanged one is not") {
  useBuildTree();
  const auto run = [](float constant) {
    writeSource("constant.hpp", "constexpr float kConstant = " + std::to_string(constant) + "f;\n");
    CodeletSet set;
    set.addFile(
        writeSource(
            "reader.cpp",
            "#include <poplar/Vertex.hpp>\n#include \"constant.hpp\"\nclass R : public poplar::Vertex { public: "
            "poplar::Output<float> o; bool compute() { *o = kConstant; return true; } };\n"),
        CodeletSourceKind::Auto, {}, nullptr);
    std::vector<Operand> operands = {operandOf<float>(set.at(0), "o", {0})};
    runOnHost(set.at(0), operands);
    return valuesOf<float>(operands[0].bytes)[0];
  };
  CHECK(run(3) == 3);
  CHECK(run(5) == 5);
  CHECK(run(5) == 5);
}

TEST_CASE("flags reach the compiler and attributes of the tile do not warn") {
  useBuildTree();
  std::ostringstream output;
  CodeletSet set;
  set.addSource("#include <poplar/Vertex.hpp>\n"
                "class [[poplar::constraint(\"elem(*a) != elem(*b)\")]] V : public poplar::Vertex { public:\n"
                "poplar::Input<poplar::Vector<float>> a; poplar::InOut<poplar::Vector<float>> b;\n"
                "__attribute__((target(\"supervisor\"))) bool compute() { b[0] = VALUE; return a.size() != 0; } };\n",
                CodeletSourceKind::Cpp, {"-O3 -Wall -Wextra -Werror -DVALUE=7", "ipu2", true}, &output);
  CHECK(output.str() == "");
  CHECK(set.at(0).constraints == std::vector<std::string>{"elem(*a) != elem(*b)"});
}

TEST_CASE("assembly is skipped with a note, since nothing of it can run on a host") {
  useBuildTree();
  std::ostringstream output;
  CodeletSet set;
  CHECK(set.addFile(writeSource("code.S", "setzi $m0, 1\n"), CodeletSourceKind::Auto, {}, &output));
  CHECK(contains(output.str(), "skipped"));
  CHECK(set.size() == 0);
}

TEST_CASE("the output receives the compiler's messages, also if the source does not compile") {
  useBuildTree();
  const std::string text = "#include <poplar/Vertex.hpp>\nint x = 3 +* 2;\n",
                    file = writeSource("output_bad.cpp", text);
  CodeletSet set;
  for (const bool isFile : {true, false}) {
    std::ostringstream output;
    if (isFile)
      CHECK_THROWS_AS(set.addFile(file, CodeletSourceKind::Auto, {"", "ipu2", true}, &output),
                      poplar::graph_program_compilation_error);
    else
      CHECK_THROWS_AS(set.addSource(text, CodeletSourceKind::Cpp, {"", "ipu2", true}, &output),
                      poplar::graph_program_compilation_error);
    CHECK(output.str().find((isFile ? file : "<codelet source>") + ":2:12: error: ") == 0);
  }
}

TEST_SUITE_END();
