#include "report/answers/OperatorsAnswer.hpp"

#include "report/answers/FlopColumns.hpp"
#include "report/answers/Layers.hpp"
#include "report/answers/MovedNames.hpp"
#include "report/answers/Ranking.hpp"
#include "report/answers/RecordFilter.hpp"
#include "report/answers/RunsAnswer.hpp"
#include "report/answers/StepNames.hpp"
#include "report/answers/StepTimes.hpp"

#include <algorithm>
#include <cmath>

namespace popscope {
namespace {

constexpr std::size_t kUsualOperators = 10, kTypesNamed = 2;

/// Sums over all executions of a step, or over a group of steps.
struct Operator {
  std::string name, type, inputs, outputs;
  std::string path;                                                // the name of its program, in which layers are found
  const StepProgramInfo *program = nullptr;                        // program of the first step
  std::uint64_t executions = 0, cycles = 0, flops = 0, memory = 0; // cycles: what the operator adds to the runs
  std::uint64_t sent = 0, received = 0;                            // bytes that tiles exchange
  std::uint64_t took = 0; // cycles of the slowest IPU, including cycles in which other steps run; base of the rates
  bool cyclesKnown = true, tookKnown = true, flopsKnown = false, memoryKnown = false;
  FlopSum done; // operations of all executions, with their sources
};

/// Returns, for example, "in: 4 x float[8]": the number of edges, and the elements of each.
std::string shapeOf(const pva::VertexOperand &o) {
  const std::string elements = o.leastElements == o.mostElements
                                   ? std::to_string(o.mostElements)
                                   : std::to_string(o.leastElements) + ".." + std::to_string(o.mostElements);
  return (o.field.empty() ? "" : o.field + ": ") + (o.edges == 1 ? "" : std::to_string(o.edges) + " x ") +
         (o.elementType.empty() ? "bytes" : o.elementType) + "[" + elements + "]";
}

void addPart(std::string &list, const std::string &part) { list += (list.empty() ? "" : "; ") + part; }

std::string typesOf(const pva::ComputeSet &set) {
  std::string text;
  std::size_t count = 0;
  for (const pva::VertexInstances &of : set.vertices())
    if (++count <= kTypesNamed)
      text += (text.empty() ? "" : " + ") + of.type().name();
  return text + (count > kTypesNamed ? " + " + std::to_string(count - kTypesNamed) + " more" : "");
}

/// Reads the steps that compute or move data. Steps that compute are added up by compute set, and the other steps by
/// program.
std::vector<Operator> readOperators(const Request &request, const FlopColumns &flops, StepTimes &times,
                                    MovedNames &moved) {
  const NumberSet steps = selectedSteps(request.selection);
  std::map<std::size_t, Operator> byProgram;
  std::map<std::int64_t, std::size_t> firstOf; // by compute set: the first program that executes it
  const StepNames names(request.report);
  for (const StepTime &step : times.steps) {
    const StepProgramInfo &program = *step.program;
    if (!isWork(program.kind) || !steps.contains(program.id))
      continue;
    const std::size_t id = program.set ? firstOf.try_emplace(program.computeSet, program.id).first->second : program.id;
    const auto [at, isNew] = byProgram.try_emplace(id);
    Operator &o = at->second;
    if (isNew) {
      o.program = &program;
      o.path = names.of(program.id);
      if (o.path.empty())
        o.path = nameOr(program.name);
      o.name = moved.nameOf(program);
      o.type = program.set ? typesOf(*program.set) : pva::programTypeName(program.type);
    }
    ++o.executions;
    o.cycles += step.part;
    o.took += step.cycles;
    o.cyclesKnown = o.cyclesKnown && step.timeKnown;
    o.tookKnown = o.tookKnown && step.cyclesKnown;
    if (program.computeSet < 0) {
      // A byte that one tile sends and another receives counts once. Bytes to the host and bytes from the host are
      // different.
      const bool ofHost = program.kind == StepCause::HostExchange;
      o.memory += ofHost ? step.dataIn + step.dataOut : std::max(step.dataIn, step.dataOut);
      o.sent += step.dataOut;
      o.received += step.dataIn;
      o.memoryKnown = true;
    }
  }
  for (auto &entry : byProgram) {
    Operator &o = entry.second;
    const StepProgramInfo *program = o.program;
    if (!program->set) {
      const auto ofEach = [&](std::uint64_t bytes) {
        return "bytes[" + std::to_string(bytes / std::max<std::uint64_t>(o.executions, 1)) + "]";
      };
      o.inputs = ofEach(o.sent);
      o.outputs = ofEach(o.received);
      continue;
    }
    std::uint64_t bytes = 0;
    for (const pva::VertexOperand &operand : program->set->operands()) {
      bytes += operand.bytes * (operand.read && operand.written ? 2 : 1);
      if (operand.read)
        addPart(o.inputs, shapeOf(operand));
      if (operand.written)
        addPart(o.outputs, shapeOf(operand));
      o.memoryKnown = true;
    }
    o.memory = bytes * o.executions;
    o.done.add(flops.ofSet(program->computeSet), o.executions);
    o.flopsKnown = o.done.known();
    o.flops = o.done.operations;
  }
  std::vector<Operator> all;
  for (auto &entry : byProgram)
    all.push_back(std::move(entry.second));
  return all;
}

std::uint64_t aggregated(const std::string &how, std::uint64_t all, std::uint64_t one) {
  return how == "min" ? std::min(all, one) : how == "max" ? std::max(all, one) : all + one;
}

/// Returns one row per distinct key. `keys` are parallel to the operators.
std::vector<Operator> grouped(const std::vector<Operator> &operators, const std::vector<std::string> &keys,
                              const std::string &how, bool byType) {
  std::map<std::string, std::pair<Operator, std::uint64_t>> groups; // groups with their numbers of operators
  for (std::size_t i = 0; i < operators.size(); ++i) {
    const Operator &o = operators[i];
    auto &[group, count] = groups[keys[i]];
    if (count++ == 0) {
      group = o;
      (byType ? group.type : group.name) = keys[i];
      continue;
    }
    if ((byType ? group.name : group.type) != (byType ? o.name : o.type))
      (byType ? group.name : group.type) = "various";
    if (group.inputs != o.inputs)
      group.inputs = "various";
    if (group.outputs != o.outputs)
      group.outputs = "various";
    group.executions += o.executions;
    group.cycles = aggregated(how, group.cycles, o.cycles);
    group.took = aggregated(how, group.took, o.took);
    group.memory = aggregated(how, group.memory, o.memory);
    if (o.flopsKnown) // unknown operations are left out, as in all sums of operations
      group.flops = group.flopsKnown ? aggregated(how, group.flops, o.flops) : o.flops;
    group.flopsKnown = group.flopsKnown || o.flopsKnown;
    group.done.each += o.done.each;
    group.memoryKnown = group.memoryKnown && o.memoryKnown;
    group.cyclesKnown = group.cyclesKnown && o.cyclesKnown;
    group.tookKnown = group.tookKnown && o.tookKnown;
  }
  std::vector<Operator> all;
  for (auto &[key, entry] : groups) {
    auto &[group, count] = entry;
    if (how == "mean")
      for (std::uint64_t *value : {&group.cycles, &group.took, &group.flops, &group.memory})
        *value = (*value + count / 2) / count;
    all.push_back(std::move(group));
  }
  return all;
}

class Clock {
public:
  explicit Clock(const Request &request) : hertz_(request.report.compilation().target().clockFrequency()) {
    if (!(hertz_ > 0))
      throw AnswerError("the profile does not contain the clock rate");
  }
  [[nodiscard]] double hertz() const { return hertz_; }
  [[nodiscard]] std::uint64_t nanoseconds(std::uint64_t cycles) const {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(cycles) * 1e9 / hertz_));
  }
  /// Returns a rate per second, or an unknown value if no time passed.
  [[nodiscard]] Cell rate(bool known, std::uint64_t amount, std::uint64_t cycles) const {
    return known && cycles != 0 ? Cell(static_cast<std::uint64_t>(
                                      std::llround(static_cast<double>(amount) * hertz_ / static_cast<double>(cycles))))
                                : Cell(Unknown());
  }

private:
  double hertz_;
};

