#include "instrument/counters/EveryExecution.hpp"

#include "instrument/counters/FirstStart.hpp"

#include <algorithm>
#include <limits>

namespace popscope {
namespace {

constexpr std::size_t kMaxOfOne = 1 << 16, kMaxOfAll = 1 << 20; // the number of executions in memory, of one program
                                                                // and of all programs
constexpr Cycles kLargest(std::numeric_limits<std::uint32_t>::max());

Cycles distance(Cycles a, Cycles b) { return a > b ? a - b : b - a; }

} // namespace

EveryExecution::EveryExecution(std::size_t numSteps, EventSink &next, ProfileSink &records, StepKindsMask kinds)
    : next_(next), records_(records), kinds_(kinds), byStep_(numSteps) {}

void EveryExecution::beginRun(std::uint32_t program, const std::string &name) {
  byStep_.assign(byStep_.size(), ExecutionsRecord());
  pending_ = 0;
  next_.beginRun(program, name);
}

void EveryExecution::step(const StepEvent &event) {
  if (event.kind != TimeKind::Sync && event.kind != TimeKind::ControlFlow && event.edge == BlockEdge::None &&
      (kinds_ >> static_cast<unsigned>(event.kind) & 1U) != 0) {
    const Cycles start = firstStart(event);
    const Cycles cycles = longestWork(event);
    ExecutionsRecord &row = byStep_[event.step.index()];
    row.program = event.step.index();
    if (!row.starts.empty() &&
        (distance(start, Cycles(row.starts.front())) > kLargest / 2 || row.starts.size() == kMaxOfOne))
      flush(row);
    row.starts.push_back(start.count());
    row.cycles.push_back(narrow(std::min(cycles, kLargest)).count());
    if (++pending_ == kMaxOfAll)
      flush();
  }
  next_.step(event);
}

void EveryExecution::endRun(std::span<const Cycles> clocks) {
  flush();
  next_.endRun(clocks);
}

void EveryExecution::flush() {
  for (ExecutionsRecord &row : byStep_)
    flush(row);
}

void EveryExecution::flush(ExecutionsRecord &row) {
  if (row.starts.empty())
    return;
  records_.executions(row);
  pending_ -= row.starts.size();
  row.first += row.starts.size();
  row.starts.clear();
  row.cycles.clear();
}

} // namespace popscope
