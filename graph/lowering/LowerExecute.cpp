// LowerExecute: one compute set becomes
//   GlobalExchangePre, ExchangePre   remote inputs, straight into their buffers
//   OnTileCopyPre                    local parts of rearranged inputs that the tile does not send to itself
//   the compute set
//   OnTileCopyPost                   rearranged outputs of the vertex's own tile
//   ExchangePost, GlobalExchangePost outputs that live on other tiles; if these are not whole words, copies follow
//   Inputs arrive before anything is written, so every vertex sees the values from before the compute set. The steps
//   before the compute set are made when it no longer waits: copies before and after it may have joined them
//   (MergeCopies).
#include "graph/lowering/PlaceOperands.hpp"
#include "graph/lowering/ProgramLowering.hpp"
#include "graph/lowering/ReceiveWords.hpp"

#include <algorithm>

namespace popscope {
namespace {

/// The step of the vertices.
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

ExecuteParts ProgramLowering::placeExecute(ComputeSetId computeSet, const View &result) {
  ExecuteParts parts;
  parts.computeSet = computeSet;
  parts.result = &result;
  PreparedExecute prepared = preparer_.take(computeSet);
  c_.makeRoom(preparer_.newRows());
  placeOperands(c_, std::move(prepared), parts);
  parts.moved = summaryOf(c_, parts.receive, parts.gather);
  c_.log.debug("PlaceOperands: compute set \"{}\": {} vertices, {} bytes in {} moves to operands between tiles, {} on "
               "tiles",
               c_.graph.names[c_.graph.computeSets[computeSet].name], parts.placed.numVertices(),
               parts.moved.bytes.count(), parts.receive.size(), parts.gather.size());
  return parts;
}

void ProgramLowering::buildExecute(ExecuteParts &parts) {
  if (!parts.steps.empty())
    return;
  const std::string &csName = c_.graph.names[c_.graph.computeSets[parts.computeSet].name];
  parts.steps.push_back(ComputeBuilder(c_, parts).run());
  const std::string copies = joinName(csName, "OnTileCopyPost");
  Moves arrived;
  receiveWords(c_, parts.send, arrived, true, [&](HomeId home, StorageCategory category) {
    return c_.name(fmt::format("<{}:{}>", storageCategoryKey(category), c_.out.names[c_.varOf(home).name]));
  });
  if (arrived.empty()) {
    c_.addCopies(parts.steps, copies, std::move(parts.scatter));
    c_.addExchanges(parts.steps, csName, "ExchangePost", std::move(parts.send));
  } else { // one set of copies, for data that arrived and for data that stays on its tile
    c_.addExchanges(parts.steps, csName, "ExchangePost", std::move(parts.send));
    arrived.insert(arrived.end(), parts.scatter.begin(), parts.scatter.end());
    c_.addCopies(parts.steps, copies, std::move(arrived));
  }
  parts.placed = {};
}

void ProgramLowering::lowerExecute(const ProgramNode &p) {
  const bool plain = viewCount(p.a) == 0;
  if (plain && c_.graph.computeSets[p.computeSet].vertices.empty())
    return; // nothing to do; with a result the AND over no vertices is written
  ExecuteParts &parts = executes_[{p.computeSet, plain ? nullptr : &p}];
  if (!parts.computeSet.valid())
    parts = placeExecute(p.computeSet, p.a);
  if (!waiting_.joins(parts)) {
    CopyMerger behind = waiting_.behindSet();
    const bool later = !behind.empty() && (parts.moved.remote || parts.moved.local) && behind.joins(parts);
    if (later)
      waiting_.dropBehindSet();
    flushCopies();
    if (later)
      waiting_ = std::move(behind);
  }
  const bool waits = parts.moved.remote || parts.moved.local || !waiting_.empty();
  placeBorders();
  waiting_.add({&p, context_, &parts});
  if (!waits)
    flushCopies(); // there is nothing that a copy could join
}

} // namespace popscope
