// Compares the output of an example with its golden text, without normalising anything: examples print no path and no
// time. After an intended change, tests/golden/update.py rewrites the texts.
#include "tests/FiguresOfCode.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

namespace {

std::string contents(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE_MESSAGE(in.good(), path << " cannot be read");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Returns the standard output of an example, without the influence of the caller's environment. If there is a script
/// next to the golden text, runs the script on the folder of binaries.
std::string outputOf(const std::string &example) {
  const std::string script = POPSCOPE_SOURCE_DIR "/tests/golden/examples/" + example + ".sh";
  const std::string run = std::ifstream(script).good() ? "sh '" + script + "' '" POPSCOPE_BINARY_DIR "/bin'"
                                                       : "'" POPSCOPE_BINARY_DIR "/bin/" + example + "'";
  const std::string command =
      "env -u POPLAR_ENGINE_OPTIONS -u POPLAR_TARGET_OPTIONS -u CLICOLOR -u CLICOLOR_FORCE " + run;
  std::FILE *pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  std::array<char, 4096> buffer{};
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe))
    text.append(buffer.data(), n);
  CHECK(::pclose(pipe) == 0);
  return text;
}

std::string firstDifference(const std::string &got, const std::string &wanted) {
  std::istringstream left(got), right(wanted);
  std::string a, b;
  for (std::size_t line = 1;; ++line) {
    const bool hasA = bool(std::getline(left, a)), hasB = bool(std::getline(right, b));
    if (!hasA && !hasB)
      return got == wanted ? "" : "the end of the last line";
    if (hasA != hasB || a != b)
      return "line " + std::to_string(line) + ": '" + (hasA ? a : "<end>") + "' instead of '" + (hasB ? b : "<end>") +
             "'";
  }
}

void expectGolden(const std::string &example) {
  const std::string found =
      firstDifference(outputOf(example), contents(POPSCOPE_SOURCE_DIR "/tests/golden/examples/" + example + ".txt"));
  CHECK_MESSAGE(found.empty(), example << ", " << found);
}

} // namespace

TEST_SUITE("golden.examples") {

  TEST_CASE("the liveness example prints its golden text") { expectGolden("liveness"); }

  TEST_CASE("the control flow example prints its golden text") { expectGolden("control_flow"); }

  TEST_CASE("the perceptron's liveness is explained as its golden text says") { expectGolden("mlp_liveness"); }

  TEST_CASE("the answers about the perceptron are those of the tables of its profile") {
    if (figuresOfCodeApply())
      expectGolden("answers");
  }

  TEST_CASE("commands that are no views print their golden text") {
    if (figuresOfCodeApply())
      expectGolden("commands");
  }

  TEST_CASE("popscope html and popscope view print their golden text") {
    if (!std::ifstream(POPSCOPE_BINARY_DIR "/share/popscope/viewer.html").good()) {
      MESSAGE("the viewer is not built here");
      return;
    }
    expectGolden("pages");
  }

  TEST_CASE("the session of docs/TOOLS.md prints what the page shows") { expectGolden("tools"); }

  TEST_CASE("a line that changed, is missing or is new is found") {
    CHECK(firstDifference("a\nb\n", "a\nb\n").empty());
    CHECK(firstDifference("a\nc\n", "a\nb\n") == "line 2: 'c' instead of 'b'");
    CHECK(firstDifference("a\n", "a\nb\n") == "line 2: '<end>' instead of 'b'");
    CHECK(firstDifference("a\nb\n", "a\n") == "line 2: 'b' instead of '<end>'");
    CHECK_FALSE(firstDifference("a\n", "a").empty());
  }

} // TEST_SUITE
