#include "report/pop/AdviceRows.hpp"
#include "report/pva/Model.hpp"

#include <algorithm>

namespace pva {
namespace {

class Translate {
public:
  explicit Translate(const detail::Owner &model) : model_(model) {}
  [[nodiscard]] Variable variable(std::uint32_t id) const {
    return {model_, id, model_->variables().rows[id].bytes.count()};
  }
  [[nodiscard]] std::shared_ptr<Program> program(std::int64_t id) const {
    return id < 0 ? nullptr : model_->program(static_cast<std::uint32_t>(id));
  }

private:
  const detail::Owner &model_;
};

// Returns the explanations, and adds those that the file leaves out: an interval that no row explains is born at its
// first program and read by its last.
std::vector<popscope::LiveExplanationRecord> withPlainLives(const detail::Model &model,
                                                            std::vector<popscope::LiveExplanationRecord> rows) {
  using Row = popscope::LiveExplanationRecord;
  const auto before = [](const Row &a, const Row &b) {
    return a.variable != b.variable ? a.variable < b.variable : a.firstProgram < b.firstProgram;
  };
  const std::size_t stored = rows.size();
  std::vector<bool> explained; // one entry per interval of a variable
  const auto &variables = model.variables().rows;
  for (std::uint32_t v = 0; v < variables.size(); ++v) {
    if (variables[v].alwaysLive || variables[v].liveClass < 0)
      continue;
    const auto &intervals = model.classes()[static_cast<std::size_t>(variables[v].liveClass)].intervals;
    explained.assign(intervals.size(), false);
    const auto last = rows.begin() + static_cast<std::ptrdiff_t>(stored);
    Row first;
    first.variable = v;
    for (auto row = std::lower_bound(rows.begin(), last, first, before); row != last && row->variable == v; ++row) {
      const auto behind = std::upper_bound(intervals.begin(), intervals.end(), row->firstProgram,
                                           [](std::uint32_t p, const auto &i) { return p < i.first; });
      if (behind != intervals.begin())
        explained[static_cast<std::size_t>(behind - intervals.begin()) - 1] = true;
    }
    for (std::size_t i = 0; i < intervals.size(); ++i)
      if (const auto &[begin, end] = intervals[i]; !explained[i] && begin < end) {
        Row plain;
        plain.variable = v;
        plain.firstProgram = begin;
        plain.endProgram = end;
        plain.born = begin;
        plain.read = end - 1;
        rows.push_back(plain);
      }
  }
  std::stable_sort(rows.begin(), rows.end(), before);
  return rows;
}

} // namespace

std::vector<AdviceTrial> PopscopeData::adviceTrials() const {
  std::vector<AdviceTrial> out;
  for (auto &t : popscope::readAdviceTrials(model_->file(), model_->limits()))
    out.push_back({t.purpose, t.changes, t.text, t.numChanges, t.tilesOutOfMemory, t.fullestTile,
                   t.fullestBytes.count(), t.pastEndBytes.count(), t.allTilesBytes.count(), t.exchangeCodeBytes.count(),
                   t.exchangeCycles.count()});
  return out;
}

bool PopscopeData::hasVariableAccesses() const { return popscope::hasVariableAccesses(model_->file()); }

std::vector<VariableAccess> PopscopeData::variableAccesses(const Variable &variable) const {
  const Translate to(model_);
  std::vector<VariableAccess> out;
  for (const auto &a :
       popscope::readVariableAccesses(model_->file(), model_->limits(), static_cast<std::uint32_t>(variable._id())))
    out.push_back({to.program(a.program), a.elements, a.read, a.written, a.undefined});
  return out;
}

void PopscopeData::eachVariableAccess(
    const std::function<void(std::size_t variable, std::size_t program, bool reads, bool writes)> &visit) const {
  popscope::eachVariableAccess(model_->file(), model_->limits(), [&](const popscope::VariableAccessRecord &a) {
    visit(a.variable, a.program, a.read != 0, a.written != 0);
  });
}

LivenessAdvice PopscopeData::livenessAdvice() const {
  const popscope::AdviceRecord record = popscope::readAdvice(model_->file(), model_->limits());
  const Translate to(model_);
  LivenessAdvice out{};
  out.present = record.present;
  if (!record.present)
    return out;
  for (const auto &e : withPlainLives(*model_, record.explanations))
    out.explanations.push_back({to.variable(e.variable), e.firstProgram, e.endProgram, to.program(e.born),
                                to.program(e.read), to.program(e.failedKill), e.missed, e.missedElements, e.carrier,
                                to.program(e.carriedBy)});
  for (const auto &f : record.falseLive)
    out.falseLive.push_back(
        {to.variable(f.variable), f.firstProgram, f.endProgram, f.bytes.count(), f.bytesOnWorstTile.count()});
  for (const auto &p : record.placements)
    out.placements.push_back({to.variable(p.variable), to.program(p.before), p.savedOnWorstTile.count(),
                              p.savedOnDevice.count(), p.together});
  out.worstTile = record.worstTile;
  out.worstProgram = to.program(record.worstProgram);
  out.worstPeak = record.worstPeak.count();
  out.falseLiveAtPeak = record.falseLiveAtPeak.count();
  out.worstPeakAfterAll = record.worstPeakAfterAll.count();
  out.candidates = record.candidates;
  out.tried = record.tried;
  return out;
}

} // namespace pva
