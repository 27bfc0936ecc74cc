#include "report/answers/Numbers.hpp"

#include "report/answers/Ranking.hpp"
#include "report/answers/StepTimes.hpp"

namespace popscope {
namespace {

void add(Numbers &numbers, const std::string &name, Unit unit, std::uint64_t value) {
  Number &number = numbers[name];
  number.unit = unit;
  const auto *before = std::get_if<std::uint64_t>(&number.value);
  number.value = (before == nullptr ? 0 : *before) + value;
}

void addMemory(const pva::Report &report, Numbers &numbers) {
  const auto order = fullestTiles(report);
  if (order.empty())
    return;
  const auto names = pva::storageCategoryNames();
  const auto tiles = report.compilation().tiles();
  std::vector<std::uint64_t> byCategory(names.size());
  std::uint64_t all = 0;
  for (const std::size_t tile : order) {
    const pva::TileMemory m = tiles[tile].memory();
    all += m.total().excludingGaps();
    for (std::size_t i = 0; i < names.size(); ++i)
      byCategory[i] += m.category().byIndex(i).total();
  }
  add(numbers, "bytes.allTiles", Unit::Bytes, all);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (byCategory[i] != 0)
      add(numbers, "category." + names[i], Unit::Bytes, byCategory[i]);
  const std::uint64_t used = tiles[order[0]].memory().total().excludingGaps();
  add(numbers, "bytes.fullestTile", Unit::Bytes, used);
  numbers["bytes.headroom"] = {Unit::Bytes, static_cast<std::int64_t>(report.compilation().target().bytesPerTile()) -
                                                static_cast<std::int64_t>(used)};
  add(numbers, "bytes.live", Unit::Bytes, report.popscope().maxLiveBytes());
  add(numbers, "bytes.alwaysLive", Unit::Bytes, report.popscope().alwaysLiveBytes());
  add(numbers, "tilesOutOfMemory", Unit::Tiles, report.popscope().tilesOutOfMemory().size());
  for (const auto &v : report.compilation().variables())
    if (v.category() == "variable" || v.category() == "constant")
      add(numbers, "variable." + nameOr(v.name()) + ".bytes", Unit::Bytes, v.size());
  for (const auto &type : report.compilation().vertexTypes())
    add(numbers, "vertexType." + type.name() + ".bytes", Unit::Bytes, type.memoryBytes());
  for (const auto &program : allPrograms(report))
    if (const auto *exchange = dynamic_cast<const pva::ExchangeProgram *>(program.get()))
      if (const std::uint64_t code = sumOf(exchange->codeBytesByTile()); code != 0) {
        add(numbers, "step." + programTitle(*program) + ".code", Unit::Bytes, code);
        add(numbers, "bytes.exchangeCode", Unit::Bytes, code);
      }
}

void addGraph(const pva::Report &report, Numbers &numbers) {
  const pva::Graph graph = report.compilation().graph();
  add(numbers, "vertices", Unit::Vertices, graph.numVertices());
  add(numbers, "edges", Unit::None, graph.numEdges());
  add(numbers, "variables", Unit::None, graph.numVars());
  add(numbers, "computeSets", Unit::None, graph.numComputeSets());
}

void addCycles(const pva::Report &report, Numbers &numbers) {
  const std::size_t runs = report.execution().runs().size();
  add(numbers, "runs", Unit::None, runs);
  if (runs == 0)
    return;
  const pva::CycleTotals t = report.execution().totalCycles();
  const auto cause = [&](const char *name, bool known, std::uint64_t cycles) {
    numbers[std::string("cycles.") + name] = {Unit::TileCycles, knownOr(known, cycles)};
  };
  add(numbers, "cycles", Unit::Cycles, t.total());
  cause("compute", t.computeKnown(), t.compute());
  cause("threads", t.computeKnown() && t.computeWithoutIdleKnown(), t.computeWithoutIdle());
  cause("exchange", true, t.exchange());
  cause("betweenIpus", t.externalExchangeKnown(), t.globalExchange());
  cause("host", t.externalExchangeKnown(), t.hostExchange());
  cause("sync", t.syncKnown(), t.sync());
  cause("counters", true, t.unattributed());
  StepTimes times;
  readStepTimes(report, {}, times);
  for (const StepTime &step : times.steps) {
    if (step.program->kind == StepCause::Barrier || step.program->kind == StepCause::Control)
      continue;
    const std::string name = step.program->computeSet >= 0 ? "computeSet." + nameOr(step.program->name) + ".cycles"
                                                           : "step." + step.program->title + ".cycles";
    if (step.known)
      add(numbers, name, Unit::Cycles, step.cycles);
    else
      numbers[name] = {Unit::Cycles, Unknown()};
  }
}

} // namespace

Numbers numbersOf(const pva::Report &report) {
  Numbers numbers;
  addGraph(report, numbers);
  addMemory(report, numbers);
  addCycles(report, numbers);
  return numbers;
}

std::string groupOf(const std::string &name) { return name.substr(0, name.find('.')); }

std::optional<std::int64_t> valueOf(const Number &number) {
  if (const auto *value = std::get_if<std::uint64_t>(&number.value))
    return static_cast<std::int64_t>(*value);
  if (const auto *value = std::get_if<std::int64_t>(&number.value))
    return *value;
  return std::nullopt;
}

} // namespace popscope
