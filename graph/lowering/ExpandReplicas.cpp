#include "graph/lowering/ExpandReplicas.hpp"

#include "graph/ir/ProgramKinds.hpp"
#include "graph/ir/Replicas.hpp"
#include "graph/ir/ViewOps.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

namespace popscope {
namespace {

constexpr std::int64_t kAll = -1; // all replicas at once; other values are the number of one replica

class Expander {
public:
  Expander(const GraphIr &graph, const VertexEstimates &estimates)
      : source_(graph), out_(std::make_unique<ExpandedGraph>()), executed_(graph.computeSets.size(), false),
        shared_(graph.computeSets.size(), false) {
    out_->graph = graph;
    out_->estimates = estimates;
  }

  std::unique_ptr<ExpandedGraph> run(const std::vector<ProgramPtr> &programs) {
    for (const ProgramPtr &p : programs)
      findSharedSets(p);
    for (const ProgramPtr &p : programs)
      out_->programs.push_back(expand(p, kAll));
    return std::move(out_);
  }

private:
  using Node = std::shared_ptr<ProgramNode>;

  ProgramPtr expand(const ProgramPtr &program, std::int64_t replica) {
    if (!program || isForeign(*program, source_) || namesMissing(*program, source_))
      return program; // lowering reports the mistake
    const auto key = std::make_pair(program.get(), replica);
    if (const auto known = done_.find(key); known != done_.end())
      return known->second;
    ProgramPtr result =
        replica == kAll ? expandForAll(program) : expandForOne(program, static_cast<std::uint32_t>(replica));
    done_.emplace(key, result);
    return result;
  }

  [[nodiscard]] std::uint32_t replicas(const View &view) const { return replicasOf(source_, view); }
  [[nodiscard]] std::uint32_t replicasOfNode(const ProgramNode &p) const {
    return std::max({replicas(p.a), replicas(p.b), replicas(p.offset)});
  }

  /// Returns whether each replica runs the program by itself, because each replica has its own result, decision or
  /// printed tensor.
  static bool runsOneByOne(const ProgramNode &p, std::uint32_t count) {
    return count > 1 &&
           (programKindRow(p.kind).decides || p.kind == ProgramKind::Execute || p.kind == ProgramKind::PrintTensor);
  }
  /// Marks the compute sets that all replicas execute together.
  void findSharedSets(const ProgramPtr &program) {
    if (!program || isForeign(*program, source_) || namesMissing(*program, source_) ||
        runsOneByOne(*program, replicasOfNode(*program)) || !searched_.insert(program.get()).second)
      return;
    if (program->kind == ProgramKind::Execute)
      shared_[program->as<ExecuteArguments>().computeSet.index()] = true;
    if (program->kind == ProgramKind::Call)
      findSharedSets(source_.functions[program->as<CallArguments>().function].body);
    for (const ProgramPtr &child : program->children)
      findSharedSets(child);
  }

  /// Returns a copy that has expanded children.
  Node copyOf(const ProgramNode &p, std::int64_t replica) {
    auto node = std::make_shared<ProgramNode>(p);
    for (auto &child : node->children)
      child = expand(child, replica);
    if (p.kind == ProgramKind::Call)
      node->arguments = CallArguments{function(p.as<CallArguments>().function, replica)};
    return node;
  }
  /// Returns a Sequence with one program for each replica.
  ProgramPtr oneByOne(const ProgramPtr &program, std::uint32_t count) {
    auto all = std::make_shared<ProgramNode>();
    all->name = program->name;
    for (std::uint32_t k = 0; k < count; ++k)
      all->children.push_back(expand(program, k));
    return all;
  }

  FunctionId function(FunctionId f, std::int64_t replica) {
    const auto key = std::make_pair(f.index(), replica);
    if (const auto known = functions_.find(key); known != functions_.end())
      return known->second;
    // Registers the function before the body is expanded, so that a recursion ends here. Lowering refuses the
    // recursion.
    const FunctionId id = replica == kAll ? f : out_->graph.functions.push(source_.functions[f]);
    functions_.emplace(key, id);
    ProgramPtr body = expand(source_.functions[f].body, replica);
    out_->graph.functions[id].body = std::move(body);
    return id;
  }

