#include "instrument/machine/RaceCheck.hpp"

#include "base/Check.hpp"
#include "base/Parallel.hpp"
#include "instrument/machine/Overlaps.hpp"

#include <poplar/exceptions.hpp>

namespace popscope {
namespace {

// Returns, for example, "vertex 12 of type 'Add' (writes)". Users of a group are numbered: first its vertices, then its
// copies.
std::string describeUser(const StepProgram &program, const ComputeGroups &groups, const TileGroup &group,
                         const ByteUse &use) {
  const std::uint32_t vertices = group.endVertex - group.firstVertex;
  const char *how = use.writes ? "writes" : "reads";
  if (use.user < vertices) {
    const StepVertex &v = program.vertices[group.firstVertex + use.user];
    return fmt::format("vertex {} of type '{}' ({})", v.id, program.vertexTypes[v.type].name, how);
  }
  const CopyVertex &c = program.copies[groups.copy(group.firstCopy + use.user - vertices)];
  return fmt::format("a copy vertex of type '{}' ({})", program.vertexTypes[c.type].name, how);
}

// Returns the elements of the variable in the bytes of the conflict, for example "elements [4, 8)". Describes the first
// piece of the variable that has such elements.
std::string describeElements(const StepProgram &program, const ByteConflict &conflict) {
  const StepVar &var = program.vars[program.homes[conflict.first.home].var];
  const std::uint64_t size = elementBytes(var.type);
  const std::uint64_t begin = conflict.begin.count() / size, end = (conflict.end.count() + size - 1) / size;
  for (std::uint32_t p = var.firstPiece; p < var.firstPiece + var.numPieces; ++p) {
    const Piece &piece = program.pieces[p];
    const std::uint64_t length = piece.elements.end - piece.elements.begin;
    if (piece.home != conflict.first.home || begin < piece.homeElement || begin >= piece.homeElement + length)
      continue;
    const std::uint64_t first = piece.elements.begin + (begin - piece.homeElement);
    return fmt::format("elements [{}, {})", first, std::min<std::uint64_t>(first + (end - begin), piece.elements.end));
  }
  return fmt::format("bytes [{}, {}) of its part on that tile", conflict.begin.count(), conflict.end.count());
}

} // namespace

RaceCheck::RaceCheck(const StepProgram &program, const ComputeGroups &groups, Threads threads)
    : program_(program), groups_(groups), threads_(threads), checked_(program.steps.size(), false) {}

// Throws for the first conflict between vertices and copies of one tile. Collects every byte range that a vertex or
// copy uses, in the order of vertices and copies, and sorts the ranges. Cost: n log n in edges.
void RaceCheck::checkTile(StepIndex step, const TileGroup &group) const {
  std::vector<ByteUse> uses;
  for (std::uint32_t v = group.firstVertex; v < group.endVertex; ++v) {
    const StepVertex &vertex = program_.vertices[v];
    for (const VertexEdge edge : program_.edgesOf(vertex)) {
      if (edge.elements == 0)
        continue;
      uses.push_back(
          {edge.home, edge.offset, edge.offset + program_.edgeBytes(edge), v - group.firstVertex, edge.writes});
    }
  }
  for (std::uint32_t c = group.firstCopy; c < group.endCopy; ++c) {
    const CopyVertex &copy = program_.copies[groups_.copy(c)];
    const std::uint32_t user = group.endVertex - group.firstVertex + c - group.firstCopy;
    for (std::uint32_t r = copy.firstRun; r < copy.firstRun + copy.numRuns; ++r) {
      const CopyRun &run = program_.copyRuns[r];
      if (run.src.valid())
        uses.push_back({run.src, run.srcOffset, run.srcOffset + run.bytes, user, false});
      uses.push_back({run.dst, run.dstOffset, run.dstOffset + run.bytes, user, true});
    }
  }
  const auto conflict = findConflict(std::move(uses));
  if (!conflict)
    return;
  const StepVar &var = program_.vars[program_.homes[conflict->first.home].var];
  throw poplar::poplar_error(fmt::format("Race in compute set '{}' on tile {}: {} and {} use {} of variable '{}'. "
                                         "Vertices of one compute set run in any order: "
                                         "put them into different compute sets or give them different elements.",
                                         program_.names[program_.steps[step].name], group.tile.index(),
                                         describeUser(program_, groups_, group, conflict->first),
                                         describeUser(program_, groups_, group, conflict->second),
                                         describeElements(program_, *conflict), program_.names[var.name]));
}

void RaceCheck::checkExecute(StepIndex step) {
  if (checked_[step.index()])
    return;
  const std::uint32_t execute = program_.steps[step].payload;
  const auto groups = groups_.groups(execute);
  parallelFor(
      threads_, groups.size(), [&](std::size_t g) { checkTile(step, groups[g]); }, groups_.grain(execute));
  checked_[step.index()] = true;
}

void RaceCheck::checkExchange(StepIndex step) {
  if (checked_[step.index()])
    return;
  const ExchangeStep &exchange = program_.exchanges[program_.steps[step].payload];
  std::vector<ByteUse> uses;
  for (std::uint32_t m = 0; m < exchange.numMessages; ++m) {
    const Message &message = program_.messages[exchange.firstMessage + m];
    uses.push_back({message.src, message.srcOffset, message.srcOffset + message.bytes, 2 * m, false});
    uses.push_back({message.dst, message.dstOffset, message.dstOffset + message.bytes, 2 * m + 1, true});
  }
  const auto conflict = findConflict(std::move(uses));
  if (conflict) {
    const StepVar &var = program_.vars[program_.homes[conflict->first.home].var];
    POPSCOPE_CHECK(false, "exchange '{}': messages {} and {} use bytes [{}, {}) of '{}' on tile {}",
                   program_.names[program_.steps[step].name], conflict->first.user / 2, conflict->second.user / 2,
                   conflict->begin.count(), conflict->end.count(), program_.names[var.name],
                   program_.homes[conflict->first.home].tile.index());
  }
  checked_[step.index()] = true;
}

} // namespace popscope
