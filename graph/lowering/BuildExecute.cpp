#include "graph/lowering/BuildExecute.hpp"

#include "graph/lowering/ReceiveWords.hpp"

#include <algorithm>

namespace popscope {
namespace {

/// Builds the step that runs the vertices.
class ComputeBuilder {
public:
  ComputeBuilder(LoweringContext &context, ExecuteParts &parts) : c_(context), parts_(parts) {}

  LoweredStep run() {
    ExecuteStep execute;
    execute.computeSet = c_.loweredSet(parts_.computeSet);
    execute.firstVertex = static_cast<std::uint32_t>(c_.out.vertices.size());
    execute.numVertices = static_cast<std::uint32_t>(parts_.placed.numVertices());
    execute.firstCopy = static_cast<std::uint32_t>(c_.out.copies.size());
    for (PreparedVertices &part : parts_.placed.parts)
      addVertices(part);
    if (viewCount(*parts_.result) > 0) {
      const HomeBytes word = c_.singleRun(*parts_.result);
      execute.result = word.home;
      execute.resultOffset = word.offset;
    }
    c_.out.executes.push_back(execute);
    return {StepKind::OnTileExecute, c_.name(c_.graph.names[c_.graph.computeSets[parts_.computeSet].name]),
            static_cast<std::uint32_t>(c_.out.executes.size() - 1), kTouchedLater, 0};
  }

private:
  void addVertices(PreparedVertices &part) {
    std::vector<VertexTypeId> types;
    for (const int codelet : part.codelets)
      types.push_back(c_.vertexType(codelet));
    std::vector<std::uint32_t> footprints, forms;
    for (const VertexId v : part.shapes)
      footprints.push_back(c_.vertexFootprint(c_.graph.vertices[v]));
    for (VertexForm form : part.forms) {
      form.footprint = footprints[form.footprint];
      forms.push_back(c_.vertexForm(form, std::span(part.operandKinds).subspan(form.firstOperand, form.numOperands)));
    }
    const auto firstState = static_cast<std::uint32_t>(c_.out.states.size());
    for (StateValue &state : part.states) {
      state.firstByte += c_.out.data.size();
      c_.out.states.push_back(state);
    }
    c_.out.data.insert(c_.out.data.end(), part.data.begin(), part.data.end());
    for (StepVertex &vertex : part.vertices) {
      vertex.type = types[vertex.type.index()];
      vertex.form = forms[vertex.form];
      vertex.firstState += firstState;
    }
    c_.out.vertices.insert(c_.out.vertices.end(), part.vertices.begin(), part.vertices.end());
  }

  LoweringContext &c_;
  ExecuteParts &parts_;
};

} // namespace

void buildExecute(LoweringContext &c, ExecuteParts &parts) {
  if (!parts.steps.empty())
    return;
  const std::string &csName = c.graph.names[c.graph.computeSets[parts.computeSet].name];
  parts.steps.push_back(ComputeBuilder(c, parts).run());
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