  ProgramPtr expandForAll(const ProgramPtr &program) {
    const ProgramNode &p = *program;
    const std::uint32_t count = replicasOfNode(p);
    if (programKindRow(p.kind).hostCopy)
      return hostCopies(program, count);
    if (count > 1 && p.kind == ProgramKind::CrossReplicaCopy)
      return crossReplicaCopy(p, count);
    if (runsOneByOne(p, count))
      return oneByOne(program, count);
    if (p.kind == ProgramKind::Execute)
      executeAll(p.as<ExecuteArguments>().computeSet);
    Node node = copyOf(p, kAll);
    if (count > 1) {
      checkWrites(p, count);
      if (node->a.elements() > 0)
        node->a = viewOfAllReplicas(source_, p.a, count);
      if (node->b.elements() > 0)
        node->b = viewOfAllReplicas(source_, p.b, count);
    }
    return node;
  }

  /// Checks that replicas write only their own tensors.
  void checkWrites(const ProgramNode &p, std::uint32_t count) const {
    if (p.kind == ProgramKind::Copy && containsAliases(viewOfAllReplicas(source_, p.b, count)))
      throw poplar::control_program_error(fmt::format("{}: {} replicas would write one tensor of the whole graph. "
                                                      "getNonReplicatedTensor gives the tensors of all replicas.",
                                                      programLabel(p), count));
  }

  ProgramPtr expandForOne(const ProgramPtr &program, std::uint32_t k) {
    const ProgramNode &p = *program;
    checkBelongs(p);
    Node node = copyOf(p, k);
    node->a = viewInReplica(source_, p.a, k);
    node->b = viewInReplica(source_, p.b, k);
    node->offset = viewInReplica(source_, p.offset, k);
    if (p.kind == ProgramKind::Execute)
      node->arguments = ExecuteArguments{computeSetOf(p, k)};
    if (p.kind == ProgramKind::PrintTensor)
      node->as<TextArguments>().text += fmt::format(" (replica {})", k);
    if (auto *const copy = std::get_if<HostCopyArguments>(&node->arguments))
      if (const auto &replicas = source_.streams[copy->stream].replicas; !replicas.empty())
        copy->stream = replicas[k];
    return node;
  }

  /// Checks a program that the replicas run one by one, for example in a branch whose condition differs between
  /// replicas. Such a program must neither copy between replicas nor write a tensor of the whole graph.
  void checkBelongs(const ProgramNode &p) const {
    if (p.kind == ProgramKind::CrossReplicaCopy)
      throw poplar::control_program_error(fmt::format(
          "{} is in a branch whose condition differs between replicas; all replicas must reach it.", programLabel(p)));
    const View *const written = programKindRow(p.kind).b != ViewRole::None ? &p.b : nullptr;
    if (written != nullptr && written->elements() > 0 && replicas(*written) == 1)
      throw poplar::control_program_error(
          fmt::format("{} writes a tensor of the whole graph in a branch whose condition differs between replicas.",
                      programLabel(p)));
  }

  ProgramPtr hostCopies(const ProgramPtr &program, std::uint32_t count) {
    const ProgramNode &p = *program;
    const GraphStream &stream = source_.streams[p.as<HostCopyArguments>().stream];
    if ((stream.split != 0) != (count > 1))
      throw poplar::control_program_error(
          fmt::format("{}: {} \"{}\" belongs to {}, the tensor to {}. Make both through the same graph, or use "
                      "getNonReplicatedTensor.",
                      programLabel(p), stream.kind == GraphStream::Kind::Remote ? "remote buffer" : "stream",
                      stream.handle, stream.split != 0 ? "a replicated graph" : "the whole graph",
                      count > 1 ? "a replicated graph" : "the whole graph"));
    if (count == 1)
      return copyOf(p, kAll);
    if (!stream.broadcast)
      return oneByOne(program, count);
    auto all = std::make_shared<ProgramNode>();
    all->children.push_back(expandForOne(program, 0));
    auto spread = std::make_shared<ProgramNode>();
    spread->kind = ProgramKind::Copy;
    spread->name = p.name;
    const View first = viewInReplica(source_, p.b, 0);
    RunBuilder from, to;
    for (std::uint32_t k = 1; k < count; ++k) {
      for (const ViewRun &run : first.runs)
        from.append(run);
      for (const ViewRun &run : viewInReplica(source_, p.b, k).runs)
        to.append(run);
    }
    spread->a = {p.b.type, {static_cast<std::size_t>(first.elements() * (count - 1))}, from.take()};
    spread->b = {p.b.type, spread->a.shape, to.take()};
    all->children.push_back(std::move(spread));
    return all;
  }

