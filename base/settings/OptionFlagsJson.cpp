// readJSON: OptionFlags from the text of one flat JSON object.
#include "base/Environment.hpp"
#include "base/JsonEvents.hpp"
#include "base/ReadOwnBytes.hpp"

#include <fmt/format.h>
#include <poplar/OptionFlags.hpp>
#include <poplar/exceptions.hpp>

namespace poplar {
namespace {

/// Receives the parser's events; keeps numbers as they are spelt. Throws at the first mistake.
class FlagsReader : public popscope::JsonEvents {
public:
  FlagsReader(OptionFlags &flags, const popscope::JsonPlace &place, const std::string &where)
      : flags_(flags), place_(place), where_(where) {}
  void beginObject() override {
    if (inObject_)
      refuse("an object");
    inObject_ = true;
  }
  void endObject() override {}
  void key(const std::string &name, bool again) override {
    key_ = name;
    if (again)
      refuse("given twice", "leave one of the two out");
  }
  void boolean(bool v) override { value(v ? "true" : "false"); }
  void number(const std::string &spelling) override { value(spelling); }
  void string(const std::string &v) override { value(v); }
  void null() override { refuse("null"); }
  void beginArray() override { refuse("an array"); }
  void endArray() override {}
  [[noreturn]] void noJson(const popscope::JsonError &e) override {
    throw poplar::parse_error(where_ + ": " + e.what());
  }

private:
  void value(const std::string &text) {
    if (!inObject_)
      refuse("a single value");
    flags_.set(key_, text);
  }
  [[noreturn]] void refuse(const char *what, const char *next = "write a string, a boolean or a number") const {
    const std::size_t byte = place_.read == 0 ? 0 : place_.read - 1;
    if (!inObject_)
      throw poplar::parse_error(fmt::format("{}: byte {}: options are one JSON object such as {{\"option\": "
                                            "\"value\"}}, not {}",
                                            where_, byte, what));
    throw poplar::parse_error(fmt::format("{}: byte {}: option \"{}\" is {}; {}", where_, byte, key_, what, next));
  }

  OptionFlags &flags_;
  const popscope::JsonPlace &place_;
  const std::string &where_;
  std::string key_;
  bool inObject_ = false;
};

void readFlags(StringRef text, OptionFlags &flags, const std::string &where) {
  OptionFlags result = flags; // a copy, so that a mistake leaves `flags` as it was
  popscope::JsonPlace place;
  FlagsReader reader(result, place, where);
  popscope::readJsonEvents({text.data(), text.size()}, reader, place);
  flags = std::move(result);
}

} // namespace

void readJSON(StringRef string, OptionFlags &flags) { readFlags(string, flags, "options"); }

void readJSON(std::istream &stream, OptionFlags &flags) { readFlags(popscope::readRest(stream), flags, "options"); }

void readJSONFromEnv(StringRef env, OptionFlags &flags) {
  const auto text = popscope::environmentVariable(env);
  if (text && !text->empty())
    readFlags(*text, flags, "environment variable " + env);
}

} // namespace poplar
