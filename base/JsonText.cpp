#include "base/JsonText.hpp"

#include <nlohmann/json.hpp>

namespace popscope {
namespace {

template <class Json> std::string textOf(const Json &value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

} // namespace

nlohmann::json jsonOf(std::string_view text, int deepest) {
  bool tooDeep = false;
  // A value that the callback drops becomes null, so that the rest is read for nothing, but no level is kept.
  const nlohmann::json::parser_callback_t keep = [&](int depth, nlohmann::json::parse_event_t, nlohmann::json &) {
    tooDeep = tooDeep || depth > deepest;
    return !tooDeep;
  };
  nlohmann::json value = deepest == std::numeric_limits<int>::max() ? nlohmann::json::parse(text, nullptr, false)
                                                                    : nlohmann::json::parse(text, keep, false);
  return tooDeep ? nlohmann::json(nlohmann::json::value_t::discarded) : value;
}

nlohmann::ordered_json orderedJsonOf(std::string_view text) {
  return nlohmann::ordered_json::parse(text, nullptr, false);
}

nlohmann::json jsonOrThrow(std::string_view text) { return nlohmann::json::parse(text); }
nlohmann::ordered_json orderedJsonOrThrow(std::string_view text) { return nlohmann::ordered_json::parse(text); }

std::string jsonText(const nlohmann::json &value, int indent) { return textOf(value, indent); }
std::string jsonText(const nlohmann::ordered_json &value, int indent) { return textOf(value, indent); }

} // namespace popscope
