#include "tests/check/profile/TextChecks.hpp"

#include <algorithm>
#include <map>

namespace profile_check {
namespace {

std::uint64_t valueOf(const std::vector<TextRow> &rows, const std::string &name) {
  std::uint64_t total = 0;
  for (const TextRow &r : rows)
    total += r.name == name ? r.value : 0;
  return total;
}

/// Returns `scale` * part / whole, rounded half up.
std::uint64_t rounded(std::uint64_t part, std::uint64_t whole, std::uint64_t scale) {
  __extension__ using Wide = unsigned __int128;
  return whole == 0 ? 0 : static_cast<std::uint64_t>((Wide(part) * scale * 2 + whole) / (Wide(whole) * 2));
}
constexpr std::uint64_t kPercent = 1000; // in tenths

std::map<std::string, std::uint64_t> byName(const std::vector<TypeText> &types) {
  std::map<std::string, std::uint64_t> sums;
  for (const TypeText &t : types)
    sums[t.name] += t.cycles;
  return sums;
}

/// The whole numbers from `from` to `to`.
struct Range {
  std::uint64_t from = 0, to = ~std::uint64_t(0);
  void meet(std::uint64_t low, std::uint64_t high) {
    from = std::max(from, low);
    to = std::min(to, high);
  }
};

/// Restricts `range` to parts of `whole` that print as `balance` tenths of a percent.
void meetPart(Range &range, std::uint64_t balance, std::uint64_t whole) {
  __extension__ using Wide = unsigned __int128;
  const Wide low = balance == 0 ? 0 : (Wide(2 * balance - 1) * whole + 2 * kPercent - 1) / (2 * kPercent);
  const Wide high = Wide(2 * balance + 1) * whole; // exclusive
  range.meet(static_cast<std::uint64_t>(low), high == 0 ? 0 : static_cast<std::uint64_t>((high - 1) / (2 * kPercent)));
}

/// Restricts `range` to wholes of which `part` prints as `balance`.
void meetWhole(Range &range, std::uint64_t balance, std::uint64_t part) {
  __extension__ using Wide = unsigned __int128;
  if (part == 0 || balance == 0)
    return;
  range.meet(static_cast<std::uint64_t>(Wide(2 * kPercent) * part / (2 * balance + 1)),
             static_cast<std::uint64_t>(Wide(2 * kPercent) * part / (2 * balance - 1)));
}

} // namespace

Findings checkMemoryText(const SummaryText &text) {
  Findings findings;
  for (const MemoryText &m : text.memory) {
    expectEqual(findings, m.title + " regions and total", sum(m.regions), m.total);
    expectEqual(findings, m.title + " not overlapped", sum(m.notOverlapped), m.notOverlappedTotal);
    expectEqual(findings, m.title + " overlapped", sum(m.overlapped), m.overlappedTotal);
    expectEqual(findings, m.title + " not overlapped + after overlapping and total",
                m.notOverlappedTotal + m.afterOverlapping, m.total);
    expectAtLeast(findings, m.title + " including and excluding gaps", m.including, m.total);
    expectEqual(findings, m.title + " vertex data by category", sum(m.vertexCategories), m.vertexData);
    std::uint64_t stored = 0;
    for (const char *kind : {"Vertex Instances", "Copy Descriptors", "VectorList Descriptors", "Vertex Field Data"})
      stored += valueOf(m.notOverlapped, kind) + valueOf(m.overlapped, kind);
    expectEqual(findings, m.title + " vertex data by storage", stored, m.vertexData);
  }
  return findings;
}

namespace {

using Rows = std::vector<TextRow> MemoryText::*;
using Value = std::uint64_t MemoryText::*;

void addNames(const std::vector<TextRow> &rows, std::map<std::string, std::uint64_t> &sums) {
  for (const TextRow &r : rows)
    sums[r.name] += r.value;
}

bool isIpu(const MemoryText &m) { return m.title.compare(0, 14, "Memory on IPU ") == 0; }

} // namespace

Findings checkIpuText(const SummaryText &text) {
  Findings findings;
  const std::pair<const char *, Rows> rows[] = {{"regions", &MemoryText::regions},
                                                {"not overlapped", &MemoryText::notOverlapped},
                                                {"overlapped", &MemoryText::overlapped},
                                                {"vertex categories", &MemoryText::vertexCategories},
                                                {"vertex types", &MemoryText::vertexTypes}};
  for (const auto &kind : rows) {
    std::map<std::string, std::uint64_t> all, ipus;
    addNames(text.memory.at(0).*kind.second, all);
    for (const MemoryText &m : text.memory)
      if (isIpu(m))
        addNames(m.*kind.second, ipus);
    for (const auto &entry : all)
      expectEqual(findings, std::string(kind.first) + " of all and of the IPUs, " + entry.first, entry.second,
                  ipus[entry.first]);
    expectEqual(findings, std::string(kind.first) + " that all and that the IPUs have", all.size(), ipus.size());
  }
  for (const Value value :
       {&MemoryText::including, &MemoryText::total, &MemoryText::afterOverlapping, &MemoryText::vertexData}) {
    std::uint64_t ipus = 0;
    for (const MemoryText &m : text.memory)
      ipus += isIpu(m) ? m.*value : 0;
    expectEqual(findings, "totals of all and of the IPUs", text.memory.at(0).*value, ipus);
  }
  return findings;
}

Findings checkHistogramText(const SummaryText &text, std::uint64_t tiles) {
  Findings findings;
  std::uint64_t count = 0, most = 0;
  for (const BinText &bin : text.bins) {
    count += bin.tiles;
    most = std::max(most, bin.tiles);
  }
  expectEqual(findings, "tiles of the histogram", count, tiles);
  for (std::size_t i = 0; i < text.bins.size(); ++i) {
    const BinText &bin = text.bins[i];
    // One star, plus up to 39 more in proportion, as in the sample of the user guide (reference arithmetic G19).
    expectEqual(findings, "stars of bin " + std::to_string(i), bin.stars,
                bin.tiles == 0 ? 0 : 1 + 39 * bin.tiles / most);
    if (i > 0)
      expectEqual(findings, "bin " + std::to_string(i) + " begins where the one before ends", bin.from,
                  text.bins[i - 1].to);
  }
  if (!text.bins.empty()) {
    expectEqual(findings, "bin of the fullest tile", text.maxExcluding / 1024 < text.bins.back().to, 1);
    expectAtLeast(findings, "bin of the fullest tile", text.maxExcluding, text.bins.back().from * 1024);
  }
  return findings;
}

namespace {
void checkLivenessOf(Findings &findings, const LivenessText &text) {
  expectEqual(findings, text.where + ", always-live bytes and variables", sum(text.alwaysLiveVariables),
              text.alwaysLive);
  std::uint64_t peak = 0;
  for (const LiveText &live : text.live) {
    expectEqual(findings, text.where + ", " + live.title + ", live bytes and variables", sum(live.variables),
                live.bytes);
    peak = std::max(peak, live.bytes);
  }
  expectEqual(findings, text.where + ", maximum live bytes and always-live + fullest program", text.maxLive,
              text.alwaysLive + peak);
}
} // namespace

Findings checkLivenessText(const SummaryText &text) {
  Findings findings;
  checkLivenessOf(findings, text);
  for (std::size_t i = 0; i < text.liveTiles.size(); ++i) {
    checkLivenessOf(findings, text.liveTiles[i]);
    if (i > 0)
      expectAtLeast(findings, text.liveTiles[i].where + ", the tile before it is fuller", text.liveTiles[i - 1].maxLive,
                    text.liveTiles[i].maxLive);
    expectEqual(findings, text.liveTiles[i].where + ", programs as of all tiles", text.liveTiles[i].live.size(),
                text.live.size());
  }
  return findings;
}

Findings checkExecutionText(const SummaryText &text) {
  Findings findings;
  const std::uint64_t compute = valueOf(text.cycleTotals, "Total compute cycles (including idle threads)");
  const std::uint64_t threads = valueOf(text.cycleTotals, "Total compute cycles (excluding idle threads)");
  // cycles / MHz = microseconds; both in tenths.
  expectEqual(findings, "microseconds", rounded(text.cycles, text.clockTenthsOfMHz, 100), text.microsecondTenths);
  expectEqual(findings, "total tile balance", rounded(compute, text.cycles * text.tiles, kPercent), text.tileBalance);
  if (text.threadBalance) {
    expectEqual(findings, "total thread balance", rounded(threads, compute, kPercent), *text.threadBalance);
  }
  // Every tile takes part in every run from start to end. The cycles that are not printed are unattributed, and not
  // negative.
  expectAtLeast(findings, "tiles x cycles and the printed kinds", text.cycles * text.tiles,
                sum(text.cycleTotals) - threads);
  return findings;
}

Findings checkStepsText(const SummaryText &text) {
  Findings findings;
  std::vector<TypeText> types;
  for (std::size_t i = 0; i < text.steps.size(); ++i) {
    const StepText &step = text.steps[i];
    const std::string name = "printed step " + std::to_string(i) + " (" + step.title + ")";
    types.insert(types.end(), step.types.begin(), step.types.end());
    expectAtLeast(findings, name + ", end and start", step.to, step.from);
    expectAtLeast(findings, name + ", tiles and active tiles", step.tiles, step.active);
    if (step.overlapped && step.active != 0)
      expectEqual(findings, name + ", cycles and range + overlap", step.cycles, step.to - step.from + *step.overlapped);
    Range busy;
    meetPart(busy, step.tileBalance, step.tiles * step.cycles);
    meetPart(busy, step.activeTileBalance, step.active * step.cycles);
    if (step.threadBalance) {
      std::uint64_t threads = 0;
      for (const TypeText &t : step.types)
        threads += t.cycles;
      meetWhole(busy, *step.threadBalance, threads);
    }
    expectAtLeast(findings, name + ", busy cycles that the balances allow", busy.to, busy.from);
    if (step.dataBalance) { // data in + out is twice the total, or one byte more
      Range perTile;        // tiles x data of the fullest tile
      perTile.meet(2 * *step.data, (2 * *step.data + 1) * step.tiles);
      Range odd = perTile;
      meetWhole(perTile, *step.dataBalance, 2 * *step.data);
      meetWhole(odd, *step.dataBalance, 2 * *step.data + 1);
      if (perTile.to < perTile.from && odd.to < odd.from)
        findings.push_back(name + ": no data of a tile explains the data balance");
    }
  }
  // The types count each vertex once, and the steps count each execution, so the text determines only which types there
  // are.
  const auto printed = byName(text.cyclesByType);
  for (const auto &type : byName(types))
    if (text.threadBalance && printed.count(type.first) == 0)
      findings.push_back("cycles by vertex type have no line of " + type.first);
  return findings;
}

Findings checkStepsAgainst(const SummaryText &text, const ExecutionFacts &execution) {
  Findings findings;
  std::size_t next = 0;
  for (const RunFacts &run : execution.runs)
    for (const StepFacts &step : run.steps) {
      const bool exchange = step.type == "DoExchange" || step.type == "GlobalExchange" || step.type == "StreamCopyMid";
      if (step.type == "Sync" || step.type == "StreamCopyBegin" || step.type == "StreamCopyEnd")
        continue;
      const std::string name = "printed step " + std::to_string(next) + " (" + step.type + ")";
      if (next == text.steps.size()) {
        findings.push_back(name + " is missing");
        return findings;
      }
      const StepText &printed = text.steps[next++];
      StepIpuFacts all;
      for (const StepIpuFacts &ipu : step.ipus) {
        all.activeTiles += ipu.activeTiles;
        all.tiles += ipu.tiles;
        all.busy += ipu.busy;
        all.dataIn += ipu.dataIn + ipu.dataOut;
        all.maxTileData = std::max(all.maxTileData, ipu.maxTileData);
      }
      expectEqual(findings, name + ", active tiles", printed.active, all.activeTiles);
      expectEqual(findings, name + ", tiles", printed.tiles, all.tiles);
      expectEqual(findings, name + ", tile balance", printed.tileBalance,
                  rounded(all.busy, all.tiles * printed.cycles, kPercent));
      expectEqual(findings, name + ", active tile balance", printed.activeTileBalance,
                  rounded(all.busy, all.activeTiles * printed.cycles, kPercent));
      if (printed.threadBalance)
        expectEqual(findings, name + ", thread balance", *printed.threadBalance,
                    rounded(step.thread, all.busy, kPercent));
      expectEqual(findings, name + " has data", printed.data.has_value(), exchange);
      if (printed.data) {
        expectEqual(findings, name + ", total data", *printed.data, all.dataIn / 2);
        expectEqual(findings, name + ", data balance", printed.dataBalance.value_or(0),
                    rounded(all.dataIn, all.tiles * all.maxTileData, kPercent));
      }
    }
  expectEqual(findings, "printed steps", text.steps.size(), next);
  expectEqual(findings, "runs that the text says", text.runsRecorded.value_or(1), execution.runs.size());
  expectEqual(findings, "marked runs", text.runMarks, text.runsRecorded ? execution.runs.size() : 0);
  return findings;
}

} // namespace profile_check
