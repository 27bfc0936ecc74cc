// Lines of a printed report and the numbers in them, for the parser of the summary.
#pragma once
#include "tests/check/profile/SummaryText.hpp"

namespace profile_check {

bool startsWith(const std::string &text, const std::string &start);
std::string trimmed(const std::string &text);
/// Word `index` (from 0) between blanks.
std::string word(const std::string &text, std::size_t index);
std::string lastWord(const std::string &text);
/// The text after the first `open` up to the next `close`; throws without both.
std::string between(const std::string &text, const std::string &open, const std::string &close);
/// `text` without its ending; throws when it ends otherwise.
std::string beforeLast(const std::string &text, const std::string &ending);
/// "1,234" = 1234; throws for anything but digits and separators in their places.
std::uint64_t integer(const std::string &text);
/// "1,234.5" = 12345.
std::uint64_t tenths(const std::string &text);
/// "  name   1,234": the name without a colon at its end.
TextRow row(const std::string &line);
/// The same with " B" at its end.
TextRow byteRow(const std::string &line);

class Lines {
public:
  explicit Lines(const std::string &text);
  bool atEnd() const { return next_ == lines_.size(); }
  /// Throws at the end.
  const std::string &peek() const;
  std::string take();
  /// Throws unless the next line is `line`.
  void expect(const std::string &line);
  std::string takeStarting(const std::string &start);
  /// What follows `label` in the next line.
  std::string valueOf(const std::string &label);
  void skipTo(const std::string &start);

private:
  std::vector<std::string> lines_;
  std::size_t next_ = 0;
};

} // namespace profile_check
