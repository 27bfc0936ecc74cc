// The text of PrintTensor under each part of PrintTensorFmt. The expected lines are written by hand.
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/PrintTensor.hpp>

#include <poplar/exceptions.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

using namespace poplar;
using namespace poplar::program;
using FloatFormat = PrintTensorFmt::FloatFormat;

namespace {

/// Returns the text that a program prints for a tensor with these values. An empty `format` stands for a PrintTensor
/// without a format.
template <class T>
std::string printed(const Type &type, std::vector<std::size_t> shape, const std::vector<T> &values,
                    const std::vector<PrintTensorFmt> &format, const char *title = "t") {
  IPUModel model;
  model.tilesPerIPU = 2;
  const Device device = model.createDevice();
  Graph graph(device);
  const Tensor t = graph.addVariable(type, shape, "t");
  graph.setTileMapping(t, 0);
  graph.setInitialValue(t.flatten(), values);
  Engine engine(graph, format.empty() ? PrintTensor(title, t) : PrintTensor(title, t, format.front()));
  std::ostringstream out;
  engine.setPrintTensorStream(out);
  engine.load(device);
  engine.run();
  return out.str();
}
std::string floats(const std::vector<float> &values, const PrintTensorFmt &format) {
  return printed(FLOAT, {values.size()}, values, {format});
}
PrintTensorFmt digits(unsigned number, FloatFormat format = FloatFormat::Auto) { return {1000, 3, 75, number, format}; }
const std::vector<int> kOneToSix{1, 2, 3, 4, 5, 6};

} // namespace

