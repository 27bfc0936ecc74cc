#include "report/pop/AdviceRows.hpp"
#include "report/pva/Model.hpp"

namespace pva {
namespace {

class Translate {
public:
  explicit Translate(const detail::Owner &model) : model_(model) {}
  [[nodiscard]] Variable variable(std::uint32_t id) const { return {model_, id, model_->variables().rows[id].bytes}; }
  [[nodiscard]] std::shared_ptr<Program> program(std::int64_t id) const {
    return id < 0 ? nullptr : model_->program(static_cast<std::uint32_t>(id));
  }

private:
  const detail::Owner &model_;
};

} // namespace

LivenessAdvice PopscopeData::livenessAdvice() const {
  const popscope::AdviceRecord record = popscope::readAdvice(model_->file(), model_->limits());
  const Translate to(model_);
  LivenessAdvice out{};
  out.present = record.present;
  if (!record.present)
    return out;
  for (const auto &e : record.explanations)
    out.explanations.push_back({to.variable(e.variable), e.firstProgram, e.endProgram, to.program(e.born), to.program(e.read),
                                to.program(e.failedKill), e.missed, e.missedElements, e.carrier, to.program(e.carriedBy)});
  for (const auto &f : record.falseLive)
    out.falseLive.push_back({to.variable(f.variable), f.firstProgram, f.endProgram, f.bytes, f.bytesOnWorstTile});
  for (const auto &p : record.placements)
    out.placements.push_back({to.variable(p.variable), to.program(p.before), p.savedOnWorstTile, p.savedOnDevice});
  out.worstTile = record.worstTile;
  out.worstProgram = to.program(record.worstProgram);
  out.worstPeak = record.worstPeak;
  out.falseLiveAtPeak = record.falseLiveAtPeak;
  out.worstPeakAfterAll = record.worstPeakAfterAll;
  out.candidates = record.candidates;
  out.tried = record.tried;
  return out;
}

} // namespace pva
