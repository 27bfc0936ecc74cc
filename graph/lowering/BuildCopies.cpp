// BuildCopies: on-tile moves become copy vertices of the runtime, one per (tile, destination home).
#include "graph/lowering/LoweringContext.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace popscope {
namespace {

/// The largest power of two up to 8 that divides every address and size; homes begin at multiples of `homeAlign`.
std::uint32_t commonAlignment(const std::vector<Message> &moves, std::size_t begin, std::size_t end, std::uint32_t homeAlign) {
  std::uint64_t all = std::min<std::uint32_t>(homeAlign, 8);
  for (std::size_t i = begin; i < end; ++i)
    all = std::gcd(all, std::gcd(moves[i].srcOffset, std::gcd(moves[i].dstOffset, moves[i].bytes)));
  return static_cast<std::uint32_t>(all);
}

/// Whether the runs, in order, leave one source without a gap.
bool contiguousSource(const std::vector<Message> &moves, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin + 1; i < end; ++i)
    if (moves[i].src != moves[i - 1].src || moves[i].srcOffset != moves[i - 1].srcOffset + moves[i - 1].bytes)
      return false;
  return true;
}

std::vector<Message> joined(const std::vector<Message> &moves) {
  std::vector<Message> result;
  for (const Message &m : moves) {
    Message *last = result.empty() ? nullptr : &result.back();
    if (last != nullptr && last->src == m.src && last->dst == m.dst && last->srcOffset + last->bytes == m.srcOffset &&
        last->dstOffset + last->bytes == m.dstOffset)
      last->bytes += m.bytes;
    else
      result.push_back(m);
  }
  return result;
}

} // namespace

CopyVertexKind LoweringContext::copyVertexKind(const std::vector<Message> &moves, std::size_t begin, std::size_t end) const {
  std::uint64_t bytes = 0;
  for (std::size_t i = begin; i < end; ++i)
    bytes += moves[i].bytes;
  const bool oneSource = contiguousSource(moves, begin, end);
  const auto choose = [&](std::uint32_t homeAlign) {
    return costs.chooseCopyVertex(Bytes(bytes), end - begin, commonAlignment(moves, begin, end, homeAlign), oneSource);
  };
  const CopyVertexKind aligned = choose(8);
  return aligned == CopyVertexKind::Memcpy64BitSupervisor ? aligned : choose(4);
}

void LoweringContext::addCopyVertex(const std::vector<Message> &moves, std::size_t begin, std::size_t end, std::vector<Touch> &touches) {
  CopyVertex copy;
  copy.tile = tileOf(moves[begin].dst);
  copy.firstRun = static_cast<std::uint32_t>(out.copyRuns.size());
  copy.numRuns = static_cast<std::uint32_t>(end - begin);
  for (std::size_t i = begin; i < end; ++i) {
    const Message &m = moves[i];
    touch({m.src, m.srcOffset, m.bytes}, AccessKind::Read, touches);
    touch({m.dst, m.dstOffset, m.bytes}, AccessKind::Write, touches);
    out.copyRuns.push_back({m.src, m.srcOffset, m.dst, m.dstOffset, m.bytes});
    copy.bytes += m.bytes;
  }
  const CopyVertexKind kind = copyVertexKind(moves, begin, end);
  if (kind == CopyVertexKind::Memcpy64BitSupervisor)
    for (const HomeId home : {moves[begin].src, moves[begin].dst}) {
      StepVar &var = out.vars[out.homes[home].var];
      var.alignment = std::max<std::uint32_t>(var.alignment, 8);
    }
  copy.kind = static_cast<std::uint8_t>(kind);
  copy.type = copyVertexType(kind);
  copy.cycles = costs.copyVertexCycles(kind, Bytes(copy.bytes), copy.numRuns).count();
  const CopyVertexFootprint bytes = costs.copyVertexFootprint(kind, copy.numRuns);
  VertexFootprint shape;
  shape.instanceState = bytes.stateBytes;
  shape.copyDescriptor = shape.descriptors = bytes.descriptorBytes;
  shape.copyPointers = bytes.pointerBytes;
  shape.internalState = bytes.stateBytes - bytes.pointerBytes;
  copy.footprint = footprint(shape);
  out.copies.push_back(copy);
}

void LoweringContext::addCopies(LoweredSteps &steps, const std::string &stepName, std::vector<Message> moves) {
  if (moves.empty())
    return;
  std::sort(moves.begin(), moves.end(), [&](const Message &a, const Message &b) {
    return std::make_tuple(tileOf(a.dst), a.dst, a.dstOffset) < std::make_tuple(tileOf(b.dst), b.dst, b.dstOffset);
  });
  moves = joined(moves);
  ExecuteStep execute;
  execute.computeSet = out.computeSets.push(name(stepName));
  execute.firstVertex = static_cast<std::uint32_t>(out.vertices.size());
  execute.firstCopy = static_cast<std::uint32_t>(out.copies.size());
  std::vector<Touch> touches;
  for (std::size_t begin = 0, end = 0; begin < moves.size(); begin = end) {
    while (end < moves.size() && moves[end].dst == moves[begin].dst)
      ++end;
    addCopyVertex(moves, begin, end, touches);
  }
  execute.numCopies = static_cast<std::uint32_t>(out.copies.size()) - execute.firstCopy;
  out.executes.push_back(execute);
  steps.push_back(finishStep(StepKind::OnTileExecute, name(stepName), static_cast<std::uint32_t>(out.executes.size() - 1), touches));
}

} // namespace popscope
