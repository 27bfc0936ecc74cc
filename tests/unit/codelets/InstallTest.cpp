#include "graph/codelets/CompileCache.hpp"
#include "graph/codelets/Process.hpp"
#include "tests/unit/codelets/Support.hpp"

#include <dlfcn.h>
#include <doctest/doctest.h>

using namespace popscope;
using namespace popscope::test;

namespace {

namespace fs = std::filesystem;

/// Creates <folder>/lib and <folder>/include like an installation. The headers are copies with one additional header as
/// a marker.
void install(const WorkFolder &work) {
  fs::create_directories(work.path("lib"));
  fs::copy(POPSCOPE_BINARY_DIR "/include", work.path("include"), fs::copy_options::recursive);
  writeFile(work.path("include/poplar/OnlyHere.hpp"), "constexpr float kOnlyHere = 6;\n");
  fs::copy_file(POPSCOPE_BINARY_DIR "/bin/popc", work.path("lib/installed-popc"));
  fs::copy_file(POPSCOPE_LOCATOR, work.path("lib/libmoved.so"));
}

} // namespace

TEST_SUITE_BEGIN("graph.codelets");

TEST_CASE("an installed program finds its headers beside itself, from any folder and by any name") {
  useBuildTree();
  const WorkFolder work(POPSCOPE_BINARY_DIR);
  install(work);
  writeFile(work.path("v.cpp"),
            "#include <poplar/OnlyHere.hpp>\n#include <poplar/Vertex.hpp>\nclass V : public poplar::Vertex { public: "
            "poplar::Output<float> o; bool compute() { *o = kOnlyHere; return true; } };\n");
  // A program that is started through PATH has a name without a folder, and the current folder is another one.
  const ProcessResult result =
      runProcess({"sh", "-c",
                  "cd / && unset POPSCOPE_INCLUDE_DIR && PATH='" + work.path("lib") +
                      "':\"$PATH\" && POPSCOPE_CACHE_DIR='" + work.path("cache") + "' installed-popc --target ipu1 '" +
                      work.path("v.cpp") + "' -o '" + work.path("v.gp") + "'"});
  REQUIRE_MESSAGE(result.exitCode == 0, result.errors);
  CodeletSet set;
  set.addFile(work.path("v.gp"), CodeletSourceKind::Auto, {}, nullptr);
  const VertexClass *v = set.find("V");
  REQUIRE(v != nullptr);
  REQUIRE_MESSAGE(v->standIn != nullptr, v->standInProblem); // its headers are part of the library
  std::vector<Operand> operands = {operandOf<float>(*v, "o", {0})};
  runOnHost(*v, operands);
  CHECK(valuesOf<float>(operands[0].bytes)[0] == 6);
}

TEST_CASE("an installed library finds its headers beside itself, not beside the program") {
  const WorkFolder work(POPSCOPE_BINARY_DIR);
  install(work);
  unsetenv("POPSCOPE_INCLUDE_DIR");
  void *library = dlopen(work.path("lib/libmoved.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  REQUIRE_MESSAGE(library != nullptr, dlerror());
  const auto locate = reinterpret_cast<void (*)(char *, std::size_t)>(dlsym(library, "popscopeLocateHeaders"));
  REQUIRE((locate != nullptr));
  char found[4096] = "";
  locate(found, sizeof found);
  useBuildTree();
  CHECK(fs::equivalent(found, work.path("include")));
  dlclose(library);
}

TEST_CASE("headers that are not where they should be are asked for by name") {
  useBuildTree();
  const WorkFolder work(POPSCOPE_BINARY_DIR);
  writeFile(work.path("v.cpp"), "int f();\n");
  fs::create_directories(work.path("lonely"));
  fs::copy_file(POPSCOPE_BINARY_DIR "/bin/popc", work.path("lonely/popc"));
  const ProcessResult result = runProcess({"sh", "-c",
                                           "unset POPSCOPE_INCLUDE_DIR; '" + work.path("lonely/popc") + "' '" +
                                               work.path("v.cpp") + "' -o '" + work.path("v.gp") + "'"});
  CHECK(result.exitCode == 2);
  CHECK(result.errors.find("set POPSCOPE_INCLUDE_DIR") != std::string::npos);
}

TEST_SUITE_END();
