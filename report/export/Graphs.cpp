#include "report/export/Graphs.hpp"

#include "base/ShownText.hpp"
#include "report/answers/Ranking.hpp"
#include "report/export/StepWalk.hpp"
#include "report/export/Text.hpp"
#include "report/summary/Format.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <ostream>
#include <set>

namespace popscope {
namespace {

constexpr std::size_t kMaxNodes = 2000, kMaxExchanges = 40, kMaxNamedTiles = 6, kMaxPairs = 16;

void begin(std::ostream &out, const char *name, const char *label) {
  out << "digraph " << name << " {\n  label=" << dotText(label)
      << ";\n  labelloc=t;\n  rankdir=LR;\n  node [shape=box, fontname=\"DejaVu Sans\", fontsize=10];\n  edge "
         "[fontname=\"DejaVu Sans\", fontsize=9];\n";
}

const char *fillOf(StepCause cause) {
  switch (cause) {
  case StepCause::Compute: return "#c9daf0";
  case StepCause::Exchange:
  case StepCause::GlobalExchange: return "#fbdcc4";
  case StepCause::HostExchange: return "#f5e6bd";
  case StepCause::HostWait:
  case StepCause::Barrier: return "#e0e0e0";
  case StepCause::Control: break;
  }
  return "#ffffff";
}

void node(std::ostream &out, const StepProgramInfo &info, const std::string &more) {
  out << fmt::format("  p{} [label={}, style=filled, fillcolor=\"{}\"];\n", info.id,
                     dotText(std::to_string(info.id) + " " + shortened(info.title, 60) + more), fillOf(info.kind));
}

} // namespace

// Sums up the cycles of programs over the selected runs, then writes a node per program, at most kMaxNodes, and an edge
// to each child.
TimelineResult writeProgramGraph(std::ostream &out, const pva::Report &report, const TimelineOptions &options) {
  std::map<std::size_t, std::uint64_t> cycles, executions;
  NamedPrograms titles(report);
  for (const std::size_t run : selectedRuns(report, options.selection))
    walkRun(report, run, titles, [&](const WalkedStep &step) {
      cycles[step.program->id] += step.to - step.from;
      ++executions[step.program->id];
      return true;
    });
  begin(out, "programs", "Programs: id, kind and name, executions and cycles in the recorded runs");
  const auto all = allPrograms(report);
  std::set<std::size_t> shown;
  for (std::size_t i = 0; i < std::min(all.size(), kMaxNodes); ++i) {
    const StepProgramInfo &info = titles.of(*all[i]);
    shown.insert(info.id);
    node(out, info,
         executions[info.id] == 0
             ? ""
             : fmt::format("\n{} x, {}", commas(executions[info.id]), counted(cycles[info.id], "cycle")));
  }
  TimelineResult result;
  for (std::size_t i = 0; i < std::min(all.size(), kMaxNodes); ++i)
    for (const auto &child : all[i]->children())
      if (shown.count(child->_id()) != 0) {
        out << fmt::format("  p{} -> p{};\n", all[i]->_id(), child->_id());
        ++result.events;
      }
  if (all.size() > kMaxNodes)
    out << "  more [label=" << dotText(counted(all.size() - kMaxNodes, "more program")) << ", shape=plaintext];\n";
  out << "}\n";
  return result;
}

TimelineResult writeDataGraph(std::ostream &out, const pva::Report &report, const TimelineOptions &) {
  const pva::LivenessAdvice advice = report.popscope().livenessAdvice();
  std::set<std::pair<std::size_t, std::size_t>> known;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::pair<std::uint64_t, std::string>>> edges;
  std::map<std::size_t, StepProgramInfo> nodes;
  std::set<std::tuple<std::size_t, std::size_t, std::size_t>> told;
  NamedPrograms titles(report);
  for (const pva::LiveExplanation &e : advice.explanations) {
    if (e.read == nullptr || e.born == nullptr || !told.insert({e.born->_id(), e.read->_id(), e.variable._id()}).second)
      continue;
    nodes[e.born->_id()] = titles.of(*e.born);
    nodes[e.read->_id()] = titles.of(*e.read);
    edges[{e.born->_id(), e.read->_id()}].emplace_back(e.variable.size(), e.variable.name());
  }
  begin(out, "data",
        "Data: from the last program that replaced all elements of a variable to the programs that read it next");
  for (const auto &entry : nodes)
    node(out, entry.second, "");
  TimelineResult result;
  for (auto &[ends, variables] : edges) {
    std::sort(variables.begin(), variables.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
    std::string label;
    for (std::size_t i = 0; i < std::min<std::size_t>(variables.size(), 3); ++i)
      label += (i == 0 ? "" : "\n") + shortened(variables[i].second, 40) + " (" + commas(variables[i].first) + " B)";
    if (variables.size() > 3)
      label += "\n" + std::to_string(variables.size() - 3) + " more";
    out << fmt::format("  p{} -> p{} [label={}];\n", ends.first, ends.second, dotText(label));
    ++result.events;
  }
  out << "}\n";
  return result;
}

namespace {

struct Traffic {
  StepProgramInfo info;
  pva::Values sent, received;
  pva::TileTraffic pairs;
  std::uint64_t bytes = 0;
};

/// Returns "tile 3", or "tiles 8-15" for a group.
std::string groupName(const pva::TileTraffic &pairs, std::uint64_t group) {
  const std::uint64_t first = group * pairs.tilesPerGroup;
  return pairs.tilesPerGroup == 1 ? fmt::format("tile {}", first)
                                  : fmt::format("tiles {}-{}", first, first + pairs.tilesPerGroup - 1);
}

/// Writes a box with the tiles, and an edge for each of the pairs that exchange most.
void pairEdges(std::ostream &out, const Traffic &t, TimelineResult &result) {
  std::vector<std::size_t> order(t.pairs.bytes.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return t.pairs.bytes[a] > t.pairs.bytes[b]; });
  out << fmt::format("  subgraph cluster_p{} {{\n    label={};\n    style=filled;\n    fillcolor=\"{}\";\n", t.info.id,
                     dotText(std::to_string(t.info.id) + " " + shortened(t.info.title, 60)), fillOf(t.info.kind));
  const auto tile = [&](std::uint64_t group) { return fmt::format("p{}_{}", t.info.id, group); };
  std::set<std::uint64_t> told;
  std::uint64_t rest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i >= kMaxPairs) {
      rest += t.pairs.bytes[order[i]];
      continue;
    }
    for (const std::uint64_t group : {t.pairs.fromGroups[order[i]], t.pairs.toGroups[order[i]]})
      if (told.insert(group).second)
        out << "    " << tile(group) << " [label=" << dotText(groupName(t.pairs, group)) << ", shape=ellipse];\n";
    out << fmt::format("    {} -> {} [label={}];\n", tile(t.pairs.fromGroups[order[i]]),
                       tile(t.pairs.toGroups[order[i]]), dotText(commas(t.pairs.bytes[order[i]]) + " B"));
    ++result.events;
  }
  if (rest != 0)
    out << "    " << tile(0)
        << "_others [label=" << dotText(commas(order.size() - kMaxPairs) + " other pairs, " + commas(rest) + " B")
        << ", shape=plaintext];\n";
  out << "  }\n";
}

