#include "report/export/LiveByCategory.hpp"

#include <algorithm>
#include <map>

namespace popscope {

// Sums up difference arrays, one per category. A part of a variable can be live at other steps than the variable. Such
// a part is added over its own steps, and the rest of the variable over the steps of the variable. Cost: linear in
// variables and their intervals, and in steps times categories.
LiveByCategory::LiveByCategory(const pva::Report &report) {
  for (const auto &step : report.compilation().livenessProgramSteps())
    programs_.push_back(step.program()->_id());
  std::map<std::string, std::vector<std::uint64_t>> change; // differences; they may wrap around temporarily
  for (const auto &variable : report.compilation().variables()) {
    if (variable.alwaysLive()) {
      always_ += variable.size();
      continue;
    }
    auto &of = change[variable.category()];
    of.resize(programs_.size() + 1);
    std::uint64_t apart = 0; // bytes on tiles where a part is live at other steps than the variable
    const auto live = variable.liveSteps();
    const auto add = [&](const pva::List<pva::StepInterval> &spans, std::uint64_t bytes) {
      for (const auto &span : spans) {
        of.at(span.start()) += bytes;
        of.at(span.end()) -= bytes;
      }
    };
    for (const pva::VariablePart &part : variable.parts())
      if (!part.isWhole) {
        add(part.liveSteps, part.bytes);
        apart += part.bytes;
      }
    add(live, variable.size() - apart);
  }
  for (const auto &entry : change)
    categories_.push_back(entry.first);
  bytes_.resize(programs_.size() * categories_.size());
  for (std::size_t c = 0; c < categories_.size(); ++c) {
    std::uint64_t live = 0;
    for (std::size_t step = 0; step < programs_.size(); ++step)
      bytes_[step * categories_.size() + c] = live += change.at(categories_[c])[step];
  }
}

std::uint64_t LiveByCategory::total(std::size_t step) const {
  std::uint64_t sum = 0;
  for (std::size_t c = 0; c < categories_.size(); ++c)
    sum += bytes(step, c);
  return sum;
}

std::optional<std::size_t> LiveByCategory::stepOf(std::size_t program) const {
  const auto at = std::lower_bound(programs_.begin(), programs_.end(), program);
  return at != programs_.end() && *at == program ? std::optional(static_cast<std::size_t>(at - programs_.begin()))
                                                 : std::nullopt;
}

} // namespace popscope
