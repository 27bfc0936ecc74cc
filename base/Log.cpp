#include "base/Log.hpp"

#include "base/CommaList.hpp"
#include "base/Environment.hpp"

#include <poplar/exceptions.hpp>
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <optional>

namespace popscope {
namespace {

constexpr const char *kLevelVariable = "POPLAR_LOG_LEVEL", *kChannelVariable = "POPSCOPE_LOG";
constexpr std::array<const char *, 4> kChannels = {"codelets", "layout", "liveness", "lowering"};
constexpr std::array<const char *, 6> kLevels = {"trace", "debug", "info", "warn", "err", "off"}; // in the order of
                                                                                                  // LogLevel

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string quoted(const char *variable, const std::string &value) {
  return fmt::format("environment variable {}: \"{}\"", variable, value);
}

LogLevel levelOf(const char *variable, const std::string &value) {
  const std::string name = lower(value) == "error" ? "err" : lower(value);
  const auto *const at = std::find(kLevels.begin(), kLevels.end(), name);
  if (at == kLevels.end())
    throw poplar::invalid_option(
        fmt::format("{} is not a level; there are {}", quoted(variable, value), fmt::join(kLevels, ", ")));
  return static_cast<LogLevel>(at - kLevels.begin());
}

void checkChannel(const std::string &name) {
  if (std::find(kChannels.begin(), kChannels.end(), name) == kChannels.end())
    throw poplar::invalid_option(
        fmt::format("{} is not a channel; there are {}", quoted(kChannelVariable, name), fmt::join(kChannels, ", ")));
}

/// Returns the level that the environment sets for the channel. If several words apply, the last one counts.
LogLevel askedLevel(const std::string &channel) {
  LogLevel ofAll = LogLevel::Off;
  if (const auto level = environmentVariable(kLevelVariable); level && !level->empty())
    ofAll = levelOf(kLevelVariable, *level);
  std::optional<LogLevel> ofChannel;
  for (const std::string &word : commaList(environmentVariable(kChannelVariable).value_or(""))) {
    const std::size_t colon = word.find(':');
    if (word.empty())
      continue;
    if (colon == std::string::npos) {
      ofAll = levelOf(kChannelVariable, word);
      continue;
    }
    const std::string name = lower(word.substr(0, colon));
    checkChannel(name);
    const LogLevel level = levelOf(kChannelVariable, word.substr(colon + 1));
    if (name == channel)
      ofChannel = level;
  }
  return ofChannel.value_or(ofAll);
}

} // namespace

struct LogChannel::Impl {
  explicit Impl(const char *name) : logger(name, std::make_shared<spdlog::sinks::stderr_sink_mt>()) {
    logger.set_level(spdlog::level::trace);
    logger.set_pattern("popscope %n %l: %v");
  }
  spdlog::logger logger;
};

LogChannel::LogChannel(const char *name) : level_(askedLevel(name)) {
  if (level_ != LogLevel::Off)
    impl_ = std::make_unique<Impl>(name);
}

LogChannel::~LogChannel() = default;

void LogChannel::write(LogLevel level, const std::string &line) const {
  impl_->logger.log(level == LogLevel::Debug ? spdlog::level::debug : spdlog::level::info, line);
}

} // namespace popscope
