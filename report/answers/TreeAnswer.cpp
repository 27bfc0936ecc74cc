#include "report/answers/TreeAnswer.hpp"

#include "report/answers/MovedNames.hpp"
#include "report/answers/Ranking.hpp"
#include "report/answers/RunsAnswer.hpp"
#include "report/answers/StepTimes.hpp"
#include "report/summary/Format.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace popscope {
namespace {

constexpr std::size_t kUsualTreeRows = 60;

struct Node {
  // executions of all selected runs; at first unknown for programs that take no time
  std::optional<std::uint64_t> executions;
  std::uint64_t cycles = 0;
  bool known = true, matches = false;
};

using ProgramList = pva::List<std::shared_ptr<pva::Program>>;

/// The body of a function or of a control program.
struct Body {
  std::shared_ptr<pva::Program> root;                     // null for a control program
  std::vector<std::pair<std::size_t, std::size_t>> calls; // ids of the Calls in it, with the roots that they run
  std::size_t callsLeft = 0;                   // Calls that run the body and whose executions are not derived yet
  bool called = false;                         // true if a Call runs the body
  std::optional<std::uint64_t> executions = 0; // sum over the Calls with derived executions; nothing = unknown
};

void findCalls(const pva::Program &program, std::vector<std::pair<std::size_t, std::size_t>> &calls) {
  if (const auto *call = dynamic_cast<const pva::CallProgram *>(&program))
    if (const auto function = call->function())
      calls.emplace_back(call->_id(), function->_id());
  for (const auto &child : program.children())
    findCalls(*child, calls);
}

/// Returns the text that follows the title: the iterations of a Repeat, or the function of a Call.
std::string detailOf(const pva::Program &program) {
  if (const auto *repeat = dynamic_cast<const pva::RepeatProgram *>(&program))
    return " (" + counted(repeat->count(), "time") + ")";
  if (const auto *call = dynamic_cast<const pva::CallProgram *>(&program))
    if (const auto function = call->function())
      return " (runs step " + std::to_string(function->_id()) + ")";
  return "";
}

class Tree {
public:
  Tree(const Request &request, const StepTimes &times)
      : request_(request), names_(request.report), steps_(selectedSteps(request.selection)),
        recorded_(!times.runs.empty()) {
    const bool someTiles = !request.selection.tiles.empty();
    readRuns(times.runs);
    for (const StepTime &step : times.steps) {
      Node &node = own_[step.program->id];
      node.executions = node.executions.value_or(0) + 1;
      timed_.insert(step.program->type);
      node.cycles += someTiles ? step.chosenWork : step.part;
      node.known = node.known && (someTiles ? step.known : step.timeKnown);
    }
  }
  /// Returns the sums over the program and its descendants, and whether one of them is selected. Executions that are
  /// not recorded follow from the executions of the children, if these determine the number.
  Node total(const pva::Program &program) {
    Node sum = own_[program._id()];
    if (recorded_ && !sum.executions &&
        (timed_.count(program.type()) != 0 || (everyStep_ && stepCauseOf(program) != StepCause::Control)))
      sum.executions = 0;               // the profile would contain an execution
    sum.known = sum.known && recorded_; // nothing is known without a run
    sum.matches = steps_.contains(program._id()) && names_.matches(request_.selection.name, program);
    for (const auto &child : program.children()) {
      const Node inner = total(*child);
      sum.cycles += inner.cycles;
      sum.known = sum.known && inner.known;
      sum.matches = sum.matches || inner.matches;
    }
    if (!sum.executions)
      sum.executions = executionsByChildren(program);
    return totals_[program._id()] = sum;
  }
  /// Sets the unknown executions of the programs below `program`. Such programs contain nothing that takes time. The
  /// executions follow from the executions of the enclosing programs.
  void deriveExecutions(const pva::Program &program) {
    const auto executions = totals_.at(program._id()).executions;
    std::size_t position = 0;
    for (const auto &child : program.children()) {
      if (auto &of = totals_.at(child->_id()).executions; executions && !of)
        of = executionsOfChild(program, *executions, position);
      ++position;
    }
    for (const auto &child : program.children())
      deriveExecutions(*child);
  }
  void print(const pva::Program &program, std::size_t depth, std::uint64_t all, std::size_t most, Table &table) const {
    const Node &node = totals_.at(program._id());
    if (!node.matches)
      return;
    if (depth >= maxDepth_ || table.rows.size() >= most)
      ++table.more;
    else
      table.rows.push_back({std::uint64_t(program._id()),
                            std::string(2 * depth, ' ') + names_.titleOf(program) + detailOf(program),
                            knownOr(node.executions.has_value(), node.executions.value_or(0)),
                            knownOr(node.known, node.cycles), shareOr(node.known, node.cycles, all)});
    for (const auto &child : program.children())
      print(*child, depth + 1, all, most, table);
  }
  /// Derives the unknown executions of programs. The executions of a function's body are the sum over the Calls that
  /// run the body, so a body comes after all bodies with such Calls. Call total() for each root first.
  void deriveExecutions(const ProgramList &controls, const ProgramList &functions) {
    std::map<std::size_t, Body> bodies; // by id of the root
    std::vector<std::shared_ptr<pva::Program>> ready(controls.begin(), controls.end());
    for (const auto &list : {controls, functions})
      for (const auto &root : list)
        findCalls(*root, bodies[root->_id()].calls);
    for (const auto &root : functions)
      bodies[root->_id()].root = root;
    for (const auto &[id, body] : bodies)
      for (const auto &call : body.calls)
        ++bodies[call.second].callsLeft;
    for (const auto &root : functions)
      if (bodies[root->_id()].callsLeft == 0)
        ready.push_back(root);
    for (std::size_t i = 0; i < ready.size(); ++i) {
      const std::shared_ptr<pva::Program> root = ready[i];
      const Body &body = bodies[root->_id()];
      if (auto &of = totals_.at(root->_id()).executions; !of && recorded_ && body.called)
        of = body.executions;
      deriveExecutions(*root);
      for (const auto &[call, function] : body.calls) {
        Body &callee = bodies[function];
        const auto executions = totals_.at(call).executions;
        callee.executions =
            callee.executions && executions ? std::optional(*callee.executions + *executions) : std::nullopt;
        callee.called = true;
        if (--callee.callsLeft == 0 && callee.root)
          ready.push_back(callee.root);
      }
    }
  }
  /// Returns whether a run was recorded, but not how often the selected program was executed. Call total() for the
  /// program first.
  [[nodiscard]] bool lacksExecutions(const pva::Program &program) const {
    const Node &node = totals_.at(program._id());
    return recorded_ && node.matches && !node.executions;
  }
  std::size_t maxDepth_ = static_cast<std::size_t>(-1);

private:
  /// Returns the executions of a program, if the executions of its children determine the number.
  [[nodiscard]] std::optional<std::uint64_t> executionsByChildren(const pva::Program &program) const {
    using Type = pva::Program::Type;
    std::vector<std::optional<std::uint64_t>> of;
    for (const auto &child : program.children())
      of.push_back(totals_.at(child->_id()).executions);
    if (program.type() == Type::Sequence) // programs after one that aborts have fewer executions
      return of.empty() ? std::nullopt : *std::max_element(of.begin(), of.end());
    const bool runsOne = program.type() == Type::OnEveryTileSwitch || (program.type() == Type::If && of.size() == 2);
    if (runsOne && std::all_of(of.begin(), of.end(), [](const auto &one) { return one.has_value(); }))
      return std::accumulate(of.begin(), of.end(), std::uint64_t(0),
                             [](auto sum, const auto &one) { return sum + *one; });
    if (program.type() == Type::RepeatWhile && of.size() == 2 && of[0] && of[1] && *of[0] >= *of[1])
      return *of[0] - *of[1]; // each execution tests the condition once more than it runs the body
    if (const auto *repeat = dynamic_cast<const pva::RepeatProgram *>(&program))
      if (const std::uint64_t count = repeat->count(); count != 0 && !of.empty() && of[0])
        return (*of[0] + count - 1) / count;
    return std::nullopt;
  }
  /// Returns the executions of the program's child at a position, if the executions of the program determine the
  /// number.
  [[nodiscard]] std::optional<std::uint64_t> executionsOfChild(const pva::Program &program, std::uint64_t executions,
                                                               std::size_t position) const {
    using Type = pva::Program::Type;
    if (executions == 0)
      return executions;
    if (program.type() == Type::Sequence)
      return ended_ || position < passed(program, executions) ? std::optional(executions) : std::nullopt;
    const auto children = program.children();
    if (const auto *repeat = dynamic_cast<const pva::RepeatProgram *>(&program))
      return executions * repeat->count();
    if (program.type() == Type::OnEveryTileSwitch) // its children are the programs of Engine::run, then host copies
      return static_cast<std::uint64_t>(std::count(programs_.begin(), programs_.end(), position));
    if (program.type() == Type::If || program.type() == Type::Switch) { // each execution runs one child at most
      std::uint64_t known = 0;
      std::size_t unknown = 0;
      for (const auto &child : children)
        if (const auto of = totals_.at(child->_id()).executions)
          known += *of;
        else
          ++unknown;
      if (known == executions)
        return 0;
      if (program.type() == Type::If && unknown == 1 && known < executions) // an If always runs one of the two
        return executions - known;
    }
    if (program.type() == Type::RepeatWhile && children.size() == 2 && position == 1 && ended_)
      if (const auto tests = totals_.at(children[0]->_id()).executions; tests && *tests >= executions)
        return *tests - executions; // the inverse of executionsByChildren
    const auto recorded = chosen_.find(program._id());
    if (recorded == chosen_.end() || recorded->second.executions != executions)
      return std::nullopt; // only the last choice of each run is recorded
    const auto &times = recorded->second.timesAt;
    const auto at = times.find(position);
    return at == times.end() ? 0 : at->second;
  }
  /// Returns the executions of a program. If they are unknown, returns the sum of the known executions of the children
  /// of an If or a Switch, and 0 for any other program.
  [[nodiscard]] std::uint64_t shownExecutions(const pva::Program &program) const {
    std::uint64_t sum = 0;
    if (const auto of = totals_.at(program._id()).executions)
      return *of;
    if (program.type() == pva::Program::Type::If || program.type() == pva::Program::Type::Switch)
      for (const auto &child : program.children())
        sum += totals_.at(child->_id()).executions.value_or(0);
    return sum;
  }
  /// Returns the number of children of a Sequence up to the last one that was executed as often as the Sequence. A run
  /// that was cut short reached all these children.
  [[nodiscard]] std::size_t passed(const pva::Program &sequence, std::uint64_t executions) const {
    const auto [at, isNew] = passed_.try_emplace(sequence._id(), 0);
    std::size_t position = 0;
    if (isNew)
      for (const auto &child : sequence.children()) {
        if (shownExecutions(*child) == executions)
          at->second = position + 1;
        ++position;
      }
    return at->second;
  }
  struct Choices { // the last choice of an If or a Switch in each selected run
    std::uint64_t executions = 0;
    std::map<std::size_t, std::uint64_t> timesAt; // per position of the chosen child
  };
  void readRuns(const std::vector<std::size_t> &runs) {
    using Type = pva::Program::Type;
    const auto all = request_.report.execution().runs();
    for (const std::size_t run : runs) {
      ended_ = ended_ && all[run].complete();
      everyStep_ = everyStep_ && hasEveryStep(all[run]);
      programs_.push_back(all[run].program());
      for (const pva::ControlFlow &row : all[run].controlFlow())
        if (row.program->type() == Type::If || row.program->type() == Type::Switch) {
          Choices &choices = chosen_[row.program->_id()];
          ++choices.executions;
          if (row.takenKnown)
            ++choices.timesAt[row.taken];
        }
    }
  }
  const Request &request_;
  mutable MovedNames names_; // reads names when they are first requested
  NumberSet steps_;
  bool recorded_;
  bool ended_ = true;                  // all selected runs ended
  bool everyStep_ = true;              // all selected runs contain each executed step that takes time
  std::set<pva::Program::Type> timed_; // kinds of programs whose executions are recorded
  std::map<std::size_t, Node> own_, totals_;
  mutable std::map<std::size_t, std::size_t> passed_; // per id of a Sequence
  std::map<std::size_t, Choices> chosen_;             // per id of the program
  std::vector<std::uint64_t> programs_;               // per selected run: the index that Engine::run got
};

} // namespace

