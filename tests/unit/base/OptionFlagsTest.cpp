#include <cstdlib>
#include <doctest/doctest.h>
#include <poplar/OptionFlags.hpp>
#include <poplar/exceptions.hpp>
#include <sstream>

using namespace poplar;

namespace {

std::string keys(const OptionFlags &flags) {
  std::string all;
  for (const auto &entry : flags)
    all += entry.first + "=" + entry.second + ";";
  return all;
}

std::string mistakeIn(const std::string &text) {
  OptionFlags flags{{"kept", "1"}};
  try {
    readJSON(text, flags);
  } catch (const parse_error &e) {
    CHECK(keys(flags) == "kept=1;");
    return e.what();
  }
  return "";
}

} // namespace

TEST_SUITE("base.OptionFlags") {
  TEST_CASE("options iterate in key order and later values win") {
    OptionFlags flags{{"b", "1"}, {"a", "2"}};
    flags.set("b", "3");
    flags.set({{"c", "4"}});
    CHECK(keys(flags) == "a=2;b=3;c=4;");
    CHECK(flags.at("b") == "3");
    CHECK(flags.count("x") == 0);
    CHECK(flags.find("x") == flags.end());
    CHECK(flags.find("c")->second == "4");
    CHECK_THROWS_WITH_AS(flags.at("bb"), "option \"bb\" is not set.", std::out_of_range);
    CHECK(flags == OptionFlags{{"a", "2"}, {"b", "3"}, {"c", "4"}});
    CHECK(std::hash<OptionFlags>()(flags) != std::hash<OptionFlags>()(OptionFlags{{"a", "2"}}));
    static_assert(std::is_nothrow_move_constructible_v<OptionFlags>);
  }

  TEST_CASE("options print as JSON") {
    std::ostringstream os;
    os << OptionFlags{{"b", "1"}, {"a", "x\"y"}};
    CHECK(os.str() == R"({"a":"x\"y","b":"1"})");
  }

  TEST_CASE("JSON strings, booleans and numbers become text as written") {
    OptionFlags flags{{"a", "old"}, {"kept", "yes"}};
    readJSON(R"( {"a": "new", "b": true, "c": -12, "d": 1.50, "e": 18446744073709551615} )", flags);
    CHECK(keys(flags) == "a=new;b=true;c=-12;d=1.50;e=18446744073709551615;kept=yes;");
    std::istringstream stream(R"({"a":"from stream"})");
    readJSON(stream, flags);
    CHECK(flags.at("a") == "from stream");
  }

  TEST_CASE("a mistake in JSON is named with its byte and changes nothing") {
    CHECK(mistakeIn(R"({"a": tru})").find("no valid JSON at byte 9") != std::string::npos);
    CHECK(mistakeIn(R"({"a": )").find("no valid JSON at byte 6") != std::string::npos);
    CHECK(mistakeIn("").find("no valid JSON at byte 0") != std::string::npos);
    CHECK(mistakeIn(R"({"a":"1"} x)").find("no valid JSON at byte 10") != std::string::npos);
    CHECK(mistakeIn(R"({"a": [1]})") == "options: byte 6: option \"a\" is an array; write a string, a boolean or a "
                                        "number");
    CHECK(mistakeIn(R"({"a": {"b": 1}})").find("byte 6: option \"a\" is an object") != std::string::npos);
    CHECK(mistakeIn(R"({"a":"1","b":2,"a":"3"})") ==
          "options: byte 17: option \"a\" is given twice; leave one of the two "
          "out");
    CHECK(mistakeIn("[1]").find("byte 0: options are one JSON object") != std::string::npos);
  }

  TEST_CASE("options come from an environment variable and errors name it") {
    OptionFlags flags;
    ::unsetenv("POPSCOPE_TEST_OPTIONS");
    readJSONFromEnv("POPSCOPE_TEST_OPTIONS", flags);
    CHECK(flags.empty());
    ::setenv("POPSCOPE_TEST_OPTIONS", R"({"a":"1"})", 1);
    readJSONFromEnv("POPSCOPE_TEST_OPTIONS", flags);
    CHECK(keys(flags) == "a=1;");
    ::setenv("POPSCOPE_TEST_OPTIONS", "{", 1);
    try {
      readJSONFromEnv("POPSCOPE_TEST_OPTIONS", flags);
      FAIL("a broken variable was accepted");
    } catch (const parse_error &e) {
      CHECK(std::string(e.what()).find("POPSCOPE_TEST_OPTIONS") != std::string::npos);
    }
    ::unsetenv("POPSCOPE_TEST_OPTIONS");
  }
}
