// Colours of the summary. Plain and coloured text differ only in escape sequences.
#pragma once
#include <functional>
#include <optional>
#include <string>

namespace popscope {

class Style {
public:
  explicit Style(bool colour) : colour_(colour) {}
  [[nodiscard]] bool coloured() const { return colour_; }
  /// Returns `text` as the heading of a section.
  [[nodiscard]] std::string heading(const std::string &text) const { return wrap("\033[1;36m", text); }
  /// Returns `text` as a line that starts a part of a section.
  [[nodiscard]] std::string part(const std::string &text) const { return wrap("\033[1m", text); }
  /// Returns `text` as a line that reports a fault of the user's program.
  [[nodiscard]] std::string alarm(const std::string &text) const { return wrap("\033[1;31m", text); }

private:
  [[nodiscard]] std::string wrap(const char *code, const std::string &text) const {
    return colour_ ? code + text + "\033[0m" : text;
  }
  bool colour_;
};

/// A function that returns the value of an environment variable, or no value if the variable is not set.
using EnvironmentLookup = std::function<std::optional<std::string>(const std::string &name)>;

/// Returns whether to use colour. The first of the following rules that applies decides. CLICOLOR_FORCE=1 means colour.
/// CLICOLOR=0 means no colour, even if the option requests it. The option decides if it is given. NO_COLOR (set and not
/// empty) means no colour. If no rule applies, returns true if `isTerminal` is true and TERM is set, not empty and not
/// "dumb".
[[nodiscard]] bool decideColour(std::optional<bool> option, bool isTerminal, const EnvironmentLookup &environment);

} // namespace popscope
