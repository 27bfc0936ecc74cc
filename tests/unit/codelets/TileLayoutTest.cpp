#include "graph/codelets/TileLayout.hpp"

#include <doctest/doctest.h>
#include <poplar/exceptions.hpp>

using namespace popscope;

namespace {

FieldInfo state(ElementType type) {
  FieldInfo f;
  f.type = type;
  return f;
}
FieldInfo edge(PtrLayout layout, std::uint32_t align = 4, ElementType type = ElementType::Float) {
  FieldInfo f;
  f.direction = FieldDirection::InOut;
  f.shape = layout == PtrLayout::NotAVector ? FieldShape::Scalar : FieldShape::Vector;
  f.type = type;
  f.outer = layout;
  f.minAlign = align;
  return f;
}
FieldInfo nested(PtrLayout outer, PtrLayout inner, std::uint32_t align = 4) {
  FieldInfo f = edge(outer, align);
  f.shape = FieldShape::VectorOfVectors;
  f.inner = inner;
  return f;
}
FieldInfo list(ListLayout layout, std::uint32_t align = 4) {
  FieldInfo f = edge(PtrLayout::NotAVector, align);
  f.shape = FieldShape::VectorList;
  f.list = layout;
  return f;
}
VertexClass classOf(std::vector<FieldInfo> fields) {
  VertexClass c;
  c.fields = std::move(fields);
  return c;
}
std::vector<FieldInfo> repeated(const FieldInfo &field, std::size_t count) {
  return std::vector<FieldInfo>(count, field);
}
std::vector<FieldInfo> operator+(std::vector<FieldInfo> a, const std::vector<FieldInfo> &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

} // namespace

TEST_SUITE_BEGIN("graph.codelets");

// States of vertices whose size on ipu1 is published.
TEST_CASE("states of published vertices have their published sizes on ipu1") {
  const FieldInfo halfword = state(ElementType::UnsignedShort), word = state(ElementType::Float);
  const FieldInfo scaled = edge(PtrLayout::ScaledPtr32);
  // ScaledAddSupervisor: span 8, pointer 4, float 4
  CHECK(tileStateBytes(classOf({edge(PtrLayout::Span), edge(PtrLayout::OnePtr), word}), "ipu1") == 16);
  // LossSumSquared: four scaled pointers and a halfword, alignment 2
  CHECK(tileStateBytes(classOf(repeated(scaled, 4) + repeated(halfword, 1)), "ipu1") == 10);
  // ConvPartial1x1Out: four scaled pointers and seven halfwords
  CHECK(tileStateBytes(classOf(repeated(scaled, 4) + repeated(halfword, 7)), "ipu1") == 22);
  // NonLinearitySupervisor: scaled pointer and halfword
  CHECK(tileStateBytes(classOf({scaled, halfword}), "ipu1") == 4);
  // Reduce: delta list, scaled pointer, delta list
  CHECK(tileStateBytes(classOf({list(ListLayout::CompactDeltaN), scaled, list(ListLayout::CompactDeltaN)}), "ipu1") ==
        14);
  // ScaledAdd2D: vector of spans, pointer to pointers, float; 12 bytes per row
  const VertexClass scaledAdd2D =
      classOf({nested(PtrLayout::Span, PtrLayout::Span), nested(PtrLayout::OnePtr, PtrLayout::OnePtr), word});
  CHECK(tileStateBytes(scaledAdd2D, "ipu1") == 16);
  CHECK(tileVertexBytes(scaledAdd2D, {{3, {5, 5, 5}}, {3, {5, 5, 5}}, {}}, "ipu1").fieldData == 3 * 12);
}

TEST_CASE("each sub-vector of a compact pointer takes 2 bytes on ipu1 and 4 later") {
  const VertexClass c = classOf({nested(PtrLayout::OnePtr, PtrLayout::CompactPtr, 8)});
  CHECK(tileVertexBytes(c, {{7, {}}}, "ipu1").fieldData == 14);
  CHECK(tileVertexBytes(c, {{7, {}}}, "ipu2").fieldData == 28);
}

TEST_CASE("a vector list keeps one descriptor word for each vector") {
  const TileVertexBytes bytes = tileVertexBytes(classOf({list(ListLayout::CompactDeltaN)}), {{132, {}}}, "ipu1");
  CHECK(bytes.vectorListDescriptor == 528); // the seed's total: 132 entries
  CHECK(bytes.instanceState == 6);
  CHECK(tileStateBytes(classOf({list(ListLayout::CompactDeltaN)}), "ipu2") == 8);
}

TEST_CASE("bytes by storage kind and by category have the same sum") {
  const VertexClass c = classOf({state(ElementType::Bool), edge(PtrLayout::ShortSpan), state(ElementType::Half),
                                 list(ListLayout::DeltaNElements), nested(PtrLayout::Span, PtrLayout::ShortSpan),
                                 edge(PtrLayout::NotAVector), state(ElementType::Char)});
  const std::vector<FieldCounts> counts = {{}, {9, {}}, {}, {4, {1, 2, 3, 4}}, {2, {8, 8}}, {1, {}}, {}};
  for (const char *target : {"ipu1", "ipu2", "ipu21"}) {
    const TileVertexBytes b = tileVertexBytes(c, counts, target);
    CHECK(b.instanceState + b.fieldData + b.vectorListDescriptor ==
          b.internalState + b.edgePointers + b.padding + b.descriptors);
    CHECK(b.padding == 3 + 2 + 3); // after bool, after half, after char
    CHECK(b.instanceState == 36);
  }
}

TEST_CASE("a state vector's elements are internal state outside of the vertex") {
  FieldInfo f = state(ElementType::UnsignedShort);
  f.shape = FieldShape::Vector;
  f.outer = PtrLayout::OnePtr;
  const TileVertexBytes b = tileVertexBytes(classOf({f}), {{10, {}}}, "ipu1");
  CHECK(b.instanceState == 4);
  CHECK(b.fieldData == 20);
  CHECK(b.internalState == 24);
}

TEST_CASE("compact layouts follow the target and the alignment") {
  CHECK(resolveLayout(PtrLayout::CompactPtr, 8, "ipu1") == PtrLayout::ScaledPtr64);
  CHECK(resolveLayout(PtrLayout::CompactPtr, 4, "ipu1") == PtrLayout::ScaledPtr32);
  CHECK(resolveLayout(PtrLayout::CompactPtr, 2, "ipu1") == PtrLayout::OnePtr);
  CHECK(resolveLayout(PtrLayout::CompactPtr, 8, "ipu2") == PtrLayout::OnePtr);
  CHECK(resolveLayout(ListLayout::CompactDeltaN, "ipu1") == ListLayout::DeltaN);
  CHECK(resolveLayout(ListLayout::CompactDeltaN, "ipu21") == ListLayout::DeltaNElements);
  CHECK_THROWS_AS(resolveLayout(PtrLayout::Span, 4, "ipu7"), poplar::poplar_error);
}

TEST_CASE("a field's largest size is what its representation can count") {
  CHECK(maxFieldDim(edge(PtrLayout::ShortSpan), 0, "ipu1") == 2047);
  CHECK(maxFieldDim(list(ListLayout::DeltaN), 0, "ipu1") == 4095);
  CHECK(maxFieldDim(list(ListLayout::DeltaN), 1, "ipu1") == 16383);
  FieldInfo halves = list(ListLayout::DeltaNElements, 2);
  halves.type = ElementType::Half;
  CHECK(maxFieldDim(halves, 1, "ipu2") == 4095); // 20 bits of offset leave 12
  CHECK(maxFieldDim(nested(PtrLayout::Span, PtrLayout::ShortSpan), 0, "ipu2") == 0xffffffff);
  CHECK(maxFieldDim(nested(PtrLayout::Span, PtrLayout::ShortSpan), 1, "ipu2") == 2047);
}

TEST_CASE("the lines of a state follow each other without a gap, in the order of the fields, and add up to it") {
  const VertexClass all =
      classOf({state(ElementType::Bool), edge(PtrLayout::Span), state(ElementType::Half), edge(PtrLayout::OnePtr),
               nested(PtrLayout::Span, PtrLayout::Span), nested(PtrLayout::OnePtr, PtrLayout::OnePtr),
               state(ElementType::UnsignedChar), list(ListLayout::DeltaN), edge(PtrLayout::ScaledPtr32)});
  for (const char *target : {"ipu1", "ipu2", "ipu21"}) {
    CAPTURE(target);
    const std::vector<StateLine> lines = tileStateLines(all, target);
    std::uint32_t end = 0;
    int next = 0;
    for (const StateLine &line : lines) {
      CHECK(line.offset == end);
      CHECK(line.bytes > 0);
      end += line.bytes;
      if (line.field < 0)
        CHECK(line.bytesPerElement == 0);
      else
        CHECK(line.field == next++);
    }
    CHECK(next == 9);
    CHECK(end == tileStateBytes(all, target));
    for (const StateLine &line : lines) {
      if (line.field == 4)
        CHECK(line.bytesPerElement == 8); // a span for each inner vector
      if (line.field == 5)
        CHECK(line.bytesPerElement == 4); // a pointer
      CHECK(line.descriptor == (line.field == 7));
    }
  }
}

TEST_CASE("what the fields have outside of the state adds up to what the vertex has there") {
  const VertexClass all = classOf({edge(PtrLayout::Span), nested(PtrLayout::Span, PtrLayout::Span),
                                   nested(PtrLayout::OnePtr, PtrLayout::OnePtr), list(ListLayout::DeltaN)});
  const std::vector<FieldCounts> counts = {{7, {}}, {3, {4, 5, 6}}, {2, {1, 9}}, {4, {2, 2, 2, 2}}};
  const TileVertexBytes whole = tileVertexBytes(all, counts, "ipu2");
  TileVertexBytes sum;
  for (std::size_t f = 0; f < counts.size(); ++f) {
    const TileVertexBytes one = tileFieldBytes(all.fields[f], counts[f], "ipu2");
    CHECK(one.instanceState == 0);
    CHECK(one.padding == 0);
    sum.fieldData += one.fieldData;
    sum.vectorListDescriptor += one.vectorListDescriptor;
    sum.edgePointers += one.edgePointers;
    sum.descriptors += one.descriptors;
  }
  CHECK(sum.fieldData == whole.fieldData);
  CHECK(sum.vectorListDescriptor == whole.vectorListDescriptor);
  CHECK(sum.descriptors == whole.descriptors);
  CHECK(tileFieldBytes(all.fields[1], counts[1], "ipu2").fieldData == 3 * 8);
  CHECK(tileFieldBytes(all.fields[2], counts[2], "ipu2").fieldData == 2 * 4);
}

TEST_SUITE_END();
