#include "report/answers/EnginePrograms.hpp"

#include <algorithm>
#include <memory>

namespace popscope {

// Finds the Switch below each root, and walks over each of its children and the functions that they call.
EnginePrograms::EnginePrograms(const pva::Report &report) {
  std::vector<std::shared_ptr<pva::Program>> programs;
  for (const auto &root : report.compilation().controlPrograms())
    for (const auto &step : root->children())
      if (step->type() == pva::Program::Type::OnEveryTileSwitch)
        for (const auto &program : step->children())
          programs.push_back(program);
  if (programs.size() < 2) // no step belongs to another program
    return;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    names_.push_back(programs[i]->name());
    std::vector<std::shared_ptr<pva::Program>> open = {programs[i]};
    while (!open.empty()) {
      const auto program = open.back();
      open.pop_back();
      std::vector<std::size_t> &within = within_[program->_id()];
      if (!within.empty() && within.back() == i) // a function that was called before
        continue;
      within.push_back(i);
      for (const auto &child : program->children())
        open.push_back(child);
      if (const auto *call = dynamic_cast<const pva::CallProgram *>(program.get()))
        if (auto function = call->function())
          open.push_back(std::move(function));
    }
  }
}

std::string EnginePrograms::textOf(std::size_t step) const {
  constexpr std::size_t kMaxListed = 4;
  const auto at = within_.find(step);
  if (at == within_.end())
    return "";
  const std::vector<std::size_t> &within = at->second;
  if (within.size() == 1)
    return "program " + std::to_string(within[0]) + (names_[within[0]].empty() ? "" : ", " + names_[within[0]]);
  std::string text = "programs ";
  for (std::size_t i = 0; i < std::min(within.size(), kMaxListed); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(within[i]);
  return text + (within.size() > kMaxListed ? " and " + std::to_string(within.size() - kMaxListed) + " more" : "");
}

} // namespace popscope
