#include "base/ReadNumber.hpp"

#include <doctest/doctest.h>

using namespace popscope;

TEST_SUITE("base.ReadNumber") {
  TEST_CASE("a whole number is all of the text, in digits, inside the range") {
    CHECK(readWhole("0") == 0u);
    CHECK(readWhole("007") == 7u);
    CHECK(readWhole("18446744073709551615") == 18446744073709551615u);
    for (const char *bad :
         {"", "-1", "+1", " 1", "1 ", "1.0", "1e3", "0x10", "18446744073709551616", "99999999999999999999", "a", "-"}) {
      CAPTURE(std::string(bad));
      CHECK_FALSE(readWhole(bad));
    }
    CHECK(readWhole("4", {4, 6}) == 4u);
    CHECK(readWhole("6", {4, 6}) == 6u);
    CHECK_FALSE(readWhole("3", {4, 6}));
    CHECK_FALSE(readWhole("7", {4, 6}));
    CHECK(readWhole("fF", {}, 16) == 255u);
    CHECK_FALSE(readWhole("0xff", {}, 16));
  }

  TEST_CASE("the digits at the start are taken, or nothing is") {
    std::string_view text = "12-34";
    CHECK(takeWhole(text) == 12u);
    CHECK(text == "-34");
    CHECK_FALSE(takeWhole(text));
    CHECK(text == "-34");
    std::string_view large = "99999999999999999999,1";
    CHECK_FALSE(takeWhole(large));
    CHECK(large.size() == 22);
    std::string_view outside = "9";
    CHECK_FALSE(takeWhole(outside, {0, 8}));
  }

  TEST_CASE("a real number is finite") {
    CHECK(readReal("0.5") == 0.5);
    CHECK(readReal("-1e3") == -1000.0);
    for (const char *bad : {"", "nan", "inf", "-infinity", "1e999", "0.5x", " 1"}) {
      CAPTURE(std::string(bad));
      CHECK_FALSE(readReal(bad));
    }
  }

  TEST_CASE("a range is described by both ends") { CHECK(describeRange({1, 64}) == "a whole number from 1 to 64"); }
  TEST_CASE("a range without a maximum is described by its minimum") {
    CHECK(describeRange({}) == "a whole number from 0 on");
    CHECK(describeRange({1}) == "a whole number from 1 on");
  }
}
