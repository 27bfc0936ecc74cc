#include "report/tool/Pager.hpp"

#include "base/Environment.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace popscope {

bool showInPager(const std::string &text) {
  winsize size{};
  const std::string pager = environmentVariable("PAGER").value_or("less"),
                    terminal = environmentVariable("TERM").value_or("dumb");
  if (::isatty(STDOUT_FILENO) != 1 || terminal == "dumb" || pager.empty() || pager == "cat" ||
      ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0)
    return false;
  if (std::count(text.begin(), text.end(), '\n') < size.ws_row)
    return false;
  std::signal(SIGPIPE, SIG_IGN); // the user may leave the pager before the end of the text
  std::FILE *pipe = ::popen(("LESS=\"${LESS-FRX}\" " + pager).c_str(), "w");
  if (pipe == nullptr)
    return false;
  std::fwrite(text.data(), 1, text.size(), pipe);
  const int status = ::pclose(pipe);
  constexpr int kNotExecutable = 126, kNotFound = 127; // exit codes of the shell
  return !WIFEXITED(status) || (WEXITSTATUS(status) != kNotExecutable && WEXITSTATUS(status) != kNotFound);
}

} // namespace popscope
