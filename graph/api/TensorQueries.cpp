// Tensor: values, queries and text.
#include "graph/api/Describe.hpp"
#include "graph/api/GraphAccess.hpp"
#include "graph/api/TensorChecks.hpp"
#include "graph/api/ValueConversion.hpp"
#include "graph/ir/ViewOps.hpp"

#include "base/PublicTypes.hpp"
#include "base/ShownText.hpp"

#include <poplar/Tensor.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <sstream>

using popscope::GraphAccess;
using popscope::TensorData;
using popscope::ViewPiece;

namespace poplar {

Tensor::Tensor() = default;
Tensor::Tensor(const Tensor &) = default;
Tensor::Tensor(Tensor &&) noexcept = default;
Tensor::~Tensor() = default;
Tensor &Tensor::operator=(const Tensor &) & = default;
Tensor &Tensor::operator=(Tensor &&) &noexcept = default;
Tensor::Tensor(std::shared_ptr<const TensorData> data) : data_(std::move(data)) {}

Type Tensor::elementType() const { return popscope::makeType(GraphAccess::shapeOf(*this).view.type); }
std::size_t Tensor::numElements() const { return GraphAccess::shapeOf(*this).view.elements(); }
std::vector<std::size_t> Tensor::shape() const { return GraphAccess::shapeOf(*this).view.shape; }
unsigned Tensor::rank() const { return static_cast<unsigned>(GraphAccess::shapeOf(*this).view.shape.size()); }
bool Tensor::valid() const { return data_ != nullptr; }
std::size_t Tensor::dim(unsigned i) const {
  popscope::checkDimension(GraphAccess::shapeOf(*this), i, "dim");
  return data_->view.shape[i];
}

bool Tensor::isContiguous() const {
  popscope::PieceReader reader(GraphAccess::data(*this).view);
  return !reader.next() || !reader.next();
}
bool Tensor::containsAliases() const { return popscope::containsAliases(GraphAccess::data(*this).view); }
bool Tensor::containsConstant() const {
  const TensorData &t = GraphAccess::data(*this);
  return std::any_of(t.view.runs.begin(), t.view.runs.end(),
                     [&](const popscope::ViewRun &r) { return t.graph->ir.vars[r.var].constant; });
}
bool Tensor::isParallelWriteable() const { return !containsConstant() && !containsAliases(); }

std::vector<Interval> Tensor::getContiguousRegions() const {
  std::vector<Interval> regions;
  for (const ViewPiece &p : popscope::contiguousPieces(GraphAccess::data(*this).view))
    regions.emplace_back(p.position, p.position + p.count);
  return regions;
}

std::vector<VariableInterval> Tensor::getVarRegions() const {
  std::vector<VariableInterval> regions;
  for (const ViewPiece &p : popscope::contiguousPieces(GraphAccess::data(*this).view))
    regions.emplace_back(VariableRef(p.var.index(), 0), Interval(p.begin, p.begin + p.count));
  return regions;
}

bool Tensor::readConstant(const TypeTraits &traits, void *out, std::size_t elements) const {
  const TensorData &t = GraphAccess::data(*this);
  if (t.view.elements() != elements)
    return false;
  for (const popscope::ViewRun &r : t.view.runs)
    if (!t.graph->ir.vars[r.var].constant || t.graph->ir.vars[r.var].initial.empty())
      return false;
  popscope::fromDevice(t.view.type, popscope::initialBytes(t), traits, out, elements);
  return true;
}

bool Tensor::intersectsWith(const Tensor &other) const {
  const TensorData &a = GraphAccess::data(*this);
  const TensorData &b = GraphAccess::data(other);
  return a.graph == b.graph && popscope::intersects(a.view, b.view);
}

bool Tensor::isAliasOf(const Tensor &other) const {
  const TensorData &a = GraphAccess::data(*this);
  const TensorData &b = GraphAccess::data(other);
  return a.graph == b.graph && popscope::sameElements(a.view, b.view);
}

bool Tensor::operator==(const Tensor &other) const {
  if (!valid() || !other.valid())
    return valid() == other.valid();
  return data_ == other.data_ || (data_->view.type == other.data_->view.type &&
                                  data_->view.shape == other.data_->view.shape && isAliasOf(other));
}
bool Tensor::operator!=(const Tensor &other) const { return !(*this == other); }

std::string Tensor::shapeToString() const { return popscope::shapeText(GraphAccess::shapeOf(*this).view.shape); }
std::string Tensor::getVarStr() const { return popscope::variableNames(GraphAccess::data(*this), ","); }
std::string Tensor::getDebugStr() const {
  return valid() ? popscope::shownText(popscope::describe(*data_)) : "invalid tensor";
}

std::ostream &Tensor::output(std::ostream &os) const {
  os << getDebugStr();
  return os;
}

std::ostream &Tensor::outputRegions(std::ostream &os) const {
  const TensorData &t = GraphAccess::data(*this);
  os << getDebugStr() << " regions:";
  for (const ViewPiece &p : popscope::contiguousPieces(t.view))
    os << fmt::format(" {}#{}[{},{})", popscope::shownText(t.graph->ir.names[t.graph->ir.vars[p.var].name]),
                      p.var.index(), p.begin, p.begin + p.count);
  return os;
}

void Tensor::dump() const { output(std::cerr) << '\n'; }
void Tensor::dumpRegions() const { outputRegions(std::cerr) << '\n'; }

Tensor Tensor::getMetadata() const { return hasMetadata() ? GraphAccess::tensor(data_->metadata) : Tensor(); }
bool Tensor::hasMetadata() const { return GraphAccess::data(*this).metadata != nullptr; }
Tensor Tensor::associateMetadata(const Tensor &metadata) const {
  const TensorData &t = GraphAccess::data(*this);
  const TensorData &m = GraphAccess::data(metadata);
  if (t.view.type != popscope::ElementType::Quarter || m.view.type != popscope::ElementType::QuarterMetadata)
    throw type_error("associateMetadata: " + popscope::describe(t) + " and " + popscope::describe(m) +
                     ": only quarter tensors take metadata, of type quarter_metadata.");
  if (t.graph != m.graph)
    throw poplar_error(fmt::format("associateMetadata: {} belongs to another graph than {}.", popscope::describe(m),
                                   popscope::describe(t)));
  return GraphAccess::tensor(std::make_shared<const TensorData>(t.view, t.graph, metadata.data_));
}

std::ostream &operator<<(std::ostream &os, const Tensor &tensor) { return tensor.output(os); }

} // namespace poplar
