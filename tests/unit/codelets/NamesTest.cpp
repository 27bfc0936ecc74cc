#include "tests/unit/codelets/Support.hpp"

#include <doctest/doctest.h>

using namespace popscope;

TEST_SUITE_BEGIN("graph.codelets");

TEST_CASE("vertex names are compared without the blanks that C++ allows") {
  CHECK(normaliseVertexName("ns::V<float, 4>") == "ns::V<float,4>");
  CHECK(normaliseVertexName("A<B<int> >") == "A<B<int>>");
  CHECK(normaliseVertexName("::a::V< ::b::C , true >") == "a::V<b::C,true>");
  CHECK(normaliseVertexName("V<unsigned  int>") == "V<unsigned int>");
  CHECK(normaliseVertexName("(anonymous namespace)::V") == "V");
}

TEST_CASE("an unknown vertex is answered with the nearest known name, or with none") {
  const CodeletSet set = test::codeletsOf("class Adder : public Vertex { public: Output<float> out; bool compute() { *out = 1; return true; } };");
  CHECK(set.nearest("Addr") == "Adder");
  CHECK(set.nearest("poplin::ConvPartialnx1") == "");
}

TEST_SUITE_END();
