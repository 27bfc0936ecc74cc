#include "report/export/CsvTime.hpp"

#include "base/CsvField.hpp"
#include "report/answers/MeasuredColumn.hpp"
#include "report/export/LiveByCategory.hpp"
#include "report/export/StepWalk.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <ostream>

namespace popscope {
namespace {

/// Converts cycles to microseconds of the target's clock; returns "" for a target without a clock.
class Clock {
public:
  explicit Clock(const pva::Report &report) : frequency_(report.compilation().target().clockFrequency()) {}
  [[nodiscard]] std::string us(std::uint64_t cycles) const {
    return frequency_ > 0 ? fmt::format("{:.3f}", static_cast<double>(cycles) * 1e6 / frequency_) : "";
  }

private:
  double frequency_;
};

std::string ratio(double value) { return fmt::format("{:.4f}", value); }
std::string percentCell(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "" : fmt::format("{:.2f}", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

/// The types of operations: for a compute set its vertex types, such as "popops::Reduce+MyVertex", and otherwise the
/// kind of step. Each type is read once.
class OpTypes {
public:
  const std::string &of(const StepProgramInfo &info, const pva::ExecutionStep &step) {
    const auto [at, isNew] = known_.emplace(info.id, std::string());
    if (isNew) {
      if (info.computeSet >= 0)
        for (const auto &set : step.computeSets())
          for (const auto &vertices : set.vertices())
            at->second += (at->second.empty() ? "" : "+") + vertices.type().name();
      if (at->second.empty())
        at->second = pva::programTypeName(info.type);
    }
    return at->second;
  }

private:
  std::map<std::size_t, std::string> known_;
};

/// Operands of a compute set as table cells: "392x128;392x1" and "float;float", inputs and outputs separately.
struct OperandCells {
  std::string shapes, types, outShapes, outTypes;
  std::uint64_t read = 0, written = 0; // in bytes
  bool known = false;
};
class OperandTable {
public:
  explicit OperandTable(const pva::Report &report) : sets_(report.compilation().computeSets()) {}
  const OperandCells &of(std::int64_t computeSet) {
    const auto [at, isNew] = known_.try_emplace(computeSet);
    OperandCells &cells = at->second;
    if (!isNew || computeSet < 0)
      return cells;
    for (const pva::VertexOperand &o : sets_[static_cast<std::size_t>(computeSet)].operands()) {
      cells.known = true;
      if (o.read) {
        add(cells.shapes, shapeOf(o));
        add(cells.types, typeOf(o));
        cells.read += o.bytes;
      }
      if (o.written) {
        add(cells.outShapes, shapeOf(o));
        add(cells.outTypes, typeOf(o));
        cells.written += o.bytes;
      }
    }
    return cells;
  }

private:
  static void add(std::string &list, const std::string &one) { list += (list.empty() ? "" : ";") + one; }
  static std::string typeOf(const pva::VertexOperand &o) { return o.elementType.empty() ? "bytes" : o.elementType; }
  static std::string shapeOf(const pva::VertexOperand &o) {
    return o.leastElements == o.mostElements ? fmt::format("{}x{}", o.edges, o.mostElements)
                                             : fmt::format("{}x{}-{}", o.edges, o.leastElements, o.mostElements);
  }
  pva::List<pva::ComputeSet> sets_;
  std::map<std::int64_t, OperandCells> known_;
};

struct Occurrence {
  const WalkedStep &step;
  const pva::ExecutionStepIpu &on;
  std::size_t ipu;
  std::uint64_t base;     // cycles of the previous runs
  bool timeKnown;         // whether `from` and `to` are known
  std::uint64_t from, to; // cycles since the start of the run; see timesOnIpu
  const std::string &runName;
  std::uint64_t runProgram;
};
/// Counts the rows of a table that lists executed steps, up to --max-events.
class RowLimit {
public:
  explicit RowLimit(const CsvOptions &options) : most_(options.timeline.maxEvents) {}
  /// Returns whether all `rows` of the step still fit. If not, result() states that the table ends before the step.
  [[nodiscard]] bool fits(const WalkedStep &step, std::size_t rows) {
    result_.cut = most_ != 0 && rows_ + rows > most_;
    result_.cutRun = step.run;
    result_.cutStep = step.index;
    rows_ += rows;
    return !result_.cut;
  }
  [[nodiscard]] const TimelineResult &result() const { return result_; }

private:
  std::uint64_t most_, rows_ = 0;
  TimelineResult result_;
};
/// Calls visit(occurrence) for the work of each IPU in the selected steps, until `limit`, unless it is null, ends the
/// table. Leaves out runs that were cut short, because no sum contains them (see summedRuns).
template <class Visit>
void forEach(const pva::Report &report, const CsvOptions &options, RowLimit *limit, Visit visit) {
  const NumberSet chosen = selectedSteps(options.timeline.selection);
  NamedPrograms programs(report);
  std::uint64_t base = 0;
  for (const std::size_t position : summedRuns(report, options.timeline.selection)) {
    const pva::Run run = report.execution().runs()[position];
    const std::string name = run.name();
    std::uint64_t end = run.totalCycles().total();
    walkRun(report, position, programs, [&](const WalkedStep &step) {
      end = std::max(end, step.to);
      if (!chosen.contains(step.program->id))
        return true;
      if (limit != nullptr && !limit->fits(step, step.ipus.size()))
        return false;
      for (std::size_t ipu = 0; ipu < step.ipus.size(); ++ipu) {
        const pva::ExecutionStepIpu &on = step.ipus[ipu];
        const auto times = timesOnIpu(on);
        const pva::CycleRange range = times.value_or(pva::CycleRange());
        visit(Occurrence{step, on, ipu, base, times.has_value(), range.from().min(), range.to().max(), name,
                         run.program()});
      }
      return true;
    });
    if (limit != nullptr && limit->result().cut)
      return;
    base += end;
  }
}

/// A sum over executions. Only executions in which a tile works have cycles; a barrier has none.
struct Sum {
  std::uint64_t count = 0, worked = 0, total = 0, least = ~std::uint64_t(0), most = 0, in = 0, out = 0;
  bool known = true;
  void add(const pva::ExecutionStepIpu &on) {
    ++count;
    in += on.dataIn();
    out += on.dataOut();
    if (!hasWork(on))
      return;
    ++worked;
    known = known && on.cyclesKnown();
    total += on.cycles();
    least = std::min(least, on.cycles());
    most = std::max(most, on.cycles());
  }
  /// Returns Total, Min, Avg and Max Time(us), Ratio(%), total_cycles.
  [[nodiscard]] std::string cells(const Clock &clock, std::uint64_t all) const {
    if (!known || worked == 0)
      return ",,,,,";
    return fmt::format("{},{},{},{},{},{}", clock.us(total), clock.us(least), clock.us((total + worked / 2) / worked),
                       clock.us(most), percentCell(total, all), total);
  }
};

} // namespace

TimelineResult writeMemoryRate(std::ostream &out, const pva::Report &report, const CsvOptions &options) {
  const Clock clock(report);
  OperandTable operands(report);
  NamedPrograms programs(report);
  const NumberSet chosen = selectedSteps(options.timeline.selection);
  const auto rate = [](std::uint64_t bytes, std::uint64_t cycles) {
    return cycles == 0 ? std::string()
                       : fmt::format("{:.3f}", static_cast<double>(bytes) / static_cast<double>(cycles));
  };
  RowLimit limit(options);
  for (const std::size_t position : summedRuns(report, options.timeline.selection)) {
    if (limit.result().cut)
      break;
    walkRun(report, position, programs, [&](const WalkedStep &step) {
      const OperandCells &moved = operands.of(step.program->computeSet);
      if (!moved.known || !chosen.contains(step.program->id))
        return true;
      if (!limit.fits(step, 1))
        return false;
      std::uint64_t cycles = 0; // cycles of the slowest IPU
      bool known = true;
      for (const pva::ExecutionStepIpu &on : step.ipus) {
        cycles = std::max(cycles, on.cycles());
        known = known && on.cyclesKnown();
      }
      out << fmt::format("{},{},{},{},{},{},{},{},{}\n", position, step.program->id, csvText(step.program->name),
                         known ? clock.us(cycles) : "", known ? std::to_string(cycles) : "", moved.read, moved.written,
                         known ? rate(moved.read, cycles) : "", known ? rate(moved.written, cycles) : "");
      return true;
    });
  }
  return limit.result();
}

TimelineResult writeOpSummary(std::ostream &out, const pva::Report &report, const CsvOptions &options) {
  const Clock clock(report);
  const LiveByCategory live(report);
  const std::string provenance = csvText(report.popscope().cycleProvenance());
  const MeasuredColumn measured(report);
  OpTypes types;
  OperandTable operands(report);
  std::map<std::size_t, std::uint64_t> before; // by IPU, since the first run: the end of the previous step
  RowLimit limit(options);
  forEach(report, options, &limit, [&](const Occurrence &o) {
    const StepProgramInfo &info = *o.step.program;
    const bool works = hasWork(o.on), when = o.timeKnown, cycles = works && o.on.cyclesKnown(),
               busy = o.on.busyCyclesKnown();
    const std::uint64_t start = o.base + o.from, gap = start - std::min(start, before[o.ipu]);
    const auto each = measured.ofStep(info.id, info.computeSet);
    const auto point = live.empty() ? std::nullopt : live.stepOf(info.id);
    const OperandCells &moved = operands.of(info.computeSet);
    out << fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", o.ipu,
        csvText(o.runName), o.runProgram, info.id, o.step.run, csvText(info.name), csvText(types.of(info, o.step.step)),
        stepCauseName(info.kind), when ? clock.us(start) : "", cycles ? clock.us(o.on.cycles()) : "",
        when ? clock.us(gap) : "", o.on.activeTiles(), csvText(moved.shapes), csvText(moved.types),
        csvText(moved.outShapes), csvText(moved.outTypes), cycles ? std::to_string(o.on.cycles()) : "",
        when ? std::to_string(o.from) : "", o.step.timeKnown ? std::to_string(o.step.to - o.step.from) : "",
        o.on.tiles(), busy ? std::to_string(o.on.busyCycles()) : "", works && busy ? ratio(o.on.tileBalance()) : "",
        works && busy ? ratio(o.on.activeTileBalance()) : "", ratio(o.on.dataBalance()), o.on.dataIn(), o.on.dataOut(),
        info.vertices(), point ? std::to_string(live.total(*point) + live.alwaysLive()) : "", provenance,
        each ? std::to_string(*each) : "", csvText(measured.sourceOfStep(info.id, info.computeSet)));
    if (o.on.timeKnown()) // the end is known even if the begin is not
      before[o.ipu] = std::max(before[o.ipu], o.base + (when ? o.to : o.on.allCycles().to().max()));
  });
  return limit.result();
}

void writeOpStatistic(std::ostream &out, const pva::Report &report, const CsvOptions &options) {
  const Clock clock(report);
  OpTypes types;
  std::map<std::tuple<std::size_t, std::string, std::string>, Sum> sums; // by IPU, type and kind of the step
  std::map<std::size_t, std::uint64_t> all;
  forEach(report, options, nullptr, [&](const Occurrence &o) {
    if (o.step.program->computeSet >= 0 && o.step.ipus.size() > 1 && !hasWork(o.on))
      return; // no vertex of the compute set is on this IPU
    sums[{o.ipu, types.of(*o.step.program, o.step.step), stepCauseName(o.step.program->kind)}].add(o.on);
    all[o.ipu] += o.on.cycles();
  });
  for (const auto &[key, sum] : sums) {
    const auto &[ipu, type, kind] = key;
    out << fmt::format("{},,{},{},{},{}\n", ipu, csvText(type), kind, sum.count, sum.cells(clock, all[ipu]));
  }
}

TimelineResult writeTaskTime(std::ostream &out, const pva::Report &report, const CsvOptions &options) {
  const Clock clock(report);
  RowLimit limit(options);
  forEach(report, options, &limit, [&](const Occurrence &o) {
    if (o.timeKnown)
      out << fmt::format("{},{},{},{},{},{},{},{}\n", o.ipu, csvText(o.step.program->title),
                         csvText(pva::programTypeName(o.step.program->type)), stepCauseName(o.step.program->kind),
                         o.step.program->id, clock.us(o.to - o.from), clock.us(o.base + o.from),
                         clock.us(o.base + o.to));
  });
  return limit.result();
}

void writeCommunication(std::ostream &out, const pva::Report &report, const CsvOptions &options) {
  const Clock clock(report);
  std::map<std::pair<std::size_t, std::string>, Sum> sums;
  std::map<std::size_t, std::uint64_t> all;
  forEach(report, options, nullptr, [&](const Occurrence &o) {
    const StepCause kind = o.step.program->kind;
    if (kind != StepCause::Exchange && kind != StepCause::GlobalExchange && kind != StepCause::HostExchange)
      return;
    sums[{o.ipu, stepCauseName(kind)}].add(o.on);
    all[o.ipu] += o.on.cycles();
  });
  for (const auto &[key, sum] : sums)
    out << fmt::format("{},{},{},{},{},{}\n", key.first, key.second, sum.count, sum.cells(clock, all[key.first]),
                       sum.in, sum.out);
}

void writeStepTrace(std::ostream &out, const pva::Report &report, const CsvOptions &options) {
  const Clock clock(report);
  NamedPrograms programs(report);
  std::uint64_t base = 0;
  std::optional<std::uint64_t> endBefore;
  for (const std::size_t position : selectedRuns(report, options.timeline.selection)) {
    const pva::Run run = report.execution().runs()[position];
    const pva::CycleTotals t = run.totalCycles();
    std::optional<std::uint64_t> forward, backward;
    std::uint64_t reached = base; // where a run that was cut short stops
    walkRun(report, position, programs, [&](const WalkedStep &step) {
      if (step.timeKnown)
        reached = std::max(reached, base + step.to);
      const std::string own = step.step.program()->name(); // not the name of a variable that a copy moves
      if (step.timeKnown && !forward && nameMatches(options.fpPoint, own))
        forward = base + step.from;
      if (step.timeKnown && nameMatches(options.bpPoint, own))
        backward = base + step.to;
      return true;
    });
    const bool ended = run.complete();
    const auto end = t.totalKnown() ? std::optional(base + t.total()) : std::nullopt;
    const auto us = [&](std::optional<std::uint64_t> cycles) { return cycles ? clock.us(*cycles) : std::string(); };
    const auto span = [&](std::optional<std::uint64_t> from, std::optional<std::uint64_t> to) {
      return from && to && *to >= *from ? clock.us(*to - *from) : std::string();
    };
    const auto orNone = [](bool known, std::uint64_t value) { return known ? std::to_string(value) : std::string(); };
    const bool external = ended && t.externalExchangeKnown();
    out << fmt::format(",{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", position, us(forward), us(backward),
                       us(end), span(base, end), span(forward, backward), span(backward, end), span(endBefore, forward),
                       run.program(), csvText(run.label()), orNone(t.totalKnown(), t.total()),
                       orNone(ended && t.computeKnown(), t.compute()), orNone(ended, t.exchange()),
                       orNone(external, t.globalExchange()), orNone(external, t.hostExchange()),
                       orNone(ended && t.syncKnown(), t.sync()), orNone(ended, t.unattributed()));
    base = end.value_or(reached);
    endBefore = base;
  }
}

namespace {

struct Calls {
  std::uint64_t count = 0;
  double total = 0, squares = 0, least = 0, most = 0;
  bool known = true;
  void add(double us) {
    least = count == 0 ? us : std::min(least, us);
    most = std::max(most, us);
    total += us;
    squares += us * us;
    ++count;
  }
  [[nodiscard]] std::string cells() const {
    if (!known)
      return fmt::format(",{},,,,", count);
    const double n = static_cast<double>(count), mean = total / n;
    return fmt::format("{:.3f},{},{:.3f},{:.3f},{:.3f},{:.3f}", total, count, mean, least, most,
                       std::max(0.0, squares / n - mean * mean));
  }
};

void addSpans(const pva::List<pva::Event> &events, std::map<std::pair<std::string, std::string>, Calls> &calls) {
  for (const auto &event : events) {
    calls[{event.channel(), event.label()}].add(static_cast<double>(event.duration()));
    addSpans(event.children(), calls);
  }
}

} // namespace

void writeApiStatistic(std::ostream &out, const pva::Report &report, const CsvOptions &options) {
  std::map<std::pair<std::string, std::string>, Calls> calls;
  for (const std::size_t position : selectedRuns(report, options.timeline.selection)) {
    const pva::Run run = report.execution().runs()[position];
    const double us = run.microseconds().end() - run.microseconds().start();
    Calls &of = calls[{"run", "Engine::run(" + run.name() + ")"}];
    of.known = of.known && us > 0; // the profile of an IPU Model has no host time
    of.add(us);
  }
  if (!options.timeline.pvti.empty())
    for (const auto &process : pva::openTrace(options.timeline.pvti).processes())
      for (const auto &thread : process.threads())
        addSpans(thread.events(), calls);
  for (const auto &[name, call] : calls)
    out << fmt::format(",{},{},{}\n", csvText(name.first), csvText(name.second), call.cells());
}

void writeMarks(std::ostream &out, const pva::Report &report, const CsvOptions &options) {
  for (const std::size_t position : selectedRuns(report, options.timeline.selection)) {
    const pva::Run run = report.execution().runs()[position];
    if (run.label().empty())
      continue;
    const auto times = run.microseconds(); // both are equal if the host's clock was not read
    const bool known = times.end() > times.start();
    out << fmt::format(",,label,range,{},{},{},{}\n", csvText(run.label()),
                       known ? fmt::format("{:.0f}", times.start()) : std::string(),
                       known ? fmt::format("{:.0f}", times.end()) : std::string(), position);
  }
}

} // namespace popscope
