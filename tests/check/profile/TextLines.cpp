#include "tests/check/profile/TextLines.hpp"

#include <sstream>
#include <stdexcept>

namespace profile_check {
namespace {
[[noreturn]] void fail(const std::string &what, const std::string &text) {
  throw std::runtime_error(what + ": '" + text + "'");
}
} // namespace

bool startsWith(const std::string &text, const std::string &start) { return text.compare(0, start.size(), start) == 0; }

std::string trimmed(const std::string &text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

std::string word(const std::string &text, std::size_t index) {
  std::istringstream in(text);
  std::string w;
  for (std::size_t i = 0; i <= index; ++i)
    if (!(in >> w))
      fail("a word is missing", text);
  return w;
}

std::string lastWord(const std::string &text) {
  const std::string t = trimmed(text);
  const std::size_t space = t.rfind(' ');
  return space == std::string::npos ? t : t.substr(space + 1);
}

std::string between(const std::string &text, const std::string &open, const std::string &close) {
  const std::size_t from = text.find(open);
  const std::size_t to = from == std::string::npos ? from : text.find(close, from + open.size());
  if (to == std::string::npos)
    fail("nothing between '" + open + "' and '" + close + "'", text);
  return text.substr(from + open.size(), to - from - open.size());
}

std::string beforeLast(const std::string &text, const std::string &ending) {
  if (text.size() < ending.size() || text.substr(text.size() - ending.size()) != ending)
    fail("does not end with '" + ending + "'", text);
  return text.substr(0, text.size() - ending.size());
}

std::uint64_t integer(const std::string &text) {
  const std::string t = trimmed(text);
  std::uint64_t value = 0;
  if (t.empty() || t.size() > 24)
    fail("not a number", text);
  for (std::size_t i = 0; i < t.size(); ++i) {
    const bool comma = t.find(',') != std::string::npos && (t.size() - i) % 4 == 0;
    if (comma ? t[i] != ',' || i == 0 : t[i] < '0' || t[i] > '9')
      fail("not a number", text);
    if (!comma)
      value = value * 10 + static_cast<std::uint64_t>(t[i] - '0');
  }
  return value;
}

std::uint64_t tenths(const std::string &text) {
  const std::string t = trimmed(text);
  if (t.size() < 3 || t[t.size() - 2] != '.')
    fail("not a number with one decimal", text);
  return integer(t.substr(0, t.size() - 2)) * 10 + integer(t.substr(t.size() - 1));
}

TextRow row(const std::string &line) {
  const std::string t = trimmed(line), number = lastWord(t);
  std::string name = trimmed(t.substr(0, t.size() - number.size()));
  if (!name.empty() && name.back() == ':')
    name.pop_back();
  return {name, integer(number)};
}

TextRow byteRow(const std::string &line) { return row(beforeLast(line, " B")); }

Lines::Lines(const std::string &text) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines_.push_back(line);
}

const std::string &Lines::peek() const {
  if (atEnd())
    throw std::runtime_error("the report ends too early");
  return lines_[next_];
}

std::string Lines::take() {
  std::string line = peek();
  ++next_;
  return line;
}

void Lines::expect(const std::string &line) {
  if (peek() != line)
    fail("expected '" + line + "'", peek());
  ++next_;
}

std::string Lines::takeStarting(const std::string &start) {
  if (!startsWith(peek(), start))
    fail("expected '" + start + "'", peek());
  return take();
}

std::string Lines::valueOf(const std::string &label) { return trimmed(takeStarting(label).substr(label.size())); }

void Lines::skipTo(const std::string &start) {
  while (!startsWith(peek(), start))
    ++next_;
}

} // namespace profile_check
