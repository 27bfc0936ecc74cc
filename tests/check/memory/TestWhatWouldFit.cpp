// If exactly the bytes that the message names are removed, a program that does not fit fits; with slightly fewer bytes
// removed it does not. The test parses the message like a user would read it.
#include <doctest/doctest.h>
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

using namespace poplar;
using namespace poplar::program;

namespace {

constexpr const char *kCodelets = R"(#include <poplar/Vertex.hpp>
using namespace poplar;
struct Fill : Vertex { Output<Vector<float>> x; bool compute() { for (unsigned i = 0; i < x.size(); ++i) x[i] = 1; return true; } };
struct FillWide : Vertex { Output<Vector<float, VectorLayout::SPAN, 16>> x; bool compute() { for (unsigned i = 0; i < x.size(); ++i) x[i] = 1; return true; } };
struct FillInterleaved : Vertex {
  Output<Vector<float, VectorLayout::SPAN, 8, true>> x;
  bool compute() { for (unsigned i = 0; i < x.size(); ++i) x[i] = 1; return true; }
};
struct Use : Vertex { Input<Vector<float>> x; Output<float> y; bool compute() { *y = x[0]; return true; } };
)";

/// A variable that is filled at one time and used at another.
struct Var {
  std::string name, fill;
  unsigned tile, filled, used;
  std::size_t elements;
};

/// Returns the exception's text; "fits" if there is none.
std::string outcome(const std::vector<Var> &vars, const std::string &machine) {
  IPUModel model(machine.c_str());
  model.tilesPerIPU = 8;
  model.compileIPUCode = true; // otherwise a tile that is too small is only a warning
  Graph graph(model.createDevice().getTarget());
  std::stringstream code(kCodelets);
  graph.addCodelets(code);
  unsigned last = 0;
  std::vector<Tensor> tensors;
  for (const Var &v : vars) {
    tensors.push_back(graph.addVariable(FLOAT, {v.elements}, v.name));
    graph.setTileMapping(tensors.back(), v.tile);
    last = std::max(last, v.used);
  }
  const Tensor one = graph.addVariable(FLOAT, {1}, "one");
  graph.setTileMapping(one, 7);
  Sequence program;
  const auto add = [&](const std::string &type, std::size_t k) {
    const ComputeSet cs = graph.addComputeSet(type + "_" + vars[k].name);
    const VertexRef vertex = graph.addVertex(cs, type, {{"x", tensors[k]}});
    if (type == "Use")
      graph.connect(vertex["y"], one[0]);
    graph.setTileMapping(vertex, vars[k].tile);
    program.add(Execute(cs));
  };
  for (unsigned time = 0; time <= last; ++time)
    for (std::size_t k = 0; k < vars.size(); ++k) {
      if (vars[k].filled == time)
        add(vars[k].fill, k);
      if (vars[k].used == time)
        add("Use", k);
    }
  try {
    Engine engine(graph, program);
  } catch (const graph_memory_allocation_error &e) {
    return e.what();
  }
  return "fits";
}

/// Parses "tile 2 with 400 bytes less of 'a', 80 bytes less of 'b'; tile 3 with ..." to bytes by variable.
std::map<std::string, std::size_t> mustGo(const std::string &text) {
  std::map<std::string, std::size_t> out;
  const std::regex pattern("([0-9]+) bytes less of '([^']*)'");
  for (std::sregex_iterator i(text.begin(), text.end(), pattern), end; i != end; ++i)
    out[(*i)[2]] += std::stoul((*i)[1]);
  return out;
}
std::vector<Var> without(std::vector<Var> vars, const std::map<std::string, std::size_t> &bytes, std::size_t keep) {
  for (Var &v : vars)
    if (const auto cut = bytes.find(v.name); cut != bytes.end() && cut->second > keep)
      v.elements -= (cut->second - keep) / 4;
  vars.erase(std::remove_if(vars.begin(), vars.end(), [](const Var &v) { return v.elements == 0; }), vars.end());
  return vars;
}

