#include "graph/lowering/BuildExecute.hpp"

#include "graph/lowering/ReceiveWords.hpp"

#include <algorithm>

namespace popscope {
namespace {

void addVertices(LoweringContext &c, PreparedVertices &part) {
  std::vector<VertexTypeId> types;
  for (const int codelet : part.codelets)
    types.push_back(c.vertexType(codelet));
  std::vector<std::uint32_t> footprints, forms;
  for (const VertexId v : part.shapes)
    footprints.push_back(c.vertexFootprint(c.graph.vertices[v]));
  for (VertexForm form : part.forms) {
    form.footprint = footprints[form.footprint];
    forms.push_back(c.vertexForm(form, std::span(part.operandKinds).subspan(form.firstOperand, form.numOperands)));
  }
  const auto firstState = static_cast<std::uint32_t>(c.out.states.size());
  for (StateValue &state : part.states) {
    state.firstByte += c.out.data.size();
    c.out.states.push_back(state);
  }
  c.out.data.insert(c.out.data.end(), part.data.begin(), part.data.end());
  for (StepVertex &vertex : part.vertices) {
    vertex.type = types[vertex.type.index()];
    vertex.form = forms[vertex.form];
    vertex.firstState += firstState;
  }
  c.out.vertices.insert(c.out.vertices.end(), part.vertices.begin(), part.vertices.end());
}

/// Builds the step that runs the vertices.
LoweredStep buildCompute(LoweringContext &c, ExecuteParts &parts) {
  ExecuteStep execute;
  execute.computeSet = c.loweredSet(parts.computeSet);
  execute.firstVertex = static_cast<std::uint32_t>(c.out.vertices.size());
  execute.numVertices = static_cast<std::uint32_t>(parts.placed.numVertices());
  execute.firstCopy = static_cast<std::uint32_t>(c.out.copies.size());
  for (PreparedVertices &part : parts.placed.parts)
    addVertices(c, part);
  if (viewCount(*parts.result) > 0) {
    const HomeBytes word = c.singleRun(*parts.result);
    execute.result = word.home;
    execute.resultOffset = word.offset;
  }
  c.out.executes.push_back(execute);
  return {StepKind::OnTileExecute, c.name(c.graph.names[c.graph.computeSets[parts.computeSet].name]),
          static_cast<std::uint32_t>(c.out.executes.size() - 1), kTouchedLater, 0};
}

} // namespace

void buildExecute(LoweringContext &c, ExecuteParts &parts) {
  if (!parts.steps.empty())
    return;
  const std::string &csName = c.graph.names[c.graph.computeSets[parts.computeSet].name];
  parts.steps.push_back(buildCompute(c, parts));
  const std::string copies = joinName(csName, "OnTileCopyPost");
  Moves arrived;
  receiveWords(c, parts.send, arrived, true, [&](HomeId home, StorageCategory category) {
    return c.name(fmt::format("<{}:{}>", storageCategoryKey(category), c.out.names[c.varOf(home).name]));
  });
  if (arrived.empty()) {
    c.addCopies(parts.steps, copies, std::move(parts.scatter));
    c.addExchanges(parts.steps, csName, "ExchangePost", std::move(parts.send));
  } else { // one set of copies, for received data and for data that stays on its tile
    c.addExchanges(parts.steps, csName, "ExchangePost", std::move(parts.send));
    arrived.insert(arrived.end(), parts.scatter.begin(), parts.scatter.end());
    c.addCopies(parts.steps, copies, std::move(arrived));
  }
  parts.placed = {};
}

} // namespace popscope
