// 8-bit floats in the engine: host bytes, metadata, codelets on many tiles, and equal values for any number of threads.
#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>
#include <poplar/MetadataCreation.hpp>
#include <poplar/Quarter.hpp>
#include <poplar/TypeConversion.hpp>

#include <cmath>
#include <sstream>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

namespace {

using Bytes = std::vector<unsigned char>;
constexpr unsigned kTiles = 16;
constexpr std::size_t kAll = 256; // every pattern once

/// Computes out = 2 * in, from F143 with scale 1 to F152 with scale -3, on 16 tiles.
struct DoubleQuarters {
  Device device = smallModel(kTiles);
  Graph graph{device.getTarget()};
  QuarterMetadata from{QuarterMetadata::Format::F143, 1}, to{QuarterMetadata::Format::F152, -3};
  Sequence prog;
  DoubleQuarters() {
    std::stringstream source(R"(
#include <poplar/Vertex.hpp>
#include <poplar/QuarterFloat.hpp>
using namespace poplar;
class DoubleQuarter : public Vertex {
public:
  Input<Vector<quarter>> in;
  Output<Vector<quarter>> out;
  bool compute() {
    const auto from = unpackMetadata(in.getMetadata()), to = unpackMetadata(out.getMetadata());
    for (unsigned i = 0; i < in.size(); ++i)
      out[i] = toQuarter(2.0f * toFloat(in[i], from), to);
    return true;
  }
};
)");
    graph.addCodelets(source);
    const Tensor fromTensor = createConstantMetadataTensor(graph, from.getFormat(), from.getScale(), "from");
    const Tensor toTensor = createVariableMetadataTensor(graph, to.getFormat(), to.getScale(), "to");
    const Tensor in = graph.addVariable(QUARTER, fromTensor, {kAll}, VariableMappingMethod::LINEAR, "in");
    const Tensor out = graph.addVariable(QUARTER, toTensor, {kAll}, VariableMappingMethod::LINEAR, "out");
    const ComputeSet cs = graph.addComputeSet("cs");
    for (unsigned tile = 0; tile < kTiles; ++tile) {
      const Interval part(tile * (kAll / kTiles), (tile + 1) * (kAll / kTiles));
      const VertexRef v = graph.addVertex(cs, "DoubleQuarter", {{"in", in.slice(part)}, {"out", out.slice(part)}});
      graph.setTileMapping(v, (tile + 3) % kTiles); // operands and vertices on different tiles
    }
    graph.createHostWrite("in", in);
    graph.createHostRead("out", out);
    prog.add(Execute(cs));
  }
  Bytes run(bool manyThreads = true) {
    Engine engine(graph, prog,
                  {{"debug.verify", "true"}, {"debug.cpuMultiThreadExecution", manyThreads ? "true" : "false"}});
    engine.load(device);
    Bytes patterns(kAll), result(kAll);
    for (std::size_t i = 0; i < kAll; ++i)
      patterns[i] = static_cast<unsigned char>(i);
    engine.writeTensor("in", patterns.data(), patterns.data() + kAll);
    engine.run();
    engine.readTensor("out", result.data(), result.data() + kAll);
    return result;
  }
};

} // namespace

