// The environment of compilers, and what the program sets while a compiler library has this environment.
#include "graph/codelets/Process.hpp"

#include <cstdlib>
#include <doctest/doctest.h>
#include <map>
#include <string>

extern char **environ; // NOLINT: POSIX gives no other way to read the environment

using namespace popscope;

namespace {

std::map<std::string, std::string> variables() {
  std::map<std::string, std::string> all;
  for (char **one = environ; *one != nullptr; ++one) {
    const std::string entry = *one;
    all[entry.substr(0, entry.find('='))] = entry.substr(entry.find('=') + 1);
  }
  return all;
}

} // namespace

TEST_SUITE("codelets.environment") {
  TEST_CASE("what the program sets or removes meanwhile stays, and the rest is as before") {
    ::setenv("CPATH", "/my/headers", 1);
    ::setenv("LANG", "de_DE.UTF-8", 1);
    ::setenv("POPSCOPE_TEST_OLD", "old", 1);
    ::setenv("POPSCOPE_TEST_GONE", "here", 1);
    for (const char *language : {"", "fr_FR.UTF-8"}) {
      *language == '\0' ? ::unsetenv("LC_ALL") : ::setenv("LC_ALL", language, 1);
      for (const bool adds : {false, true}) { // a new variable makes the C library copy the list
        const auto before = variables();
        {
          const CompilersEnvironment outer, inner;
          CHECK(std::getenv("CPATH") == nullptr);
          CHECK(std::getenv("LANG") == nullptr);
          CHECK(std::string(std::getenv("LC_ALL")) == "C");
          ::setenv("POPSCOPE_TEST_OLD", "changed", 1);
          ::unsetenv("POPSCOPE_TEST_GONE");
          if (adds)
            ::setenv("POPSCOPE_TEST_NEW", "new", 1);
        }
        auto expected = before;
        expected["POPSCOPE_TEST_OLD"] = "changed";
        expected.erase("POPSCOPE_TEST_GONE");
        if (adds)
          expected["POPSCOPE_TEST_NEW"] = "new";
        CHECK(variables() == expected);
        ::setenv("POPSCOPE_TEST_OLD", "old", 1);
        ::setenv("POPSCOPE_TEST_GONE", "here", 1);
        ::unsetenv("POPSCOPE_TEST_NEW");
      }
    }
    for (const char *name : {"CPATH", "LANG", "LC_ALL", "POPSCOPE_TEST_OLD", "POPSCOPE_TEST_GONE"})
      ::unsetenv(name);
  }
}
