// BuildCopies: turns on-tile moves into copy vertices of the runtime, tile by tile.
#include "graph/lowering/PlanCopies.hpp"

#include <algorithm>
#include <tuple>

namespace popscope {
namespace {

/// Joins moves that continue one another into one run; for a fill, joins adjacent destinations.
void joinNeighbours(Moves &moves) {
  std::size_t kept = 0;
  for (const Move &m : moves) {
    Move *last = kept == 0 ? nullptr : &moves[kept - 1];
    if (last != nullptr && last->src == m.src && last->dst == m.dst && last->dstOffset + last->bytes == m.dstOffset &&
        (m.src.valid() ? last->srcOffset + last->bytes : last->srcOffset) == m.srcOffset)
      last->bytes = narrow(last->bytes + m.bytes);
    else
      moves[kept++] = m;
  }
  moves.resize(kept);
}

/// Sorts runs to one home in the order of their source, if the runs read one source without a gap and in whole words.
/// (With whole words, no two workers write one word.) Such a copy strides only at its destination.
void orderBySource(Move *begin, Move *end) {
  const auto words = [](const Move &m) {
    return isMultiple(m.srcOffset, kWordBytes) && isMultiple(m.dstOffset, kWordBytes) &&
           isMultiple(m.bytes, kWordBytes);
  };
  if (!std::all_of(begin, end, words))
    return;
  Moves runs(begin, end);
  std::sort(runs.begin(), runs.end(), [](const Move &a, const Move &b) {
    return std::tie(a.src, a.srcOffset, a.dstOffset) < std::tie(b.src, b.srcOffset, b.dstOffset);
  });
  const auto gap = [](const Move &a, const Move &b) { return a.src != b.src || a.srcOffset + a.bytes != b.srcOffset; };
  if (std::adjacent_find(runs.begin(), runs.end(), gap) == runs.end())
    std::copy(runs.begin(), runs.end(), begin);
}

void orderBySource(Moves &moves) {
  for (std::size_t begin = 0, end = 0; begin < moves.size(); begin = end) {
    const Move &first = moves[begin];
    while (++end < moves.size() && moves[end].dst == first.dst && moves[end].src.valid() == first.src.valid())
      ;
    if (first.src.valid())
      orderBySource(&moves[begin], moves.data() + end);
  }
}

} // namespace

void LoweringContext::addCopyVertex(TileId tile, const TileCopies &plan, const CopyShare &share) {
  CopyVertex copy;
  copy.tile = tile;
  copy.firstRun = static_cast<std::uint32_t>(out.copyRuns.size());
  copy.numRuns = static_cast<std::uint32_t>(share.numRuns);
  for (std::size_t r = share.firstRun; r < share.firstRun + share.numRuns; ++r) {
    const Move &m = plan.runs[r];
    out.copyRuns.push_back(m);
    copy.bytes += m.bytes;
    for (const HomeId home : {m.src, m.dst})
      if (home.valid() && wantsWideHomes(share.kind)) {
        StepVar &var = out.vars[out.homes[home].var];
        var.alignment = std::max(var.alignment, kWideCopyBytes);
      }
  }
  copy.kind = static_cast<std::uint8_t>(share.kind);
  copy.type = copyVertexType(share.kind);
  copy.cycles = costs.copyVertexCycles(share.kind, copy.bytes, copy.numRuns);
  const CopyVertexFootprint bytes = costs.copyVertexFootprint(share.kind, copy.numRuns);
  VertexFootprint shape;
  shape.instanceState = Bytes32(bytes.stateBytes);
  shape.copyDescriptor = shape.descriptors = Bytes32(bytes.descriptorBytes);
  shape.copyPointers = Bytes32(bytes.pointerBytes);
  shape.internalState = Bytes32(bytes.stateBytes - bytes.pointerBytes);
  copy.footprint = footprints_.numberOf(shape);
  out.copies.push_back(copy);
}

// Sorts the moves by tile, because planTileCopies shares the moves of one tile among its workers. The accesses are
// recorded before neighbours are joined, because a joined move may have parts of several members.
void LoweringContext::addCopies(LoweredSteps &steps, const std::string &stepName, Moves moves) {
  if (moves.empty())
    return;
  const auto key = [this](const Move &m) {
    return std::make_tuple(tileOf(m.dst), m.dst, copyOf(*this, m), m.dstOffset);
  };
  std::sort(moves.begin(), moves.end(), [&](const Move &a, const Move &b) { return key(a) < key(b); });
  ExecuteStep execute;
  execute.computeSet = out.computeSets.push(name(stepName));
  execute.firstVertex = static_cast<std::uint32_t>(out.vertices.size());
  execute.firstCopy = static_cast<std::uint32_t>(out.copies.size());
  TouchBlocks blocks;
  for (const Move &m : moves) {
    if (m.src.valid())
      touch({m.src, m.srcOffset, m.bytes}, AccessKind::Read, blocks.touches, m.member);
    touch({m.dst, m.dstOffset, m.bytes}, AccessKind::Write, blocks.touches, m.member);
    blocks.shrink();
  }
  joinNeighbours(moves);
  if (options.sortsAsSent)
    orderBySource(moves);
  for (std::size_t begin = 0, end = 0; begin < moves.size(); begin = end) {
    while (end < moves.size() && tileOf(moves[end].dst) == tileOf(moves[begin].dst))
      ++end;
    const TileCopies plan = planTileCopies(*this, moves.data() + begin, moves.data() + end);
    for (const CopyShare &share : plan.shares)
      addCopyVertex(tileOf(moves[begin].dst), plan, share);
  }
  execute.numCopies = static_cast<std::uint32_t>(out.copies.size()) - execute.firstCopy;
  out.executes.push_back(execute);
  steps.push_back(finishStep(StepKind::OnTileExecute, name(stepName),
                             static_cast<std::uint32_t>(out.executes.size() - 1), std::move(blocks.touches)));
}

} // namespace popscope
