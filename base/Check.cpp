#include "base/Check.hpp"

namespace popscope {

void failCheck(const char *file, int line, const char *expression, const std::string &message) {
  throw InternalError(fmt::format("internal error at {}:{}: {} (check '{}' failed). Please report this.", file, line,
                                  message, expression));
}

} // namespace popscope