/// `keep`: the number of bytes of each variable to keep although the message names them; the program then does not fit.
void check(const char *what, const std::vector<Var> &vars, const std::string &machine, std::size_t keep) {
  const std::string text = outcome(vars, machine);
  INFO(std::string(what), ": ", text);
  REQUIRE(text.find("Out of memory on tile ") == 0);
  const auto bytes = mustGo(text);
  REQUIRE_FALSE(bytes.empty());
  CHECK(outcome(without(vars, bytes, 0), machine) == "fits");
  CHECK(outcome(without(vars, bytes, keep), machine) != "fits");
}

std::string nameOf(std::size_t i) { return "v" + std::to_string(i); }

/// Checks that the causes of each tile's gaps add up to its highest address without the bytes that are live at once.
/// Returns the number of checked tiles.
int checkCauses(const std::string &text) {
  static const std::regex tile(
      R"(tile \d+: \d+ bytes over \(highest address (\d+)\)[^\n]* (\d+) bytes occupied there, [^\n]*)");
  static const std::regex cause(R"((\d+) from )");
  int tiles = 0;
  for (std::sregex_iterator row(text.begin(), text.end(), tile), end; row != end; ++row, ++tiles) {
    const std::string line = row->str(0);
    const std::size_t gaps = std::min(line.find("bytes of gaps: "), line.size());
    long long sum = 0;
    for (std::sregex_iterator one(line.begin() + static_cast<std::ptrdiff_t>(gaps), line.end(), cause); one != end;
         ++one)
      sum += std::stoll(one->str(1));
    CHECK_MESSAGE(sum == std::stoll(row->str(1)) - std::stoll(row->str(2)), line);
  }
  return tiles;
}

} // namespace

TEST_SUITE("memory.whatWouldFit") {

  TEST_CASE("variables that live together: to the last element") {
    std::vector<Var> vars;
    for (unsigned i = 0; i < 3; ++i)
      vars.push_back({nameOf(i), "Fill", 2, i, 5, 25000});
    check("three of 100,000 B", vars, "ipu1", 4);
    for (unsigned i = 3; i < 9; ++i)
      vars.push_back({nameOf(i), "Fill", 5, 2, 5, 12345 + i});
    check("on two tiles", vars, "ipu1", 4);
  }

  TEST_CASE("a staircase of lives, two peaks that have no variable in common") {
    std::vector<Var> vars;
    for (unsigned i = 0; i < 10; ++i)
      vars.push_back({nameOf(i), "Fill", 1, i, i + 8, 9000 + 37 * i});
    check("staircase", vars, "ipu1", 4);
    vars.clear();
    for (unsigned i = 0; i < 8; ++i)
      vars.push_back({nameOf(i), "Fill", 3, i < 4 ? 0U : 4U, i < 4 ? 2U : 6U, 17000 + 100 * i});
    check("two peaks", vars, "ipu1", 4);
    check("of a larger machine",
          {{"a", "Fill", 0, 0, 3, 90000}, {"b", "Fill", 0, 1, 3, 80001}, {"c", "Fill", 0, 0, 2, 10003}}, "ipu2", 4);
  }

  TEST_CASE("interleaved variables, more than their region has: its rule is named, and less of them fits") {
    std::vector<Var> vars;
    for (unsigned i = 0; i < 5; ++i)
      vars.push_back({nameOf(i), "FillInterleaved", 4, i, 9, 8000});
    const std::string text = outcome(vars, "ipu1");
    INFO(text);
    CHECK(text.find(" fewer than a tile has") != std::string::npos);
    CHECK(text.find("from rules of regions") != std::string::npos);
    CHECK(checkCauses(text) == 1);
    check("interleaved", vars, "ipu1", 128);
  }

  TEST_CASE("alignment is named where it is what is too much") {
    std::vector<Var> vars; // 990 variables of 260 bytes in slots of 272: each loses 12 bytes
    for (unsigned i = 0; i < 990; ++i)
      vars.push_back({nameOf(i), "FillWide", 4, 0, 2, 65});
    const std::string text = outcome(vars, "ipu1");
    INFO(text.substr(0, 2000));
    CHECK(text.find("Out of memory on tile ") == 0);
    CHECK(text.find(" from alignment") != std::string::npos);
    CHECK(checkCauses(text) == 1);
  }

} // TEST_SUITE
