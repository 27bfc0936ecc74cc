#include "bench/liveness/CompareTwin.hpp"

#include "bench/BitsetLiveness.hpp"

#include <algorithm>

namespace bench {

std::uint64_t differingBits(const popscope::StepProgram &program, const popscope::LiveRanges &ranges) {
  std::uint64_t wrong = 0;
  BitsetLiveness(program).solve([&](std::uint32_t first, const std::vector<Row> &rows) {
    for (std::uint32_t v = first; v < std::min<std::size_t>(first + 512, program.vars.size()); ++v) {
      if (ranges.always[popscope::VarId(v)])
        continue;
      const popscope::LiveClass &k = ranges.classes[ranges.live[popscope::VarId(v)].index()];
      std::uint32_t at = k.firstInterval;
      const std::uint32_t end = at + k.numIntervals;
      for (std::uint32_t s = 0; s < rows.size(); ++s) {
        while (at < end && ranges.intervals[at].end.index() <= s)
          ++at;
        const bool live = at < end && ranges.intervals[at].begin.index() <= s;
        wrong += live != ((rows[s].word[(v - first) / 64] >> ((v - first) % 64) & 1U) != 0);
      }
    }
  });
  return wrong;
}

} // namespace bench
