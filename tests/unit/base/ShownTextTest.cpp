#include "base/ShownText.hpp"
#include "base/Utf8.hpp"

#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <unistd.h>

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
    CHECK(shownText("\xD8\x9C") == "\\xd8\\x9c");          // U+061C, a mark of the direction of text
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
    CHECK(shortened("\u20AC\u20AC\u20AC\u20AC\u20AC\u20AC", 5) == "\u20AC...\u20AC");
    CHECK(shortened("\u043F\u0440\u0438\u0432\u0435\u0442", 6) ==
          "\u043F\u0440\u0438\u0432\u0435\u0442"); // six columns
    CHECK(shortened("\u5377\u79EF\u5C42\u4E00", 7) == "\u5377...\u4E00");
    CHECK(shortened("\u5377\u79EF\u5C42\u4E00", 6) == "...\u4E00"); // no half of a wide character
  }

  TEST_CASE("East Asian characters take two columns, combining marks none") {
    CHECK(displayColumns("") == 0);
    CHECK(displayColumns("Layer1/Fwd") == 10);
    CHECK(displayColumns("\u0441\u043B\u043E\u0439") == 4);
    CHECK(displayColumns("\u5377\u79EF\u5C42") == 6);
    CHECK(displayColumns("e\u0301\u00E9") == 2);
    CHECK(displayColumns("\U0001F600") == 2);
    CHECK(displayColumns("a\xFFz") == 3);
    CHECK(columnSlice("ae\u0301\u5377z", 1, 1) == "e\u0301");
    CHECK(columnSlice("ae\u0301\u5377z", 0, 3) == "ae\u0301");
    CHECK(columnSlice("ae\u0301\u5377z", 3, 2) == "z");
  }

  TEST_CASE("a shell reads back the text that a word stands for, and a terminal acts on nothing in it") {
    for (const std::string text : {"profile.pop", "w 2/it's.pop", "a$HOME`x`\\n", "", "~/x", "red\x1b[0m\nit's \\ \xff",
                                   "dir\xC2\x9Bx/\xE2\x82\xAC"}) {
      const std::string word = shellWord(text);
      CAPTURE(word);
      CHECK(shownText(word) == word);
      const auto script = std::filesystem::temp_directory_path() / ("popscope-word-" + std::to_string(::getpid()));
      std::ofstream(script) << "printf %s " << word << "\n";
      std::FILE *const out = ::popen(("bash '" + script.string() + "'").c_str(), "r");
      REQUIRE(out != nullptr);
      std::string read(100, '\0');
      read.resize(std::fread(read.data(), 1, read.size(), out));
      CHECK(::pclose(out) == 0);
      std::filesystem::remove(script);
      CHECK(read == text);
    }
    CHECK(shellWord("profile.pop") == "profile.pop");
    CHECK(shellWord("w 2") == "'w 2'");
  }

  TEST_CASE("what is no UTF-8 is escaped for a format that can contain all else") {
    CHECK(validUtf8("a\xFF\u5377\n\x1b") == "a\\xff\u5377\n\x1b");
  }

  TEST_CASE("messages of exceptions hold no such bytes, whoever makes them") {
    const poplar::invalid_option error("option '\x1b[2J\xff' is not known\nsecond line");
    CHECK(std::string(error.what()) == "option '\\x1b[2J\\xff' is not known\\x0asecond line");
    const poplar::graph_program_compilation_error compiler("a.cpp:1: \x1b[2J\nsecond line"); // has lines of its own
    CHECK(std::string(compiler.what()) == "a.cpp:1: \\x1b[2J\nsecond line");
  }
}
