#include "tests/unit/codelets/Support.hpp"

namespace popscope::test {
namespace {

bool isNested(FieldShape shape) { return shape != FieldShape::Scalar && shape != FieldShape::Vector; }

} // namespace

bool runOnHost(const VertexClass &c, std::vector<Operand> &operands, unsigned worker) {
  std::vector<std::max_align_t> object(c.hostSize / sizeof(std::max_align_t) + 1);
  char *const state = reinterpret_cast<char *>(object.data());
  std::vector<std::vector<HostSpan>> tables(c.fields.size());
  std::vector<std::vector<void *>> scalarTables(c.fields.size());
  for (Operand &o : operands) {
    const FieldInfo &field = c.fields[o.field];
    char *const place = state + field.hostOffset;
    void *const data = o.bytes.data();
    if (field.shape == FieldShape::Scalar && field.direction == FieldDirection::State)
      std::memcpy(place, data, o.bytes.size());
    else if (field.shape == FieldShape::Scalar)
      std::memcpy(place, &data, sizeof data);
    else if (field.shape == FieldShape::Vector) {
      const HostSpan span{data, o.elements};
      std::memcpy(place, &span, sizeof span);
    } else if (field.shape == FieldShape::VectorOfScalars)
      scalarTables[o.field].push_back(data);
    else
      tables[o.field].push_back({data, o.elements});
  }
  for (std::size_t f = 0; f != c.fields.size(); ++f) {
    if (!isNested(c.fields[f].shape))
      continue;
    const bool scalars = c.fields[f].shape == FieldShape::VectorOfScalars;
    const HostSpan span{scalars ? static_cast<void *>(scalarTables[f].data()) : static_cast<void *>(tables[f].data()),
                        scalars ? scalarTables[f].size() : tables[f].size()};
    std::memcpy(state + c.fields[f].hostOffset, &span, sizeof span);
  }
  if (c.place != nullptr) {
    popscope_device::Place &place = *c.place();
    place = {};
    place.worker = worker;
    place.vertex = state;
    place.random[0] = 1;
    place.random[1] = 2;
  }
  return c.run(state, worker);
}

StandInResult runOnStandIn(const VertexClass &c, const std::vector<Operand> &operands,
                           std::vector<std::vector<std::uint8_t>> &after, unsigned worker, const LibraryCost &cost) {
  std::vector<StandInOperand> views;
  for (const Operand &o : operands)
    views.push_back({o.field, o.subIndex, o.bytes.data(), o.elements});
  return runStandIn(c, views, cost, worker, 100'000'000, &after);
}

} // namespace popscope::test
