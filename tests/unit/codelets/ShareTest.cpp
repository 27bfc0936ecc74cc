// Compiling many sources at the same time, and sharing one compilation between targets.
#include "graph/codelets/CompileLibrary.hpp"
#include "graph/codelets/GraphObject.hpp"
#include "graph/codelets/LoadLibrary.hpp"
#include "graph/codelets/Process.hpp"
#include "graph/codelets/TellTargets.hpp"
#include "tests/unit/codelets/Support.hpp"

#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>
#include <sstream>

using namespace popscope;
using namespace popscope::test;

namespace {

const std::vector<CodeletTarget> kAllTargets = {{"cpu"}, {"ipu1"}, {"ipu2"}, {"ipu21"}};

std::vector<CompiledLibrary> compiledFor(const std::vector<CodeletTarget> &targets, const std::string &text,
                                         const std::string &flags = "") {
  std::vector<CompiledSource> compiled =
      compileLibraries({{{"<shared>", text, "", false}, flags, targets, true}}, Threads{2});
  if (compiled.front().error)
    std::rethrow_exception(compiled.front().error);
  return compiled.front().libraries;
}

/// Returns output o of the only class of each library, on the host and on the stand-in.
std::vector<std::vector<float>> valuesFor(const std::string &text, const std::string &flags = "") {
  std::vector<std::vector<float>> values(2);
  for (const CompiledLibrary &library : compiledFor(kAllTargets, text, flags)) {
    const std::vector<LoadedClass> classes = loadLibrary("<shared>", library);
    REQUIRE(classes.size() == 1);
    const VertexClass &c = classes.front().vertexClass;
    std::vector<Operand> operands = {operandOf<float>(c, "o", {0})};
    std::vector<std::vector<std::uint8_t>> after;
    const StandInResult result = runOnStandIn(c, operands, after);
    REQUIRE_MESSAGE(result.problem.empty(), result.problem);
    values[1].push_back(valuesOf<float>(after[0])[0]);
    runOnHost(c, operands);
    values[0].push_back(valuesOf<float>(operands[0].bytes)[0]);
  }
  return values;
}

ProcessResult popcWith(std::vector<std::string> arguments, const std::string &cache) {
  useBuildTree();
  setenv("POPSCOPE_CACHE_DIR", cache.c_str(), 1);
  arguments.insert(arguments.begin(), POPSCOPE_BINARY_DIR "/bin/popc");
  ProcessResult result = runProcess(arguments);
  useBuildTree();
  return result;
}

} // namespace

TEST_SUITE_BEGIN("graph.codelets");

TEST_CASE("a source that cannot tell targets apart is compiled once for all of them") {
  const CountedCompiler all;
  const std::vector<CompiledLibrary> libraries = compiledFor(kAllTargets, vertexText("Shared"));
  const long runs = all.runs();
  for (const CompiledLibrary &library : libraries)
    CHECK(library.sharedObject == libraries.front().sharedObject);
  // The compiler runs as often as for a single target.
  CHECK(compiledFor({CodeletTarget{"ipu1"}}, vertexText("Alone")).size() == 1);
  CHECK(all.runs() - runs <= runs + 3); // three more where the second use of the flags makes precompiled headers
  // The cache has an entry for each target.
  const long before = all.runs();
  for (const CodeletTarget &target : kAllTargets)
    CHECK(compileLibrary({"<shared>", vertexText("Shared"), "", false}, {"", target.name, true}).sharedObject ==
          libraries.front().sharedObject);
  CHECK(all.runs() == before);
  // Headers that follow from the macro and joined words change nothing by themselves: one run for the host, one for the
  // stand-in, and as many for the precompiled headers, because these flags are used a second time.
  const std::string text = "#include <poplar/AvailableVTypes.h>\n#define JOIN(a, b) a##b\n";
  compiledFor(kAllTargets, "#include <poplar/Vertex.hpp>\n" + text + vertexText("Joined", "JOIN(1, 2)"));
  CHECK(all.runs() == before + 4);
}

