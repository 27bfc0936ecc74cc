// libclang is loaded when a source is parsed and not before, and messages name the functions that it lacks.
#include "graph/codelets/Libclang.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <poplar/exceptions.hpp>

using namespace popscope;

namespace {

/// Returns the libraries that the loader loads before main(), one per line.
std::string loadedAtStart(const std::string &program) {
  std::string text;
  FILE *pipe = popen(("LD_TRACE_LOADED_OBJECTS=1 '" + program + "'").c_str(), "r");
  REQUIRE((pipe != nullptr));
  for (char line[4096]; std::fgets(line, sizeof line, pipe) != nullptr;)
    text += line;
  CHECK(pclose(pipe) == 0);
  return text;
}

std::string errorOf(const char *library) {
  try {
    openLibclang(library);
  } catch (const poplar::graph_program_compilation_error &e) {
    return e.what();
  }
  return "";
}

} // namespace

TEST_CASE("a program that parses no source does not load libclang") {
  const std::string loaded = loadedAtStart(POPSCOPE_BINARY_DIR "/bin/popc");
  CHECK(loaded.find("libstdc++") != std::string::npos);
  CHECK(loaded.find("libclang") == std::string::npos);
  CHECK(loaded.find("libLLVM") == std::string::npos);
}

TEST_CASE("a library that is not there, and one that is not libclang, are named with what is missing") {
  const std::string absent = errorOf("libno-such-parser.so.1");
  CHECK(absent.find("libno-such-parser.so.1") != std::string::npos);
  CHECK(absent.find("install the libclang that Popscope was built with") != std::string::npos);
  CHECK(errorOf("libm.so.6").find("libm.so.6, cannot be used: it has no function clang_") != std::string::npos);
}
