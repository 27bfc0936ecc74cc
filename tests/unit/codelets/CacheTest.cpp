#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/CompileLibrary.hpp"
#include "graph/codelets/ContentHash.hpp"
#include "graph/codelets/Process.hpp"
#include "tests/unit/codelets/Support.hpp"

#include <algorithm>
#include <chrono>
#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>
#include <random>
#include <set>
#include <unistd.h>

using namespace popscope;
using namespace popscope::test;

namespace {

namespace fs = std::filesystem;

CompiledLibrary compileText(const std::string &text) { return compileLibrary({"<text>", text, "", false}, {}); }

} // namespace

TEST_SUITE_BEGIN("graph.codelets");

TEST_CASE("a content hash covers the bytes and the length of each string, and stays the same in each build") {
  const auto hash = [](const std::vector<std::string> &parts) {
    ContentHash all;
    for (const std::string &part : parts)
      all.add(part);
    return all.hex();
  };
  CHECK(hash({}) == std::string(32, '0'));
  const std::vector<std::vector<std::string>> different = {{},
                                                           {""},
                                                           {"", ""},
                                                           {"ab"},
                                                           {"a", "b"},
                                                           {"ab", ""},
                                                           {"", "ab"},
                                                           {"b", "a"},
                                                           {std::string(1, '\0')},
                                                           {std::string(1000, 'x')},
                                                           {std::string(1000, 'x'), std::string(1, 'x')},
                                                           {std::string(1001, 'x')}};
  std::set<std::string> seen;
  for (const auto &parts : different) {
    CHECK(hash(parts).size() == 32);
    CHECK(hash(parts) == hash(parts));
    CHECK(seen.insert(hash(parts)).second);
  }
  std::string text;
  for (int i = 0; i < 3000; ++i)
    text += static_cast<char>(i * 7);
  std::string changed = text;
  for (const std::size_t at : {0U, 1U, 17U, 240U, 1024U, 2999U}) { // XXH3 treats lengths of up to 16, 128 and 240 apart
    changed[at] = static_cast<char>(changed[at] ^ 1);
    CHECK(hash({changed}) != hash({text}));
    changed = text;
  }
  CHECK(hash({text, "abc", ""}) == "dc24d9847cd6a37d3dc95d08620b5138");
}

TEST_CASE("what is in the cache starts no compiler, with classes or without") {
  const CountedCompiler compiler;
  const CompiledLibrary first = compileText(vertexText("Cached"));
  const long runs = compiler.runs();
  CHECK(runs > 0);
  CHECK(compileText(vertexText("Cached")).sharedObject == first.sharedObject);
  CHECK(compiler.runs() == runs);
  CHECK(compileText("static int unseen() { return 1; }\n")
            .hostFunctions.empty()); // it has no function that another source could call
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
  CHECK(kept == 11); // .so, .rv and two entries of the first, two of the second, .o, .rvo and two of the third: one
                     // for each kind of half; and the time of the last pruning
  CHECK(compileText("int f() { return 1; }\n").sharedObject.empty());
  CHECK(entries() == kept);
  CHECK(compiler.runs() == runsOfAll);
}