TEST_CASE("a source that can tell targets apart is compiled for each") {
  const CountedCompiler compiler;
  const std::vector<float> expected = {0, 1, 2, 21};
  const std::string pick =
      "#ifndef __IPU_ARCH_VERSION__\n#define NUMBER 0\n#else\n#define NUMBER __IPU_ARCH_VERSION__\n#endif\n";
  const std::vector<std::vector<float>> both = {expected, expected};
  SUBCASE("by the macro") { CHECK(valuesFor(pick + vertexText("Tells", "NUMBER")) == both); }
  SUBCASE("by a macro of poplar's headers that follows from it") {
    const std::string text =
        "#include <poplar/AvailableVTypes.h>\n#ifdef VECTOR_AVAIL_SCALED_PTR64\n#define NUMBER 64\n"
        "#else\n#define NUMBER 0\n#endif\n";
    const std::vector<float> values = {0, 64, 0, 0};
    CHECK(valuesFor(text + vertexText("Tells", "NUMBER")) == std::vector<std::vector<float>>{values, values});
  }
  SUBCASE("by a header of the user") {
    const std::string header = writeSource("tells_target.hpp", pick);
    CHECK(valuesFor("#include \"" + header + "\"\n" + vertexText("Tells", "NUMBER")) == both);
  }
  SUBCASE("by a header that only the stand-in includes") {
    const std::string header = writeSource("tells_target.hpp", pick);
    const std::string text = "#if defined(__riscv)\n#include \"" + header + "\"\n#else\n#define NUMBER 7\n#endif\n";
    CHECK(valuesFor(text + vertexText("Tells", "NUMBER")) == std::vector<std::vector<float>>{{7, 7, 7, 7}, expected});
  }
  SUBCASE("by a name put together") {
    const std::string text =
        "#define JOIN2(a, b) a##b\n#define JOIN(a, b) JOIN2(a, b)\n"
        "#if JOIN(__IPU_ARCH, _VERSION__) == 21\n#define NUMBER 21\n#else\n#define NUMBER 3\n#endif\n";
    const std::vector<float> values = {3, 3, 3, 21};
    CHECK(valuesFor(text + vertexText("Tells", "NUMBER")) == std::vector<std::vector<float>>{values, values});
  }
  SUBCASE("by flags") {
    const std::string text = "#if NUMBER == 2\n#define VALUE 2\n#else\n#define VALUE 3\n#endif\n";
    const std::vector<float> values = {3, 3, 2, 3};
    CHECK(valuesFor(text + vertexText("Tells", "VALUE"), "-DNUMBER=__IPU_ARCH_VERSION__") ==
          std::vector<std::vector<float>>{values, values});
  }
  SUBCASE("targets that it takes for the same share") {
    const std::string text = "#include <poplar/TileConstants.hpp>\n" + pick;
    const std::vector<CompiledLibrary> none = compiledFor(kAllTargets, text + vertexText("Unused", "5"));
    for (const CompiledLibrary &library : none)
      CHECK(library.sharedObject == none.front().sharedObject);
    const std::vector<CompiledLibrary> some =
        compiledFor(kAllTargets, text + vertexText("Used", "NUMBER == 2 ? 1 : 0"));
    CHECK(some[1].sharedObject != some[2].sharedObject);
  }
}

TEST_CASE("only text that could name the macro of targets can tell them apart") {
  useBuildTree();
  const auto tells = [](const std::string &text, const std::string &flags = "",
                        const std::vector<std::string> &files = {}, const std::vector<std::string> &known = {}) {
    return mayTellTargets(text, flags, files, normalFolders(known));
  };
  CHECK_FALSE(tells("#define IPU_ARCH_VERSION 1\n", "-O2 '-DX=1'"));
  CHECK(tells("#if __IPU_ARCH_VERSION__\n"));
  CHECK(tells("#if __IPU_ARCH\\\n_VERSION__\n"));
  CHECK(tells("", "-DX=__IPU_ARCH_VERSION__"));
  // Names that ## joins from two or more words of text, flags and headers.
  CHECK_FALSE(tells("#define J(a, b) a##b\nint J(__IPU, _ARCH);\n"));
  CHECK_FALSE(tells("// __IPU_ARCH _VERSION__\n"));
  CHECK(tells("#define J(a, b) a##b\n#if J(__IPU_ARCH, _VERSION__)\n"));
  CHECK(tells("#define J(a, b, c) a %:%: b %:%: c\n#if J(__IPU, _ARCH_, VERSION__)\n"));
  CHECK(tells("#define J(a, b) a #\\\r\n# b\n#if J(X, _VERSION__)\n", "-DX=__IPU_ARCH"));
  const std::string pastes = writeSource("pastes.hpp", "#define J(a, b) a##b\n"),
                    plain = writeSource("plain.hpp", "\n");
  CHECK_FALSE(tells("__IPU_ ARCH_VERSION__", "", {plain}));
  CHECK(tells("__IPU_ ARCH_VERSION__", "", {plain, pastes}));
  CHECK_FALSE(tells("__IPU_ ARCH_VERSION__", "", {pastes}, {POPSCOPE_BINARY_DIR "/codelet-sources/"}));
  CHECK(tells("__IPU_ ARCH_VERSION__", "", {pastes}, {POPSCOPE_BINARY_DIR "/codelet-source"}));
  // Names that known headers define depending on the target.
  const std::string follows = writeSource("follows.h", "#if __IPU_ARCH_VERSION__ == 1\n# define FAST 1\n#endif\n");
  const std::vector<std::string> folder = {POPSCOPE_BINARY_DIR "/codelet-sources"};
  CHECK(tells("", "", {follows}));
  CHECK_FALSE(tells("", "", {follows}, folder));
  CHECK(tells("#ifdef FAST\n", "", {follows}, folder));
  CHECK(tells("#define J(a, b) a##b\nint x = J(FA, ST);\n", "", {follows}, folder));
  CHECK(tells("", "", {plain + ".missing"}));
  CHECK(normalFolders({""}).empty()); // and not the current one
}

