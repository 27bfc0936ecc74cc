// A progress bar on stderr for long work. The bar is drawn only if stderr is a terminal and TERM is set to a value
// other than "dumb".
//
//   [########............] 5 of 12, reading profiles
#pragma once
#include <cstdint>
#include <string>

namespace popscope {

class ProgressBar {
public:
  ProgressBar();
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar &) = delete;
  ProgressBar &operator=(const ProgressBar &) = delete;
  /// Returns whether the bar can be drawn.
  [[nodiscard]] bool isVisible() const { return terminal_; }
  /// Shows that `done` of `all` parts of a phase are done. Draws only if the visible bar changes.
  void show(const std::string &phase, std::uint64_t done, std::uint64_t all);
  /// Shows a line of text in place of the bar, for work of unknown length.
  void show(const std::string &text);
  /// Removes the bar from the screen.
  void clear();

private:
  bool terminal_;
  std::string shown_;
};

} // namespace popscope
