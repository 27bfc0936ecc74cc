// 8-bit floats on the host: metadata, conversions, variables, constants and clones.
#include "graph/api/GraphAccess.hpp"

#include <poplar/Graph.hpp>
#include <poplar/MetadataCreation.hpp>
#include <poplar/TypeConversion.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <sstream>

using namespace poplar;
using Format = QuarterMetadata::Format;

namespace {
std::uint8_t encode(double value, Format format, int scale = 0) {
  std::uint8_t bits = 0;
  convertToDeviceType(QUARTER, QuarterMetadata(format, scale), ArrayRef<double>(value), &bits);
  return bits;
}
double decode(std::uint8_t bits, Format format, int scale = 0) {
  std::vector<double> value(1);
  convertFromDeviceType(QUARTER, QuarterMetadata(format, scale), &bits, ArrayRef<double>(value));
  return value[0];
}
} // namespace

TEST_SUITE("graph_api.quarter") {

  TEST_CASE("metadata keep format and scale in one byte") {
    for (const Format format : {Format::F143, Format::F152})
      for (int scale = -32; scale <= 31; ++scale) {
        const QuarterMetadata m(format, scale);
        CHECK(QuarterMetadata(m.getBinary()) == m);
      }
    CHECK(QuarterMetadata(Format::F152, -1).getBinary() == 0xbf);
    CHECK_THROWS_AS(QuarterMetadata(Format::F143, 32), poplar_error);
    CHECK_THROWS_AS(QuarterMetadata(Format::F143, -33), poplar_error);
  }

  TEST_CASE("known values of both formats") {
    CHECK(encode(240, Format::F143) == 0x7f);
    CHECK(encode(57344, Format::F152) == 0x7f);
    CHECK(encode(1, Format::F143) == 0x40); // exponent field 8 is 2^0
    CHECK(encode(1, Format::F152) == 0x40); // exponent field 16 is 2^0
    CHECK(encode(-1.5, Format::F143) == 0xc4);
    CHECK(decode(0x01, Format::F143) == std::ldexp(1.0, -10)); // smallest: 2^-7 / 8
    CHECK(decode(0x01, Format::F152) == std::ldexp(1.0, -17)); // smallest: 2^-15 / 4
    CHECK(encode(1e9, Format::F143) == 0x80);                  // too large: NaN
    CHECK(encode(247.9, Format::F143) == 0x7f);                // rounds down to the largest
    CHECK(encode(248, Format::F143) == 0x80);                  // rounds up, past it
    CHECK(encode(-248, Format::F143) == 0x80);
    CHECK(encode(-std::numeric_limits<double>::infinity(), Format::F152) == 0x80);
    CHECK(encode(std::nan(""), Format::F143) == 0x80);
    CHECK(std::isnan(decode(0x80, Format::F152)));
    CHECK(encode(-0.0, Format::F143) == 0); // there is no negative zero
    CHECK(encode(480, Format::F143, 1) == 0x7f);
    CHECK(decode(0x40, Format::F143, -3) == 0.125);
  }

  TEST_CASE("every pattern survives the way to the host and back, and order is kept") {
    for (const Format format : {Format::F143, Format::F152})
      for (const int scale : {-32, -5, 0, 7, 31}) {
        for (unsigned bits = 0; bits < 256; ++bits)
          CHECK(encode(decode(static_cast<std::uint8_t>(bits), format, scale), format, scale) == bits);
        for (unsigned bits = 1; bits < 128; ++bits)
          CHECK(decode(static_cast<std::uint8_t>(bits), format, scale) >
                decode(static_cast<std::uint8_t>(bits - 1), format, scale));
      }
  }

  TEST_CASE("what lies between two values goes to the nearest, a tie to the even one") {
    for (const Format format : {Format::F143, Format::F152})
      for (unsigned bits = 0; bits < 127; ++bits) {
        const double low = decode(static_cast<std::uint8_t>(bits), format),
                     high = decode(static_cast<std::uint8_t>(bits + 1), format);
        CHECK(encode(low + 0.4 * (high - low), format) == bits);
        CHECK(encode(low + 0.6 * (high - low), format) == bits + 1);
        CHECK(encode((low + high) / 2, format) == (bits % 2 == 0 ? bits : bits + 1));
      }
  }

  TEST_CASE("variables, constants and clones carry their metadata") {
    Graph graph(Target::createIPUTarget(1, 2, "ipu21"));
    const Tensor metadata = createConstantMetadataTensor(graph, Format::F143, 2, "m");
    const Tensor v = graph.addVariable(QUARTER, metadata, {2, 3}, VariableMappingMethod::LINEAR, "v");
    CHECK(v.getMetadata() == metadata);
    CHECK(v[1].slice(0, 2).getMetadata() == metadata);
    const Tensor c = graph.addConstant(QUARTER, metadata, {2}, ArrayRef<float>(std::vector<float>{4, 960}));
    std::vector<unsigned char> bits(2);
    REQUIRE(c.getConstantData(bits.data(), 2));
    CHECK(bits == std::vector<unsigned char>{0x40, 0x7f}); // 1 * 2^2 and 240 * 2^2
    CHECK(graph.clone(v).getMetadata() == metadata);
    // Libraries pass on the metadata of any tensor. For other types it is an invalid tensor, which means no metadata.
    const Tensor plain = graph.addVariable(HALF, {2, 3}, VariableMappingMethod::LINEAR, "plain");
    CHECK_FALSE(plain.getMetadata().valid());
    CHECK(graph.addVariable(HALF, plain.getMetadata(), {4}, "like").elementType() == HALF);
    CHECK(graph.addConstant<float>(HALF, plain.getMetadata(), {4}, 1.0f, "one").numElements() == 4);
    CHECK(graph.clone(HALF, plain.getMetadata(), plain).shape() == plain.shape());
    const Tensor other = createVariableMetadataTensor(graph, Format::F152, 0);
    CHECK(graph.clone(other, v, "copy").getMetadata() == other);
    CHECK(graph.clone(QUARTER, other, graph.addVariable(HALF, {4})).elementType() == QUARTER);
    graph.setInitialValue(v, 4.0f);
    CHECK(popscope::irOf(graph).vars[popscope::viewOf(v).runs.front().var].initial ==
          std::vector<std::uint8_t>(6, 0x40));
  }

  TEST_CASE("a variable without given metadata has its own, and zeros need no known metadata") {
    Graph graph(Target::createIPUTarget(1, 2, "ipu21"));
    const Tensor q = graph.addVariable(QUARTER, {4}, VariableMappingMethod::LINEAR, "q");
    REQUIRE(q.hasMetadata());
    CHECK(q.getMetadata().elementType() == QUARTER_METADATA);
    CHECK(graph.getTileMapping(q.getMetadata())[0].size() == 1);
    const Tensor zeros = graph.addConstant(QUARTER, q.getMetadata(), {3}, 0.0f, "padding");
    CHECK(zeros.getMetadata() == q.getMetadata());
    CHECK(popscope::irOf(graph).vars[popscope::viewOf(zeros).runs.front().var].initial ==
          std::vector<std::uint8_t>(3, 0));
    CHECK_THROWS_AS(graph.addConstant(QUARTER, q.getMetadata(), {3}, 1.0f, "ones"), type_error);
  }

  TEST_CASE("metadata of another graph are refused") {
    const Target target = Target::createIPUTarget(1, 2, "ipu21");
    Graph graph(target), other(target);
    const Tensor foreign = createVariableMetadataTensor(other, Format::F143, 1);
    const Tensor q = graph.addVariable(QUARTER, {4}, VariableMappingMethod::LINEAR, "q");
    const auto refused = doctest::Contains("belongs to another graph");
    CHECK_THROWS_WITH_AS((void)q.associateMetadata(foreign), refused, poplar_error);
    CHECK_THROWS_WITH_AS((void)graph.addVariable(QUARTER, foreign, {4}), refused, poplar_error);
    CHECK_THROWS_WITH_AS((void)graph.addConstant(QUARTER, foreign, {4}, 0.0f), refused, poplar_error);
    CHECK_THROWS_WITH_AS((void)graph.clone(QUARTER, foreign, q), refused, poplar_error);
  }

  TEST_CASE("other views and clones of a tensor keep its metadata") {
    Graph graph(Target::createIPUTarget(1, 2, "ipu21"));
    const Tensor metadata = createVariableMetadataTensor(graph, Format::F143, 1);
    const Tensor q = graph.addVariable(QUARTER, metadata, {6, 7}, VariableMappingMethod::LINEAR, "q");
    Tensor turned = q.transpose().flatten(), same = q.flatten();
    graph.reorderToSimplify(&turned, {&same}, false);
    for (const Tensor &t : {turned, same, graph.findUnbroadcastTensor(q.expand({0}).broadcast(3, 0)),
                            graph.cloneN(q, 2, {}, TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES,
                                         TensorCloneDuplicationMethod::DUPLICATE_BY_TILE_CONTIGUOUS_REGION)}) {
      REQUIRE(t.hasMetadata());
      CHECK(t.getMetadata() == metadata);
    }
  }

  TEST_CASE("{} stands for no metadata, a shape without dimensions or no debug context") {
    Graph graph(Target::createIPUTarget(1, 2, "ipu21"));
    const DebugNameAndId di("di");
    const std::vector<std::size_t> shape{2, 3};
    const auto isFloats = [](const Tensor &t, const std::vector<std::size_t> &of) {
      return t.elementType() == FLOAT && t.shape() == of && !t.hasMetadata();
    };
    const Tensor v = graph.addVariable(FLOAT, {}, shape, {di});
    CHECK(isFloats(v, shape));
    CHECK(isFloats(graph.addVariable(FLOAT, {}, shape, VariableMappingMethod::LINEAR, {di, "x"}), shape));
    CHECK(isFloats(graph.addVariable(FLOAT, {}, {di, "x"}), {}));

    CHECK(isFloats(graph.addConstant(FLOAT, {}, shape, 1.0f, {di}), shape));
    CHECK(isFloats(graph.addConstant<float>(FLOAT, {}, shape, 1, "x"), shape));
    const Tensor values = graph.addConstant(FLOAT, {}, {2}, ArrayRef<float>(std::vector<float>{3, 5}), {di});
    std::vector<float> read(2);
    REQUIRE(values.getConstantData(read.data(), 2));
    CHECK(read == std::vector<float>{3, 5});
    CHECK(isFloats(graph.addConstant(FLOAT, {}, 1, "x"), {}));
    CHECK(isFloats(graph.addConstant(FLOAT, {}, 1, {di}), {}));
    CHECK(isFloats(graph.addConstant<float>(FLOAT, {}, {1}, {di}), {}));

    CHECK(isFloats(graph.clone(FLOAT, {}, v, {di}), shape));
    CHECK(isFloats(graph.clone(v, {}), shape));
    CHECK(graph.clone(HALF, {}, v).elementType() == HALF);
  }

  TEST_CASE("metadata that do not fit are refused") {
    Graph graph(Target::createIPUTarget(1, 2, "ipu21"));
    program::Sequence prog;
    const Tensor late = createVariableMetadataTensor(graph, Format::F143, 0, prog);
    CHECK(!prog.isEmpty());
    // the metadata's value is only known at run time
    CHECK_THROWS_AS(graph.addConstant(QUARTER, late, {}, 1.0f), type_error);
    CHECK_THROWS_AS(graph.addVariable(HALF, late, {2}), type_error);
    CHECK_THROWS_AS(graph.addConstant(QUARTER, {2}, 1.0f), type_error); // no metadata at all
    std::uint8_t bits = 0;
    CHECK_THROWS_AS(convertToDeviceType(QUARTER, ArrayRef<double>(1.0), &bits), type_error);
  }

  TEST_CASE("quarters without metadata, or with other metadata than a field has, are not connected") {
    Graph graph(Target::createIPUTarget(1, 2, "ipu21"));
    std::stringstream source(R"(
#include <poplar/QuarterFloat.hpp>
#include <poplar/Vertex.hpp>
using namespace poplar;
class TakeQuarters : public Vertex {
public:
  Input<Vector<quarter>> in;
  Vector<Input<Vector<quarter>>> rows;
  bool compute() { return true; }
};
)");
    graph.addCodelets(source);
    const Tensor one = createConstantMetadataTensor(graph, Format::F143, 2),
                 two = createConstantMetadataTensor(graph, Format::F152, 0);
    const Tensor bare = graph.addVariable(UNSIGNED_CHAR, {4}, "bare").reinterpret(QUARTER);
    const Tensor q = graph.addVariable(QUARTER, one, {2, 4}, VariableMappingMethod::LINEAR, "q");
    const Tensor other = graph.addVariable(QUARTER, two, {4}, VariableMappingMethod::LINEAR, "other");
    const VertexRef v = graph.addVertex(graph.addComputeSet("cs"), "TakeQuarters");
    const auto edges = [&] {
      return popscope::irOf(graph).vertices[popscope::VertexId(static_cast<std::uint32_t>(v.getId()))].edges().size();
    };
    CHECK_THROWS_WITH_AS(graph.connect(v["in"], bare), doctest::Contains("has no metadata"), graph_connection_error);
    CHECK_THROWS_WITH_AS(graph.connect(v["rows"], ArrayRef<Tensor>{q[0], bare}), doctest::Contains("has no metadata"),
                         graph_connection_error);
    CHECK_THROWS_WITH_AS(graph.connect(v["rows"], ArrayRef<Tensor>{q[0], other}),
                         doctest::Contains("different metadata"), graph_connection_error);
    CHECK(edges() == 0);
    graph.connect(v["in"], q[0]);
    graph.connect(v["rows"][0], q[0]);
    CHECK(edges() == 4); // each field has an edge for its metadata
    CHECK_THROWS_WITH_AS(graph.connect(v["rows"][1], other), doctest::Contains("different metadata"),
                         graph_connection_error);
    CHECK(edges() == 4);
    graph.connect(v["rows"][1], q[1]);
    CHECK(edges() == 5);
  }

  TEST_CASE("a value that is too large becomes NaN, or the largest value if the caller asks for this") {
    struct Case {
      double value;
      std::uint8_t nan, saturated;
    };
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<Case> cases{{240, 0x7f, 0x7f},  {247.9, 0x7f, 0x7f},     {248, 0x80, 0x7f},
                                  {-248, 0x80, 0xff}, {1e300, 0x80, 0x7f},     {infinity, 0x80, 0x7f},
                                  {1, 0x40, 0x40},    {-infinity, 0x80, 0xff}, {std::nan(""), 0x80, 0x80}};
    for (const Case &c : cases)
      for (const int scale : {-32, 0, 3, 31}) {
        const QuarterMetadata m(Format::F143, scale);
        const std::vector<double> value{std::ldexp(c.value, scale)};
        std::uint8_t bits = 0;
        convertToDeviceType(QUARTER, m, gccs::ArrayRef<double>(value), &bits, true);
        CHECK(bits == c.nan);
        convertToDeviceType(QUARTER, m, gccs::ArrayRef<double>(value), &bits);
        CHECK(bits == c.nan);
        convertToDeviceType(QUARTER, m, gccs::ArrayRef<double>(value), &bits, false);
        CHECK(bits == c.saturated);
        convertToDeviceType(QUARTER, m, value, &bits, false);
        CHECK(bits == c.saturated);
      }
    const float large = -60000;
    std::uint8_t bits = 0;
    convertToDeviceType(QUARTER, QuarterMetadata(Format::F152, 0), ArrayRef<const float>(&large, 1), &bits, false);
    CHECK(decode(bits, Format::F152) == -57344);
  }

  TEST_CASE("the host's side may be a vector") {
    const QuarterMetadata m(Format::F143, 1);
    const std::vector<float> floats{1.5f, -2, 480};
    std::vector<std::uint8_t> quarters(3);
    convertToDeviceType(QUARTER, m, floats, quarters.data());
    CHECK(quarters == std::vector<std::uint8_t>{0x3c, 0xc0, 0x7f}); // 0.75, -1 and 240, times 2
    std::vector<double> doubles(3);
    convertFromDeviceType(QUARTER, m, quarters.data(), doubles);
    CHECK(doubles == std::vector<double>{1.5, -2, 480});
    std::vector<int> ints{1, -2, 3}, intsBack(3);
    std::vector<std::uint16_t> halves(3);
    convertToDeviceType(HALF, ints, halves.data());
    CHECK(halves == std::vector<std::uint16_t>{0x3c00, 0xc000, 0x4200});
    convertFromDeviceType(HALF, halves.data(), intsBack);
    CHECK(intsBack == ints);
  }

  TEST_CASE("host values may be Halfs") {
    const std::vector<Half> halves{1.5, -2, 65504, Half::fromBits(1)};
    std::vector<std::uint16_t> device(4);
    convertToDeviceType(HALF, halves, device.data());
    CHECK(device == std::vector<std::uint16_t>{0x3e00, 0xc000, 0x7bff, 1});
    std::vector<Half> back(4);
    convertFromDeviceType(HALF, device.data(), back);
    for (std::size_t i = 0; i < halves.size(); ++i)
      CHECK(back[i].getBits() == halves[i].getBits());
    std::vector<float> floats(4);
    convertToDeviceType(FLOAT, gccs::ArrayRef<Half>{halves.data(), halves.size()}, floats.data());
    CHECK(floats == std::vector<float>{1.5f, -2, 65504, 0x1p-24f});

    const QuarterMetadata m(Format::F152, 0);
    std::vector<std::uint8_t> quarters(2);
    const gccs::ArrayRef<Half> firstTwo{halves.data(), 2};
    convertToDeviceType(QUARTER, m, firstTwo, quarters.data());
    CHECK(quarters == std::vector<std::uint8_t>{0x42, 0xc4}); // 1.1 * 2^0 and -1.0 * 2^1
    convertFromDeviceType(QUARTER, m, quarters.data(), gccs::ArrayRef<Half>{back.data(), 2});
    CHECK(back[0] == 1.5f);
    CHECK(back[1] == -2);
    const std::vector<Half> small{0x1p-20, 0x1p-19};
    CHECK(calculateMetadataForConversion(QUARTER, gccs::ArrayRef<Half>(small), Format::F143) ==
          calculateMetadataForConversion(QUARTER, gccs::ArrayRef<float>(std::vector<float>{0x1p-20f, 0x1p-19f}),
                                         Format::F143));
  }

  TEST_CASE("metadata are printed as format and scale") {
    CHECK(QuarterMetadata(Format::F152, -2).toString() == "F152, scale -2");
    CHECK(QuarterMetadata().toString() == "F143, scale 0");
  }

  TEST_CASE("convertToDeviceType and back for other types") {
    const std::vector<float> values{1.5f, -2, 3};
    std::vector<std::uint16_t> halves(3);
    convertToDeviceType(HALF, ArrayRef<float>(values), halves.data());
    CHECK(halves == std::vector<std::uint16_t>{0x3e00, 0xc000, 0x4200});
    std::vector<float> back(3);
    convertFromDeviceType(HALF, halves.data(), ArrayRef<float>(back));
    CHECK(back == values);
    std::int8_t small = 0;
    CHECK_THROWS_AS(convertToDeviceType(SIGNED_CHAR, ArrayRef<int>(1000), &small), overflow_error);
  }
}