TEST_CASE("headers of codelets tell targets apart by directives alone, and no other of them uses what those define") {
  namespace fs = std::filesystem;
  std::vector<std::string> definers, others;
  for (const auto &entry : fs::recursive_directory_iterator(POPSCOPE_SOURCE_DIR "/graph/include"))
    if (entry.is_regular_file())
      (readFile(entry.path().string()).value_or("").find("__IPU_ARCH_VERSION__") != std::string::npos ? definers
                                                                                                      : others)
          .push_back(entry.path().string());
  CHECK(definers.size() == 2);
  for (const std::string &definer : definers) {
    std::istringstream in(readFile(definer).value_or(""));
    bool inComment = false;
    for (std::string line; std::getline(in, line);) {
      const bool begins = line.rfind("/*", 0) == 0;
      const std::string where = definer + ": " + line;
      CHECK_MESSAGE((inComment || begins || line.rfind('#', 0) == 0), where);
      inComment = (inComment || begins) && line.find("*/") == std::string::npos;
    }
    // Each other header as an unknown text after this one.
    for (const std::string &other : others)
      CHECK_MESSAGE(!mayTellTargets(readFile(other).value_or(""), "", {definer},
                                    normalFolders({fs::path(definer).parent_path().string()})),
                    other);
  }
}

TEST_CASE("popc writes the same bytes with one thread and with two") {
  const WorkFolder work(POPSCOPE_BINARY_DIR);
  std::vector<std::string> sources;
  for (int i = 0; i != 4; ++i)
    sources.push_back(writeSource("threads" + std::to_string(i) + ".cpp", vertexText("Threads" + std::to_string(i))));
  sources.push_back(writeSource("threads_tells.cpp", vertexText("Tells", "__IPU_ARCH_VERSION__")));
  std::vector<std::string> bytes;
  for (const std::string jobs : {"-j1", "-j2"}) {
    std::vector<std::string> words = {jobs, "-o", work.path(jobs + ".gp"), "--target=ipu1,ipu2"};
    words.insert(words.end(), sources.begin(), sources.end());
    const ProcessResult result = popcWith(words, work.path("cache" + jobs));
    REQUIRE_MESSAGE(result.exitCode == 0, result.errors);
    bytes.push_back(readFile(work.path(jobs + ".gp")).value_or(""));
  }
  CHECK(bytes[0] == bytes[1]);
  // Data that targets share is in the file once.
  std::vector<std::string> targets;
  const std::vector<GraphObjectEntry> one = readGraphObject("one", bytes[0], "ipu1", false, targets),
                                      two = readGraphObject("two", bytes[0], "ipu2", false, targets);
  REQUIRE(one.size() == sources.size());
  CHECK(one[0].sharedObject == two[0].sharedObject);
  std::size_t copies = 0;
  for (std::size_t at = bytes[0].find(one[0].sharedObject); at != std::string::npos;
       at = bytes[0].find(one[0].sharedObject, at + 1))
    ++copies;
  CHECK(copies == 1);
}

TEST_CASE("popc tells errors and warnings in the order of the sources and leaves the output as it was") {
  const WorkFolder work(POPSCOPE_BINARY_DIR);
  const std::string good = writeSource("order_good.cpp", vertexText("Good") + "static int unused;\n"),
                    slow = writeSource("order_slow.cpp",
                                       "#include <poplar/Vertex.hpp>\n#include <regex>\nint f() { return first; }\n"),
                    fast = writeSource("order_fast.cpp", "int g() { return second; }\n");
  const std::string output = work.path("out.gp");
  writeFile(output, "as it was");
  for (const std::string jobs : {"-j1", "-j2"}) {
    const ProcessResult result = popcWith({jobs, "-Wall", good, slow, fast, "-o", output}, work.path("cache" + jobs));
    CHECK(result.exitCode == 1);
    const std::size_t warning = result.errors.find("order_good.cpp:3:12: warning:"),
                      first = result.errors.find("order_slow.cpp:3:18: error:"),
                      second = result.errors.find("order_fast.cpp:1:18: error:");
    CHECK_MESSAGE(warning < first, result.errors);
    CHECK_MESSAGE(first < second, result.errors);
    CHECK(second != std::string::npos);
    // The warning appears once for all targets.
    CHECK(result.errors.find("warning:", warning + 30) == std::string::npos);
    CHECK(result.errors.find("order_fast.cpp:1:18: error:", second + 1) == std::string::npos);
    CHECK(readFile(output).value_or("") == "as it was");
  }
  CHECK(popcWith({"-j2", good, "-o", output}, work.path("cache-j1")).exitCode == 0);
  CHECK(readFile(output).value_or("").rfind("POPSCPGP", 0) == 0);
  for (const auto &entry : std::filesystem::directory_iterator(work.path("")))
    CHECK(entry.path().extension() != ".part");
}

TEST_SUITE_END();
