#include "base/JsonText.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <string>

using namespace popscope;

TEST_CASE("a text that is no JSON is a discarded value, or an error that tells where") {
  CHECK(jsonOf(R"({"a": [1, 2]})") == nlohmann::json{{"a", {1, 2}}});
  for (const char *text : {"", "{", "[1,]", "1 2", "nul", "1e999"}) {
    CAPTURE(text);
    CHECK(jsonOf(text).is_discarded());
    CHECK(orderedJsonOf(text).is_discarded());
    CHECK_THROWS_AS(jsonOrThrow(text), JsonError);
    CHECK_THROWS_AS(orderedJsonOrThrow(text), JsonError);
  }
}

TEST_CASE("an error names the unexpected character and its place") {
  const auto why = [](const std::string &text) -> std::string {
    try {
      (void)jsonOrThrow(text);
    } catch (const JsonError &e) {
      return e.what();
    }
    return "";
  };
  CHECK(why("[1,]") == "no valid JSON at byte 3: ']' is not expected there");
  CHECK(why("{\"a\": tru}") == "no valid JSON at byte 9: '}' is not expected there");
  CHECK(why("{\"a\": ") == "no valid JSON at byte 6: the text ends too early");
  CHECK(why("") == "no valid JSON at byte 0: the text ends too early");
  CHECK(why("[1, 1e999]") ==
        "no valid JSON at byte 4: the number 1e999 is out of range; the largest number is 1.8e+308");
  CHECK(why("{\"a\": -1e400}").find("at byte 6: the number -1e400 is out of range") != std::string::npos);
  CHECK(why("[1" + std::string(1000, '0') + ".5]").size() < 200);
  CHECK(why("[\"\xff\"]") == "no valid JSON at byte 2: the byte 0xff is not expected there");
  CHECK(why("[\"\x1b\"]") == "no valid JSON at byte 2: the byte 0x1b is not expected there");
  CHECK(why(std::string(1000000, '[')) ==
        "no valid JSON at byte 64: more than 64 arrays and objects inside each other");
  const std::string most(64, '['), end(64, ']');
  CHECK(why(most + end).empty());
  CHECK(why("\"" + std::string(1000, '[') + "\\\"[\"").empty()); // brackets within a string
  CHECK(why("[" + most + end + "]") == "no valid JSON at byte 64: more than 64 arrays and objects inside each other");
  try {
    (void)jsonOrThrow("[1,]");
  } catch (const JsonError &e) {
    CHECK(e.byte() == 3);
  }
}

TEST_CASE("a key of one object appears once where mistakes are reported") {
  CHECK_THROWS_WITH(jsonOrThrow(R"({"a": 1, "a": 2})"),
                    "no valid JSON at byte 12: the key \"a\" appears twice; leave one of them out");
  CHECK_THROWS_AS(orderedJsonOrThrow(R"([{"b": {"a": 1, "a": 1}}])"), JsonError);
  CHECK(jsonOrThrow(R"([{"a": 1}, {"a": {"a": 2}}])").at(1).at("a").at("a") == 2);
  CHECK(jsonOf(R"({"a": 1, "a": 2})").at("a") == 2);
}

TEST_CASE("a NUL byte and what follows it are not ignored") {
  using namespace std::string_literals;
  for (const auto &[text, at] : {std::pair("{}\0{"s, 2), {"\0"s, 0}, {"[1]\0"s, 3}, {"[1,\0]"s, 3}, {"[\"\0\"]"s, 2}}) {
    const int byte = at;
    CAPTURE(byte);
    CHECK(jsonOf(text).is_discarded());
    CHECK(orderedJsonOf(text).is_discarded());
    CHECK_THROWS_WITH(
        jsonOrThrow(text),
        ("no valid JSON at byte " + std::to_string(byte) + ": the byte 0x00 is not expected there").c_str());
  }
}

TEST_CASE("what is nested deeper than allowed is discarded as a whole") {
  CHECK(jsonOf("[[[7]]]", 3) == nlohmann::json{{{7}}});
  CHECK(jsonOf("[[[7]]]", 2).is_discarded());
  CHECK(jsonOf(R"([1, {"a": {"b": 2}}, 3])", 2).is_discarded());
  CHECK(jsonOf(R"([1, {"a": {"b": 2}}, 3])", 3).at(1).at("a").at("b") == 2);
  CHECK(jsonOf("[[[", 9).is_discarded());
  CHECK(jsonOf(std::string(1000000, '['), 5).is_discarded());
}

TEST_CASE("members stay in the order of the text where that is asked for") {
  const char *const text = R"({"z":1,"a":{"y":2,"b":3}})";
  CHECK(jsonText(orderedJsonOf(text)) == text);
  CHECK(jsonText(orderedJsonOrThrow(text)) == text);
  CHECK(jsonText(jsonOf(text)) == R"({"a":{"b":3,"y":2},"z":1})");
}

TEST_CASE("bytes that are no UTF-8 are escaped, and indentation is as asked for") {
  const std::string text = "a\xff\u5377\n";
  CHECK(jsonText(nlohmann::json(text)) == "\"a\\\\xff\u5377\\n\"");
  // DEL, U+009B, U+061C, U+202E and U+FEFF control a terminal; U+00E9 and U+1F600 do not.
  const std::string control = "\x7f \xC2\x9B \xD8\x9C \xE2\x80\xAE \xEF\xBB\xBF \xC3\xA9 \xF0\x9F\x98\x80";
  CHECK(jsonText(nlohmann::json{{control, {control}}}, 1).find_first_of("\x7f\x9B\x9C\xAE\xBB") == std::string::npos);
  CHECK(jsonText(nlohmann::json(control)) == R"("\u007f \u009b \u061c \u202e \ufeff )"
                                             "\xC3\xA9 \xF0\x9F\x98\x80\"");
  CHECK(jsonOf(jsonText(nlohmann::json{{control, {control}}}, 1)) == nlohmann::json{{control, {control}}});
  CHECK(jsonText(nlohmann::json{{text, {1, text}}}) == "{\"a\\\\xff\u5377\\n\":[1,\"a\\\\xff\u5377\\n\"]}");
  CHECK(jsonText(nlohmann::json{{"a", {1}}}, 1) == "{\n \"a\": [\n  1\n ]\n}");
  CHECK(jsonText(nlohmann::ordered_json{{"b", 1}, {"a", 2}}, 0) == "{\n\"b\": 1,\n\"a\": 2\n}");
}
