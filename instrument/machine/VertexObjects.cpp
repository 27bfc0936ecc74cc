#include "instrument/machine/VertexObjects.hpp"

#include "base/Check.hpp"
#include "base/Half.hpp"
#include "base/Parallel.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>

namespace popscope {
namespace {

constexpr std::size_t kBlockBytes = 64 * 1024;
constexpr std::size_t kVerticesPerSlab = 4096; // vertices that one task builds, in memory of their own

bool isEdge(const FieldInfo &field) { return field.direction != FieldDirection::State; }
bool isSingle(const FieldInfo &field) {
  return field.shape == FieldShape::Scalar || field.shape == FieldShape::VectorOfScalars;
}
bool isNested(const FieldInfo &field) {
  return field.shape == FieldShape::VectorOfVectors || field.shape == FieldShape::VectorList;
}

// Builds the objects of one slab. Reuses its buffers for all vertices.
class ObjectBuilder {
public:
  ObjectBuilder(const StepProgram &program, const DeviceState &state, HostSlab &slab,
                std::vector<ConvertedOperand> &converted)
      : program_(program), state_(state), slab_(slab), nothing_(slab.allocate(kHomeSlack, kHomeAlignment)),
        converted_(converted) {}

  void *build(const StepVertex &vertex, const VertexClass &vertexClass) {
    class_ = &vertexClass;
    object_ = static_cast<std::uint8_t *>(
        slab_.allocate(std::max<std::size_t>(vertexClass.hostSize, 1), vertexClass.hostAlign));
    countElements(vertex);
    for (std::size_t f = 0; f < vertexClass.fields.size(); ++f)
      placeEmpty(f);
    for (std::uint32_t s = vertex.firstState; s < vertex.firstState + program_.formOf(vertex).numState; ++s)
      placeState(program_.states[s]);
    for (const VertexEdge edge : program_.edgesOf(vertex))
      placeEdge(edge);
    return object_;
  }

private:
  const FieldInfo &field(std::size_t index) const {
    POPSCOPE_CHECK(index < class_->fields.size(), "vertex class '{}' has {} fields, a vertex uses field {}",
                   class_->name, class_->fields.size(), index);
    return class_->fields[index];
  }

  // Computes the size of every vector field that is not state: the given size, but at least the size that the edges
  // need. A single operand has size 1 if it is connected.
  void countElements(const StepVertex &vertex) {
    counts_.assign(class_->fields.size(), 0);
    for (std::uint32_t s = vertex.firstState; s < vertex.firstState + program_.formOf(vertex).numState; ++s)
      if (isEdge(field(program_.states[s].field)) && field(program_.states[s].field).shape != FieldShape::Scalar)
        counts_[program_.states[s].field] = program_.states[s].elements;
    for (const VertexEdge edge : program_.edgesOf(vertex)) {
      const FieldInfo &f = field(edge.field);
      POPSCOPE_CHECK(isEdge(f), "field '{}' of '{}' is a state and has an edge", f.name, class_->name);
      if (f.shape == FieldShape::VectorOfScalars || isNested(f))
        counts_[edge.field] = std::max<std::uint64_t>(counts_[edge.field], edge.subIndex + 1ULL);
      else
        POPSCOPE_CHECK(edge.subIndex == 0, "field '{}' of '{}' is one operand and has an edge {}", f.name, class_->name,
                       edge.subIndex);
      if (f.shape == FieldShape::Scalar && edge.elements != 0)
        counts_[edge.field] = 1;
    }
  }

  void placeEmpty(std::size_t index) {
    const FieldInfo &f = class_->fields[index];
    const std::uint64_t n = counts_[index];
    if (!isEdge(f)) {
      if (f.shape != FieldShape::Scalar)
        put(f, HostSpan{nothing_, 0});
      return;
    }
    const std::size_t size = hostElementBytes(f);
    switch (f.shape) {
    case FieldShape::Scalar:
      if (n == 0)
        put(f, slab_.allocate(size, kHomeAlignment));
      break;
    case FieldShape::Vector:
      put(f, n == 0 ? HostSpan{nothing_, 0} : HostSpan{slab_.allocate(n * size + kHomeSlack, kHomeAlignment), n});
      break;
    case FieldShape::VectorOfScalars: putInner(f, n, [&] { return slab_.allocate(size, kHomeAlignment); }); break;
    case FieldShape::VectorOfVectors:
    case FieldShape::VectorList: putInner(f, n, [&] { return HostSpan{nothing_, 0}; }); break;
    }
  }

