#include "tests/check/identities/Checks.hpp"

#include "engine/compile/Compile.hpp"
#include "instrument/machine/LastExecution.hpp"
#include "instrument/machine/Machine.hpp"
#include "tests/check/identities/TileSums.hpp"
#include "tests/check/profile/ExecutionChecks.hpp"
#include "tests/check/profile/ReadFacts.hpp"

#include <cstring>
#include <optional>
#include <tuple>
#include <utility>

using profile_check::append;
using profile_check::expectEqual;

namespace identities {
namespace {

using Type = pva::Program::Type;

/// A host whose streams and buffers contain only zeros.
class SilentHost : public popscope::HostPort {
public:
  void fetch(popscope::StreamId, void *data, std::size_t bytes) override { std::memset(data, 0, bytes); }
  void fetchBlock(popscope::StreamId, std::uint32_t, std::uint32_t, void *data, std::size_t bytes) override {
    std::memset(data, 0, bytes);
  }
  void deliver(popscope::StreamId, const void *, std::size_t) override {}
  void readRemote(popscope::StreamId, std::uint64_t, void *data, std::size_t bytes) override {
    std::memset(data, 0, bytes);
  }
  void writeRemote(popscope::StreamId, std::uint64_t, const void *, std::size_t) override {}
  void print(const std::string &, popscope::ElementType, const std::vector<std::size_t> &, std::uint32_t,
             const void *) override {}
};

/// Returns whether the counters of external exchange measure such steps.
bool isExternal(Type type) {
  return type == Type::StreamCopyBegin || type == Type::StreamCopyMid || type == Type::StreamCopyEnd ||
         type == Type::GlobalExchange;
}

// The figures that a step must have; the others must be unknown.
struct Wanted {
  bool cycles, busy, time;
};
Wanted wanted(const Setup &setup, Type type) {
  if (type == Type::OnTileExecute)
    return {setup.timed(), setup.byTile(), setup.timed()};
  const bool known = !isExternal(type) || setup.externalKnown();
  return {known, known, known && setup.timed()};
}

void checkStep(Findings &findings, const Setup &setup, const pva::ExecutionStep &step) {
  const Type type = step.program()->type();
  const std::string name = "step " + step.program()->name();
  const Wanted want = wanted(setup, type);
  bool first = true;
  for (const pva::ExecutionStepIpu &ipu : step.ipus()) {
    const bool here =
        // at level device, the first IPU carries all figures
        first || setup.level != "device" || type != Type::OnTileExecute;
    expectEqual(findings, name + ", cycles are known", ipu.cyclesKnown(), want.cycles && here);
    expectEqual(findings, name + ", busy cycles are known", ipu.busyCyclesKnown(), want.busy);
    expectEqual(findings, name + ", time is known", ipu.timeKnown(), want.time && here);
    if (!ipu.cyclesKnown())
      expectEqual(findings, name + ", unknown cycles", ipu.cycles(), 0);
    if (!ipu.busyCyclesKnown())
      expectEqual(findings, name + ", unknown busy cycles", ipu.busyCycles(), 0);
    first = false;
  }
  const bool sync = type == Type::Sync || type == Type::StreamCopyBegin || type == Type::StreamCopyEnd;
  expectEqual(findings, name + ", cycles by tile are known", !step.cyclesByTile().empty(), want.busy && !sync);
  const bool threads = type == Type::OnTileExecute && setup.byVertex();
  expectEqual(findings, name + ", thread cycles are known", step.threadCyclesKnown(), threads);
  for (const pva::VertexTypeCycles &vertex : step.vertexTypes())
    expectEqual(findings, name + ", cycles by vertex type are known", vertex.known, threads);
}

} // namespace

Findings checkKnowledge(const Setup &setup, const pva::Report &report) {
  Findings findings;
  const pva::CycleTotals t = report.execution().totalCycles();
  expectEqual(findings, "compute is known", t.computeKnown(), setup.byTile());
  expectEqual(findings, "threads are known", t.computeWithoutIdleKnown(), setup.byVertex());
  expectEqual(findings, "external exchange is known", t.externalExchangeKnown(), setup.externalKnown());
  expectEqual(findings, "sync is known", t.syncKnown(), setup.byTile() && setup.externalKnown());
  for (const auto &[known, what, value] : {std::tuple(t.computeKnown(), "compute", t.compute()),
                                           {t.computeWithoutIdleKnown(), "threads", t.computeWithoutIdle()},
                                           {t.externalExchangeKnown(), "host", t.hostExchange()},
                                           {t.externalExchangeKnown(), "global", t.globalExchange()},
                                           {t.syncKnown(), "sync", t.sync()}})
    if (!known)
      expectEqual(findings, std::string("unknown ") + what, value, 0);
  std::uint64_t exchange = 0, host = 0;
  for (const pva::ExecutionStep &step : report.execution().steps()) {
    checkStep(findings, setup, step);
    for (const pva::ExecutionStepIpu &ipu : step.ipus()) {
      exchange += step.program()->type() == Type::DoExchange ? ipu.busyCycles() : 0;
      host += step.program()->type() == Type::StreamCopyMid ? ipu.busyCycles() : 0;
    }
  }
  expectEqual(findings, "exchange of the steps and of the runs", exchange, t.exchange());
  expectEqual(findings, "host exchange of the steps and of the runs", host, t.hostExchange());
  expectEqual(findings, "unattributed and its named causes", t.unattributed(), t.counterReads() + t.controlFlowReads());
  if (!setup.control)
    expectEqual(findings, "control flow was not asked for", t.controlFlowReads(), 0);
  std::uint64_t loops = 0;
  for (const pva::Run &run : report.execution().runs())
    loops += run.controlFlow().size();
  if (!setup.controlKnown())
    expectEqual(findings, "loops and conditionals that are not known", loops, 0);
  expectEqual(findings, "what their counters cost", t.controlFlowReads() != 0, !setup.model && loops != 0);
  if (setup.model)
    expectEqual(findings, "a model has no counters", t.unattributed(), 0);
  return findings;
}

Findings checkSums(const Setup &setup, const pva::Report &report) {
  Findings findings;
  if (!setup.byTile() || !setup.externalKnown())
    return findings;
  const profile_check::ExecutionFacts facts = profile_check::readExecution(report);
  for (const auto check : {profile_check::checkCycleTotals, profile_check::checkStepSums, profile_check::checkSteps,
                           profile_check::checkTimeLine, profile_check::checkStepData})
    append(findings, check(facts));
  return findings;
}

Findings checkEachTile(const Setup &setup, const popscope::CompiledProgram &compiled, const std::vector<unsigned> &runs,
                       const pva::Report &report) {
  const popscope::CostModel costs(compiled.machine);
  popscope::Machine machine(compiled.program, compiled.codelets, costs, {});
  SilentHost host;
  TileSums sums(compiled.program.numTiles);
  popscope::LastExecution last(compiled.program, costs, sums);
  for (const unsigned run : runs)
    machine.run(run, "", host, setup.model ? static_cast<popscope::EventSink *>(&sums) : &last);
  Findings findings = sums.findings();
  const pva::CycleTotals t = report.execution().totalCycles();
  using Kind = popscope::TimeKind;
  expectEqual(findings, "exchange of the tiles and of the profile", sums.work(Kind::Exchange), t.exchange());
  expectEqual(findings, "reading counters on the tiles and in the profile", sums.counters(), t.unattributed());
  if (t.externalExchangeKnown())
    expectEqual(findings, "host exchange of the tiles and of the profile",
                sums.work(Kind::HostExchange) + sums.work(Kind::GlobalExchange), t.hostExchange() + t.globalExchange());
  return findings;
}

Findings checkAgainst(const pva::CycleTotals &model, pva::CycleTotals &like, const Setup &setup, const SubjectRow &row,
                      const pva::Report &report) {
  Findings findings;
  const pva::CycleTotals t = report.execution().totalCycles();
  expectEqual(findings, "exchange here and with other counters", t.exchange(), like.exchange());
  if (setup.externalKnown() && like.externalExchangeKnown()) {
    expectEqual(findings, "host exchange here and with other counters", t.hostExchange(), like.hostExchange());
    expectEqual(findings, "global exchange here and with other counters", t.globalExchange(), like.globalExchange());
  }
  expectEqual(findings, "global exchange here and on the model", setup.externalKnown() ? t.globalExchange() : 0,
              setup.externalKnown() ? model.globalExchange() : 0);
  if (setup.externalKnown())
    like = t;
  // A device's host has its own rates and waits, so totals are compared only without host copies.
  if (row.lastIsLikeAll && model.hostExchange() == 0)
    profile_check::expectAtLeast(findings, "cycles with counters and without", t.total(), model.total());
  return findings;
}

Findings checkAll(const std::vector<SubjectRow> &subjects, const std::vector<Setup> &setups) {
  Findings all;
  for (const SubjectRow &row : subjects) {
    // `like`: totals of the same kind of device, because each kind has its own host
    std::optional<pva::CycleTotals> model, like;
    bool likeModel = false;
    for (const Setup &setup : setups) {
      const poplar::Device device = deviceOf(setup, row.tilesPerIpu, row.ipus);
      const auto subject = row.make(device.getTarget());
      poplar::Executable executable = poplar::compileGraph(subject->graph(), subject->programs(), setup.options());
      const auto compiled = popscope::ExecutableAccess::of(executable);
      poplar::Engine engine(std::move(executable), setup.options());
      subject->connect(engine);
      engine.load(device);
      for (const unsigned run : subject->runs())
        engine.run(run);
      const pva::Report report = engine.getReport();
      Findings findings;
      expectEqual(findings, "recorded runs", report.execution().runs().size(),
                  setup.records() ? subject->runs().size() : 0);
      if (setup.records()) {
        for (const auto check : {checkKnowledge, checkSums})
          append(findings, check(setup, report));
        append(findings, checkEachTile(setup, *compiled, subject->runs(), report));
        if (!model)
          model = report.execution().totalCycles();
        if (!like || likeModel != setup.model)
          like = report.execution().totalCycles();
        likeModel = setup.model;
        append(findings, checkAgainst(*model, *like, setup, row, report));
      }
      for (const std::string &finding : findings)
        all.push_back(row.name + " on " + setup.name + ": " + finding);
    }
  }
  return all;
}

} // namespace identities
