// Precompiled headers save time and change no result.
#include "graph/codelets/CompileLibrary.hpp"
#include "graph/codelets/FindClasses.hpp"
#include "tests/unit/codelets/Support.hpp"

#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>

using namespace popscope;
using namespace popscope::test;

namespace {

namespace fs = std::filesystem;

CompiledLibrary compileAlone(const std::string &text, const std::string &flags = "") {
  return compileLibrary({"<text>", text, "", false}, {flags, "ipu1", true});
}

std::vector<fs::path> precompiledIn(const std::string &cache) {
  std::vector<fs::path> found;
  if (fs::exists(cache + "/precompiled"))
    for (const auto &entry : fs::directory_iterator(cache + "/precompiled"))
      if (entry.path().extension() == ".pch" && fs::file_size(entry.path()) != 0)
        found.push_back(entry.path());
  return found;
}

} // namespace

TEST_SUITE_BEGIN("graph.codelets");

TEST_CASE("the second source with the same flags is compiled behind precompiled headers, to the same bytes") {
  const CountedCompiler compiler;
  const CompiledLibrary plain = compileAlone(vertexText("Behind"));
  CHECK(precompiledIn(compiler.cache()).empty());
  const std::string host = readFile(plain.sharedObject).value_or(""),
                    standIn = readFile(plain.standInImage).value_or("");
  CHECK_FALSE(standIn.empty());
  for (const auto &entry : fs::directory_iterator(compiler.cache()))
    if (entry.path().extension() == ".json")
      fs::remove(entry.path());
  fs::remove(plain.sharedObject);
  fs::remove(plain.standInImage);
  const CompiledLibrary behind = compileAlone(vertexText("Behind"));
  CHECK(precompiledIn(compiler.cache()).size() == 3); // parser, host, stand-in
  CHECK(readFile(behind.sharedObject).value_or("") == host);
  CHECK(readFile(behind.standInImage).value_or("") == standIn);
}

TEST_CASE("a precompiled header that is damaged is made anew") {
  const CountedCompiler compiler;
  compileAlone(vertexText("First"));
  compileAlone(vertexText("Second"));
  for (const fs::path &file : precompiledIn(compiler.cache()))
    writeFile(file.string(), "damaged");
  CHECK_FALSE(compileAlone(vertexText("Third")).standInImage.empty());
  REQUIRE(precompiledIn(compiler.cache()).size() == 3);
  for (const fs::path &file : precompiledIn(compiler.cache()))
    CHECK(fs::file_size(file) > 100);
}

TEST_CASE("behind precompiled headers errors are told as without them") {
  const CountedCompiler compiler;
  compileAlone(vertexText("First"));
  compileAlone(vertexText("Second"));
  const std::string bad = vertexText("Bad") + "int f() { return nothing; }\n";
  const std::string privateMember = vertexText("Private") + "class P { int x; };\nint f(P p) { return p.x; }\n";
  CHECK_THROWS_WITH_AS(compileAlone(bad), doctest::Contains("<text>:3:18: error: use of undeclared identifier"),
                       poplar::graph_program_compilation_error);
  CHECK_THROWS_WITH_AS(compileAlone(privateMember), doctest::Contains("private member"),
                       poplar::graph_program_compilation_error);
  // A source does not see headers that it does not include.
  CHECK_THROWS_WITH_AS(compileAlone("class V : public poplar::Vertex { public: bool compute() { return true; } };\n"),
                       doctest::Contains("undeclared identifier 'poplar'"), poplar::graph_program_compilation_error);
  CHECK(precompiledIn(compiler.cache()).size() == 3);
}

TEST_CASE("headers of the user are not precompiled") {
  const CountedCompiler compiler;
  const std::string header = writeSource("before.hpp", "#define VALUE 3\n");
  compileAlone(vertexText("First", "VALUE"), "-include " + header);
  compileAlone(vertexText("Second", "VALUE"), "-include " + header);
  CHECK(precompiledIn(compiler.cache()).empty());
  // A header that replaces one of the C++ library.
  const fs::path folder = fs::path(header).parent_path() / "shadow";
  fs::create_directories(folder);
  writeFile((folder / "type_traits").string(), "#include_next <type_traits>\n#define VALUE 4\n");
  compileAlone(vertexText("First", "VALUE"), "-I " + folder.string());
  compileAlone(vertexText("Second", "VALUE"), "-I " + folder.string());
  CHECK(precompiledIn(compiler.cache()).empty());
}

TEST_CASE("a text begins with the header of vertices when only comments and known headers stand before it") {
  CHECK(beginsWithVertexHeader("// a\n/* b\n c */ #include <poplar/Vertex.hpp>\n"));
  CHECK(beginsWithVertexHeader("#include <cmath>\n#include <poplar/HalfFloat.hpp>\n\n#include <poplar/Vertex.hpp>"));
  CHECK_FALSE(beginsWithVertexHeader(""));
  CHECK_FALSE(beginsWithVertexHeader("// #include <poplar/Vertex.hpp>\n"));
  CHECK_FALSE(beginsWithVertexHeader("/* #include <poplar/Vertex.hpp>\n"));
  CHECK_FALSE(beginsWithVertexHeader("#define NDEBUG\n#include <poplar/Vertex.hpp>\n"));
  CHECK_FALSE(beginsWithVertexHeader("#include \"own.hpp\"\n#include <poplar/Vertex.hpp>\n"));
  CHECK_FALSE(beginsWithVertexHeader("#include <own.hpp>\n#include <poplar/Vertex.hpp>\n"));
  CHECK_FALSE(beginsWithVertexHeader("// \\\n#include <poplar/Vertex.hpp>\n"));
  CHECK_FALSE(beginsWithVertexHeader("int x;\n#include <poplar/Vertex.hpp>\n"));
  CHECK_FALSE(beginsWithVertexHeader("#include <poplar/Vertex.hpp"));
}

TEST_SUITE_END();
