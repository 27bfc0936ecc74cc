// readJSON: OptionFlags from the text of one flat JSON object.
#include "base/CountingIterator.hpp"
#include "base/Environment.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/exceptions.hpp>

namespace poplar {
namespace {

using Json = nlohmann::json;

/// Receives the parser's events; keeps numbers as they are spelt. The first mistake throws.
class FlagsReader : public nlohmann::json_sax<Json> {
public:
  FlagsReader(OptionFlags &flags, const std::size_t &read, const std::string &where)
      : flags_(flags), read_(read), where_(where) {}
  bool start_object(std::size_t) override {
    if (inObject_)
      refuse("an object");
    inObject_ = true;
    return true;
  }
  bool end_object() override { return true; }
  bool key(string_t &name) override {
    key_ = name;
    return true;
  }
  bool boolean(bool v) override { return value(v ? "true" : "false"); }
  bool number_integer(number_integer_t v) override { return value(std::to_string(v)); }
  bool number_unsigned(number_unsigned_t v) override { return value(std::to_string(v)); }
  bool number_float(number_float_t, const string_t &spelling) override { return value(spelling); }
  bool string(string_t &v) override { return value(v); }
  bool null() override { refuse("null"); }
  bool start_array(std::size_t) override { refuse("an array"); }
  bool end_array() override { return true; }
  bool binary(binary_t &) override { refuse("binary data"); }
  bool parse_error(std::size_t position, const std::string &, const nlohmann::detail::exception &e) override {
    // nlohmann counts from 1 and names the byte after the last one that it read; its text ends in the reason.
    const std::string text = e.what();
    const std::size_t reason = text.find(": ");
    throw poplar::parse_error(fmt::format("{}: no valid JSON at byte {}{}", where_, position == 0 ? 0 : position - 1,
                                          reason == std::string::npos ? "" : text.substr(reason)));
  }

private:
  bool value(const std::string &text) {
    if (!inObject_)
      refuse("a single value");
    flags_.set(key_, text);
    return true;
  }
  [[noreturn]] void refuse(const char *what) const {
    const std::size_t byte = read_ == 0 ? 0 : read_ - 1;
    if (!inObject_)
      throw poplar::parse_error(fmt::format("{}: byte {}: options are one JSON object such as {{\"option\": "
                                            "\"value\"}}, not {}",
                                            where_, byte, what));
    throw poplar::parse_error(fmt::format("{}: byte {}: option \"{}\" is {}; write a string, a boolean or a number",
                                          where_, byte, key_, what));
  }

  OptionFlags &flags_;
  const std::size_t &read_;
  const std::string &where_;
  std::string key_;
  bool inObject_ = false;
};

void readFlags(StringRef text, OptionFlags &flags, const std::string &where) {
  OptionFlags result = flags; // so that a mistake leaves `flags` alone
  std::size_t read = 0;
  FlagsReader reader(result, read, where);
  auto count = [&read](char) { ++read; };
  Json::sax_parse(popscope::CountingIterator(text.data(), count),
                  popscope::CountingIterator(text.data() + text.size(), count), &reader);
  flags = std::move(result);
}

} // namespace

void readJSON(StringRef string, OptionFlags &flags) { readFlags(string, flags, "options"); }

void readJSON(std::istream &stream, OptionFlags &flags) {
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  readFlags(text, flags, "options");
}

void readJSONFromEnv(StringRef env, OptionFlags &flags) {
  const auto text = popscope::environmentVariable(env);
  if (text && !text->empty())
    readFlags(*text, flags, "environment variable " + env);
}

} // namespace poplar
