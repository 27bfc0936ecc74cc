#include "tests/check/profile/ExecutionChecks.hpp"

#include <algorithm>
#include <numeric>

namespace profile_check {
namespace {

std::uint64_t sumOfKinds(const TotalsFacts &t) {
  return t.compute + t.exchange + t.global + t.host + t.shared + t.sync + t.unattributed;
}

using Member = std::uint64_t TotalsFacts::*;
const std::pair<const char *, Member> kMembers[] = {{"total", &TotalsFacts::total},
                                                    {"compute", &TotalsFacts::compute},
                                                    {"thread", &TotalsFacts::thread},
                                                    {"exchange", &TotalsFacts::exchange},
                                                    {"global exchange", &TotalsFacts::global},
                                                    {"host exchange", &TotalsFacts::host},
                                                    {"shared structure copy", &TotalsFacts::shared},
                                                    {"sync", &TotalsFacts::sync},
                                                    {"unattributed", &TotalsFacts::unattributed}};

std::uint64_t StepIpuFacts::*const kBusy = &StepIpuFacts::busy;

std::uint64_t over(const StepFacts &step, std::uint64_t StepIpuFacts::*member) {
  std::uint64_t sum = 0;
  for (const StepIpuFacts &ipu : step.ipus)
    sum += ipu.*member;
  return sum;
}

bool isExchange(const StepFacts &step) {
  return step.type == "DoExchange" || step.type == "GlobalExchange" || step.type == "StreamCopyMid";
}

Member totalOfType(const std::string &type) {
  if (type == "OnTileExecute")
    return &TotalsFacts::compute;
  if (type == "DoExchange")
    return &TotalsFacts::exchange;
  if (type == "GlobalExchange")
    return &TotalsFacts::global;
  return type == "StreamCopyMid" ? &TotalsFacts::host : nullptr;
}

template <class Check> Findings forEachStep(const ExecutionFacts &execution, Check check) {
  Findings findings;
  for (std::size_t r = 0; r < execution.runs.size(); ++r)
    for (std::size_t s = 0; s < execution.runs[r].steps.size(); ++s) {
      const StepFacts &step = execution.runs[r].steps[s];
      check(findings, "run " + std::to_string(r) + ", step " + std::to_string(s) + " (" + step.type + ")", step);
    }
  return findings;
}

} // namespace

Findings checkCycleTotals(const ExecutionFacts &execution) {
  Findings findings;
  TotalsFacts sum;
  for (std::size_t r = 0; r < execution.runs.size(); ++r) {
    const TotalsFacts &t = execution.runs[r].totals;
    expectEqual(findings, "run " + std::to_string(r) + ", kinds and tiles x total", sumOfKinds(t),
                execution.tiles * t.total);
    expectAtLeast(findings, "run " + std::to_string(r) + ", compute with and without idle threads", t.compute,
                  t.thread);
    for (const auto &member : kMembers)
      sum.*member.second += t.*member.second;
  }
  for (const auto &member : kMembers)
    expectEqual(findings, std::string(member.first) + " of the runs and of all", sum.*member.second,
                execution.totals.*member.second);
  expectEqual(findings, "kinds and tiles x total", sumOfKinds(execution.totals),
              execution.tiles * execution.totals.total);
  return findings;
}

Findings checkStepSums(const ExecutionFacts &execution) {
  Findings findings;
  for (std::size_t r = 0; r < execution.runs.size(); ++r) {
    TotalsFacts sum;
    bool threadsKnown = true, computes = false;
    for (const StepFacts &step : execution.runs[r].steps) {
      if (const Member member = totalOfType(step.type))
        sum.*member += over(step, kBusy);
      if (step.type == "OnTileExecute") {
        threadsKnown = threadsKnown && step.threadKnown;
        computes = true;
      }
      sum.thread += step.thread;
    }
    const TotalsFacts &totals = execution.runs[r].totals;
    for (const Member member :
         {&TotalsFacts::compute, &TotalsFacts::exchange, &TotalsFacts::global, &TotalsFacts::host})
      expectEqual(findings, "run " + std::to_string(r) + ", busy cycles of the steps and total", sum.*member,
                  totals.*member);
    if (computes) // a level without thread cycles also reports none for a run without computation
      expectEqual(findings, "run " + std::to_string(r) + ", thread cycles are known", threadsKnown, totals.threadKnown);
    if (threadsKnown)
      expectEqual(findings, "run " + std::to_string(r) + ", thread cycles of the steps and total", sum.thread,
                  totals.thread);
  }
  return findings;
}

Findings checkSteps(const ExecutionFacts &execution) {
  return forEachStep(execution, [](Findings &findings, const std::string &name, const StepFacts &step) {
    const std::uint64_t busy = over(step, kBusy), active = over(step, &StepIpuFacts::activeTiles);
    if (step.threadKnown) {
      std::uint64_t types = 0;
      for (const TypeCyclesFacts &type : step.types)
        types += type.cycles;
      expectEqual(findings, name + ", cycles by vertex type and thread cycles", types, step.thread);
      expectAtLeast(findings, name + ", busy and thread cycles", busy, step.thread);
    }
    for (const StepIpuFacts &ipu : step.ipus) {
      expectAtLeast(findings, name + ", active tiles x cycles and busy cycles", ipu.activeTiles * ipu.cycles, ipu.busy);
      expectAtLeast(findings, name + ", tiles and active tiles", ipu.tiles, ipu.activeTiles);
    }
    if (step.cyclesByTile.empty())
      return;
    const auto &tiles = step.cyclesByTile;
    expectEqual(findings, name + ", cycles by tile and busy cycles",
                std::accumulate(tiles.begin(), tiles.end(), std::uint64_t(0)), busy);
    const auto idle = static_cast<std::uint64_t>(std::count(tiles.begin(), tiles.end(), std::uint64_t(0)));
    expectEqual(findings, name + ", tiles with cycles and active tiles", tiles.size() - idle, active);
  });
}

Findings checkTimeLine(const ExecutionFacts &execution) {
  Findings findings;
  for (std::size_t r = 0; r < execution.runs.size(); ++r) {
    const auto &steps = execution.runs[r].steps;
    // one tile reads them after loops and conditionals
    const std::uint64_t between = execution.runs[r].totals.controlReads;
    std::uint64_t end = 0;
    std::vector<std::uint64_t> gaps;
    for (std::size_t s = 0; s < steps.size(); ++s)
      for (std::size_t i = 0; i < steps[s].ipus.size(); ++i) {
        const StepIpuFacts &now = steps[s].ipus[i];
        const StepIpuFacts before = s == 0 ? StepIpuFacts() : steps[s - 1].ipus.at(i);
        const std::string name =
            "run " + std::to_string(r) + ", step " + std::to_string(s) + " (" + steps[s].type + ")";
        gaps.resize(2 * steps[s].ipus.size());
        if (between == 0) {
          expectEqual(findings, name + ", first tile enters and left", now.fromMin, before.toMin);
          expectEqual(findings, name + ", last tile enters and left", now.fromMax, before.toMax);
        }
        expectAtLeast(findings, name + ", first tile enters and left", now.fromMin, before.toMin);
        expectAtLeast(findings, name + ", last tile enters and left", now.fromMax, before.toMax);
        gaps[2 * i] += now.fromMin - before.toMin;
        gaps[2 * i + 1] += now.fromMax - before.toMax;
        end = s + 1 == steps.size() ? std::max(end, now.toMax) : end;
      }
    for (const std::uint64_t gap : gaps)
      expectAtLeast(findings, "run " + std::to_string(r) + ", reading of control flow and gaps between steps", between,
                    gap);
    expectAtLeast(findings, "run " + std::to_string(r) + ", total and end of the last step",
                  execution.runs[r].totals.total, end);
    expectAtLeast(findings, "run " + std::to_string(r) + ", end of the last step, reading of control flow and total",
                  end + between, execution.runs[r].totals.total);
  }
  return findings;
}

Findings checkStepData(const ExecutionFacts &execution) {
  return forEachStep(execution, [](Findings &findings, const std::string &name, const StepFacts &step) {
    for (const StepIpuFacts &ipu : step.ipus) {
      expectEqual(findings, name + ", data in and its program's", ipu.dataIn, isExchange(step) ? ipu.programIn : 0);
      expectEqual(findings, name + ", data out and its program's", ipu.dataOut, isExchange(step) ? ipu.programOut : 0);
      expectAtLeast(findings, name + ", data in + out and that of the busiest tile", ipu.dataIn + ipu.dataOut,
                    ipu.maxTileData);
      expectAtLeast(findings, name + ", tiles x data of the busiest tile and data in + out",
                    ipu.tiles * ipu.maxTileData, ipu.dataIn + ipu.dataOut);
    }
    // Several tiles may receive the same word, but every received word has a sender.
    if (step.type == "DoExchange" || step.type == "GlobalExchange")
      expectAtLeast(findings, name + ", data in and out", over(step, &StepIpuFacts::dataIn),
                    over(step, &StepIpuFacts::dataOut));
  });
}

} // namespace profile_check
