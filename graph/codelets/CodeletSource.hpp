// CodeletSource: one source of codelets, as the compiler and the parser read it.
#pragma once
#include <map>
#include <string>

namespace popscope {

struct CodeletSource {
  std::string file; // the name that the user gave the file, for messages
  std::string text;
  std::string folder; // the folder that #include "..." searches first; "" means the current folder
  bool isC = false;
  bool isForHost = false; // true: in `text` or `headers`, TileOnly has replaced functions that only a tile can run
  /// Texts that replace headers of the user: for a path in this map, the compiler reads the text instead of the file.
  /// The paths are absolute, and contain no parts "." or "..".
  std::map<std::string, std::string> headers = {};
};

/// Returns the text of a file without the byte order mark of UTF-8 at its beginning. Popscope puts a line before the
/// text, and compilers accept the mark only at the beginning of a file.
inline std::string withoutByteOrderMark(std::string text) {
  if (text.compare(0, 3, "\xEF\xBB\xBF") == 0)
    text.erase(0, 3);
  return text;
}

} // namespace popscope
