#include "graph/lowering/LoweringContext.hpp"

#include <algorithm>
#include <unordered_set>

namespace popscope {
namespace {

constexpr std::size_t kMaxNameLength = 500; // limit for joined names, because the table of sources stores all of them

} // namespace

std::uint64_t viewCount(const RunList &view) { return view.elements(); }

std::string joinName(const std::string &name, const char *suffix) {
  return name.empty() ? suffix : name + "/" + suffix;
}

std::string joinedNames(const std::vector<std::string> &all) {
  std::unordered_set<std::string> seen; // lookup only
  std::string names;
  for (const std::string &name : all) {
    if (name.empty() || seen.count(name) != 0)
      continue;
    if (names.size() + name.size() > kMaxNameLength && !seen.empty()) {
      names += ",...";
      return "{" + names + "}";
    }
    names += (names.empty() ? "" : ",") + name;
    seen.insert(name);
  }
  return seen.size() > 1 ? "{" + names + "}" : names;
}

std::string displayName(const GraphIr &graph, GraphVarId var) {
  const std::string &name = graph.names[graph.vars[var].name];
  return !name.empty() ? name : graph.vars[var].constant ? "<const>" : "<anon>";
}

LoweringContext::LoweringContext(const GraphIr &g, const VertexEstimates &e, const CostModel &c,
                                 const LoweringOptions &o)
    : graph(g), estimates(e), costs(c), options(o) {
  out.numTiles = g.machine.numTiles();
  out.tilesPerIpu = g.machine.tilesPerIpu;
  out.replicationFactor = g.replicationFactor;
  for (std::size_t codelet = 0; codelet < g.codelets.size(); ++codelet) {
    operandFacts_.emplace_back();
    shapeMatters_.push_back(0);
    for (const FieldInfo &field : g.codelets.at(static_cast<int>(codelet)).fields) {
      OperandFacts facts;
      facts.reads = field.direction != FieldDirection::Output;
      facts.writes = field.direction != FieldDirection::Input;
      facts.isVector = field.shape == FieldShape::Vector;
      facts.countMatters =
          facts.isVector ? field.direction == FieldDirection::State : field.shape != FieldShape::Scalar;
      shapeMatters_.back() |= facts.countMatters ? 1 : 0;
      facts.interleaved = field.interleaved && g.machine.kind != DeviceKind::Cpu; // the host has one kind of memory
      facts.alignment = std::max<std::uint32_t>(1, field.minAlign);
      operandFacts_.back().push_back(facts);
    }
  }
  loweredSets_.resize(g.computeSets.size());
  for (std::size_t cs = 0; cs < g.computeSets.size(); ++cs)
    if (!g.computeSets.raw()[cs].vertices.empty())
      loweredSet(g.computeSets.idAt(cs));
}

ComputeSetId LoweringContext::loweredSet(ComputeSetId ofGraph) {
  ComputeSetId &known = loweredSets_[ofGraph.index()];
  if (!known.valid())
    known = out.computeSets.push(name(graph.names[graph.computeSets[ofGraph].name]));
  return known;
}

LoweredStep LoweringContext::finishStep(StepKind kind, NameId stepName, std::uint32_t payload,
                                        std::vector<Touch> touches) {
  LoweredStep step{kind, stepName, payload, static_cast<std::uint32_t>(out.accesses.size()), 0};
  step.numAccesses = joinTouches(std::move(touches), out.accesses, out.ranges);
  return step;
}

} // namespace popscope