// Collects the table of programs, depth first, with the sums over their descendants.
Rows collectTree(const Request &request) {
  Rows rows("tree");
  StepTimes times = readStepTimes(request.report, request.selection);
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
                        : "Programs, with the cycles of each, including the programs in it",
              {{"step", "Step", Unit::Id},
               {"program", "Program"},
               {"executions", "Executed"},
               {"cycles", someTiles ? "Tile cycles" : "Cycles", someTiles ? Unit::TileCycles : Unit::Cycles},
               {"share", "Of all", Unit::Percent}}};
  const std::size_t most = request.selection.countOr(kUsualTreeRows);
  const ProgramList controls = request.report.compilation().controlPrograms(),
                    functions = request.report.compilation().functionPrograms();
  for (const auto &list : {controls, functions})
    for (const auto &program : list)
      (void)tree.total(*program);
  tree.deriveExecutions(controls, functions);
  for (const auto &list : {controls, functions})
    for (const auto &program : list)
      tree.print(*program, 0, whole, most, table);
  rows.tables.push_back(std::move(table));
  rows.notes.emplace_back(someTiles ? "waits of these tiles are not included (popscope loss --tiles lists them); "
                                      "bodies of functions are listed separately"
                                    : "cycles are the part that a step adds to the length of its runs, without the "
                                      "cycles in which counters are read after the last step of a run; bodies of "
                                      "functions are listed separately");
  noteCategories(request.report, rows);
  noteCutRuns(request.report, request.selection, rows);
  if (std::any_of(functions.begin(), functions.end(), [&](const auto &body) { return tree.lacksExecutions(*body); }))
    rows.notes.emplace_back("executions of a function's body follow from its steps that take time, or from the Calls "
                            "that run it; for some bodies, the profile contains neither");
  suggest(rows, request, "top", "--of steps");
  suggest(rows, request, "live");
  return rows;
}

} // namespace popscope
