// Log: diagnostics on standard error. Each line reports one pass or one decision, with counts. Log prints only the
// lines that the environment requests:
//   POPLAR_LOG_LEVEL=INFO                     all channels
//   POPSCOPE_LOG=lowering:debug,layout:info   the named channels; a level alone applies to all other channels
// POPSCOPE_LOG takes precedence over POPLAR_LOG_LEVEL. A line has the form "popscope lowering debug: ..." and contains
// no time, so equal runs of a program print equal lines. Only Log.cpp includes spdlog (a rule of tests/meta).
#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace popscope {

/// The level of a line. A line with the counts of a pass has the level Info, and a line about one decision has the
/// level Debug.
enum class LogLevel : std::uint8_t { Trace, Debug, Info, Warn, Error, Off };

class LogChannel {
public:
  /// Opens a channel. `name` is codelets, layout, liveness or lowering. Reads the channel's level from the environment.
  /// Opening is cheap, so each stage opens a channel when it needs one. Throws poplar::invalid_option if a variable
  /// names a channel or a level that does not exist.
  explicit LogChannel(const char *name);
  ~LogChannel();
  LogChannel(const LogChannel &) = delete;
  LogChannel &operator=(const LogChannel &) = delete;

  [[nodiscard]] bool shows(LogLevel level) const { return level >= level_; }
  /// Formats the values only if the level is shown. Thread-safe.
  template <class... Values> void info(fmt::format_string<Values...> format, Values &&...values) const {
    if (shows(LogLevel::Info))
      write(LogLevel::Info, fmt::format(format, std::forward<Values>(values)...));
  }
  template <class... Values> void debug(fmt::format_string<Values...> format, Values &&...values) const {
    if (shows(LogLevel::Debug))
      write(LogLevel::Debug, fmt::format(format, std::forward<Values>(values)...));
  }

private:
  void write(LogLevel level, const std::string &line) const;

  struct Impl;
  std::unique_ptr<Impl> impl_; // null if the channel is off
  LogLevel level_ = LogLevel::Off;
};

} // namespace popscope
