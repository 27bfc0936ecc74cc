// POPSCOPE_CHECK: checks an internal invariant. A failed check is a fault of Popscope, never of the user.
// POPSCOPE_CHECK then throws InternalError with file, line, expression and a formatted message. Release builds also
// perform the checks.
#pragma once
#include <fmt/format.h>
#include <stdexcept>
#include <string>

namespace popscope {

class InternalError : public std::logic_error {
public:
  using std::logic_error::logic_error;
};

[[noreturn]] void failCheck(const char *file, int line, const char *expression, const std::string &message);

} // namespace popscope

#define POPSCOPE_CHECK(cond, ...)                                                                                      \
  do {                                                                                                                 \
    if (!(cond))                                                                                                       \
      ::popscope::failCheck(__FILE__, __LINE__, #cond, fmt::format(__VA_ARGS__));                                      \
  } while (false)