  ProgramPtr crossReplicaCopy(const ProgramNode &p, std::uint32_t count) const {
    auto node = std::make_shared<ProgramNode>();
    node->kind = ProgramKind::Copy;
    node->name = p.name;
    RunBuilder from, to;
    std::size_t elements = 0;
    for (const auto &[source, destination] : p.as<CrossReplicaArguments>().replicaMap) {
      if (source >= count || destination >= count)
        throw poplar::control_program_error(
            fmt::format("{} from replica {} to {}: the graph has {}.", programLabel(p), source, destination, count));
      for (const ViewRun &run : viewInReplica(source_, p.a, source).runs)
        from.append(run);
      for (const ViewRun &run : viewInReplica(source_, p.b, destination).runs)
        to.append(run);
      elements += p.a.elements();
    }
    node->a = {p.a.type, {elements}, from.take()};
    node->b = {p.b.type, {elements}, to.take()};
    return node;
  }

  VertexId addCopy(VertexId of, ComputeSetId cs, std::uint32_t k) {
    const GraphVertex vertex = source_.vertices[of];
    const TileId tile = !vertex.tile.valid() ? vertex.tile
                                             : tileInReplica(source_.splits[vertex.split() - 1], vertex.tile, k,
                                                             fmt::format("Vertex {}", of.index()));
    const VertexId copy = out_->graph.vertices.addLike(of, cs, tile);
    for (std::size_t e = 0; e != vertex.edges().size(); ++e)
      out_->graph.vertices.replaceRuns(copy, e, runsInReplica(source_, vertex.edges()[e].runs, k));
    for (std::vector<std::int64_t> *known : {&out_->estimates.cycles, &out_->estimates.flops})
      if (!known->empty())
        known->push_back((*known)[of.index()]);
    return copy;
  }

  void executeAll(ComputeSetId cs) {
    if (executed_[cs.index()])
      return;
    executed_[cs.index()] = true;
    for (const VertexId v : source_.computeSets[cs].vertices)
      if (const SplitIndex split = source_.vertices[v].split(); split != 0)
        for (std::uint32_t k = 1; k < source_.splits[split - 1].replicas(); ++k) {
          const VertexId copy = addCopy(v, cs, k);
          out_->graph.computeSets[cs].vertices.push_back(copy);
        }
  }

  /// Returns the compute set with the vertices of replica k alone. If the replicas never execute the set together, the
  /// set itself becomes the set of replica 0, so that the counts contain no vertex that is never executed.
  ComputeSetId computeSetOf(const ProgramNode &p, std::uint32_t k) {
    const ComputeSetId of = p.as<ExecuteArguments>().computeSet;
    const auto key = std::make_pair(of.index(), k);
    if (const auto known = computeSets_.find(key); known != computeSets_.end())
      return known->second;
    const GraphComputeSet &source = source_.computeSets[of];
    const bool itself = k == 0 && !shared_[of.index()];
    const ComputeSetId id = itself ? of : out_->graph.computeSets.push({source.name, {}, source.context});
    for (const VertexId v : source.vertices) {
      if (source_.vertices[v].split() == 0)
        throw poplar::control_program_error(
            fmt::format("{} has a vertex of the whole graph (vertex {}), but each replica runs it by itself, because "
                        "its result or a branch around it belongs to the replica.",
                        programLabel(p), v.index()));
      if (!itself) {
        const VertexId copy = addCopy(v, id, k);
        out_->graph.computeSets[id].vertices.push_back(copy);
      }
    }
    computeSets_.emplace(key, id);
    return id;
  }

  const GraphIr &source_;
  std::unique_ptr<ExpandedGraph> out_;
  std::vector<bool> executed_; // compute sets that have their copies
  std::vector<bool> shared_;   // compute sets that all replicas execute together
  std::set<const ProgramNode *> searched_;
  std::map<std::pair<const ProgramNode *, std::int64_t>, ProgramPtr> done_;
  std::map<std::pair<std::uint32_t, std::int64_t>, FunctionId> functions_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, ComputeSetId> computeSets_;
};

} // namespace

std::unique_ptr<ExpandedGraph> expandReplicas(const GraphIr &graph, const std::vector<ProgramPtr> &programs,
                                              const VertexEstimates &estimates) {
  return graph.splits.empty() ? nullptr : Expander(graph, estimates).run(programs);
}

} // namespace popscope
