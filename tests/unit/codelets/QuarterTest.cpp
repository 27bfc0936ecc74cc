// quarter in codelets: values by the definition of the formats, and metadata that follows the edge.
#include "tests/unit/codelets/Support.hpp"

#include "graph/codelets/MetadataField.hpp"
#include "graph/codelets/TileLayout.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <poplar/QuarterFloat.hpp>

using namespace popscope;
using namespace popscope::test;
using Format = quarter_metadata::format;

namespace {

double byDefinition(unsigned bits, Format format, int scale) {
  const int mantissaBits = format == Format::quarter143 ? 3 : 2, bias = format == Format::quarter143 ? 8 : 16;
  const int exponent = static_cast<int>(bits & 0x7f) >> mantissaBits,
            mantissa = static_cast<int>(bits) & ((1 << mantissaBits) - 1);
  const double value = exponent == 0 ? std::ldexp(mantissa, 1 - bias - mantissaBits)
                                     : std::ldexp((1 << mantissaBits) + mantissa, exponent - bias - mantissaBits);
  return std::ldexp((bits & 0x80) != 0 ? -value : value, scale);
}

unsigned pattern(float value, quarter_metadata metadata, bool nanoo = true) {
  return poplar::toQuarter(value, metadata, nanoo).value;
}

} // namespace

TEST_SUITE_BEGIN("graph.codelets");

TEST_CASE("every quarter has the value of its definition, survives float, and rounds to nearest even in between") {
  for (const Format format : {Format::quarter143, Format::quarter152})
    for (const int scale : {-32, -3, 0, 1, 31}) {
      const quarter_metadata metadata(format, static_cast<signed char>(scale));
      for (unsigned bits = 0; bits != 256; ++bits) {
        const quarter q = {static_cast<std::uint8_t>(bits)};
        if (bits == 0x80) {
          CHECK(std::isnan(poplar::toFloat(q, metadata)));
          continue;
        }
        REQUIRE(double(poplar::toFloat(q, metadata)) == byDefinition(bits, format, scale));
        REQUIRE(pattern(poplar::toFloat(q, metadata), metadata) == bits);
        if (bits >= 0x7f)
          continue;
        const auto middle =
            static_cast<float>((byDefinition(bits, format, scale) + byDefinition(bits + 1, format, scale)) / 2);
        REQUIRE(pattern(middle, metadata) == bits + (bits & 1u));
        REQUIRE(pattern(std::nextafter(middle, 1e38f), metadata) == bits + 1);
        REQUIRE(pattern(std::nextafter(middle, 0.0f), metadata) == bits);
      }
    }
}

TEST_CASE("what is too large for quarter becomes NaN or the largest value, as asked") {
  const quarter_metadata f143(Format::quarter143, 0), f152(Format::quarter152, 0);
  CHECK(pattern(240, f143) == 0x7f);
  CHECK(pattern(57344, f152) == 0x7f);
  CHECK(pattern(247, f143) == 0x7f);
  CHECK(pattern(248, f143) == 0x80); // would round to 256
  CHECK(pattern(1e30f, f143, false) == 0x7f);
  CHECK(pattern(-1e30f, f152, false) == 0xff);
  CHECK(pattern(-INFINITY, f152) == 0x80);
  CHECK(pattern(NAN, f143, false) == 0x80);
  CHECK(pattern(-1e-30f, f143) == 0); // no negative zero
  CHECK(pattern(1e-40f, f143) == 0);
}

TEST_CASE("metadata is packed as the device stores it") {
  for (unsigned byte = 0; byte != 256; ++byte) {
    const MetadataType packed = {static_cast<std::uint8_t>(byte)};
    const quarter_metadata metadata = poplar::unpackMetadata(&packed);
    CHECK(poplar::packMetadata(metadata).value == (byte & 0xbf)); // bit 6 has no meaning
    CHECK((metadata.scale >= -32 && metadata.scale <= 31));
  }
}

