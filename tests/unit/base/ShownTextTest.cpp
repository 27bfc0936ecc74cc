#include "base/ShownText.hpp"

#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>

using namespace popscope;

TEST_SUITE("base.ShownText") {
  TEST_CASE("what a terminal acts on, and what is no UTF-8, is shown as bytes; all other text stays") {
    CHECK(shownText("Layer1/Fwd \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80 \\x41") ==
          "Layer1/Fwd \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80 \\x41");
    CHECK(shownText("\x1b[31mred\x07\x7f\n\t") == "\\x1b[31mred\\x07\\x7f\\x0a\\x09");
    CHECK(shownText(std::string_view("\0a", 2)) == "\\x00a");
    CHECK(shownText("a\xFF\xFEz") == "a\\xff\\xfez");
    CHECK(shownText("\xC2\x9B"
                    "31m") == "\\xc2\\x9b31m");            // CSI of one character
    CHECK(shownText("\xE2\x80\xAE") == "\\xe2\\x80\\xae"); // reverses the direction of text
    CHECK(shownText("\xC0\xAF") == "\\xc0\\xaf");          // an overlong form
    CHECK(shownText("\xED\xA0\x80") == "\\xed\\xa0\\x80"); // half of a surrogate pair
    CHECK(shownText("\xE2\x82") == "\\xe2\\x82");          // a truncated sequence
    CHECK(shownText("two\nlines\x1b", LineEnds::Kept) == "two\nlines\\x1b");
  }

  TEST_CASE("a long name loses its middle, and no character is cut") {
    CHECK(shortened("abcdefghij", 10) == "abcdefghij");
    CHECK(shortened("abcdefghij", 9) == "abc...hij");
    const std::string name = shownName("begin" + std::string(3000, 'x') + "end");
    CHECK(name.size() == kMaxNameColumns);
    CHECK(name.find("begin") == 0);
    CHECK(name.rfind("end") == name.size() - 3);
    CHECK(shortened("\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC", 8) == "...\xE2\x82\xAC");
  }

  TEST_CASE("messages of exceptions hold no such bytes, whoever makes them") {
    const poplar::invalid_option error("option '\x1b[2J\xff' is not known\nsecond line");
    CHECK(std::string(error.what()) == "option '\\x1b[2J\\xff' is not known\nsecond line");
  }
}
