#include "base/Version.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace popscope;

TEST_SUITE("version") {
  TEST_CASE("a version text has a form for people") {
    CHECK(versionForPeople("3.4.0 (popscope 1.0.0)") == "Popscope 1.0.0 (Poplar interface 3.4)");
    CHECK(versionForPeople("3.4 (popscope 1.0.0-rc1)") == "Popscope 1.0.0-rc1 (Poplar interface 3.4)");
    CHECK(versionForPeople("12.34.5.6 (popscope x)") == "Popscope x (Poplar interface 12.34)");
  }
  TEST_CASE("a text in another form stays") {
    for (const char *text : {"", "3.4.0", "3 (popscope 1.0.0)", "3. (popscope 1.0.0)", ".4 (popscope 1.0.0)",
                             "3.4a (popscope 1.0.0)", "3.4.0 (popscope )", "3.4.0 (popscope (1))", "3.4.0 (popscope 1",
                             " (popscope 1.0.0)", "3.4.0  (popscope 1.0.0)"})
      CHECK(versionForPeople(text) == text);
  }
  TEST_CASE("a text may have any length") {
    const std::string zeros(1'000'000, '0');
    CHECK(versionForPeople("3.4" + zeros + " (popscope 1.0.0)") ==
          "Popscope 1.0.0 (Poplar interface 3.4" + zeros + ")");
    CHECK(versionForPeople("3.4.0 (popscope " + zeros + ")") == "Popscope " + zeros + " (Poplar interface 3.4)");
  }
}
