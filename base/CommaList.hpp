// Lists that a user writes with commas.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

namespace popscope {

/// Returns the words between the commas of `text`. A comma at the end of the text does not begin a word.
[[nodiscard]] inline std::vector<std::string> commaList(const std::string &text) {
  std::vector<std::string> words;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = std::min(text.find(',', from), text.size());
    words.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return words;
}

} // namespace popscope
