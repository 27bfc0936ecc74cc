// Tensors and graphs to bytes and back, and damaged files.
#include "graph/api/GraphAccess.hpp"
#include "graph/ir/Serialize.hpp"

#include <poplar/CycleCount.hpp>
#include <poplar/Graph.hpp>
#include <poplar/MetadataCreation.hpp>

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

using namespace poplar;
using namespace poplar::program;

namespace {

const Target &fourTiles() { // made once, because it reads a machine description
  static const Target target = Target::createIPUTarget(1, 4, "ipu2");
  return target;
}

std::string bytesOf(const Graph &graph, const std::vector<Tensor> &tensors) {
  std::stringstream stream;
  graph.serializeTensors(stream, tensors, SerializationFormat::SCHEMA);
  return stream.str();
}
std::vector<Tensor> readBack(Graph &graph, const std::string &bytes) {
  std::stringstream stream(bytes);
  return graph.deserializeTensors(stream, SerializationFormat::SCHEMA);
}

struct Sample {
  Graph graph{fourTiles()};
  Tensor v = graph.addVariable(FLOAT, {4, 6}, VariableMappingMethod::LINEAR, "weights");
  Tensor c = graph.addConstant<int>(INT, {3}, {1, 2, 3}, "numbers");
  std::vector<Tensor> tensors;
  Sample() {
    graph.setTileMapping(c, 1);
    graph.addVariable(FLOAT, {100}, "not asked for");
    tensors = {v.transpose().slice(1, 5), c.broadcast(2, 0), concat(v[0], v[3].reverse(0)), v.slice(0, 0),
               graph.addVariable(HALF, {}, "scalar")};
  }
};

} // namespace

