#include "graph/codelets/CanonicalName.hpp"
#include "tests/unit/codelets/Support.hpp"

#include <doctest/doctest.h>

using namespace popscope;

TEST_SUITE_BEGIN("graph.codelets");

TEST_CASE("vertex names are compared without the blanks that C++ allows") {
  CHECK(normaliseVertexName("ns::V<float, 4>") == "ns::V<float,4>");
  CHECK(normaliseVertexName("A<B<int> >") == "A<B<int>>");
  CHECK(normaliseVertexName("::a::V< ::b::C , true >") == "a::V<b::C,true>");
  CHECK(normaliseVertexName("V<unsigned  int>") == "V<unsigned int>");
  for (const char *blank : {" ", "\t", "\n", "\v", "\f", "\r", "\r\n"}) {
    CHECK(normaliseVertexName(std::string("V<float,") + blank + "unsigned" + blank + "int>") ==
          "V<float,unsigned int>");
    CHECK(normaliseVertexName(std::string("V") + blank) == "V");
  }
  CHECK(normaliseVertexName("(anonymous namespace)::V") == "V");
}

TEST_CASE("names of object code become names of vertices") {
  const auto enumerator = [](const std::string &literal) { return literal == "(ns::Op)1" ? "ns::Op::MUL" : ""; };
  const auto name = [&](const char *mangled) { return canonicalVertexName(mangled, enumerator); };
  CHECK(name("N2ns1VIjLj4ELNS_2OpE1ELb1EEE") == "ns::V<unsigned int,4,ns::Op::MUL,true>");
  CHECK(name("N2ns1VIjLj4ELNS_2OpE7ELb0EEE") == "ns::V<unsigned int,4,(ns::Op)7,false>"); // no enumerator has it
  CHECK(name("1VILin3ELs5ELm7ELa65EE") == "V<-3,5,7,65>");
  CHECK(name("1VIKfPKfE") == "V<const float,float const*>");
  CHECK(name("N12_GLOBAL__N_11VE") == "V");
}

TEST_CASE("a class of any length of name is found by its name") {
  const std::string name = "N" + std::string(1500, 'x');
  const CodeletSet set = test::codeletsOf("struct " + name +
                                          " : Vertex { Output<int> o; bool compute() { return true; } };\n"
                                          "namespace a { struct " +
                                          name + " : Vertex { Output<int> o; bool compute() { return true; } }; }");
  CHECK(set.find(name) != nullptr);
  CHECK(set.find("a::" + name) != nullptr);
}

TEST_CASE("an unknown vertex is answered with the nearest known name, or with none") {
  const CodeletSet set = test::codeletsOf(
      "class Adder : public Vertex { public: Output<float> out; bool compute() { *out = 1; return true; } };");
  CHECK(set.nearest("Addr") == "Adder");
  CHECK(set.nearest("poplin::ConvPartialnx1") == "");
}

TEST_SUITE_END();
