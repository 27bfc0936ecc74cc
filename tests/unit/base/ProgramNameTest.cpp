// The name of the program that writes a profile.
#include "base/ProgramName.hpp"

#include <doctest/doctest.h>
#include <string>
#include <vector>

using popscope::programName;

TEST_SUITE("base.program name") {
  TEST_CASE("a program is known by its file, a script by its own") {
    const auto name = [](const char *executable, const std::vector<std::string> &words) {
      return programName(executable, words);
    };
    CHECK(name("train", {"./train", "data.txt"}) == "train");
    CHECK(name("", {}) == "program");
    CHECK(name("python3.11", {"python3", "-u", "-W", "ignore", "models/train.py", "-v"}) == "train.py");
    CHECK(name("python3.11", {"python3", "-m", "pytest", "tests"}) == "pytest");
    CHECK(name("python3.11", {"python3", "-c", "import poplar"}) == "python3.11");
    CHECK(name("python3.11", {"python3"}) == "python3.11");
    CHECK(name("python3.11", {"python3", "-"}) == "python3.11");
    CHECK(programName() == "test_base_unit");
  }
}
