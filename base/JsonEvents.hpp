// JSON as events, for readers that need to know where in the text a value stands.
#pragma once
#include "base/JsonText.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace popscope {

/// Where the parser is: characters read and, from 1, the line.
struct JsonPlace {
  std::size_t read = 0, line = 1;
};

/// A handler of what stands in the text. It may throw.
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
  virtual void number(const std::string &spelling) = 0; // as it is spelt, but for integers without a leading -0
  virtual void string(const std::string &value) = 0;
  /// The text is no JSON from here on. Throws.
  [[noreturn]] virtual void noJson(const JsonError &error) = 0;
};

/// Calls `events` for what `text` holds, and keeps `place` up to date meanwhile. With `comments`, // and /* */ are
/// skipped. Whether it nests too deeply is the handler's to say: reading takes no memory for a level.
void readJsonEvents(std::string_view text, JsonEvents &events, JsonPlace &place, bool comments = false);

} // namespace popscope
