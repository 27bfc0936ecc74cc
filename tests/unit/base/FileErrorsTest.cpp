#include "base/FileErrors.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <new>
#include <stdexcept>

using namespace popscope;

TEST_SUITE("messages of exceptions") {
  TEST_CASE("a message says what happened to the file, or what the user can do") {
    CHECK(messageOf(std::runtime_error("as it is")) == "as it is");
    CHECK(messageOf(std::filesystem::filesystem_error(
              "f", "a/b", std::make_error_code(std::errc::permission_denied))) == "a/b: Permission denied");
    CHECK(messageOf(std::bad_alloc()).rfind("out of memory: ", 0) == 0);
  }
}
