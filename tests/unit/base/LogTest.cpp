#include "base/Log.hpp"

#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

using popscope::LogChannel;
using popscope::LogLevel;

namespace {

/// Sets the two variables while the object exists; null = not set.
struct Asked {
  Asked(const char *all, const char *some) {
    set("POPLAR_LOG_LEVEL", all);
    set("POPSCOPE_LOG", some);
  }
  ~Asked() {
    set("POPLAR_LOG_LEVEL", nullptr);
    set("POPSCOPE_LOG", nullptr);
  }
  static void set(const char *name, const char *value) {
    value == nullptr ? ::unsetenv(name) : ::setenv(name, value, 1);
  }
};

/// Returns what `body` writes to standard error.
template <class Body> std::string logged(const Body &body) {
  std::FILE *const file = std::tmpfile();
  REQUIRE(file != nullptr);
  std::fflush(stderr);
  const int before = ::dup(2);
  ::dup2(::fileno(file), 2);
  body();
  std::fflush(stderr);
  ::dup2(before, 2);
  ::close(before);
  std::rewind(file);
  std::string text;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file))
    text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

std::string lines(const char *channel) {
  return logged([&] {
    const LogChannel log(channel);
    log.debug("{} copies", 3);
    log.info("sum {}", 7);
  });
}

std::string refusal(const char *all, const char *some) {
  const Asked asked(all, some);
  try {
    (void)LogChannel("layout");
  } catch (const poplar::invalid_option &e) {
    return e.what();
  }
  return "";
}

} // namespace

TEST_SUITE("base.log") {

  TEST_CASE("nothing is printed by default, nor where the variables are empty") {
    for (const char *value : {static_cast<const char *>(nullptr), ""}) {
      const Asked asked(value, value);
      CHECK(lines("lowering").empty());
    }
  }

  TEST_CASE("a level for all channels, and one of a channel's own, which wins") {
    const Asked asked("INFO", "lowering:debug,layout:off");
    CHECK(lines("lowering") == "popscope lowering debug: 3 copies\npopscope lowering info: sum 7\n");
    CHECK(lines("liveness") == "popscope liveness info: sum 7\n");
    CHECK(lines("layout").empty());
  }

  TEST_CASE("a level alone in POPSCOPE_LOG is of all channels that are not named, in any order") {
    const Asked asked(nullptr, "layout:info,debug");
    CHECK(LogChannel("codelets").shows(LogLevel::Debug));
    CHECK_FALSE(LogChannel("layout").shows(LogLevel::Debug));
    CHECK(LogChannel("layout").shows(LogLevel::Info));
  }

  TEST_CASE("an unknown channel or level is refused with those that there are") {
    CHECK(refusal(nullptr, "lowerin:debug") ==
          "environment variable POPSCOPE_LOG: \"lowerin\" is not a channel; there are "
          "codelets, layout, liveness, lowering");
    CHECK(refusal(nullptr, "lowering:loud") == "environment variable POPSCOPE_LOG: \"loud\" is not a level; there are "
                                               "trace, debug, info, warn, err, off");
    CHECK(refusal("5", nullptr) ==
          "environment variable POPLAR_LOG_LEVEL: \"5\" is not a level; there are trace, debug, "
          "info, warn, err, off");
  }
}
