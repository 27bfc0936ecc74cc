#include "report/summary/Style.hpp"

namespace popscope {

bool decideColour(std::optional<bool> option, bool isTerminal, const EnvironmentLookup &environment) {
  if (environment("CLICOLOR_FORCE") == "1")
    return true;
  if (environment("CLICOLOR") == "0")
    return false;
  if (option)
    return *option;
  if (!environment("NO_COLOR").value_or("").empty())
    return false;
  const auto terminal = environment("TERM");
  return isTerminal && terminal && !terminal->empty() && *terminal != "dumb";
}

} // namespace popscope
