#include "graph/codelets/HeaderHints.hpp"

#include "graph/codelets/CompileCache.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <string_view>

namespace popscope {
namespace {

/// Returns the name that the error reports as unknown, or "".
std::string unknownName(const std::string &line) {
  if (line.find("error: ") == std::string::npos)
    return "";
  for (const std::string_view before :
       {"undeclared identifier '", "unknown type name '", "no template named '", "no type named '"}) {
    const std::size_t at = line.find(before);
    if (at == std::string::npos)
      continue;
    const std::size_t begin = at + before.size();
    return line.substr(begin, line.find('\'', begin) - begin);
  }
  return "";
}

/// Returns whether <ipudef.h> declares the name, "float2" for example. The header forms these names with macros.
bool isShortVector(const std::string &name) {
  if (name.empty() || std::string_view("248").find(name.back()) == std::string_view::npos)
    return false;
  static constexpr std::array<std::string_view, 13> kElements = {"char", "uchar", "short",  "ushort",   "int",
                                                                 "uint", "long",  "ulong",  "longlong", "ulonglong",
                                                                 "half", "float", "quarter"};
  const std::string_view element = std::string_view(name).substr(0, name.size() - 1);
  return std::find(kElements.begin(), kElements.end(), element) != kElements.end();
}

bool declares(const char *header, const std::string &declaration, const std::vector<std::string> &includeDirs) {
  return std::any_of(includeDirs.begin(), includeDirs.end(), [&](const std::string &folder) {
    return readFile(folder + "/" + header).value_or("").find(declaration) != std::string::npos;
  });
}

/// Returns the header that declares the name, or "".
std::string headerOf(const std::string &name, const std::vector<std::string> &includeDirs) {
  if (name == "ipu")
    return "ipu_intrinsics";
  if (isShortVector(name))
    return "ipudef.h";
  if (name.rfind("__builtin_ipu_", 0) == 0 && declares("ipu_builtins.h", " " + name + "(", includeDirs))
    return "ipu_builtins.h";
  for (const char *header : {"poplar/TileConstants.hpp", "poplar/TileRegisters.hpp"})
    if (declares(header, "#define " + name + " ", includeDirs))
      return "poplar/TileConstants.hpp"; // includes the other
  return "";
}

} // namespace

std::string headerHint(const std::string &line, const std::vector<std::string> &includeDirs) {
  const std::string name = unknownName(line), header = name.empty() ? "" : headerOf(name, includeDirs);
  return header.empty() ? "" : "hint: include <" + header + ">, which declares '" + name + "'";
}

std::string devicePathHint(const std::string &source, const std::string &message) {
  if (source.find("__IPU__") == std::string::npos)
    return "";
  std::istringstream in(source);
  for (std::string line; std::getline(in, line);) {
    const std::size_t at = line.find("error"), text = line.find_first_not_of(" \t", at + 5);
    if (at != std::string::npos && line.find_first_not_of("# \t") == at && line.find('#') < at &&
        text != std::string::npos && message.find("error: " + line.substr(text)) != std::string::npos)
      return "hint: popc --device-paths, or the variable POPSCOPE_DEVICE_PATHS=1, compiles the code for __IPU__, for "
             "each target but cpu; with popc, name these targets: --target ipu2\n";
  }
  return "";
}

std::string headerHints(const std::string &message, const std::vector<std::string> &includeDirs) {
  std::set<std::string> seen;
  std::istringstream in(message);
  std::string hints;
  for (std::string line; std::getline(in, line);)
    if (const std::string hint = headerHint(line, includeDirs); !hint.empty() && seen.insert(hint).second)
      hints += hint + "\n";
  return hints;
}

} // namespace popscope
