#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/CompileLibrary.hpp"
#include "graph/codelets/Process.hpp"
#include "tests/unit/codelets/Support.hpp"

#include <algorithm>
#include <doctest/doctest.h>

using namespace popscope;
using namespace popscope::test;

namespace {

namespace fs = std::filesystem;

CompiledLibrary compileText(const std::string &text) { return compileLibrary({"<text>", text, "", false}, {}); }

} // namespace

TEST_SUITE_BEGIN("graph.codelets");

TEST_CASE("what is in the cache starts no compiler, with classes or without") {
  const CountedCompiler compiler;
  const CompiledLibrary first = compileText(vertexText("Cached"));
  const long runs = compiler.runs();
  CHECK(runs > 0);
  CHECK(compileText(vertexText("Cached")).sharedObject == first.sharedObject);
  CHECK(compiler.runs() == runs);
  CHECK(compileText("static int unseen() { return 1; }\n")
            .hostFunctions.empty()); // nothing that another source could call
  const CompiledLibrary functions = compileText("int f() { return 1; }\n");
  CHECK(functions.sharedObject.empty());
  CHECK_FALSE(functions.hostFunctions.empty());
  const long runsOfAll = compiler.runs();
  const std::string folder = fs::path(first.sharedObject).parent_path().string();
  const auto entries = [&] {
    return std::count_if(fs::directory_iterator(folder), fs::directory_iterator(),
                         [](const fs::directory_entry &entry) { return entry.is_regular_file(); });
  };
  const auto kept = entries();
  CHECK(kept == 10); // .so, .rv and two manifests of the first, two of the second, .o, .rvo and two of the third: one
                     // for each kind of half
  CHECK(compileText("int f() { return 1; }\n").sharedObject.empty());
  CHECK(entries() == kept);
  CHECK(compiler.runs() == runsOfAll);
}

TEST_CASE("another compiler under the same name compiles again") {
  const CountedCompiler compiler;
  compileText(vertexText("Recompiled"));
  const long runs = compiler.runs();
  compiler.install("# another one");
  compileText(vertexText("Recompiled"));
  CHECK(compiler.runs() == 2 * runs);
}

TEST_CASE("a program is known by its file, found as a process would find it") {
  CHECK(programIdentity("no-such-program-anywhere").empty());
  CHECK(programIdentity("sh") == programIdentity("/bin/sh"));
  CHECK_FALSE(programIdentity("sh").empty());
}

TEST_CASE("a header that is written while codelets compile is not taken for the one they were compiled with") {
  useBuildTree();
  const WorkFolder work(POPSCOPE_BINARY_DIR);
  const CompileCache cache(work.path("cache"));
  const fs::file_time_type before = fs::file_time_type::clock::now() - std::chrono::hours(1);
  const std::string header = work.path("header.hpp");
  writeFile(header, "int changed;\n");
  const auto store = [&](const std::string &key, fs::file_time_type begin) {
    writeFile(work.path("made.so"), "code");
    CompiledLibrary library;
    library.sharedObject = work.path("made.so");
    return cache.store({key}, library, {header}, begin);
  };
  CHECK(readFile(store("late", before).sharedObject).value_or("") == "code");
  CHECK_FALSE(cache.find("late").has_value());
  store("early", fs::file_time_type::clock::now() + std::chrono::hours(1));
  REQUIRE(cache.find("early").has_value());
  writeFile(header, "int changedAgain;\n");
  CHECK_FALSE(cache.find("early").has_value());
}

TEST_CASE("processes that compile the same source at once share one cache and agree") {
  useBuildTree();
  const WorkFolder work(POPSCOPE_BINARY_DIR);
  const std::string source = work.path("same.cpp"), popc = POPSCOPE_BINARY_DIR "/bin/popc";
  writeFile(source, vertexText("Same"));
  // Each round starts with an empty cache, so that the processes really compile and publish side by side.
  for (int round = 0; round != 3; ++round) {
    const std::string cache = work.path("cache") + std::to_string(round);
    std::string script = "POPSCOPE_CACHE_DIR='" + cache + "'; export POPSCOPE_CACHE_DIR; failed=0;";
    for (const char *id : {"a", "b"})
      script += " '" + popc + "' --target ipu1 '" + source + "' -o '" + work.path(id) + ".gp' & p" + id + "=$!;";
    script += " wait $pa || failed=1; wait $pb || failed=1; exit $failed";
    const ProcessResult result = runProcess({"sh", "-c", script});
    REQUIRE_MESSAGE(result.exitCode == 0, result.errors);
    CHECK(readFile(work.path("a.gp")) == readFile(work.path("b.gp")));
    for (const auto &entry : fs::recursive_directory_iterator(cache))
      CHECK(entry.path().filename().string().rfind("work-", 0) != 0); // no work folder is left behind
    setenv("POPSCOPE_CACHE_DIR", cache.c_str(), 1);
    CodeletSet set;
    set.addFile(source, CodeletSourceKind::Auto, {}, nullptr);
    CHECK(set.find("Same") != nullptr);
    useBuildTree();
  }
}

TEST_SUITE_END();
