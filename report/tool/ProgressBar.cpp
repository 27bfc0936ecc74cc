#include "report/tool/ProgressBar.hpp"

#include "base/Environment.hpp"

#include <algorithm>
#include <iostream>
#include <unistd.h>

namespace popscope {

constexpr std::uint64_t kCells = 20;

ProgressBar::ProgressBar()
    : terminal_(::isatty(STDERR_FILENO) == 1 && environmentVariable("TERM").value_or("dumb") != "dumb") {}

void ProgressBar::show(const char *phase, std::uint64_t done, std::uint64_t all) {
  if (!terminal_ || all == 0)
    return;
  const std::uint64_t cells = std::min(kCells, done * kCells / all);
  const std::string text = "[" + std::string(cells, '#') + std::string(kCells - cells, '.') + "] " +
                           std::to_string(done) + " of " + std::to_string(all) + ", " + phase;
  if (text == shown_)
    return;
  shown_ = text;
  std::cerr << "\r" << text << "\033[K" << std::flush;
}

void ProgressBar::clear() {
  if (!shown_.empty())
    std::cerr << "\r\033[K" << std::flush;
  shown_.clear();
}

} // namespace popscope
