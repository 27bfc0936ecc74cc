#include "report/answers/LiveTable.hpp"

#include "report/answers/Ranking.hpp"

#include <algorithm>
#include <map>

namespace popscope {
namespace {

std::vector<pva::StepInterval> listOf(const pva::List<pva::StepInterval> &spans) {
  std::vector<pva::StepInterval> list;
  for (const pva::StepInterval &span : spans)
    list.push_back(span);
  return list;
}

/// Returns the steps at which any of the parts is live.
std::vector<pva::StepInterval> together(const std::vector<LiveVariable::Part> &parts) {
  if (parts.size() == 1)
    return parts.front().spans;
  std::vector<pva::StepInterval> all, joined;
  for (const LiveVariable::Part &part : parts)
    all.insert(all.end(), part.spans.begin(), part.spans.end());
  std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) { return a.start() < b.start(); });
  for (const pva::StepInterval &span : all)
    if (!joined.empty() && span.start() <= joined.back().end())
      joined.back() = {joined.back().start(), std::max(joined.back().end(), span.end())};
    else
      joined.push_back(span);
  return joined;
}

/// Returns the variable's part on the selected tiles. `chosen`: per tile; empty = all tiles.
LiveVariable partOf(const pva::Variable &variable, const std::vector<bool> &chosen) {
  LiveVariable v;
  v.variable = variable;
  for (const pva::VariablePart &some : variable.parts()) {
    LiveVariable::Part part;
    for (const auto &[tile, bytes] : some.tiles) {
      if (!chosen.empty() && (tile >= chosen.size() || !chosen[tile]))
        continue;
      ++v.tiles;
      part.bytes += bytes;
      if (bytes > v.largestPart || (bytes == v.largestPart && tile < v.largestTile)) {
        v.largestPart = bytes;
        v.largestTile = tile;
      }
    }
    if (part.bytes == 0)
      continue;
    v.bytes += part.bytes;
    part.spans = listOf(some.liveSteps);
    v.parts.push_back(std::move(part));
  }
  if (chosen.empty() && v.bytes != variable.size()) { // the profile does not contain its tiles
    v.bytes = variable.size();
    v.parts = {{v.bytes, listOf(variable.liveSteps())}};
  }
  v.spans = together(v.parts);
  return v;
}

} // namespace

const pva::StepInterval *LiveVariable::spanAt(std::size_t step) const {
  for (const auto &span : spans)
    if (span.start() <= step && step < span.end())
      return &span;
  return nullptr;
}

std::uint64_t LiveVariable::bytesAt(std::size_t step) const {
  std::uint64_t sum = 0;
  for (const Part &part : parts)
    if (std::any_of(part.spans.begin(), part.spans.end(),
                    [&](const pva::StepInterval &span) { return span.start() <= step && step < span.end(); }))
      sum += part.bytes;
  return sum;
}

LiveTable::LiveTable(const pva::Report &report)
    : steps_(report.compilation().livenessProgramSteps()), names_(report), change_(steps_.size() + 1) {
  if (steps_.empty() && report.compilation().variables().empty())
    throw AnswerError("the profile has no liveness; record it with the engine option autoReport.outputGraphProfile or "
                      "autoReport.all");
  for (const auto &step : steps_)
    programs_.push_back(step.program()->_id());
}

LiveTable::LiveTable(const pva::Report &report, const Selection &selection) : LiveTable(report) {
  const std::vector<bool> chosen = selection.everyTile() ? std::vector<bool>() : tileMask(report, selection);
  for (const auto &variable : report.compilation().variables())
    add(partOf(variable, chosen));
  sumUp();
}

LiveTable::LiveTable(const pva::Report &report, std::size_t tile, LiveMeasure measure) : LiveTable(report) {
  std::map<std::size_t, pva::EquivalenceClass> occupied; // by variable
  if (measure == LiveMeasure::Addresses)
    for (const pva::LoweredVariable &home : report.compilation().loweredVariables().forTile(tile))
      if (home.hasUnloweredVar())
        occupied.emplace(home.unloweredVar()._id(), home.equivalenceClass());
  std::vector<bool> chosen(tile + 1);
  chosen[tile] = true;
  for (const auto &variable : report.compilation().variables()) {
    LiveVariable v = partOf(variable, chosen);
    if (const auto at = occupied.find(variable._id()); at != occupied.end() && !variable.alwaysLive()) {
      v.spans = listOf(at->second.steps());
      v.parts = {{v.bytes, v.spans}};
    }
    add(std::move(v));
  }
  sumUp();
}