TEST_SUITE("engine.quarter") {

  TEST_CASE("a codelet's quarters are the host's, for every pattern, also where they overflow") {
    DoubleQuarters d;
    const Bytes result = d.run();
    unsigned overflows = 0;
    for (std::size_t i = 0; i < kAll; ++i) {
      const auto pattern = static_cast<unsigned char>(i);
      float value = 0;
      convertFromDeviceType(QUARTER, d.from, &pattern, ArrayRef<float>(&value, 1));
      const float twice = 2 * value;
      unsigned char expected = 0;
      convertToDeviceType(QUARTER, d.to, ArrayRef<float>(&twice, 1), &expected);
      CHECK(result[i] == expected);
      overflows += std::isfinite(value) && expected == 0x80 ? 1 : 0;
    }
    CHECK(result[0x40] == 0x54); // 1 * 2^1, doubled: 4 = 2^(21 - 16) / 2^3
    CHECK(overflows == 0);       // F152 / 8 reaches 7168; the largest here is 960
    d.to = QuarterMetadata(QuarterMetadata::Format::F143, 0);
    float big = 300;
    unsigned char host = 0;
    convertToDeviceType(QUARTER, d.to, ArrayRef<float>(&big, 1), &host);
    CHECK(host == 0x80);
  }

  TEST_CASE("the host writes and reads a tensor with its metadata") {
    Device device = smallModel(2);
    Graph graph(device.getTarget());
    const QuarterMetadata first(QuarterMetadata::Format::F143, 1), second(QuarterMetadata::Format::F152, -3);
    const Tensor metadata = createVariableMetadataTensor(graph, first.getFormat(), first.getScale(), "metadata");
    const Tensor t = graph.addVariable(QUARTER, metadata, {4}, VariableMappingMethod::LINEAR, "t");
    const Tensor constant = createConstantMetadataTensor(graph, second.getFormat(), second.getScale(), "constant");
    const Tensor c = graph.addVariable(QUARTER, constant, {4}, VariableMappingMethod::LINEAR, "c");
    const Tensor plain = graph.addVariable(HALF, {4}, VariableMappingMethod::LINEAR, "plain");
    for (const auto &[handle, tensor] : {std::pair("t", t), std::pair("c", c), std::pair("plain", plain)}) {
      graph.createHostWrite(handle, tensor);
      graph.createHostRead(handle, tensor);
    }
    Engine engine(graph, Sequence());
    engine.load(device);

    Bytes bytes{0x40, 0x41, 0x42, 0x80}, read(4);
    const auto write = [&](const char *handle, const QuarterMetadata &m) {
      engine.writeTensor(handle, m, bytes.data(), bytes.data() + bytes.size());
    };
    const auto readBack = [&](const char *handle) {
      QuarterMetadata m(QuarterMetadata::Format::F143, 31);
      engine.readTensor(handle, m, read.data(), read.data() + read.size());
      return m;
    };
    CHECK(readBack("t") == first);
    write("t", second);
    CHECK(readBack("t") == second);
    CHECK(read == bytes);
    bytes[0] = 7;
    engine.writeTensor("t", bytes.data(), bytes.data() + bytes.size()); // keeps the metadata
    CHECK(readBack("t") == second);
    CHECK(read == bytes);
    unsigned char packed = 0;
    engine.readTensor("t/metadata", &packed, &packed + 1);
    CHECK(packed == 0xbd); // F152: bit 7; -3 in six bits: 0x3d

    write("c", second);
    CHECK(readBack("c") == second);
    CHECK(read == bytes);
    bytes[0] = 8;
    CHECK_THROWS_AS(write("c", first), poplar_error);
    CHECK(readBack("c") == second);
    CHECK(read[0] == 7); // a call that throws writes nothing

    CHECK_THROWS_AS(engine.writeTensor("t", first, bytes.data(), bytes.data() + 3), stream_connection_error);
    CHECK(readBack("t") == second);
    Bytes halves(8);
    CHECK_THROWS_AS(engine.writeTensor("plain", first, halves.data(), halves.data() + 8), stream_connection_error);
    QuarterMetadata unread;
    CHECK_THROWS_AS(engine.readTensor("plain", unread, halves.data(), halves.data() + 8), stream_connection_error);
    CHECK_THROWS_AS(engine.readTensor("t", unread, read.data(), read.data() + 3), stream_connection_error);
    CHECK(unread == QuarterMetadata());
  }

  TEST_CASE("all replicas have the metadata that the host wrote") {
    Device device = smallModel(2, 2);
    Graph graph(device.getTarget(), replication_factor(2));
    const Tensor metadata = createVariableMetadataTensor(graph, QuarterMetadata::Format::F143, 1, "metadata");
    const Tensor t = graph.addVariable(QUARTER, metadata, {2}, VariableMappingMethod::LINEAR, "t");
    graph.createHostWrite("t", t);
    graph.createHostRead("t", t);
    Engine engine(graph, Sequence());
    engine.load(device);
    const Bytes bytes{1, 2, 3, 4}; // two elements for each replica
    const QuarterMetadata written(QuarterMetadata::Format::F152, 5);
    engine.writeTensor("t", written, bytes.data(), bytes.data() + 4);
    Bytes read(4), packed(2);
    QuarterMetadata m;
    engine.readTensor("t", m, read.data(), read.data() + 4);
    CHECK(m == written);
    CHECK(read == bytes);
    engine.readTensor("t/metadata", packed.data(), packed.data() + 2);
    CHECK(packed == Bytes{0x85, 0x85});
    packed[1] = 0x84;
    engine.writeTensor("t/metadata", packed.data(), packed.data() + 2);
    CHECK_THROWS_AS(engine.readTensor("t", m, read.data(), read.data() + 4), poplar_error);
    CHECK(m == written);
  }

  TEST_CASE("a codelet uses the metadata that the host wrote") {
    DoubleQuarters d;
    const QuarterMetadata written(QuarterMetadata::Format::F143, -6);
    const Tensor one = createVariableMetadataTensor(d.graph, d.from.getFormat(), d.from.getScale(), "one");
    const Tensor in = d.graph.addVariable(QUARTER, one, {1}, VariableMappingMethod::LINEAR, "single");
    const Tensor to = createConstantMetadataTensor(d.graph, QuarterMetadata::Format::F143, 0, "zero");
    const Tensor out = d.graph.addVariable(QUARTER, to, {1}, VariableMappingMethod::LINEAR, "doubled");
    const ComputeSet cs = d.graph.addComputeSet("one");
    d.graph.setTileMapping(d.graph.addVertex(cs, "DoubleQuarter", {{"in", in}, {"out", out}}), 1);
    d.graph.createHostWrite("single", in);
    d.graph.createHostRead("doubled", out);
    Engine engine(d.graph, Execute(cs));
    engine.load(d.device);
    const unsigned char bits = 0x58; // 1.0 * 2^(11 - 8) = 8
    engine.writeTensor("single", written, &bits, &bits + 1);
    engine.run();
    unsigned char result = 0;
    QuarterMetadata metadata;
    engine.readTensor("doubled", metadata, &result, &result + 1);
    CHECK(metadata == QuarterMetadata(QuarterMetadata::Format::F143, 0));
    CHECK(result == 0x30); // 2 * 8 * 2^-6 = 2^(6 - 8)
  }

  TEST_CASE("one thread and many give the same values") {
    DoubleQuarters d;
    std::vector<Bytes> results;
    for (const bool many : {false, true})
      results.push_back(d.run(many));
    CHECK(results[0] == results[1]);
  }
}
