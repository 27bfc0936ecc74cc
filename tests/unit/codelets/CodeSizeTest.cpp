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
  CHECK(a->codeBytes > b->codeBytes);      // only A uses onlyA()
  CHECK(c->sharedCode.empty());
  CHECK(c->codeBytes >= 5 * 4); // two loads, add, store, return
}

TEST_CASE("library functions are listed by name without a size") {
  const CodeletSet set = codeletsOf(R"(#include <cmath>
    class L : public Vertex { public: InOut<float> v; bool compute() { *v = std::tanh(*v); return true; } };)");
  const VertexClass &c = set.at(0);
  REQUIRE_MESSAGE(c.standIn != nullptr, c.standInProblem);
  CHECK(c.sharedCode == std::vector<std::pair<std::string, std::uint32_t>>{{"tanhf", 0}});
}

TEST_CASE("a file-local function has one name in every folder and another one in every library") {
  useBuildTree();
  const std::string text = R"(#include <poplar/Vertex.hpp>
    __attribute__((noinline)) static float local(float x) { return x * x + FACTOR; }
    class A : public poplar::Vertex { public: poplar::InOut<float> v; bool compute() { *v = local(*v); return true; } };
    class B : public poplar::Vertex { public: poplar::InOut<float> v; bool compute() { *v = local(*v) + 2; return true; } };)";
  const auto localOf = [&](const std::string &folder, const char *flags) {
    std::filesystem::create_directories(std::filesystem::path(POPSCOPE_BINARY_DIR) / "codelet-sources" / folder);
    CodeletSet set;
    set.addFile(writeSource(folder + "/local.cpp", text), CodeletSourceKind::Auto, {flags, "ipu1", true}, nullptr);
    REQUIRE(set.find("A")->sharedCode.size() == 1);
    return set.find("A")->sharedCode[0].first;
  };
  const std::string here = localOf("here", "-DFACTOR=1"), there = localOf("there", "-DFACTOR=1");
  CHECK(here == there);
  CHECK(here.rfind("local(float) [", 0) == 0);
  CHECK(here != localOf("here", "-DFACTOR=3"));
}

TEST_CASE("more code in a class means more bytes") {
  const CodeletSet set = codeletsOf(R"(template <int N> class T : public Vertex { public: InOut<Vector<float>> v;
    bool compute() { v[0] += 1; if constexpr (N > 1) { v[1] *= v[0]; v[2] -= v[1]; v[3] /= v[2]; } return true; } };
    template class T<1>; template class T<2>;)");
  REQUIRE(set.find("T<1>")->standIn != nullptr);
  CHECK(set.find("T<2>")->codeBytes > set.find("T<1>")->codeBytes);
}

TEST_SUITE_END();