void LiveTable::add(LiveVariable v) {
  if (v.bytes == 0)
    return;
  if (v.variable.alwaysLive())
    always_ += v.bytes;
  else
    for (const LiveVariable::Part &part : v.parts)
      for (const auto &span : part.spans) {
        change_[span.start()] += static_cast<std::int64_t>(part.bytes);
        change_[span.end()] -= static_cast<std::int64_t>(part.bytes);
      }
  variables_.push_back(std::move(v));
}

void LiveTable::needSteps() const {
  if (programs_.empty())
    throw AnswerError("the program has no steps at which variables can be live; popscope vars lists its variables");
}

void LiveTable::sumUp() {
  std::int64_t live = 0;
  for (std::size_t step = 0; step < steps_.size(); ++step) {
    live += change_[step];
    bytes_.push_back(static_cast<std::uint64_t>(live));
  }
}

std::size_t LiveTable::lastProgram() const {
  needSteps();
  return programs_.back();
}

std::size_t LiveTable::worstOf(const StepChoice &steps) const {
  needSteps();
  std::optional<std::size_t> most;
  for (std::size_t s = 0; s < bytes_.size(); ++s)
    if (steps.contains(programs_[s]) && (!most || bytes_[s] > bytes_[*most]))
      most = s;
  if (!most)
    steps.failWithoutLiveness(programs_);
  return *most;
}

std::optional<std::size_t> LiveTable::stepOfProgram(std::size_t program) const {
  const auto at = std::lower_bound(programs_.begin(), programs_.end(), program);
  return at != programs_.end() && *at == program ? std::optional(static_cast<std::size_t>(at - programs_.begin()))
                                                 : std::nullopt;
}

std::size_t LiveTable::nearestStep(std::size_t program) const {
  needSteps();
  const auto at = std::lower_bound(programs_.begin(), programs_.end(), program);
  return at == programs_.end() ? programs_.size() - 1 : static_cast<std::size_t>(at - programs_.begin());
}

std::string LiveTable::titleOf(std::size_t step) const { return names_.titleOf(*steps_[step].program()); }

std::vector<LiveGroup> LiveTable::groupsAt(std::size_t step, const std::string &name) const {
  std::vector<LiveGroup> groups;
  std::map<std::pair<std::string, std::string>, std::size_t> known; // by name and category
  for (const LiveVariable &v : variables_) {
    const pva::StepInterval *span = v.spanAt(step);
    const bool isAlways = programs_.empty() && v.variable.alwaysLive(); // without steps, there are no intervals
    if ((span == nullptr && !isAlways) || (!name.empty() && !nameMatches(name, v.variable.name())))
      continue;
    const std::size_t from = isAlways ? 0 : span->start(), to = isAlways ? 0 : span->end() - 1;
    const std::string spans = spansText(v);
    const auto [at, isNew] = known.try_emplace({v.variable.name(), v.variable.category()}, groups.size());
    if (isNew)
      groups.push_back({v.variable.name(), v.variable.category(), 0, 0, from, to, spans});
    LiveGroup &group = groups[at->second];
    ++group.variables;
    group.bytes += isAlways ? v.bytes : v.bytesAt(step);
    group.from = std::min(group.from, from);
    group.to = std::max(group.to, to);
    if (group.spans != spans)
      group.spans = "differ";
  }
  return groups;
}

std::string LiveTable::spansText(const LiveVariable &variable) const {
  if (variable.variable.alwaysLive())
    return "always";
  std::string text;
  for (std::size_t i = 0; i < variable.spans.size(); ++i) {
    const std::size_t first = programOf(variable.spans[i].start()), last = programOf(variable.spans[i].end() - 1);
    text += (i == 0 ? "" : ", ") + std::to_string(first) + (first == last ? "" : "-" + std::to_string(last));
  }
  return text.empty() ? "never" : text;
}

} // namespace popscope