  void placeState(const StateValue &value) {
    const FieldInfo &f = field(value.field);
    if (isEdge(f))
      return; // a size, which is already placed
    const std::size_t bytes = value.elements * hostElementBytes(f);
    POPSCOPE_CHECK(value.firstByte + value.elements * elementBytes(f.type) <= program_.data.size(),
                   "state '{}' of '{}' ends after the data table", f.name, class_->name);
    const std::uint8_t *from = program_.data.data() + value.firstByte;
    if (f.shape == FieldShape::Scalar) {
      POPSCOPE_CHECK(value.elements == 1, "scalar state '{}' of '{}' has {} values", f.name, class_->name,
                     value.elements);
      POPSCOPE_CHECK(f.hostOffset + bytes <= class_->hostSize, "field '{}' lies outside the {} bytes of '{}'", f.name,
                     class_->hostSize, class_->name);
      copyState(f, object_ + f.hostOffset, from, value.elements);
      return;
    }
    POPSCOPE_CHECK(f.shape == FieldShape::Vector, "state '{}' of '{}' is neither a scalar nor a vector", f.name,
                   class_->name);
    if (value.elements == 0)
      return;
    void *copy = slab_.allocate(bytes + kHomeSlack, kHomeAlignment);
    copyState(f, copy, from, value.elements);
    put(f, HostSpan{copy, static_cast<std::size_t>(value.elements)});
  }

  static void copyState(const FieldInfo &f, void *to, const void *from, std::uint64_t elements) {
    if (f.halfAsFloat) {
      std::vector<float> values(elements); // a field of an object may have any alignment
      halvesToFloats(from, values.data(), elements);
      std::memcpy(to, values.data(), elements * sizeof(float));
    } else {
      std::memcpy(to, from, elements * elementBytes(f.type));
    }
  }

  /// Returns the data pointer that the vertex gets for the edge: into the home, or to a copy in the required form.
  void *dataOf(const FieldInfo &f, const VertexEdge &edge) {
    std::uint8_t *const home = state_.at(edge.home, edge.offset);
    if (f.halfAsFloat == state_.holdsFloats(edge.home))
      return home;
    ConvertedOperand operand;
    operand.home = home;
    operand.elements = isSingle(f) ? 1 : edge.elements;
    operand.copy = slab_.allocate(operand.elements * hostElementBytes(f) + kHomeSlack, kHomeAlignment);
    operand.homeHoldsFloats = !f.halfAsFloat;
    operand.writes = edge.writes;
    converted_.push_back(operand);
    return operand.copy;
  }

  void placeEdge(const VertexEdge &edge) {
    if (edge.elements == 0)
      return;
    const FieldInfo &f = field(edge.field);
    void *const data = dataOf(f, edge);
    switch (f.shape) {
    case FieldShape::Scalar: put(f, data); break;
    case FieldShape::Vector: put(f, HostSpan{data, static_cast<std::size_t>(edge.elements)}); break;
    case FieldShape::VectorOfScalars: static_cast<void **>(outer(f).data)[edge.subIndex] = data; break;
    case FieldShape::VectorOfVectors:
    case FieldShape::VectorList:
      static_cast<HostSpan *>(outer(f).data)[edge.subIndex] = HostSpan{data, static_cast<std::size_t>(edge.elements)};
      break;
    }
  }

  template <class T> void put(const FieldInfo &f, const T &value) {
    POPSCOPE_CHECK(f.hostOffset + sizeof(T) <= class_->hostSize, "field '{}' lies outside the {} bytes of '{}'", f.name,
                   class_->hostSize, class_->name);
    std::memcpy(object_ + f.hostOffset, &value, sizeof(T));
  }

