// Summaries of profile trees (Engine::getGraphProfile and getExecutionProfile): they print what the trees say. Headings
// are those of the summary of an engine; what a tree lacks is left out.
#include "engine/SummaryRequest.hpp"

#include <poplar/Engine.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <ostream>

namespace poplar {
namespace {

/// The value at a path of keys; null where it is missing.
const ProfileValue *at(const ProfileValue &tree, std::initializer_list<const char *> path) {
  const ProfileValue *value = &tree;
  for (const char *key : path)
    if (value = value->getOrNull(key); value == nullptr)
      return nullptr;
  return value;
}

void requireTree(const ProfileValue &tree, const char *which) {
  if (tree.type() != ProfileValue::Type::MAP)
    throw poplar_error(fmt::format("The {} profile is no map of keys: give what Engine::get{}Profile returned.", which,
                                   which[0] == 'g' ? "Graph" : "Execution"));
}

void printNumber(std::ostream &out, const ProfileValue &tree, std::initializer_list<const char *> path,
                 const char *label) {
  if (const ProfileValue *value = at(tree, path))
    out << fmt::format("  {:<28} {:>14}\n", label, value->asUint64());
}

struct ByTile {
  std::uint64_t sum = 0, most = 0;
  std::size_t worst = 0, tiles = 0;
};
ByTile readTiles(const ProfileValue &values) {
  ByTile result;
  result.tiles = values.size();
  for (std::size_t t = 0; t < values.size(); ++t) {
    const std::uint64_t bytes = values[t].asUint64();
    result.sum += bytes;
    if (bytes > result.most) {
      result.most = bytes;
      result.worst = t;
    }
  }
  return result;
}

void printMemory(std::ostream &out, const ProfileValue &tree) {
  const ProfileValue *total = at(tree, {"memory", "byTile", "total"});
  if (total == nullptr)
    return;
  const ByTile tiles = readTiles(*total);
  out << "Memory Usage:\n"
      << fmt::format("  {:<28} {:>14} bytes on {} tiles\n", "Total", tiles.sum, tiles.tiles)
      << fmt::format("  {:<28} {:>14} bytes on tile {}\n", "Most", tiles.most, tiles.worst);
  printNumber(out, tree, {"memory", "liveness", "alwaysLiveBytes"}, "Always-live bytes");
  printNumber(out, tree, {"memory", "liveness", "maxLiveBytes"}, "Most live bytes");
  const ProfileValue *categories = at(tree, {"memory", "byCategory"});
  if (categories == nullptr)
    return;
  out << "  By category (bytes):\n";
  for (const auto &entry : categories->asMap())
    if (const ProfileValue *bytes = at(entry.second, {"total"}); bytes != nullptr && bytes->sumUint64() != 0)
      out << fmt::format("    {:<26} {:>14}\n", entry.first, bytes->sumUint64());
}

void printTypes(std::ostream &out, const ProfileValue &tree) {
  const ProfileValue *names = at(tree, {"vertexTypes", "names"});
  const ProfileValue *counts = at(tree, {"vertexTypes", "counts"});
  if (names == nullptr || counts == nullptr || names->size() == 0)
    return;
  out << "Vertex types:\n";
  for (std::size_t i = 0; i < std::min(names->size(), counts->size()); ++i)
    out << fmt::format("  {:<60} {:>10}\n", (*names)[i].asString(), (*counts)[i].asUint64());
}

void printSteps(std::ostream &out, const ProfileValue &steps) {
  out << "Execution steps:\n";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const ProfileValue *type = at(steps[i], {"type"}), *name = at(steps[i], {"name"}),
                       *cycles = at(steps[i], {"cycles"});
    std::uint64_t most = 0;
    for (std::size_t ipu = 0; cycles != nullptr && ipu < cycles->size(); ++ipu)
      most = std::max(most, (*cycles)[ipu].asUint64());
    out << fmt::format("  {:<20} {:>12} cycles  {}\n", type == nullptr ? "" : type->asString(), most,
                       name == nullptr ? "" : name->asString());
  }
}

bool showsSteps(const OptionFlags &options) { return popscope::readSummaryOptions(options, false).showExecutionSteps; }

} // namespace

void printGraphSummary(std::ostream &out, const ProfileValue &graphProfile, const OptionFlags &opt) {
  requireTree(graphProfile, "graph");
  popscope::readSummaryOptions(opt, false); // refuses what it does not know
  out << "Target:\n";
  if (const ProfileValue *type = at(graphProfile, {"target", "type"}))
    out << fmt::format("  {:<28} {:>14}\n", "Type", type->asString());
  printNumber(out, graphProfile, {"target", "numIPUs"}, "Number of IPUs");
  printNumber(out, graphProfile, {"target", "tilesPerIPU"}, "Tiles per IPU");
  printNumber(out, graphProfile, {"target", "bytesPerTile"}, "Memory per tile (bytes)");
  out << "Graph:\n";
  printNumber(out, graphProfile, {"graph", "numVertices"}, "Number of vertices");
  printNumber(out, graphProfile, {"graph", "numEdges"}, "Number of edges");
  printNumber(out, graphProfile, {"graph", "numVars"}, "Number of variables");
  printNumber(out, graphProfile, {"graph", "numComputeSets"}, "Number of compute sets");
  printMemory(out, graphProfile);
  printTypes(out, graphProfile);
}

void printExecutionSummary(std::ostream &out, const ProfileValue &graphProfile, const ProfileValue &executionProfile,
                           const OptionFlags &opt) {
  requireTree(graphProfile, "graph");
  requireTree(executionProfile, "execution");
  const bool steps = showsSteps(opt);
  out << "Execution:\n";
  printNumber(out, executionProfile, {"simulation", "cycles"}, "Total cycles");
  if (const ProfileValue *clock = at(graphProfile, {"target", "clockFrequency"}),
      *cycles = at(executionProfile, {"simulation", "cycles"});
      clock != nullptr && cycles != nullptr && clock->asDouble() > 0)
    out << fmt::format("  {:<28} {:>14.3e} s at {:.0f} MHz\n", "Time", cycles->asDouble() / clock->asDouble(),
                       clock->asDouble() / 1e6);
  if (const ProfileValue *parts = at(executionProfile, {"simulation", "tileCycles"})) {
    out << "  Cycles of all tiles:\n";
    for (const auto &entry : parts->asMap())
      out << fmt::format("    {:<26} {:>14}\n", entry.first, entry.second.asUint64());
  }
  if (const ProfileValue *list = at(executionProfile, {"simulation", "steps"}); steps && list != nullptr)
    printSteps(out, *list);
}

} // namespace poplar
