// Graph::addCodeletPlaceholder: vertex classes from the contents of a graph object.
#include "tests/unit/engine/Programs.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace poplar;
using namespace poplar::program;
using namespace engine_tests;

TEST_SUITE("engine.placeholders") {

  TEST_CASE("codelets of a graph object come through a stream, and nothing else does") {
    const auto folder = std::filesystem::temp_directory_path() / ("popscope-placeholder-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    const std::string source = (folder / "codelets.cpp").string(), object = (folder / "codelets.gp").string();
    std::ofstream(source) << kCodelets;
    REQUIRE(std::system(("'" POPSCOPE_POPC "' '" + source + "' -o '" + object + "' --target=ipu1").c_str()) == 0);
    const Device device = smallModel();
    Graph graph(device.getTarget());
    std::ifstream in(object, std::ios::binary);
    graph.addCodeletPlaceholder(in);
    CHECK(graph.hasCodelet("Increment"));
    const Tensor x = graph.addVariable(FLOAT, {2}, "x");
    graph.setTileMapping(x, 1);
    const ComputeSet cs = graph.addComputeSet("cs");
    const VertexRef v = graph.addVertex(cs, "Increment", {{"x", x}});
    graph.setInitialValue(v["by"], 2.5f);
    graph.setTileMapping(v, 1);
    graph.createHostRead("x", x);
    Engine engine(graph, Execute(cs));
    engine.load(device);
    engine.run();
    std::vector<float> values(2);
    engine.readTensor("x", values.data(), values.data() + 2);
    CHECK(values == std::vector<float>{2.5f, 2.5f});
    std::istringstream text("class Increment;");
    CHECK_THROWS_AS(graph.addCodeletPlaceholder(text), graph_object_load_error);
    std::filesystem::remove_all(folder);
  }
}
