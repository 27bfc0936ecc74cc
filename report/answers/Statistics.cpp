#include "report/answers/Statistics.hpp"

#include "base/Check.hpp"
#include "report/answers/Selection.hpp"

#include <algorithm>
#include <limits>

namespace popscope {
namespace {

__extension__ using WideSum = unsigned __int128;

constexpr std::uint64_t kWhole = 1000; // percentiles are in tenths of a percent

std::uint64_t percentile(const std::vector<std::uint64_t> &sorted, std::uint64_t tenths) {
  const std::uint64_t at = (sorted.size() - 1) * tenths, below = sorted[at / kWhole];
  if (at % kWhole == 0)
    return below;
  const WideSum step = sorted[at / kWhole + 1] - below;
  return below + static_cast<std::uint64_t>((step * (at % kWhole) + kWhole / 2) / kWhole);
}

} // namespace

Statistics statisticsOf(std::vector<std::uint64_t> values) {
  POPSCOPE_CHECK(!values.empty(), "statistics of {} numbers", values.size());
  std::sort(values.begin(), values.end());
  WideSum sum = 0;
  for (const std::uint64_t value : values)
    sum += value;
  if (sum > std::numeric_limits<std::uint64_t>::max())
    throw AnswerError("numbers of the profile are too large to add up: the file is corrupt");
  Statistics s;
  s.count = values.size();
  s.sum = static_cast<std::uint64_t>(sum);
  s.min = values.front();
  s.max = values.back();
  s.mean = static_cast<std::uint64_t>((2 * sum + s.count) / (2 * s.count));
  s.median = percentile(values, 500);
  s.p90 = percentile(values, 900);
  s.p95 = percentile(values, 950);
  s.p97 = percentile(values, 970);
  s.p99 = percentile(values, 990);
  s.p999 = percentile(values, 999);
  return s;
}

} // namespace popscope
