// JSON as events, for readers that need the position of a value in the text.
#pragma once
#include "base/JsonText.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace popscope {

/// The parser's position: number of characters read, and the line, from 1.
struct JsonPlace {
  std::size_t read = 0, line = 1;
};

/// A handler of events. Its functions may throw.
class JsonEvents {
public:
  virtual ~JsonEvents() = default;
  virtual void beginObject() = 0;
  virtual void endObject() = 0;
  virtual void key(const std::string &name) = 0;
  virtual void beginArray() = 0;
  virtual void endArray() = 0;
  virtual void null() = 0;
  virtual void boolean(bool value) = 0;
  virtual void
  number(const std::string &spelling) = 0; // receives the number as it is spelt; integers lose a leading -0
  virtual void string(const std::string &value) = 0;
  /// Is called where the text stops being JSON. Throws.
  [[noreturn]] virtual void noJson(const JsonError &error) = 0;
};

/// Calls `events` for the contents of `text` and keeps `place` up to date. With `comments`, // and /* */ are skipped.
/// The handler must limit the nesting; reading itself takes no memory per level.
void readJsonEvents(std::string_view text, JsonEvents &events, JsonPlace &place, bool comments = false);

} // namespace popscope