TEST_SUITE("engine.print") {

  TEST_CASE("a PrintTensor without a format has seven digits; PrintTensorFmt has four") {
    CHECK(printed<float>(FLOAT, {2}, {1.5f, -2}, {}) == "t: [1.5000000 -2.0000000]\n");
    CHECK(floats({1.5f, -2}, PrintTensorFmt()) == "t: [1.5000 -2.0000]\n");
    CHECK(printed<float>(FLOAT, {}, {1.5f}, {}) == "t: 1.5000000\n");
  }

  TEST_CASE("digits is the number of digits after the decimal point in each format") {
    for (const FloatFormat format : {FloatFormat::Auto, FloatFormat::None, FloatFormat::Fixed}) {
      CHECK(floats({1.25f}, digits(2, format)) == "t: [1.25]\n");
      CHECK(floats({1.25f}, digits(9, format)) == "t: [1.250000000]\n");
    }
    CHECK(floats({1.25f}, digits(1, FloatFormat::Scientific)) == "t: [1.2e+00]\n");
    CHECK(printed<float>(HALF, {2}, {0.5f, 3}, {digits(2)}) == "t: [0.50 3.00]\n");
  }

  TEST_CASE("without digits, each float has the shortest text that identifies it") {
    CHECK(floats({0.1f, 1, 1e30f}, digits(0, FloatFormat::Fixed)) == "t: [0.1 1 1e+30]\n");
    // The neighbours of 0.1 among halves are 0.09991 and 0.1000; those of 65504 are 65472 and infinity.
    CHECK(printed<float>(HALF, {4}, {0.1f, 1, -2.5f, 65504}, {digits(0)}) == "t: [0.1 1 -2.5 65500]\n");
    CHECK(printed<float>(HALF, {2}, {1000, 6e-8f}, {digits(0)}) == "t: [1000 6e-08]\n");
  }

  TEST_CASE("more digits than a float can have are refused by name") {
    const float smallest = std::numeric_limits<float>::denorm_min(); // 2^-149: 149 digits after the point
    const std::string text = floats({smallest}, digits(149, FloatFormat::Fixed));
    CHECK(text.find("0.000") != std::string::npos);
    CHECK(text.find("125]") != std::string::npos);
    for (const unsigned many : {150u, 4000000000u})
      CHECK_THROWS_WITH_AS(
          floats({1}, digits(many)),
          doctest::Contains(("digits of the PrintTensorFmt is " + std::to_string(many) + "; the limit is 149").c_str()),
          control_program_error);
  }

  TEST_CASE("Auto is scientific for all values if one is large or small; None decides for each value") {
    const float inf = std::numeric_limits<float>::infinity();
    CHECK(floats({1, 1e8f}, digits(2)) == "t: [1.00e+00 1.00e+08]\n");
    CHECK(floats({1, 1e-5f}, digits(2)) == "t: [1.00e+00 1.00e-05]\n");
    CHECK(floats({1, 1e-5f}, digits(2, FloatFormat::None)) == "t: [1.00 1.00e-05]\n");
    CHECK(floats({1, 1e-5f}, digits(2, FloatFormat::Fixed)) == "t: [1.00 0.00]\n");
    CHECK(floats({0, 1e7f, -inf, inf}, digits(1)) == "t: [0.0 10000000.0 -inf inf]\n");
  }

  TEST_CASE("Auto looks at the values that are printed") {
    CHECK(floats({1, 1e9f, 2}, {2, 1, 75, 1}) == "t: [1.0 ... 2.0]\n");
    CHECK(floats({1, 2, 1e9f}, {2, 1, 75, 1}) == "t: [1.0e+00 ... 1.0e+09]\n");
    CHECK(floats({1, 2, 1e9f}, {2, 0, 75, 1}) == "t: [...]\n");
  }

  TEST_CASE("a row continues on the next line before it passes the maximum width") {
    // "t: [11 22" has 9 characters, and " 33]" 4 more.
    const std::vector<int> values{11, 22, 33};
    CHECK(printed(INT, {3}, values, {{1000, 3, 13}}) == "t: [11 22 33]\n");
    CHECK(printed(INT, {3}, values, {{1000, 3, 12}}) == "t: [11 22\n 33]\n");
    CHECK(printed(INT, {3}, values, {{1000, 3, 9}}) == "t: [11 22\n 33]\n");
    CHECK(printed(INT, {3}, values, {{1000, 3, 8}}) == "t: [11\n 22 33]\n");
    CHECK(printed(INT, {3}, values, {{1000, 3, 1}}) == "t: [11\n 22\n 33]\n"); // an element is never cut
    CHECK(printed(INT, {3}, values, {{1000, 3, 0}}) == "t: [11 22 33]\n");     // no limit
    CHECK(printed(INT, {3}, values, {{1000, 3, 10, 4, FloatFormat::Auto, ',', '<', '>'}}) == "t: <11,22,\n 33>\n");
    CHECK(printed(INT, {3}, values, {{1000, 3, 9, 4, FloatFormat::Auto, ',', '<', '>'}}) == "t: <11,\n 22,33>\n");
  }

  TEST_CASE("the rows of a matrix continue below their first element") {
    CHECK(printed(INT, {2, 3}, kOneToSix, {{1000, 3, 5}}) == "t: [\n [1 2\n  3]\n [4 5\n  6]\n]\n");
    CHECK(printed(INT, {2, 3}, kOneToSix, {{1000, 3, 8}}) == "t: [\n [1 2 3]\n [4 5 6]\n]\n");
  }

  TEST_CASE("no line of a long tensor is wider than 75 characters without a format") {
    std::istringstream lines(printed(FLOAT, {40}, std::vector<float>(40, 0.5f), {}));
    std::size_t widest = 0, count = 0;
    for (std::string line; std::getline(lines, line); ++count)
      widest = std::max(widest, line.size());
    CHECK(widest <= 75);
    CHECK(count == 6); // seven values in a line
  }

  TEST_CASE("a tensor above the threshold keeps its edges; edgeItems 0 keeps none, threshold 0 all") {
    CHECK(printed(INT, {6}, kOneToSix, {{5, 1}}) == "t: [1 ... 6]\n");
    CHECK(printed(INT, {6}, kOneToSix, {{5, 0}}) == "t: [...]\n");
    CHECK(printed(INT, {6}, kOneToSix, {{5, 3}}) == "t: [1 2 3 4 5 6]\n");
    CHECK(printed(INT, {6}, kOneToSix, {{6, 1}}) == "t: [1 2 3 4 5 6]\n");
    CHECK(printed(INT, {6}, kOneToSix, {{0, 1}}) == "t: [1 2 3 4 5 6]\n");
    CHECK(printed(INT, {2, 3}, kOneToSix, {{5, 0}}) == "t: [\n ...\n]\n");
    CHECK(printed(INT, {3, 2}, kOneToSix, {{5, 1}}) == "t: [\n [1 2]\n ...\n [5 6]\n]\n");
  }
}