Table tableOf(const std::vector<Operator> &operators, const Clock &clock, bool rates, std::uint64_t whole) {
  Table table{"operators",
              "Operators",
              {{"name", "Name"},
               {"type", "Type"},
               {"executions", "Executions"},
               {"selfTime", "Self time", Unit::Duration},
               {"cumulative", "Cumulative", Unit::Duration},
               {"share", "Of all", Unit::Percent},
               {"flops", "FLOPs", Unit::Operations},
               {"flopSource", "FLOPs are"},
               {"flopRate", "FLOP/s"},
               {"memory", "Memory", Unit::Bytes},
               {"bandwidth", "Bytes/s"},
               {"inputs", "Inputs"},
               {"outputs", "Outputs"}}};
  for (const Operator &o : operators)
    table.rows.push_back({o.name, o.type, o.executions, knownOr(o.cyclesKnown, clock.nanoseconds(o.cycles)), Unknown(),
                          shareOr(o.cyclesKnown && rates, o.cycles, whole), knownOr(o.flopsKnown, o.flops),
                          o.done.origin(), clock.rate(rates && o.flopsKnown && o.tookKnown, o.flops, o.took),
                          knownOr(o.memoryKnown, o.memory),
                          clock.rate(rates && o.memoryKnown && o.tookKnown, o.memory, o.took), o.inputs, o.outputs});
  return table;
}