TEST_SUITE("graph_api.serialization") {

  TEST_CASE("tensors come back in another graph with shape, order, mapping, names and contents") {
    Sample s;
    Graph other(fourTiles());
    other.addVariable(FLOAT, {5}, "in the way");
    const std::vector<Tensor> read = readBack(other, bytesOf(s.graph, s.tensors));
    REQUIRE(read.size() == s.tensors.size());
    for (std::size_t i = 0; i < read.size(); ++i) {
      CAPTURE(i);
      CHECK(read[i].shape() == s.tensors[i].shape());
      CHECK(read[i].elementType() == s.tensors[i].elementType());
      CHECK(read[i].getContiguousRegions() == s.tensors[i].getContiguousRegions());
      CHECK(other.getTileMapping(read[i], false) == s.graph.getTileMapping(s.tensors[i], false));
      CHECK(read[i].getVarStr() == s.tensors[i].getVarStr());
      CHECK(read[i].containsConstant() == s.tensors[i].containsConstant());
    }
    CHECK(read[0].intersectsWith(read[2])); // views of one variable stay views of one variable
    CHECK(!read[0].intersectsWith(read[1]));
    int values[6] = {};
    REQUIRE(read[1].getConstantData(values, 6));
    CHECK(std::vector<int>(values, values + 6) == std::vector<int>{1, 2, 3, 1, 2, 3});
    CHECK(bytesOf(s.graph, s.tensors).find("not asked for") == std::string::npos);
  }

  TEST_CASE("quarter tensors keep their metadata") {
    Graph graph(fourTiles());
    const Tensor m = createConstantMetadataTensor(graph, QuarterMetadata::Format::F152, 3);
    const Tensor q = graph.addVariable(QUARTER, m, {4}, "q");
    const std::vector<Tensor> back = readBack(graph, bytesOf(graph, {q, q[1]}));
    REQUIRE(back.size() == 2);
    unsigned char binary = 0;
    REQUIRE(back[1].getMetadata().getConstantValue(&binary));
    CHECK(QuarterMetadata(binary) == QuarterMetadata(QuarterMetadata::Format::F152, 3));
  }

  TEST_CASE("a smaller graph refuses tensors that lie on tiles which it lacks, and stays as it was") {
    Sample s;
    Graph small(Target::createIPUTarget(1, 2, "ipu2"));
    CHECK_THROWS_AS(readBack(small, bytesOf(s.graph, s.tensors)), invalid_tile_mapping);
    CHECK(popscope::irOf(small).vars.empty());
  }

  TEST_CASE("no prefix and no changed byte of a file does anything but throw or give valid tensors") {
    Sample s;
    const std::string good = bytesOf(s.graph, s.tensors);
    for (std::size_t n = 0; n < good.size(); n += 3) {
      Graph graph(fourTiles());
      CHECK_THROWS_AS(readBack(graph, good.substr(0, n)), poplar_error);
    }
    for (std::size_t at = 0; at < good.size(); ++at)
      for (const int flip : {at % 2 == 0 ? 0x01 : 0x80, 0xff}) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ flip);
        Graph graph(fourTiles());
        try {
          for (const Tensor &t : readBack(graph, bad)) {
            (void)graph.getTileMapping(t, false); // every accepted tensor can be used
            (void)t.getVarRegions();
          }
        } catch (const poplar_error &) {
        }
      }
  }

  TEST_CASE("tensors are read out of a stream that holds more, and leave the rest") {
    Sample s;
    const std::string good = bytesOf(s.graph, s.tensors);
    std::stringstream stream("HEAD" + good + good + "rest");
    stream.seekg(4);
    Graph graph(fourTiles());
    const std::vector<Tensor> first = graph.deserializeTensors(stream, SerializationFormat::Binary),
                              second = graph.deserializeTensors(stream, SerializationFormat::Binary);
    CHECK(first.size() == s.tensors.size());
    CHECK(second.size() == s.tensors.size());
    std::string rest;
    stream >> rest;
    CHECK(rest == "rest");
    CHECK_THROWS_AS(graph.deserializeTensors(stream, SerializationFormat::JSON), poplar_error);
    CHECK_THROWS_AS(graph.serialize(stream, SerializationFormat::JSON), poplar_error);
  }

  TEST_CASE("a folder and a stream that is not open are no streams to read from") {
    Graph graph(fourTiles());
    std::ifstream folder("."), missing("/nonexistent/file");
    OptionFlags flags;
    for (const auto &[stream, cause] : {std::pair(&folder, "Is a directory"), {&missing, "it is not open"}}) {
      const auto says = doctest::Contains((std::string("nothing can be read from this stream: ") + cause).c_str());
      CHECK_THROWS_WITH_AS(graph.deserializeTensors(*stream, SerializationFormat::Binary), says, poplar_error);
      CHECK_THROWS_WITH_AS(graph.addCodeletPlaceholder(*stream), says, poplar_error);
      CHECK_THROWS_WITH_AS(readJSON(*stream, flags), says, poplar_error);
    }
  }

  TEST_CASE("a whole graph comes back equal: writing what was read gives the same bytes") {
    Sample s;
    const ComputeSet cs = s.graph.addComputeSet("cs");
    const DataStream in =
        s.graph.addHostToDeviceFIFO("in", FLOAT, 24, ReplicatedStreamMode::BROADCAST, {{"bufferingDepth", "2"}});
    s.graph.createHostRead("v", s.v);
    s.graph.setTileMapping(s.tensors[4], 0);
    Sequence body{Copy(in, s.v), Execute(cs), Copy(s.v[0], s.v[1])};
    const Function f = s.graph.addFunction(body);
    Sequence prog{Repeat(3, body), Call(f), body, If(s.c[0], body, Sequence()), PrintTensor("v", s.v)};
    Switch choice(s.c[1], body);
    choice.add(-3, body).add(4, prog);
    prog.add(choice);
    (void)cycleCount(s.graph, prog, 2);
    std::stringstream stream;
    s.graph.serialize(stream, {prog, body}, SerializationFormat::SCHEMA);
    const popscope::GraphFile file = popscope::readGraph(stream.str());
    CHECK(file.numTiles == 4);
    CHECK(file.programs.size() == 2);
    CHECK(file.programs[1].get() == file.ir.functions[popscope::FunctionId(0)].body.get()); // shared, not copied
    CHECK(file.ir.streams[popscope::StreamId(0)].options.at("bufferingDepth") == "2");
    popscope::GraphIr again = file.ir;
    again.machine = popscope::irOf(s.graph).machine;
    CHECK(popscope::writeGraph(again, file.programs) == stream.str());
  }

  TEST_CASE("host functions, also such without arguments, come back with their streams") {
    Sample s;
    s.graph.addHostFunction("tell", {Graph::HostFunctionArgument(INT, 1)}, {Graph::HostFunctionArgument(FLOAT, 2)});
    const HostFunction f = s.graph.addHostFunction("ping", {}, {});
    std::stringstream stream;
    s.graph.serialize(stream, Call(f, {}, {}), SerializationFormat::Binary);
    const popscope::GraphFile file = popscope::readGraph(stream.str());
    REQUIRE(file.ir.hostFunctions.size() == 2);
    const popscope::GraphHostFunction &ping = file.ir.hostFunctions[1];
    REQUIRE(ping.signal.valid());
    CHECK(file.ir.streams[ping.signal].hostFunction == 1);
    REQUIRE(file.ir.hostFunctions[0].outputs.size() == 1);
    CHECK(file.ir.streams[file.ir.hostFunctions[0].outputs[0]].hostFunction == 0);
  }

  TEST_CASE("files of another version or kind are refused with their version and what to do") {
    Sample s;
    const auto errorOf = [&](std::string bytes, std::size_t at, char value) {
      bytes[at] = value;
      try {
        (void)readBack(s.graph, bytes);
      } catch (const poplar_error &e) {
        return std::string(e.what());
      }
      return std::string("no error");
    };
    const std::string good = bytesOf(s.graph, s.tensors);
    const std::string old = errorOf(good, 24, 5); // after magic and kind
    CHECK(old.find("its format has version 5, this library reads version 1") != std::string::npos);
    CHECK(old.find("write it again with this version's Graph::serializeTensors") != std::string::npos);
    CHECK(errorOf(good, 16, 2).find("of kind 2, kind 1 is expected") != std::string::npos);
    CHECK(errorOf(good, 8, 'x').find("no file of tensors or graphs") != std::string::npos);
  }

  TEST_CASE("programs that are nested too deep by naming each other are refused") {
    // Each sequence is a child of the root and refers to the previous one: the file is flat, but the programs are
    // nested.
    popscope::GraphIr ir;
    auto root = std::make_shared<popscope::ProgramNode>();
    popscope::ProgramPtr last;
    for (unsigned i = 0; i != 1100; ++i) {
      auto node = std::make_shared<popscope::ProgramNode>();
      if (last)
        node->children.push_back(last);
      root->children.push_back(node);
      last = node;
    }
    CHECK_THROWS_WITH_AS((void)popscope::readGraph(popscope::writeGraph(ir, {root})),
                         doctest::Contains("nested more than 1000 deep"), poplar_error);
    root->children.resize(900);
    CHECK(popscope::readGraph(popscope::writeGraph(ir, {root})).programs[0]->depth == 901);
  }

  TEST_CASE("a damaged graph file throws") {
    Sample s;
    s.graph.addHostFunction("tell", {Graph::HostFunctionArgument(INT, 1)}, {});
    s.graph.addHostToDeviceFIFO("in", FLOAT, 24, ReplicatedStreamMode::BROADCAST, {{"bufferingDepth", "2"}});
    s.graph.createHostRead("v", s.v);
    Sequence prog{Copy(s.v[0], s.v[1]), Repeat(3, Copy(s.v[2], s.v[3]))};
    std::stringstream stream;
    s.graph.serialize(stream, prog, SerializationFormat::Binary);
    const std::string good = stream.str();
    for (std::size_t n = 0; n < good.size(); n += 3)
      CHECK_THROWS_AS((void)popscope::readGraph(good.substr(0, n)), poplar_error);
    for (std::size_t at = 0; at < good.size(); ++at) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 0x81);
      try {
        (void)popscope::readGraph(bad);
      } catch (const poplar_error &) {
      }
    }
    CHECK_THROWS_AS((void)popscope::readTensors(good), poplar_error); // a graph is not a list of tensors
  }
}
