#include "base/EditDistance.hpp"

#include <algorithm>
#include <cctype>

namespace popscope {
namespace {

std::string lower(std::string_view s) {
  std::string out(s);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

} // namespace

std::size_t editDistance(std::string_view a, std::string_view b) {
  // Three rows of the table of distances between prefixes, for i-2, i-1 and i ("optimal string alignment").
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

std::string nearest(std::string_view name, const std::vector<std::string> &known) {
  const std::string wanted = lower(name);
  std::string best;
  std::size_t bestDistance = ~std::size_t(0);
  for (const std::string &candidate : known) {
    const std::size_t shorter = std::min(wanted.size(), candidate.size()),
                      longer = std::max(wanted.size(), candidate.size());
    // The difference of the lengths is a lower bound of the distance. With this bound, no table is computed for most
    // known names if the name is a long file name.
    if ((longer - shorter) * 3 > longer || longer - shorter >= bestDistance)
      continue;
    const std::size_t distance = editDistance(wanted, lower(candidate));
    if (distance * 3 <= longer && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

std::string didYouMean(std::string_view name, const std::vector<std::string> &known) {
  const std::string best = nearest(name, known);
  return best.empty() ? "" : " Did you mean \"" + best + "\"?";
}

} // namespace popscope