/// Adds a column with the running total over the rows in their order.
void addCumulative(Table &table) {
  constexpr std::size_t kSelf = 3, kCumulative = 4;
  std::uint64_t sum = 0;
  bool known = true;
  for (auto &row : table.rows) {
    const auto *self = std::get_if<std::uint64_t>(&row[kSelf]);
    known = known && self != nullptr;
    sum += self == nullptr ? 0 : *self;
    row[kCumulative] = knownOr(known, sum);
  }
}

} // namespace

// Reads the operators, groups them if requested, filters by type and time, sorts, and adds the running total.
Rows collectOperators(const Request &request) {
  Rows rows("operators");
  const auto option = [&](const char *name) { return request.options.at(name); };
  StepTimes times = readStepTimes(request.report, request.selection);
  if (times.runs.empty())
    refuseWithoutRun(request.report);
  const Clock clock(request);
  const FlopColumns flops(request);
  MovedNames moved(request.report);
  std::vector<Operator> operators = readOperators(request, flops, times, moved);
  const std::uint64_t least =
      option("min-time").empty() ? 0 : readTime("--min-time", option("min-time"), clock.hertz());
  const std::uint64_t most =
      option("max-time").empty() ? ~std::uint64_t(0) : readTime("--max-time", option("max-time"), clock.hertz());
  std::erase_if(operators, [&](const Operator &o) {
    return !moved.matches(request.selection.name, *o.program) ||
           (!option("type").empty() && !nameMatches(option("type"), o.type)) || (o.cyclesKnown && o.cycles < least) ||
           o.cycles > most || (!o.cyclesKnown && least != 0);
  });
  const std::string by = option("aggregate-by"), how = option("aggregate");
  std::vector<std::string> keys;
  if (by == "layer")
    keys = layersOf(operators, [](const Operator &o) -> const std::string & { return o.path; });
  else if (by == "type")
    for (const Operator &o : operators)
      keys.push_back(o.type);
  const std::size_t count = operators.size();
  if (by != "operator")
    operators = grouped(operators, keys, how, by == "type");
  const bool rates = by == "operator" || how == "sum" || how == "mean";
  Table table = tableOf(operators, clock, rates, times.cycles);
  const std::string orderBy = option("order-by");
  const bool byTotal = orderBy == "cumulative" || orderBy == "+cumulative"; // the running total uses the default order
  sortRows(table, byTotal ? "" : orderBy, "selfTime");
  addCumulative(table);
  if (byTotal)
    sortRows(table, orderBy, "selfTime");
  cutRows(table, request.selection.countOr(kUsualOperators));
  if (by == "type")
    std::swap(table.columns[0], table.columns[1]);
  for (auto &row : table.rows)
    if (by == "type")
      std::swap(row[0], row[1]);
  rows.fact("operators", std::uint64_t(count));
  rows.fact("cycles", knownOr(times.lengthKnown, times.cycles), Unit::Cycles);
  const bool ended = request.report.execution().runs()[times.runs.front()].complete();
  rows.lines.emplace_back(
      std::string("{operators} operator") + (count == 1 ? "" : "s") +
      (ended ? " in runs of {cycles} together." : " in recorded steps of {cycles} together; no run ended."));
  rows.tables.push_back(std::move(table));
  rows.notes.emplace_back(
      "times are estimates of the part that the executions add to the length of the runs: what overlaps with another "
      "step is not in them. Operations and bytes per second divide by the whole time of the executions");
  rows.notes.emplace_back(
      "memory is the bytes of the operands, or the bytes that were moved; an element counts once per edge and "
      "execution. Shapes give the number of edges of an operand and the number of elements of each; an exchange has "
      "the bytes that tiles send as inputs and those that they receive as outputs");
  noteCategories(request.report, rows);
  noteCutRuns(request.report, request.selection, rows);
  flops.addNote(rows);
  if (flops.empty())
    rows.notes.push_back(flops.whyNone());
  suggest(rows, request, "operators", by == "type" ? "--order-by memory" : "--aggregate-by type");
  suggest(rows, request, "loss");
  return rows;
}

} // namespace popscope
