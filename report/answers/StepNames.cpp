#include "report/answers/StepNames.hpp"

#include "report/answers/Layers.hpp"
#include "report/answers/Ranking.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace popscope {
namespace {

constexpr std::array<std::string_view, 8> kCompilersNames = {
    "Exchange",   "ExchangePre",   "GlobalExchange", "GlobalExchangePre", "CrossReplicaExchange",
    "OnTileCopy", "OnTileCopyPre", "OnTileCopyPost"};

/// A program and all programs inside it: ids [id, end).
struct Around {
  std::size_t id, end;
  std::string name;
  bool chooses; // each run of the program executes at most one of its children
};

bool choosesChild(pva::Program::Type type) {
  using Type = pva::Program::Type;
  return type == Type::If || type == Type::Switch || type == Type::OnTileSwitch || type == Type::OnEveryTileSwitch;
}

/// Finds the step whose name an unnamed copy receives. Ids follow the nesting of programs, so all programs of a
/// Sequence have consecutive ids.
class FindStep {
public:
  void addNamed(std::size_t id) { named_.push_back(id); } // ascending
  /// Searches the programs that contain the step, from the innermost: first for the next named step, then for the
  /// previous one, then for a name of the program itself. Skips the other children of a program that chooses a child.
  /// `around`: these programs, the innermost last.
  [[nodiscard]] std::optional<std::size_t> of(std::size_t step, const std::vector<Around> &around) const {
    std::size_t first = step, end = step + 1; // programs [first, end) have no named step that runs with this step
    for (auto at = around.rbegin(); at != around.rend(); ++at) {
      if (at->chooses) {
        first = at->id;
        end = at->end;
      }
      const auto next = std::lower_bound(named_.begin(), named_.end(), end);
      if (next != named_.end() && *next < at->end)
        return *next;
      const auto previous = std::lower_bound(named_.begin(), named_.end(), first);
      if (previous != named_.begin() && *std::prev(previous) > at->id)
        return *std::prev(previous);
      if (!at->name.empty())
        return at->id;
    }
    return std::nullopt;
  }

private:
  std::vector<std::size_t> named_;
};

} // namespace

bool isCompilersName(const std::string &name) {
  return std::find(kCompilersNames.begin(), kCompilersNames.end(), name) != kCompilersNames.end();
}

StepNames::StepNames(const pva::Report &report) {
  using Type = pva::Program::Type;
  const std::vector<std::shared_ptr<pva::Program>> all = allPrograms(report);
  std::map<std::size_t, std::size_t> ends;
  for (auto at = all.rbegin(); at != all.rend(); ++at) {
    std::size_t &end = ends[(*at)->_id()] = (*at)->_id() + 1;
    for (const auto &child : (*at)->children())
      end = std::max(end, ends.at(child->_id()));
  }
  FindStep find;
  std::vector<std::size_t> unnamed;
  for (const auto &program : all) {
    const std::size_t id = program->_id();
    const Type type = program->type();
    Named &named = programs_[id];
    named = {program->name(), id, choosesChild(type), type == Type::Sync || type == Type::SyncAns,
             type == Type::StreamCopyBegin || type == Type::StreamCopyMid || type == Type::StreamCopyEnd};
    if (isCompilersName(named.own))
      unnamed.push_back(id);
    else if (!named.barrier && !named.own.empty() && ends.at(id) == id + 1 && !isChoiceOfProgram(named.own))
      find.addNamed(id);
  }
  std::vector<Around> around;
  auto next = unnamed.begin();
  for (const auto &[id, named] : programs_) {
    while (!around.empty() && around.back().end <= id)
      around.pop_back();
    if (next != unnamed.end() && *next == id) {
      programs_.at(id).stands = find.of(id, around).value_or(id);
      ++next;
    }
    if (ends.at(id) > id + 1)
      around.push_back({id, ends.at(id), named.own, named.chooses});
  }
}

StepNames::Named StepNames::find(std::size_t program) const {
  const auto at = programs_.find(program);
  return at == programs_.end() ? Named{"", program, false, false, false} : at->second;
}

std::size_t StepNames::stepOf(std::size_t program) const { return find(program).stands; }

bool StepNames::isBarrier(std::size_t program) const { return find(program).barrier; }

std::string StepNames::of(std::size_t program) const {
  const Named named = find(find(program).stands);
  if (named.barrier)
    return "<Sync>";
  return named.own.empty() && named.stream ? "<StreamCopy>" : named.own;
}

} // namespace popscope