void edges(std::ostream &out, const Traffic &t, const pva::Values &bytes, const char *side, bool in,
           TimelineResult &result) {
  std::vector<std::size_t> tiles;
  for (std::size_t tile = 0; tile < bytes.size(); ++tile)
    if (bytes[tile] != 0)
      tiles.push_back(tile);
  std::stable_sort(tiles.begin(), tiles.end(), [&](std::size_t a, std::size_t b) { return bytes[a] > bytes[b]; });
  const auto edge = [&](const std::string &from, const std::string &label, std::uint64_t n) {
    out << "  " << from << " [label=" << dotText(label) << ", shape=ellipse];\n";
    const std::string exchange = "p" + std::to_string(t.info.id);
    out << fmt::format("  {} -> {} [label={}];\n", in ? from : exchange, in ? exchange : from,
                       dotText(commas(n) + " B"));
    ++result.events;
  };
  std::uint64_t rest = 0;
  for (std::size_t i = 0; i < tiles.size(); ++i)
    if (i < kMaxNamedTiles)
      edge(fmt::format("{}{}", side, tiles[i]), "tile " + std::to_string(tiles[i]), bytes[tiles[i]]);
    else
      rest += bytes[tiles[i]];
  if (rest != 0)
    edge(fmt::format("{}_others_{}", side, t.info.id), counted(tiles.size() - kMaxNamedTiles, "other tile"), rest);
}

} // namespace

// Writes the exchanges with most bytes, at most kMaxExchanges: pairs of tiles if the profile has them, otherwise the
// tiles that send and receive most.
TimelineResult writeExchangeGraph(std::ostream &out, const pva::Report &report, const TimelineOptions &) {
  NamedPrograms titles(report);
  std::vector<Traffic> all;
  for (const auto &program : allPrograms(report))
    if (const auto *exchange = dynamic_cast<const pva::ExchangeProgram *>(program.get())) {
      Traffic t{titles.of(*program), exchange->bytesSentByTile(), exchange->bytesReceivedByTile(), exchange->traffic(),
                0};
      t.bytes = sumOf(t.sent) + sumOf(t.received);
      if (t.bytes != 0)
        all.push_back(std::move(t));
    }
  std::stable_sort(all.begin(), all.end(), [](const Traffic &a, const Traffic &b) { return a.bytes > b.bytes; });
  begin(out, "exchanges",
        "Exchanges by bytes, from tile to tile.\nFor host copies and copies between replicas: the tiles that send "
        "(left) and receive (right) most");
  TimelineResult result;
  for (std::size_t i = 0; i < std::min(all.size(), kMaxExchanges); ++i) {
    if (!all[i].pairs.bytes.empty()) {
      pairEdges(out, all[i], result);
      continue;
    }
    node(out, all[i].info, "");
    edges(out, all[i], all[i].sent, "from", true, result);
    edges(out, all[i], all[i].received, "to", false, result);
  }
  if (all.size() > kMaxExchanges)
    out << "  more [label=" << dotText(counted(all.size() - kMaxExchanges, "smaller exchange"))
        << ", shape=plaintext];\n";
  out << "}\n";
  return result;
}

} // namespace popscope
