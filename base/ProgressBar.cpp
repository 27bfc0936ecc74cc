#include "base/ProgressBar.hpp"

#include "base/Environment.hpp"

#include <algorithm>
#include <iostream>
#include <unistd.h>

namespace popscope {

constexpr std::uint64_t kCells = 20;

ProgressBar::ProgressBar()
    : terminal_(::isatty(STDERR_FILENO) == 1 && environmentVariable("TERM").value_or("dumb") != "dumb") {}

void ProgressBar::show(const std::string &phase, std::uint64_t done, std::uint64_t all) {
  if (all == 0)
    return;
  const auto cells = static_cast<std::size_t>(
      std::min(static_cast<double>(kCells), static_cast<double>(done) * kCells / static_cast<double>(all)));
  show("[" + std::string(cells, '#') + std::string(kCells - cells, '.') + "] " + std::to_string(done) + " of " +
       std::to_string(all) + ", " + phase);
}

void ProgressBar::show(const std::string &text) {
  if (!terminal_ || text == shown_)
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