  template <class Make> void putInner(const FieldInfo &f, std::uint64_t n, const Make &make) {
    using T = decltype(make());
    if (n == 0)
      return put(f, HostSpan{nothing_, 0});
    T *inner = static_cast<T *>(slab_.allocate(n * sizeof(T), alignof(T)));
    for (std::uint64_t i = 0; i < n; ++i)
      new (inner + i) T(make());
    put(f, HostSpan{inner, static_cast<std::size_t>(n)});
  }

  HostSpan outer(const FieldInfo &f) const {
    HostSpan span;
    std::memcpy(&span, object_ + f.hostOffset, sizeof span);
    return span;
  }

  const StepProgram &program_;
  const DeviceState &state_;
  HostSlab &slab_;
  void *nothing_; // target of empty spans; never read or written
  std::vector<ConvertedOperand> &converted_;
  const VertexClass *class_ = nullptr;
  std::uint8_t *object_ = nullptr;
  std::vector<std::uint64_t> counts_;
};

} // namespace

void ConvertedOperand::load() const {
  if (homeHoldsFloats)
    floatsToHalves(static_cast<const float *>(home), copy, elements);
  else
    halvesToFloats(home, static_cast<float *>(copy), elements);
}

void ConvertedOperand::store() const {
  if (!writes)
    return;
  if (homeHoldsFloats) {
    auto *const to = static_cast<float *>(home);
    const auto *const bits = static_cast<const std::uint16_t *>(copy);
    for (std::uint64_t i = 0; i != elements; ++i)
      if (floatToHalf(to[i]) != bits[i])
        to[i] = halfToFloat(bits[i]);
  } else {
    auto *const to = static_cast<std::uint8_t *>(home);
    const auto *const values = static_cast<const float *>(copy);
    for (std::uint64_t i = 0; i != elements; ++i) {
      const std::uint16_t bits = floatToHalf(values[i]);
      std::memcpy(to + i * sizeof bits, &bits, sizeof bits);
    }
  }
}

void *HostSlab::allocate(std::size_t bytes, std::size_t align) {
  const auto skip = [&] { return (align - reinterpret_cast<std::uintptr_t>(next_) % align) % align; };
  if (next_ == nullptr || skip() + bytes > left_) {
    const std::size_t block = std::max(bytes + align, kBlockBytes);
    blocks_.emplace_back(std::calloc(block, 1));
    if (!blocks_.back())
      throw std::bad_alloc();
    next_ = static_cast<std::uint8_t *>(blocks_.back().get());
    left_ = block;
  }
  const std::size_t gap = skip();
  void *piece = next_ + gap;
  next_ += gap + bytes;
  left_ -= gap + bytes;
  return piece;
}

VertexObjects::VertexObjects(const StepProgram &program, const CodeletSet &codelets, const DeviceState &state,
                             Threads threads)
    : program_(program), codelets_(codelets), state_(state), classes_(program.vertexTypes.size(), nullptr),
      slabs_((program.vertices.size() + kVerticesPerSlab - 1) / kVerticesPerSlab), converted_(slabs_.size()),
      calls_(program.vertices.size()) {
  for (std::uint32_t t = 0; t < classes_.size(); ++t) {
    const std::int64_t codelet = program.vertexTypes[VertexTypeId(t)].codelet;
    if (codelet >= 0 && static_cast<std::size_t>(codelet) < codelets.size())
      classes_[VertexTypeId(t)] = &codelets.at(static_cast<int>(codelet));
  }
  parallelFor(threads, slabs_.size(), [&](std::size_t s) {
    Converted &converted = converted_[s];
    ObjectBuilder builder(program_, state_, slabs_[s], converted.operands);
    const std::size_t end = std::min(calls_.size(), (s + 1) * kVerticesPerSlab);
    for (std::size_t v = s * kVerticesPerSlab; v < end; ++v) {
      const VertexClass &c = classOf(v);
      const std::size_t before = converted.operands.size();
      calls_[v] = {c.kind == VertexClassKind::Multi || c.place != nullptr ? nullptr : c.run,
                   builder.build(program_.vertices[v], c)};
      if (converted.operands.size() == before)
        continue;
      calls_[v].run = nullptr;
      converted.ends.emplace_back(v, converted.operands.size());
    }
  });
}

const VertexClass &VertexObjects::noClass(VertexTypeId type) const {
  const StepVertexType &t = program_.vertexTypes[type];
  POPSCOPE_CHECK(false, "vertex type '{}' names codelet {} of {}", t.name, t.codelet, codelets_.size());
  return *classes_[type];
}

std::span<const ConvertedOperand> VertexObjects::converted(std::size_t vertex) const {
  const Converted &all = converted_[vertex / kVerticesPerSlab];
  const auto at = std::lower_bound(all.ends.begin(), all.ends.end(), vertex,
                                   [](const auto &end, std::size_t v) { return end.first < v; });
  if (at == all.ends.end() || at->first != vertex)
    return {};
  const std::size_t begin = at == all.ends.begin() ? 0 : std::prev(at)->second;
  return std::span(all.operands).subspan(begin, at->second - begin);
}

// Lists the operands of a vertex in the order of the stand-in's interface: states, then edges, then sizes of fields
// that are not connected. Cost: linear in the vertex's fields and edges.
std::vector<StandInOperand> VertexObjects::operands(std::size_t vertex, HostSlab &halves) const {
  const auto rounded = [&halves](const void *floats, std::uint64_t elements) {
    void *const bits = halves.allocate(elements * elementBytes(ElementType::Half), kHomeAlignment);
    std::vector<float> values(elements); // a field of an object may have any alignment
    std::memcpy(values.data(), floats, elements * sizeof(float));
    floatsToHalves(values.data(), bits, elements);
    return bits;
  };
  const StepVertex &v = program_.vertices[vertex];
  const VertexClass &vertexClass = classOf(vertex);
  const auto *object = static_cast<const std::uint8_t *>(calls_[vertex].object);
  std::vector<StandInOperand> result;
  std::vector<std::uint64_t> connected(vertexClass.fields.size(), 0); // one past the highest connected index
  for (std::size_t f = 0; f < vertexClass.fields.size(); ++f) {
    const FieldInfo &field = vertexClass.fields[f];
    if (isEdge(field))
      continue;
    HostSpan span{const_cast<std::uint8_t *>(object + field.hostOffset), 1};
    if (field.shape != FieldShape::Scalar)
      std::memcpy(&span, object + field.hostOffset, sizeof span);
    if (field.halfAsFloat && span.size != 0)
      span.data = rounded(span.data, span.size);
    result.push_back({static_cast<std::uint16_t>(f), 0, span.data, span.size});
  }
  for (const VertexEdge edge : program_.edgesOf(v)) {
    const void *data = edge.elements == 0 ? nullptr : state_.at(edge.home, edge.offset);
    if (edge.elements != 0 && state_.holdsFloats(edge.home))
      data = rounded(data, edge.elements);
    // A pointer to one element always has an element: zero if nothing is connected, as in the host object.
    const bool single = isSingle(vertexClass.fields[edge.field]);
    result.push_back({static_cast<std::uint16_t>(edge.field), edge.subIndex, data, single ? 1 : edge.elements});
    connected[edge.field] = std::max<std::uint64_t>(connected[edge.field], edge.subIndex + 1ULL);
  }
  // Sizes without operands: zero elements for a plain vector, a last empty entry for a vector of operands.
  for (std::uint32_t s = v.firstState; s < v.firstState + program_.formOf(v).numState; ++s) {
    const StateValue &value = program_.states[s];
    const FieldInfo &field = vertexClass.fields[value.field];
    if (!isEdge(field) || value.elements <= connected[value.field])
      continue;
    if (field.shape == FieldShape::Vector) {
      if (connected[value.field] == 0)
        result.push_back({value.field, 0, nullptr, value.elements});
    } else if (field.shape != FieldShape::Scalar) {
      result.push_back(
          {value.field, static_cast<std::uint32_t>(value.elements - 1), nullptr, isSingle(field) ? 1U : 0U});
    }
  }
  return result;
}

} // namespace popscope
