#include "tests/unit/codelets/Support.hpp"

#include <algorithm>
#include <doctest/doctest.h>

using namespace popscope;
using namespace popscope::test;

TEST_SUITE_BEGIN("graph.codelets.standin");

TEST_CASE("code that two classes reach is shared, the rest belongs to its class") {
  const CodeletSet set = codeletsOf(R"(
    __attribute__((noinline)) float common(float x) { return x * x + 1; }
    __attribute__((noinline)) float onlyA(float x) { return common(x) * 3 + x; }
    class A : public Vertex { public: InOut<float> v; bool compute() { *v = onlyA(*v); return true; } };
    class B : public Vertex { public: InOut<float> v; bool compute() { *v = common(*v) + 2; return true; } };
    class C : public Vertex { public: InOut<float> v; bool compute() { *v = *v + 2; return true; } };)");
  const VertexClass *a = set.find("A"), *b = set.find("B"), *c = set.find("C");
  REQUIRE_MESSAGE(a->standIn != nullptr, a->standInProblem);
  REQUIRE(a->sharedCode.size() == 1);
  CHECK(a->sharedCode == b->sharedCode);
  CHECK(a->sharedCode[0].first == "common(float)");
  CHECK(a->sharedCode[0].second > 0);
  CHECK(a->sharedCode[0].second % 4 == 0); // instructions are 4 bytes
  CHECK(a->codeBytes > b->codeBytes);      // onlyA() belongs to A alone
  CHECK(c->sharedCode.empty());
  CHECK(c->codeBytes >= 5 * 4);            // two loads, add, store, return
}

TEST_CASE("library functions are listed by name without a size") {
  const CodeletSet set = codeletsOf(R"(#include <cmath>
    class L : public Vertex { public: InOut<float> v; bool compute() { *v = std::tanh(*v); return true; } };)");
  const VertexClass &c = set.at(0);
  REQUIRE_MESSAGE(c.standIn != nullptr, c.standInProblem);
  CHECK(c.sharedCode == std::vector<std::pair<std::string, std::uint32_t>>{{"tanhf", 0}});
}

TEST_CASE("more code in a class means more bytes") {
  const CodeletSet set = codeletsOf(R"(template <int N> class T : public Vertex { public: InOut<Vector<float>> v;
    bool compute() { v[0] += 1; if constexpr (N > 1) { v[1] *= v[0]; v[2] -= v[1]; v[3] /= v[2]; } return true; } };
    template class T<1>; template class T<2>;)");
  REQUIRE(set.find("T<1>")->standIn != nullptr);
  CHECK(set.find("T<2>")->codeBytes > set.find("T<1>")->codeBytes);
}

TEST_SUITE_END();
