// Reads JSON as a sequence of events, for callers that need the position of a value in the text.
#pragma once
#include "base/JsonText.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace popscope {

/// The position of the parser: the number of bytes that the parser has read, and the current line. The first line is 1.
struct JsonPlace {
  std::size_t read = 0, line = 1;
};

/// A receiver of the events of readJsonEvents(). Its functions may throw exceptions.
class JsonEvents {
public:
  virtual ~JsonEvents() = default;
  virtual void beginObject() = 0;
  virtual void endObject() = 0;
  /// Receives the key of the next value. `again` states whether the same object already had this key.
  virtual void key(const std::string &name, bool again) = 0;
  virtual void beginArray() = 0;
  virtual void endArray() = 0;
  virtual void null() = 0;
  virtual void boolean(bool value) = 0;
  /// Receives a number as the text spells it, except that the integer -0 becomes 0.
  virtual void number(const std::string &spelling) = 0;
  virtual void string(const std::string &value) = 0;
  /// Receives the error for a text that is not JSON. The position of the error is the first byte at which the text is
  /// not JSON. Must throw.
  [[noreturn]] virtual void noJson(const JsonError &error) = 0;
};

/// A base class for receivers that need only a few events. Ignores all events except noJson().
class IgnoredJsonEvents : public JsonEvents {
public:
  void beginObject() override {}
  void endObject() override {}
  void key(const std::string &, bool) override {}
  void beginArray() override {}
  void endArray() override {}
  void null() override {}
  void boolean(bool) override {}
  void number(const std::string &) override {}
  void string(const std::string &) override {}
};

/// Calls `events` for the contents of `text` and keeps `place` up to date. If `comments` is true, skips // and /* */.
/// Does not limit the nesting depth: `events` must throw if the text nests too deeply. Keeps only the keys of the open
/// objects in memory.
void readJsonEvents(std::string_view text, JsonEvents &events, JsonPlace &place, bool comments = false);

} // namespace popscope
