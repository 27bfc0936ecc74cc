// Lines of a printed report and the numbers in them, for the parser of the summary.
#pragma once
#include "tests/check/profile/SummaryText.hpp"

namespace profile_check {

bool startsWith(const std::string &text, const std::string &start);
std::string trimmed(const std::string &text);
/// Returns word number `index` (from 0); blanks separate words.
std::string word(const std::string &text, std::size_t index);
std::string lastWord(const std::string &text);
/// Returns the text after the first `open` up to the next `close`. Throws if one of them is missing.
std::string between(const std::string &text, const std::string &open, const std::string &close);
/// Returns `text` without `ending` at its end. Throws if the text ends differently.
std::string beforeLast(const std::string &text, const std::string &ending);
/// Returns 1234 for "1,234". Throws for anything but digits with separators in the right places.
std::uint64_t integer(const std::string &text);
/// Returns 12345 for "1,234.5".
std::uint64_t tenths(const std::string &text);
/// Parses " name 1,234"; removes a colon at the name's end.
TextRow row(const std::string &line);
/// Parses the same form with " B" at the end.
TextRow byteRow(const std::string &line);

class Lines {
public:
  explicit Lines(const std::string &text);
  bool atEnd() const { return next_ == lines_.size(); }
  /// Returns the next line. Throws at the end of the text.
  const std::string &peek() const;
  std::string take();
  /// Throws unless the next line is `line`.
  void expect(const std::string &line);
  std::string takeStarting(const std::string &start);
  /// Returns the text after `label` in the next line.
  std::string valueOf(const std::string &label);
  void skipTo(const std::string &start);

private:
  std::vector<std::string> lines_;
  std::size_t next_ = 0;
};

} // namespace profile_check
