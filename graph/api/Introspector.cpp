// VertexIntrospector and FieldData: the data of a vertex that estimators can read.
#include "graph/api/Describe.hpp"
#include "graph/api/FieldView.hpp"
#include "graph/api/GraphAccess.hpp"
#include "graph/api/ValueConversion.hpp"
#include "graph/codelets/TileLayout.hpp"

#include <poplar/VertexIntrospector.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <fmt/format.h>

using popscope::FieldView;
using popscope::ListLayout;
using popscope::PtrLayout;

namespace poplar {

FieldData::FieldData(std::unique_ptr<FieldView> view) : view_(std::move(view)) {}
FieldData::FieldData(FieldData &&) noexcept = default;
FieldData &FieldData::operator=(FieldData &&) noexcept = default;
FieldData::~FieldData() = default;

std::size_t FieldData::size() const { return view_->size().value_or(0); }

unsigned FieldData::getSizeAtIndex(std::size_t i) const {
  if (i >= size())
    throw index_error(
        fmt::format("{} has {} elements; the size of element {} is requested.", view_->name(), size(), i));
  if (!view_->nested())
    return 1;
  const auto edge = view_->edgeAt(static_cast<std::uint32_t>(i));
  return edge ? static_cast<unsigned>(edge->elements()) : 0;
}

namespace {

const std::string &architecture(const FieldView &f) { return f.graph->ir.machine.architecture; }

layout::Vector publicLayout(PtrLayout l) {
  switch (l) {
  case PtrLayout::NotAVector: return layout::Vector::NotAVector;
  case PtrLayout::Span: return layout::Vector::Span;
  case PtrLayout::ShortSpan: return layout::Vector::ShortSpan;
  case PtrLayout::OnePtr: return layout::Vector::OnePtr;
  case PtrLayout::ScaledPtr32: return layout::Vector::ScaledPtr32;
  case PtrLayout::ScaledPtr64: return layout::Vector::ScaledPtr64;
  case PtrLayout::ScaledPtr128: return layout::Vector::ScaledPtr128;
  case PtrLayout::CompactPtr: break; // resolved before
  }
  return layout::Vector::OnePtr;
}

layout::VectorList publicLayout(ListLayout l) {
  switch (l) {
  case ListLayout::NotAVector: return layout::VectorList::NotAVector;
  case ListLayout::OnePtr: return layout::VectorList::OnePtr;
  case ListLayout::ScaledPtr32: return layout::VectorList::ScaledPtr32;
  case ListLayout::ScaledPtr64: return layout::VectorList::ScaledPtr64;
  case ListLayout::ScaledPtr128: return layout::VectorList::ScaledPtr128;
  case ListLayout::DeltaN: return layout::VectorList::DeltaN;
  case ListLayout::DeltaNElements: return layout::VectorList::DeltaNElements;
  case ListLayout::CompactDeltaN: break; // resolved before
  }
  return layout::VectorList::DeltaN;
}

/// Returns the values of the constants to which an edge is connected. Throws poplar_error if the edge has an element of
/// a variable.
std::vector<std::uint8_t> edgeConstants(const FieldView &f, const popscope::RunList &runs) {
  for (const popscope::ViewRun &run : runs)
    if (!f.graph->ir.vars[run.var].constant)
      throw poplar_error(fmt::format("{} has no initial value: it is connected to a variable.", f.name()));
  return popscope::initialBytes(f.graph->ir, f.info().type, runs);
}

std::vector<std::uint8_t> allBytes(const FieldView &f) {
  if (const auto state = f.state())
    return {state->bytes.begin(), state->bytes.end()};
  if (f.info().direction == popscope::FieldDirection::State && f.size()) // uninitialised state starts as 0
    return std::vector<std::uint8_t>(*f.size() * popscope::elementBytes(f.info().type), 0);
  std::vector<std::uint8_t> bytes;
  for (const popscope::GraphEdge &e : f.edges()) {
    const std::vector<std::uint8_t> part = edgeConstants(f, e.runs);
    bytes.insert(bytes.end(), part.begin(), part.end());
  }
  return bytes;
}

} // namespace

layout::Vector FieldData::getProfilerVectorLayout(std::size_t nestingLevel) const {
  const popscope::FieldInfo &info = view_->info();
  if (nestingLevel > 1)
    throw index_error(fmt::format("{} has no vector at nesting level {}.", view_->name(), nestingLevel));
  const PtrLayout layout = nestingLevel == 0 ? info.outer : info.inner;
  return publicLayout(popscope::resolveLayout(layout, info.minAlign, architecture(*view_)));
}

layout::VectorList FieldData::getProfilerVectorListLayout() const {
  return publicLayout(popscope::resolveLayout(view_->info().list, architecture(*view_)));
}

void FieldData::readValues(const TypeTraits &traits, void *out, std::size_t begin, std::size_t count) const {
  const std::vector<std::uint8_t> bytes = allBytes(*view_);
  const std::size_t size = popscope::elementBytes(view_->info().type);
  if (begin > bytes.size() / size || count > bytes.size() / size - begin)
    throw poplar_error(fmt::format("{} has {} initial values; {} values from number {} on are requested.",
                                   view_->name(), bytes.size() / size, count, begin));
  popscope::fromDevice(view_->info().type,
                       {bytes.begin() + static_cast<std::ptrdiff_t>(begin * size),
                        bytes.begin() + static_cast<std::ptrdiff_t>((begin + count) * size)},
                       traits, out, count);
}

void FieldData::readRow(const TypeTraits &traits, void *out, std::size_t row) const {
  const auto edge = view_->edgeAt(static_cast<std::uint32_t>(row));
  if (!edge || !view_->nested())
    throw poplar_error(fmt::format("{} has no initial values in row {}.", view_->name(), row));
  popscope::fromDevice(view_->info().type, edgeConstants(*view_, edge->runs), traits, out, edge->elements());
}

VertexIntrospector::VertexIntrospector(VertexIntrospector &&) noexcept = default;

FieldData VertexIntrospector::getFieldInfo(const std::string &name) const {
  const popscope::VertexId id(vertex_);
  const popscope::VertexClass &type = graph_->ir.codelets.at(graph_->ir.vertices[id].codelet);
  const int field = popscope::findField(type, name);
  if (field < 0)
    popscope::throwUnknownField(type, name);
  auto view = std::make_unique<FieldView>();
  view->graph = graph_;
  view->vertex = id;
  view->field = static_cast<std::uint16_t>(field);
  return popscope::GraphAccess::fieldData(std::move(view));
}

ComputeSet VertexIntrospector::getComputeSet() const {
  return popscope::GraphAccess::computeSet(graph_->ir.id, graph_->ir.vertices[popscope::VertexId(vertex_)].computeSet);
}

} // namespace poplar