TEST_CASE("a file of the cache that is cut short, changed or lost is made again") {
  const CountedCompiler compiler;
  const CompiledLibrary first = compileText(vertexText("Healed") + "int callable() { return 1; }\n");
  const std::string folder = fs::path(first.sharedObject).parent_path().string();
  std::vector<std::pair<std::string, std::string>> kept; // path, content
  for (const fs::directory_entry &entry : fs::directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().filename() != "pruned")
      kept.emplace_back(entry.path().string(), readFile(entry.path().string()).value_or(""));
  REQUIRE(kept.size() == 6); // .so, .rv, .f.o, .f.rvo, two entries
  std::mt19937 random(1);
  for (const auto &file : kept) {
    const std::string &path = file.first, &whole = file.second;
    std::vector<std::string> damages = {"", whole.substr(0, 64), whole.substr(0, whole.size() / 2),
                                        whole.substr(0, whole.size() - 1), whole + "x"};
    for (int flip = 0; flip != 4; ++flip) {
      damages.push_back(whole);
      damages.back()[random() % whole.size()] ^= static_cast<char>(1u << random() % 8);
    }
    for (const std::string &damage : damages) {
      INFO(path << " with " << damage.size() << " of " << whole.size() << " bytes");
      writeFile(path, damage);
      const CompiledLibrary again = compileText(vertexText("Healed") + "int callable() { return 1; }\n");
      CHECK(again.sharedObject == first.sharedObject);
      CHECK(again.standInProblem == first.standInProblem);
      const bool isOfOtherHalves = fs::path(path).extension() == ".json" && readFile(path) == damage;
      for (const auto &[other, before] : kept)
        if (!isOfOtherHalves || other != path)
          CHECK(readFile(other) == before);
      writeFile(path, whole);
    }
  }
  fs::remove(first.standInImage);
  CHECK(fs::exists(compileText(vertexText("Healed") + "int callable() { return 1; }\n").standInImage));
}

TEST_CASE("what an archive put into the cache is taken only as it was put there") {
  const WorkFolder work(POPSCOPE_BINARY_DIR);
  const CompileCache cache(work.path("cache"));
  const std::string path = cache.keep("content", ".so"), folder = cache.keepInFolder("text", "features.h");
  writeFile(path, "contend");
  writeFile(folder + "/features.h", "");
  CHECK(cache.keep("content", ".so") == path);
  CHECK(readFile(path) == "content");
  CHECK(cache.keepInFolder("text", "features.h") == folder);
  CHECK(readFile(folder + "/features.h") == "text");
}

TEST_CASE("the cache belongs to its user alone") {
  const WorkFolder work(POPSCOPE_BINARY_DIR);
  const auto modeOf = [](const std::string &folder) { return fs::status(folder).permissions(); };
  const std::string own = work.path("deep/own");
  CHECK(CompileCache(own).folder() == own);
  CHECK(modeOf(own) == fs::perms::owner_all);
  for (const fs::perms shared : {fs::perms::group_write, fs::perms::others_write}) {
    fs::permissions(own, fs::perms::owner_all | shared);
    CHECK(CompileCache(own).folder() != own);
  }
}

TEST_CASE("a folder of another user where the cache would be does not stop a program") {
  if (::geteuid() != 0) {
    MESSAGE("only root can give a folder to another user");
    return;
  }
  const WorkFolder work(POPSCOPE_BINARY_DIR);
  setenv("TMPDIR", work.path("").c_str(), 1);
  for (const std::string &folder : {work.path("named"), work.path("popscope-cache-0")}) {
    fs::create_directories(folder);
    REQUIRE(::chown(folder.c_str(), 65534, 65534) == 0);
  }
  const std::string taken = CompileCache(work.path("named")).folder();
  CHECK(taken == CompileCache(work.path("named")).folder()); // the whole process has one folder
  unsetenv("TMPDIR");
  CHECK(fs::path(taken).filename().string().rfind("popscope-cache-", 0) == 0);
  CHECK(taken != work.path("popscope-cache-0"));
  CHECK(fs::status(taken).permissions() == fs::perms::owner_all);
  CHECK(fs::is_empty(work.path("popscope-cache-0")));
}

