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

constexpr std::size_t kLeastColumns = 8; // a line takes at least so many columns of a broken word

/// Returns the number of bytes at the beginning of a word that go into `columns` columns: up to a "/" or ")" in the
/// second half of these columns, or else as many as fit.
std::size_t partOf(const std::string &word, std::size_t columns) {
  const std::size_t most = columnSlice(word, 0, columns).size();
  const std::size_t at = word.find_last_of("/)", most - 1);
  return at == std::string::npos || at < most / 2 ? most : at + 1;
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

std::string wrapLine(const std::string &text, std::size_t columns, std::size_t indent, LongWords longWords) {
  if (columns == 0 || displayColumns(text) <= columns)
    return text;
  std::string out, line;
  const auto breakLongWord = [&] { // a line that is too long is an indent and one word
    std::size_t begin = line.find_first_not_of(' ');
    while (displayColumns(line) > columns && std::max(begin, indent) + kLeastColumns <= columns) {
      const std::size_t end = begin + partOf(line.substr(begin), columns - begin);
      out += line.substr(0, end) + "\n";
      line = std::string(indent, ' ') + line.substr(end);
      begin = indent;
    }
  };
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
    if (longWords == LongWords::Broken)
      breakLongWord();
    at = end + 1;
  }
  return out + line;
}

std::string wrapWords(const std::string &text, std::size_t columns, std::size_t indent) {
  return wrapLine(std::string(indent, ' ') + text, std::max(columns, indent + 20), indent).substr(indent);
}

} // namespace popscope
