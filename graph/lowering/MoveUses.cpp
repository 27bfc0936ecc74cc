#include "graph/lowering/MoveUses.hpp"

#include "graph/lowering/BuildExecute.hpp"
#include "graph/steps/ExecutedSets.hpp"

#include <algorithm>
#include <utility>

namespace popscope {
namespace {

/// Adds the accesses of the vertices of a compute set, and the write of its result.
void addExecute(const StepProgram &p, const ExecuteStep &execute, HomeUses &uses) {
  for (const StepVertex &vertex : verticesOf(p, execute))
    for (const VertexEdge edge : p.edgesOf(vertex)) {
      if (!edge.home.valid())
        continue;
      const HomeRange range = homeRange(edge.home, edge.offset, p.edgeBytes(edge));
      if (edge.reads)
        uses.reads.push_back(range);
      if (edge.writes)
        uses.writes.push_back(range);
    }
  if (execute.result.valid())
    uses.writes.push_back(homeRange(execute.result, execute.resultOffset, p.elementSize(execute.result)));
}

/// Adds the moves from which the steps were built. For copy vertices, adds the shares of the workers.
void addMoves(const StepProgram &p, const LoweredSteps &steps, Moves &remote, Moves &local) {
  for (const LoweredStep &step : steps)
    if (step.kind == StepKind::DoExchange || step.kind == StepKind::GlobalExchange) {
      const ExchangeStep &exchange = p.exchanges[step.payload];
      for (std::uint32_t m = exchange.firstMessage; m < exchange.firstMessage + exchange.numMessages; ++m) {
        const Message &message = p.messages[m];
        remote.push_back({{message.srcOffset, message.src, message.dst, message.dstOffset, message.bytes}, 0});
      }
    } else if (step.kind == StepKind::OnTileExecute) {
      for (const CopyVertex &copy : copiesOf(p, p.executes[step.payload]))
        for (std::uint32_t r = copy.firstRun; r < copy.firstRun + copy.numRuns; ++r)
          local.push_back({p.copyRuns[r], 0});
    }
}

void addUses(const Moves &remote, const Moves &local, HomeUses &uses) {
  for (const Moves *moves : {&remote, &local})
    for (const Move &m : *moves) {
      if (m.src.valid())
        uses.reads.push_back(homeRange(m.src, m.srcOffset, m.bytes));
      uses.writes.push_back(homeRange(m.dst, m.dstOffset, m.bytes));
    }
}

HomeUses joined(HomeUses uses) {
  joinRanges(uses.reads);
  joinRanges(uses.writes);
  return uses;
}

} // namespace

MovesSummary summaryOf(const LoweringContext &context, const Moves &remote, const Moves &local) {
  MovesSummary sum;
  sum.remote = !remote.empty();
  sum.local = !local.empty();
  const auto add = [&](HomeId home) {
    if (!home.valid())
      return;
    const IpuId ipu = context.ipuOf(context.tileOf(home));
    if (std::find(sum.ipus.begin(), sum.ipus.end(), ipu) == sum.ipus.end())
      sum.ipus.push_back(ipu);
  };
  for (const Moves *moves : {&remote, &local})
    for (const Move &m : *moves) {
      sum.bytes += m.bytes;
      add(m.src);
      add(m.dst);
    }
  std::sort(sum.ipus.begin(), sum.ipus.end());
  return sum;
}

HomeUses usesOf(const Moves &remote, const Moves &local) {
  HomeUses uses;
  addUses(remote, local, uses);
  return joined(std::move(uses));
}

void movesBefore(const LoweringContext &context, ExecuteParts &parts) {
  if (parts.receive.empty() && parts.gather.empty())
    addMoves(context.out, parts.before, parts.receive, parts.gather);
}

const HomeUseSets &usesOf(LoweringContext &context, ExecuteParts &parts) {
  if (parts.uses)
    return *parts.uses;
  buildExecute(context, parts);
  movesBefore(context, parts);
  HomeUses all;
  addUses(parts.receive, parts.gather, all);
  Moves remote, local;
  addMoves(context.out, parts.steps, remote, local);
  addUses(remote, local, all);
  for (const LoweredStep &step : parts.steps)
    if (step.kind == StepKind::OnTileExecute)
      addExecute(context.out, context.out.executes[step.payload], all);
  all = joined(std::move(all));
  parts.uses = std::make_unique<HomeUseSets>();
  parts.uses->reads.add(std::move(all.reads));
  parts.uses->writes.add(std::move(all.writes));
  return *parts.uses;
}

} // namespace popscope
