#include "base/TerminalText.hpp"

#include "base/Environment.hpp"
#include "base/ReadNumber.hpp"

#include <algorithm>
#include <sstream>
#include <sys/ioctl.h>
#include <unistd.h>

namespace popscope {

std::optional<std::size_t> terminalColumns() {
  if (const auto columns = readWhole(environmentVariable("COLUMNS").value_or(""), {20, 10000}))
    return *columns;
  winsize size{};
  if (::isatty(STDOUT_FILENO) == 1 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
    return size.ws_col;
  return std::nullopt;
}

std::string wrapWords(const std::string &text, std::size_t columns, std::size_t indent) {
  std::istringstream words(text);
  std::string out, line;
  const std::size_t width = std::max(columns, indent + 20) - indent;
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      out += line + "\n" + std::string(indent, ' ');
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return out + line;
}

} // namespace popscope
