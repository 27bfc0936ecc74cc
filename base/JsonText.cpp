#include "base/JsonText.hpp"

#include "base/CountingIterator.hpp"
#include "base/JsonEvents.hpp"
#include "base/ShownText.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace popscope {
namespace {

/// Returns the value with validUtf8() applied to all its texts and keys.
template <class Json> Json validJson(const Json &value) {
  if (value.is_string())
    return validUtf8(value.template get_ref<const std::string &>());
  if (!value.is_structured())
    return value;
  Json valid = value.is_array() ? Json::array() : Json::object();
  for (const auto &[key, inner] : value.items())
    if (value.is_array())
      valid.push_back(validJson(inner));
    else
      valid[validUtf8(key)] = validJson(inner);
  return valid;
}

template <class Json> std::string textOf(const Json &value, int indent) {
  try {
    return shownJson(value.dump(indent));
  } catch (const nlohmann::detail::type_error &) { // a text is not UTF-8, which is rare
    return shownJson(validJson(value).dump(indent));
  }
}

/// Returns the position of the first bracket that opens more than `deepest` levels.
std::optional<std::size_t> tooDeepAt(std::string_view text, int deepest) {
  int depth = 0;
  bool inString = false;
  for (std::size_t i = 0; i != text.size(); ++i) {
    const char c = text[i];
    if (inString) {
      if (c == '\\' && i + 1 != text.size())
        ++i;
      else if (c == '"')
        inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      if (++depth > deepest)
        return i;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return std::nullopt;
}

/// Returns the parser's error. `position`, which the parser reports, is after the last byte that the parser read.
JsonError errorAt(std::string_view text, std::size_t position) {
  const std::size_t byte = position == 0 ? 0 : position - 1;
  if (byte >= text.size())
    return {byte, "the text ends too early"};
  const char c = text[byte];
  const auto code = static_cast<unsigned char>(c);
  return {byte, code > 0x20 && code < 0x7f ? fmt::format("'{}' is not expected there", c)
                                           : fmt::format("the byte 0x{:02x} is not expected there", code)};
}

/// Passes the library's events on as events of JsonEvents.
class Events : public nlohmann::json_sax<nlohmann::json> {
public:
  Events(JsonEvents &to, std::string_view text) : to_(to), text_(text) {}
  bool null() override { return to_.null(), true; }
  bool boolean(bool value) override { return to_.boolean(value), true; }
  bool number_integer(number_integer_t value) override { return to_.number(std::to_string(value)), true; }
  bool number_unsigned(number_unsigned_t value) override { return to_.number(std::to_string(value)), true; }
  bool number_float(number_float_t, const string_t &spelling) override { return to_.number(spelling), true; }
  bool string(string_t &value) override { return to_.string(value), true; }
  bool binary(binary_t &) override { return true; } // does not occur in a text
  bool start_object(std::size_t) override { return open_.emplace_back(), to_.beginObject(), true; }
  bool key(string_t &name) override { return to_.key(name, !open_.back().insert(name).second), true; }
  bool end_object() override { return open_.pop_back(), to_.endObject(), true; }
  bool start_array(std::size_t) override { return to_.beginArray(), true; }
  bool end_array() override { return to_.endArray(), true; }
  bool parse_error(std::size_t position, const std::string &token, const nlohmann::detail::exception &error) override {
    constexpr int kNumberTooLarge = 406;
    constexpr std::size_t kShownDigits = 40;
    if (error.id == kNumberTooLarge)
      to_.noJson({position - std::min(position, token.size()),
                  fmt::format("the number {} is out of range; the largest number is {:.2g}",
                              shortened(token, kShownDigits), std::numeric_limits<double>::max())});
    else
      to_.noJson(errorAt(text_, position));
    return false;
  }

private:
  JsonEvents &to_;
  std::string_view text_;
  std::vector<std::set<std::string>> open_; // the keys of each open object
};

/// Throws the error at the place where the parser stops, and at the second value for a key of an object.
class UniqueKeys : public IgnoredJsonEvents {
public:
  explicit UniqueKeys(const JsonPlace &place) : place_(place) {}
  void key(const std::string &name, bool again) override {
    if (again)
      throw JsonError(place_.read, fmt::format("the key \"{}\" appears twice; leave one of them out", shownText(name)));
  }
  [[noreturn]] void noJson(const JsonError &error) override { throw error; } // NOLINT: not by value

private:
  const JsonPlace &place_;
};

void readEvents(std::string_view text) {
  JsonPlace place;
  UniqueKeys keys(place);
  readJsonEvents(text, keys, place);
}

/// Returns the position of the first NUL byte. JSON contains no NUL bytes, but the library's parser takes a NUL byte
/// for the end of the text.
std::optional<std::size_t> nulAt(std::string_view text) {
  const std::size_t at = text.find('\0');
  return at == std::string_view::npos ? std::nullopt : std::optional(at);
}

template <class Json> Json parse(std::string_view text, int deepest) {
  return nulAt(text) || tooDeepAt(text, deepest) ? Json(Json::value_t::discarded) : Json::parse(text, nullptr, false);
}

/// Returns the reason why `parse` rejects the text at the usual depth.
JsonError whyNoJson(std::string_view text) {
  if (const auto at = tooDeepAt(text, kMaxJsonDepth))
    return {*at, fmt::format("more than {} arrays and objects inside each other", kMaxJsonDepth)};
  try {
    readEvents(text);
  } catch (const JsonError &error) {
    return error;
  }
  return {text.size(), "the text ends too early"};
}

template <class Json> Json parseOrThrow(std::string_view text) {
  Json value = parse<Json>(text, kMaxJsonDepth);
  if (value.is_discarded())
    throw whyNoJson(text);
  readEvents(text);
  return value;
}

} // namespace

JsonError::JsonError(std::size_t byte, const std::string &why)
    : std::runtime_error(fmt::format("no valid JSON at byte {}: {}", byte, why)), byte_(byte) {}

void readJsonEvents(std::string_view text, JsonEvents &events, JsonPlace &place, bool comments) {
  auto count = [&place](char c) {
    ++place.read;
    place.line += c == '\n' ? 1 : 0;
  };
  Events reader(events, text);
  nlohmann::json::sax_parse(CountingIterator(text.data(), count), CountingIterator(text.data() + text.size(), count),
                            &reader, nlohmann::detail::input_format_t::json, true, comments);
  if (const auto nul = nulAt(text)) // the parser has stopped there without an error
    events.noJson(errorAt(text, *nul + 1));
}

nlohmann::json jsonOf(std::string_view text, int deepest) { return parse<nlohmann::json>(text, deepest); }
nlohmann::ordered_json orderedJsonOf(std::string_view text) {
  return parse<nlohmann::ordered_json>(text, kMaxJsonDepth);
}

nlohmann::json jsonOrThrow(std::string_view text) { return parseOrThrow<nlohmann::json>(text); }
nlohmann::ordered_json orderedJsonOrThrow(std::string_view text) { return parseOrThrow<nlohmann::ordered_json>(text); }

std::string jsonText(const nlohmann::json &value, int indent) { return textOf(value, indent); }
std::string jsonText(const nlohmann::ordered_json &value, int indent) { return textOf(value, indent); }

} // namespace popscope
