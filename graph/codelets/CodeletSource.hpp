// CodeletSource: one source of codelets, as the compiler and the parser read it.
#pragma once
#include <map>
#include <string>

namespace popscope {

struct CodeletSource {
  std::string file; // the name that the user gave the file, for messages
  std::string text;
  std::string folder; // the folder that #include "..." searches first; "" = the current folder
  bool isC = false;
  bool isForHost = false; // true: TileOnly has replaced functions that only a tile can run, in `text` or `headers`
  /// The texts that the compiler reads in place of the user's headers; the keys are absolute, normal paths.
  std::map<std::string, std::string> headers = {};
};

} // namespace popscope
