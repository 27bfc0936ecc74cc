#include "instrument/counters/MemorySamples.hpp"

#include "base/Check.hpp"
#include "instrument/counters/FirstStart.hpp"

namespace popscope {
namespace {
constexpr std::size_t kMaxPending = 1 << 12; // samples kept in memory
} // namespace

std::vector<std::optional<Bytes>> liveBytesByProgram(const CompilationRecord &record) {
  std::vector<std::optional<Bytes>> bytes(record.programs.size());
  for (const LivenessStepRecord &step : record.livenessSteps)
    bytes.at(step.program) = step.bytes + record.alwaysLiveBytes;
  return bytes;
}

MemorySamples::MemorySamples(std::uint64_t every, const std::vector<std::optional<Bytes>> &bytesByProgram,
                             EventSink &next, ProfileSink &records)
    : every_(every), bytes_(bytesByProgram), next_(next), records_(records) {
  POPSCOPE_CHECK(every > 0, "a sample at every 0th step");
}

void MemorySamples::beginRun(std::uint32_t program, const std::string &name) {
  position_ = 0;
  cycle_ = {};
  samples_.clear();
  next_.beginRun(program, name);
}

void MemorySamples::step(const StepEvent &event) {
  const auto &bytes = bytes_.at(event.step.index());
  if (bytes && event.kind != TimeKind::ControlFlow && event.edge == BlockEdge::None) {
    if (position_ % every_ == 0) {
      cycle_ = std::max(cycle_, firstStart(event)); // steps of different tiles may overlap
      samples_.push_back({position_, cycle_, event.step.index(), *bytes});
      if (samples_.size() == kMaxPending)
        flush();
    }
    ++position_;
  }
  next_.step(event);
}

void MemorySamples::endRun(std::span<const Cycles> clocks) {
  flush();
  next_.endRun(clocks);
}

void MemorySamples::flush() {
  if (!samples_.empty())
    records_.memorySamples(samples_);
  samples_.clear();
}

} // namespace popscope
