#include "report/answers/TreeAnswer.hpp"

#include "report/answers/Ranking.hpp"
#include "report/answers/StepTimes.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace popscope {
namespace {

constexpr std::size_t kUsualTreeRows = 60;

struct Node {
  // recorded executions; unknown for Sequences and for programs that take no time
  std::optional<std::uint64_t> executions;
  std::uint64_t cycles = 0;
  bool known = true, matches = false;
};

class Tree {
public:
  Tree(const Request &request, const StepTimes &times)
      : request_(request), steps_(selectedSteps(request.selection)), recorded_(!times.runs.empty()) {
    const bool someTiles = !request.selection.tiles.empty();
    for (const StepTime &step : times.steps) {
      Node &node = own_[step.program->id];
      node.executions = node.executions.value_or(0) + 1;
      timed_.insert(step.program->type);
      node.cycles += someTiles ? step.chosenWork : step.part;
      node.known = node.known && (someTiles ? step.known : step.timeKnown);
    }
  }
  /// Returns the sums over the program and its descendants, and whether one of them is selected. A Sequence counts as
  /// executed as often as its most executed child. A child whose executions are not recorded counts as executed as
  /// often as its Sequence.
  Node total(const pva::Program &program) {
    Node sum = own_[program._id()];
    if (recorded_ && !sum.executions && timed_.count(program.type()) != 0)
      sum.executions = 0;
    sum.known = sum.known && recorded_; // nothing is known without a run
    sum.matches = steps_.contains(program._id()) &&
                  (request_.selection.name.empty() || nameMatches(request_.selection.name, program.name()));
    for (const auto &child : program.children()) {
      const Node inner = total(*child);
      sum.cycles += inner.cycles;
      sum.known = sum.known && inner.known;
      sum.matches = sum.matches || inner.matches;
      if (program.type() == pva::Program::Type::Sequence && inner.executions)
        // programs after one that aborts have fewer
        sum.executions = std::max(sum.executions.value_or(0), *inner.executions);
    }
    if (program.type() == pva::Program::Type::Sequence)
      for (const auto &child : program.children())
        if (auto &of = totals_[child->_id()].executions; !of)
          of = sum.executions;
    return totals_[program._id()] = sum;
  }
  void print(const pva::Program &program, std::size_t depth, std::uint64_t all, std::size_t most, Table &table) const {
    const Node &node = totals_.at(program._id());
    if (!node.matches)
      return;
    const auto *repeat = dynamic_cast<const pva::RepeatProgram *>(&program);
    if (depth >= maxDepth_ || table.rows.size() >= most)
      ++table.more;
    else
      table.rows.push_back({std::uint64_t(program._id()),
                            std::string(2 * depth, ' ') + programTitle(program) +
                                (repeat == nullptr ? "" : " (" + cellText(repeat->count()) + " times)"),
                            knownOr(node.executions.has_value(), node.executions.value_or(0)),
                            knownOr(node.known, node.cycles), shareOr(node.known, node.cycles, all)});
    for (const auto &child : program.children())
      print(*child, depth + 1, all, most, table);
  }
  std::size_t maxDepth_ = static_cast<std::size_t>(-1);

private:
  const Request &request_;
  NumberSet steps_;
  bool recorded_;
  std::set<pva::Program::Type> timed_; // kinds of programs whose executions are recorded
  std::map<std::size_t, Node> own_, totals_;
};

} // namespace

// Collects the table of programs, depth first, with the sums over their descendants.
Rows collectTree(const Request &request) {
  Rows rows;
  rows.view = "tree";
  StepTimes times;
  readStepTimes(request.report, request.selection, times);
  std::uint64_t whole = times.cycles;
  const bool someTiles = !request.selection.tiles.empty();
  if (someTiles) {
    readChosenWork(request.report, request.selection, times);
    whole *= selectedTiles(request.report, request.selection).size();
  }
  Tree tree(request, times);
  if (const std::string depth = request.options.at("depth"); !depth.empty())
    tree.maxDepth_ = readLevels(depth);
  Table table{"programs",
              someTiles ? "Programs, with the work of the selected tiles in them"
                        : "Programs, with the cycles of those in them",
              {{"step", "Step", Unit::Id},
               {"program", "Program"},
               {"executions", "Executed"},
               {"cycles", someTiles ? "Tile cycles" : "Cycles", someTiles ? Unit::TileCycles : Unit::Cycles},
               {"share", "Of all", Unit::Percent}},
              {}};
  const std::size_t most = request.selection.countOr(kUsualTreeRows);
  for (const auto &list :
       {request.report.compilation().controlPrograms(), request.report.compilation().functionPrograms()})
    for (const auto &program : list) {
      (void)tree.total(*program);
      tree.print(*program, 0, whole, most, table);
    }
  rows.tables.push_back(std::move(table));
  rows.notes.emplace_back(someTiles ? "waits of these tiles are not included (popscope loss --tiles lists them); "
                                      "bodies of functions are listed separately"
                                    : "cycles are the part that a step adds to the length of its runs; bodies of "
                                      "functions are listed separately");
  suggest(rows, request, "top", "--of steps");
  suggest(rows, request, "live");
  return rows;
}

} // namespace popscope