TEST_CASE("an edge of quarter brings a field for its metadata, one more pointer in the state") {
  const CodeletSet set = codeletsOf(R"(
    class Cast : public Vertex { public:
      Input<Vector<quarter, VectorLayout::ONE_PTR>> in; Vector<Output<Vector<quarter>>> rows; Output<Vector<float>> out;
      bool compute() {
        const auto from = unpackMetadata(in.getMetadata()), to = unpackMetadata(rows.getMetadata());
        for (unsigned i = 0; i != out.size(); ++i) { out[i] = toFloat(in[i], from); rows[1][i] = toQuarter(out[i], to); }
        return true; } };)");
  const VertexClass &c = set.at(0);
  REQUIRE(c.fields.size() == 5);
  CHECK(c.fields[0].type == ElementType::Quarter);
  CHECK(c.fields[1].name == metadataFieldName("in"));
  CHECK(c.fields[1].type == ElementType::QuarterMetadata);
  CHECK(c.fields[3].name == metadataFieldName("rows"));
  CHECK(tileStateBytes(c, "ipu21") == 4 + 4 + 8 + 4 + 8);
  // F152, scale 1: 0x41 = 1.25 * 2^(16 - 16) * 2; F143, scale -1: 2.5 = 1.25 * 2^2 / 2
  std::vector<Operand> operands = {
      operandOf<std::uint8_t>(c, "in", {0x41, 0xc1}),      operandOf<std::uint8_t>(c, "in.metadata", {0x81}),
      operandOf<std::uint8_t>(c, "rows", {9, 9}, 0),       operandOf<std::uint8_t>(c, "rows", {9, 9}, 1),
      operandOf<std::uint8_t>(c, "rows.metadata", {0x3f}), operandOf(c, "out", std::vector<float>(2))};
  std::vector<std::vector<std::uint8_t>> after;
  const StandInResult simulated = runOnStandIn(c, operands, after);
  REQUIRE_MESSAGE(simulated.problem.empty(), simulated.problem);
  runOnHost(c, operands);
  CHECK(valuesOf<float>(operands[5].bytes) == std::vector<float>{2.5f, -2.5f});
  CHECK(operands[2].bytes == std::vector<std::uint8_t>{9, 9});
  CHECK(operands[3].bytes == std::vector<std::uint8_t>{0x52, 0xd2});
  for (std::size_t i = 0; i != operands.size(); ++i)
    CHECK(after[i] == operands[i].bytes);
}

TEST_CASE("an assignment to a scalar in a row of quarter writes the element and does not move the edge") {
  const CodeletSet set = codeletsOf(R"(
    class Turn : public Vertex { public:
      Vector<InOut<quarter>> in; Vector<Output<quarter>> out;
      bool compute() {
        const quarter first = in[0];
        in[0] = in[1];
        in[1] = first;
        out[0] = in[0];
        return true; } };)");
  const VertexClass &c = set.at(0);
  std::vector<Operand> operands = {
      operandOf<std::uint8_t>(c, "in", {0x41}, 0), operandOf<std::uint8_t>(c, "in", {0xc1}, 1),
      operandOf<std::uint8_t>(c, "in.metadata", {0}), operandOf<std::uint8_t>(c, "out", {9}, 0),
      operandOf<std::uint8_t>(c, "out.metadata", {0})};
  std::vector<std::vector<std::uint8_t>> after;
  const StandInResult simulated = runOnStandIn(c, operands, after);
  REQUIRE_MESSAGE(simulated.problem.empty(), simulated.problem);
  runOnHost(c, operands);
  CHECK(operands[0].bytes == std::vector<std::uint8_t>{0xc1});
  CHECK(operands[1].bytes == std::vector<std::uint8_t>{0x41});
  CHECK(operands[3].bytes == std::vector<std::uint8_t>{0xc1});
  for (std::size_t i = 0; i != operands.size(); ++i)
    CHECK(after[i] == operands[i].bytes);
}

TEST_SUITE_END();
