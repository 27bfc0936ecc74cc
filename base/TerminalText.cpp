#include "base/TerminalText.hpp"

#include "base/Environment.hpp"
#include "base/ReadNumber.hpp"
#include "base/ShownText.hpp"
#include "base/Utf8.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <sstream>
#include <sys/ioctl.h>
#include <unistd.h>

namespace popscope {

namespace {

std::optional<std::size_t> columnsVariable() {
  const auto columns = readWhole(environmentVariable("COLUMNS").value_or(""), {20, 10000});
  return columns ? std::optional<std::size_t>(*columns) : std::nullopt;
}

std::optional<std::size_t> columnsOf(int stream) {
  winsize size{};
  if (::isatty(stream) == 1 && ::ioctl(stream, TIOCGWINSZ, &size) == 0)
    return size.ws_col;
  return std::nullopt;
}

} // namespace

std::optional<std::size_t> terminalColumns() {
  const auto columns = columnsVariable();
  return columns ? columns : columnsOf(STDOUT_FILENO);
}

std::string messageText(const std::string &text) {
  const auto terminal = columnsOf(STDERR_FILENO);
  return wrapLine(shownText(text), terminal ? columnsVariable().value_or(*terminal) : 0, 2);
}

std::string writeOutput(const std::string &text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0)
    return "";
  return std::string("the output cannot be written: ") + std::strerror(errno);
}

void printMessage(const std::string &text) {
  std::istringstream lines(text);
  std::string all; // printed at once, because other threads may print, too
  for (std::string line; std::getline(lines, line);)
    all += messageText(line) + "\n";
  std::cerr << all << std::flush;
}

std::string wrapLine(const std::string &text, std::size_t columns, std::size_t indent) {
  if (columns == 0 || displayColumns(text) <= columns)
    return text;
  std::string out, line;
  std::size_t at = text.find_first_not_of(' ');
  line = text.substr(0, at);
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const bool first = line.find_first_not_of(' ') == std::string::npos;
    if (!first && displayColumns(line) + 1 + displayColumns(word) > columns) {
      out += line + "\n";
      line = std::string(indent, ' ') + word;
    } else
      line += (first ? "" : " ") + word;
    at = end + 1;
  }
  return out + line;
}

std::string wrapWords(const std::string &text, std::size_t columns, std::size_t indent) {
  return wrapLine(std::string(indent, ' ') + text, std::max(columns, indent + 20), indent).substr(indent);
}

} // namespace popscope
