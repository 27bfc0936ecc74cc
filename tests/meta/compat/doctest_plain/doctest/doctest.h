// The doctest that ListUses parses: checks become plain expressions, so that their calls appear in the syntax tree (the
// real doctest compares inside its own templates). No test is built with this header.
#pragma once
#include_next <doctest/doctest.h>

#undef CHECK
#undef REQUIRE
#undef CHECK_FALSE
#undef REQUIRE_FALSE
#undef CHECK_MESSAGE
#undef REQUIRE_MESSAGE
#undef CHECK_NOTHROW
#undef CHECK_THROWS
#undef CHECK_THROWS_AS
#undef CHECK_THROWS_WITH_AS
#undef REQUIRE_THROWS_AS
#undef CAPTURE
#undef INFO
#define CHECK(...) static_cast<void>(static_cast<bool>(__VA_ARGS__))
#define REQUIRE(...) CHECK(__VA_ARGS__)
#define CHECK_FALSE(...) CHECK(__VA_ARGS__)
#define REQUIRE_FALSE(...) CHECK(__VA_ARGS__)
#define CHECK_MESSAGE(cond, ...) static_cast<void>(static_cast<bool>(cond))
#define REQUIRE_MESSAGE(cond, ...) static_cast<void>(static_cast<bool>(cond))
#define CHECK_NOTHROW(...)                                                                                             \
  do {                                                                                                                 \
    __VA_ARGS__;                                                                                                       \
  } while (false)
#define CHECK_THROWS(...)                                                                                              \
  do {                                                                                                                 \
    __VA_ARGS__;                                                                                                       \
  } while (false)
#define CHECK_THROWS_AS(expression, ...)                                                                               \
  do {                                                                                                                 \
    try {                                                                                                              \
      expression;                                                                                                      \
    } catch (const __VA_ARGS__ &) {                                                                                    \
    }                                                                                                                  \
  } while (false)
#define REQUIRE_THROWS_AS(expression, ...) CHECK_THROWS_AS(expression, __VA_ARGS__)
#define CHECK_THROWS_WITH_AS(expression, words, ...) CHECK_THROWS_AS(expression, __VA_ARGS__)
#define CAPTURE(...) static_cast<void>(0)
#define INFO(...) static_cast<void>(0)
