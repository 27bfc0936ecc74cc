#include "instrument/machine/CounterTimes.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace popscope {

CounterTimes::CounterTimes(const StepProgram &program, const CostModel &costs) : times_(1) {
  const std::uint32_t counterBytes = costs.machine().instrument.counterBytes;
  std::map<std::pair<StepKind, std::uint32_t>, std::uint32_t> rowOfPayload;
  for (const StepStorage &row : program.storage) {
    if (row.category != StorageCategory::InstrumentationResults || counterBytes == 0)
      continue;
    const Step &step = program.steps[row.step];
    const auto at = rowOfPayload.try_emplace({step.kind, step.payload}, static_cast<std::uint32_t>(times_.size())).first;
    times_.resize(std::max<std::size_t>(times_.size(), at->second + 1));
    times_[at->second].push_back({row.tile, costs.counterRead(row.bytes / counterBytes, row.instructions).count()});
  }
  if (rowOfPayload.empty())
    return;
  rowOf_ = IdVector<StepIndex, std::uint32_t>(program.steps.size(), 0);
  for (std::uint32_t s = 0; s < rowOf_.size(); ++s)
    if (const auto found = rowOfPayload.find({program.steps[StepIndex(s)].kind, program.steps[StepIndex(s)].payload}); found != rowOfPayload.end())
      rowOf_[StepIndex(s)] = found->second;
}

} // namespace popscope
