#include "report/answers/LiveTable.hpp"

#include "report/answers/Ranking.hpp"

#include <algorithm>

namespace popscope {
namespace {

constexpr std::size_t kShownSpans = 3;

/// `chosen`: by tile; empty = all.
LiveVariable partOf(const pva::Variable &variable, const std::vector<bool> &chosen) {
  LiveVariable v;
  v.variable = variable;
  for (const std::uint64_t tile : variable.tiles()) {
    if (!chosen.empty() && (tile >= chosen.size() || !chosen[tile]))
      continue;
    const std::uint64_t bytes = variable.bytesOn(tile);
    ++v.tiles;
    v.bytes += bytes;
    if (bytes > v.largestPart) {
      v.largestPart = bytes;
      v.largestTile = tile;
    }
  }
  if (chosen.empty())
    v.bytes = variable.size();
  return v;
}

} // namespace

const pva::StepInterval *LiveVariable::spanAt(std::size_t step) const {
  for (const auto &span : spans)
    if (span.start() <= step && step < span.end())
      return &span;
  return nullptr;
}

LiveTable::LiveTable(const pva::Report &report, const std::vector<std::size_t> &tiles)
    : steps_(report.compilation().livenessProgramSteps()) {
  if (steps_.empty())
    throw AnswerError("the profile has no liveness; write it with autoReport.outputGraphProfile or autoReport.all");
  for (const auto &step : steps_)
    programs_.push_back(step.program()->_id());
  std::vector<bool> chosen(tiles.empty() ? 0 : *std::max_element(tiles.begin(), tiles.end()) + 1);
  for (const std::size_t tile : tiles)
    chosen[tile] = true;
  std::vector<std::int64_t> change(steps_.size() + 1);
  for (const auto &variable : report.compilation().variables()) {
    LiveVariable v = partOf(variable, chosen);
    if (v.bytes == 0)
      continue;
    for (const auto &span : variable.liveSteps())
      v.spans.push_back(span);
    if (variable.alwaysLive())
      always_ += v.bytes;
    else
      for (const auto &span : v.spans) {
        change[span.start()] += static_cast<std::int64_t>(v.bytes);
        change[span.end()] -= static_cast<std::int64_t>(v.bytes);
      }
    variables_.push_back(std::move(v));
  }
  std::int64_t live = 0;
  for (std::size_t step = 0; step < steps_.size(); ++step) {
    live += change[step];
    bytes_.push_back(static_cast<std::uint64_t>(live));
  }
}

std::size_t LiveTable::worstOf(const StepChoice &steps) const {
  std::optional<std::size_t> most;
  for (std::size_t s = 0; s < bytes_.size(); ++s)
    if (steps.contains(programs_[s]) && (!most || bytes_[s] > bytes_[*most]))
      most = s;
  if (!most)
    throw AnswerError("there is no liveness step among those chosen");
  return *most;
}

std::optional<std::size_t> LiveTable::stepOfProgram(std::size_t program) const {
  const auto at = std::lower_bound(programs_.begin(), programs_.end(), program);
  return at != programs_.end() && *at == program ? std::optional(static_cast<std::size_t>(at - programs_.begin()))
                                                 : std::nullopt;
}

std::size_t LiveTable::nearestStep(std::size_t program) const {
  const auto at = std::lower_bound(programs_.begin(), programs_.end(), program);
  return at == programs_.end() ? programs_.size() - 1 : static_cast<std::size_t>(at - programs_.begin());
}

std::string LiveTable::titleOf(std::size_t step) const { return programTitle(*steps_[step].program()); }

std::string LiveTable::spansText(const LiveVariable &variable) const {
  if (variable.variable.alwaysLive())
    return "always";
  std::string text;
  for (std::size_t i = 0; i < variable.spans.size(); ++i) {
    if (i == kShownSpans)
      return text + ", " + std::to_string(variable.spans.size() - i) + " more";
    const std::size_t first = programOf(variable.spans[i].start()), last = programOf(variable.spans[i].end() - 1);
    text += (i == 0 ? "" : ", ") + std::to_string(first) + (first == last ? "" : "-" + std::to_string(last));
  }
  return text.empty() ? "never" : text;
}

} // namespace popscope