TEST_CASE("what was not used for long leaves the cache, and the rest when it grows too large") {
  const WorkFolder work(POPSCOPE_BINARY_DIR);
  const CompileCache cache(work.path("cache"));
  const auto now = fs::file_time_type::clock::now();
  const auto put = [&](const std::string &name, int hoursAgo) {
    fs::create_directories(fs::path(cache.folder() + "/" + name).parent_path());
    writeFile(cache.folder() + "/" + name, std::string(1000, 'x'));
    fs::last_write_time(cache.folder() + "/" + name, now - std::chrono::hours(hoursAgo));
  };
  put("old.so", 1000);
  put("precompiled/old.pch", 1000);
  put("older.so", 300);
  put("newer.so", 200);
  put("today.so", 2);
  put("work-killed/unit.so", 1);
  put("work-going/unit.so", 1);
  fs::last_write_time(cache.folder() + "/work-killed", now - std::chrono::hours(25));
  const auto left = [&] {
    std::set<std::string> names;
    for (const auto &entry : fs::recursive_directory_iterator(cache.folder()))
      if (entry.is_regular_file())
        names.insert(fs::path(entry.path()).lexically_relative(cache.folder()).string());
    return names;
  };
  using Names = std::set<std::string>;
  cache.prune(CacheLimits());
  CHECK(left() == Names{"older.so", "newer.so", "today.so", "work-going/unit.so"});
  CacheLimits small;
  small.bytes = 2000;
  cache.prune(small);
  CHECK(left() == Names{"newer.so", "today.so", "work-going/unit.so"});
  small.bytes = 0;
  cache.prune(small);
  CHECK(left() == Names{"today.so", "work-going/unit.so"}); // used today: a running program may need it
}

TEST_CASE("what is used stays young") {
  const CountedCompiler compiler;
  const CompiledLibrary first = compileText(vertexText("Used"));
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1000);
  for (const auto &entry : fs::directory_iterator(fs::path(first.sharedObject).parent_path()))
    fs::last_write_time(entry.path(), old);
  compileText(vertexText("Used"));
  CHECK(fs::last_write_time(first.sharedObject) > old);
  CHECK(fs::last_write_time(first.standInImage) > old);
  compileText(vertexText("Other")); // prunes
  const long runs = compiler.runs();
  CHECK(compileText(vertexText("Used")).sharedObject == first.sharedObject);
  CHECK(compiler.runs() == runs);
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
  // Each round starts with an empty cache, so that the processes really compile and publish at the same time.
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

TEST_CASE("a compiler that does not end is ended, and the message names it and the limit") {
  const CountedCompiler compiler;
  compiler.install("sleep 100");
  setenv("POPSCOPE_COMPILE_SECONDS", "1", 1);
  const auto begin = std::chrono::steady_clock::now();
  CHECK_THROWS_WITH_AS(compileText(vertexText("Endless")),
                       doctest::Contains("did not finish within 1 s and was stopped; POPSCOPE_COMPILE_SECONDS"),
                       poplar::graph_program_compilation_error);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(30));
  setenv("POPSCOPE_COMPILE_SECONDS", "soon", 1);
  CHECK_THROWS_WITH_AS(compileText(vertexText("Endless")), doctest::Contains("\"soon\""), poplar::invalid_option);
  unsetenv("POPSCOPE_COMPILE_SECONDS");
}

TEST_CASE("variables of the caller's shell do not reach the compilers of codelets") {
  const CountedCompiler compiler;
  const WorkFolder work(POPSCOPE_BINARY_DIR);
  writeFile(work.path("stddef.h"), "#error of the caller\n");
  const std::vector<const char *> names = {"CPATH", "CPLUS_INCLUDE_PATH", "C_INCLUDE_PATH", "LIBRARY_PATH",
                                           "COMPILER_PATH"};
  for (const char *name : names)
    setenv(name, work.path("").c_str(), 1);
  setenv("LC_ALL", "xx_YY", 1);
  const ProcessResult told = runProcess({"env"});
  const CompiledLibrary library = compileText("#include <stddef.h>\n" + vertexText("Apart"));
  for (const char *name : names) {
    CHECK(told.output.find("\n" + std::string(name) + "=") == std::string::npos);
    unsetenv(name);
  }
  unsetenv("LC_ALL");
  CHECK(told.output.find("LC_ALL=C\n") != std::string::npos);
  CHECK(told.output.find("PATH=") != std::string::npos);
  CHECK_FALSE(library.sharedObject.empty());
}

TEST_SUITE_END();
