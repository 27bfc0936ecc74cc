#include "graph/codelets/Process.hpp"
#include "graph/codelets/standin/CompileStandIn.hpp"
#include "tests/unit/codelets/Support.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <random>

using namespace popscope;
using namespace popscope::test;

namespace {

std::mt19937 generator(7); // NOLINT: one fixed sequence for the whole file

std::vector<float> floats(std::size_t n) {
  std::uniform_real_distribution<float> range(-4, 4);
  std::vector<float> values(n);
  for (float &v : values)
    v = range(generator);
  return values;
}
template <class T> std::vector<T> integers(std::size_t n) {
  std::vector<T> values(n);
  for (T &v : values)
    v = static_cast<T>(generator());
  return values;
}

/// Checks that every operand has the same bytes after compute() on the host and on the stand-in. Returns the
/// instructions.
std::uint64_t compareRuns(const VertexClass &c, std::vector<Operand> operands, unsigned worker = 0) {
  REQUIRE_MESSAGE(c.standIn != nullptr, c.standInProblem);
  std::vector<std::vector<std::uint8_t>> after;
  const StandInResult result = runOnStandIn(c, operands, after, worker);
  CHECK_MESSAGE(result.completed, (c.name + ": " + result.problem));
  runOnHost(c, operands, worker);
  for (std::size_t i = 0; i != operands.size(); ++i)
    CHECK_MESSAGE(after[i] == operands[i].bytes, (c.name + " operand " + std::to_string(i)));
  return result.instructions;
}

} // namespace

TEST_SUITE_BEGIN("graph.codelets.standin");

TEST_CASE("a float sum gives the host's bits and its instructions grow with its length") {
  const CodeletSet set = codeletsOf(R"(class Sum : public Vertex { public: Input<Vector<float>> in; Output<float> out;
    bool compute() { float s = 0; for (float v : in) s += v; *out = s; return true; } };)");
  const VertexClass &c = set.at(0);
  const auto run = [&](std::size_t n) {
    return compareRuns(c, {operandOf(c, "in", floats(n)), operandOf<float>(c, "out", {0})});
  };
  const std::uint64_t at10 = run(10), at110 = run(110), at210 = run(210);
  CHECK(at210 - at110 == at110 - at10); // a fixed number for each element
  CHECK((at110 - at10) / 100 >= 3);     // load, add, branch at the least
  CHECK((at110 - at10) / 100 <= 6);
}

TEST_CASE("library functions run natively and cost what the table says") {
  const CodeletSet set = codeletsOf(R"(#include <cmath>
    class Exp : public Vertex { public: Input<Vector<float>> in; Output<Vector<float>> out;
    bool compute() { for (unsigned i = 0; i != in.size(); ++i) out[i] = std::exp(in[i]) + std::sqrt(std::fabs(in[i])); return true; } };)");
  const VertexClass &c = set.at(0);
  std::vector<Operand> operands = {operandOf(c, "in", floats(20)), operandOf(c, "out", floats(20))};
  const std::uint64_t at10 = compareRuns(c, operands);
  std::vector<std::vector<std::uint8_t>> after;
  const StandInResult dearer = runOnStandIn(c, operands, after, 0, [](const std::string &) { return 15; });
  CHECK(dearer.instructions == at10 + 20 * 5);
  const StandInResult unknown = runOnStandIn(c, operands, after, 0, [](const std::string &) { return 0; });
  CHECK_FALSE(unknown.completed);
  CHECK(unknown.problem.find("'expf'") != std::string::npos);
}

TEST_CASE("floating-point operations are counted: arithmetic and mathematical functions, not moves and comparisons") {
  const CodeletSet set = codeletsOf(R"(#include <cmath>
    class Dot : public Vertex { public: Input<Vector<float>> a, b; Output<float> out;
    bool compute() { float s = 0; for (unsigned i = 0; i != a.size(); ++i) s += a[i] * b[i]; *out = s; return true; } };
    class Move : public Vertex { public: Input<Vector<float>> a; Output<Vector<float>> out;
    bool compute() { for (unsigned i = 0; i != a.size(); ++i) out[i] = a[i] < 0 ? -a[i] : std::floor(a[i]); return true; } };
    class Halves : public Vertex { public: Input<Vector<half>> a; Output<Vector<half>> out;
    bool compute() { for (unsigned i = 0; i != a.size(); ++i) out[i] = a[i] / out[i]; return true; } };
    class Whole : public Vertex { public: InOut<Vector<int>> x;
    bool compute() { for (unsigned i = 0; i != x.size(); ++i) x[i] = 3 * x[i] + 1; return true; } };
    class Functions : public Vertex { public: Input<Vector<float>> a; Output<Vector<float>> out;
    bool compute() { for (unsigned i = 0; i != a.size(); ++i) out[i] = std::exp(a[i]) + std::sqrt(std::fabs(a[i])); return true; } };)");
  const auto flopsOf = [&](const char *name, const std::vector<Operand> &operands) {
    for (std::size_t i = 0; i != set.size(); ++i)
      if (set.at(i).name == name) {
        std::vector<std::vector<std::uint8_t>> after;
        const StandInResult result = runOnStandIn(set.at(i), operands, after, 0);
        CHECK_MESSAGE(result.completed, result.problem);
        return result.flops;
      }
    throw std::runtime_error("no such class");
  };
  const auto of = [&](const char *name) -> const VertexClass & {
    for (std::size_t i = 0; i != set.size(); ++i)
      if (set.at(i).name == name)
        return set.at(i);
    throw std::runtime_error("no such class");
  };
  const auto pair = [&](const char *name) {
    return std::vector{operandOf(of(name), "a", floats(20)), operandOf(of(name), "out", floats(20))};
  };
  CHECK(flopsOf("Dot", {operandOf(of("Dot"), "a", floats(20)), operandOf(of("Dot"), "b", floats(20)),
                        operandOf<float>(of("Dot"), "out", {0})}) == 40); // 20 products, 20 sums, fused or not
  CHECK(flopsOf("Move", pair("Move")) == 0);
  CHECK(flopsOf("Functions", pair("Functions")) == 60); // exp, root, sum
  const std::vector<std::uint16_t> ones(12, 0x3c00);
  CHECK(flopsOf("Halves", {operandOf(of("Halves"), "a", ones), operandOf(of("Halves"), "out", ones)}) == 12);
  CHECK(flopsOf("Whole", {operandOf(of("Whole"), "x", integers<std::int32_t>(9))}) == 0);
}

TEST_CASE("compiled loops take the slots of the machine's instructions and keep their values") {
  const CodeletSet set = codeletsOf(R"(#include <ipudef.h>
    class Add : public Vertex { public: InOut<Vector<float>> data; float by;
    bool compute() { const float f = by; for (float &v : data) v += f; return true; } };
    class Pairs : public Vertex { public: InOut<Vector<float, VectorLayout::SPAN, 8>> data; float by;
    bool compute() { typedef float Two __attribute__((ext_vector_type(2))); const float f = by;
      Two *const p = (Two *)&data[0]; const unsigned n = data.size() / 2; for (unsigned i = 0; i != n; ++i) p[i] *= f; return true; } };
    class Half : public Vertex { public: InOut<Vector<half, VectorLayout::ONE_PTR, 8>> data; half by; unsigned n;
    bool compute() { const half f = by; for (unsigned i = 0; i != n; ++i) data[i] += f; return true; } };
    class Fours : public Vertex { public: InOut<Vector<half, VectorLayout::ONE_PTR, 8>> data; half by; unsigned n;
    bool compute() { const half4 f = {by, by, by, by};
      half4 *const p = (half4 *)&data[0]; const unsigned m = n / 4; for (unsigned i = 0; i != m; ++i) p[i] += f; return true; } };
    class Wait : public SupervisorVertex { public: Input<unsigned> n;
    bool compute() { for (volatile unsigned i = 0; i < *n; ++i) ; return true; } };)");
  StandInModel model; // the machine's default rules
  model.compareThenBranch = model.registerMoves = model.divisionCalls = model.supervisorWaits = true;
  model.postIncrement = model.indexedAddresses = model.countAndBranch = model.vectors = true;
  model.halves = model.subWordStores = true;
  const LibraryCost library = [](const std::string &name) { return name == "__st16f" ? 8 : 0; };
  const auto run = [&](const char *name, std::vector<Operand> operands, const StandInModel &rules) {
    const VertexClass *c = set.find(name);
    REQUIRE(c != nullptr);
    std::vector<StandInOperand> views;
    for (const Operand &o : operands)
      views.push_back({o.field, o.subIndex, o.bytes.data(), o.elements});
    std::vector<std::vector<std::uint8_t>> after;
    const StandInResult result = runStandIn(*c, views, library, 0, 1'000'000, &after, {rules});
    CHECK_MESSAGE(result.completed, result.problem);
    runOnHost(*c, operands, 0);
    for (std::size_t i = 0; i != operands.size(); ++i)
      CHECK(after[i] == operands[i].bytes);
    const bool supervisor = c->kind == VertexClassKind::Supervisor;
    return static_cast<std::int64_t>(result.instructions + (supervisor ? 5 * result.accesses + result.waits : 0)) +
           result.slotsBeyond;
  };
  const auto perHundred = [&](const char *name, const StandInModel &rules) {
    const VertexClass &c = *set.find(name);
    const auto at = [&](std::size_t n) {
      return run(name, {operandOf(c, "data", floats(n)), operandOf<float>(c, "by", {2})}, rules);
    };
    return at(300) - at(200);
  };
  CHECK(perHundred("Add", {}) == 600);      // load, add, store, count, step, branch
  CHECK(perHundred("Add", model) == 400);   // load, add, store that steps, branch that counts
  CHECK(perHundred("Pairs", model) == 200); // the same for two floats at a time
  const auto perHundredHalves = [&](const char *name, const StandInModel &rules) {
    const VertexClass &c = *set.find(name);
    const auto at = [&](unsigned n) {
      return run(name,
                 {operandOf(c, "data", std::vector<std::uint16_t>(n, 0x3c01)),
                  operandOf<std::uint16_t>(c, "by", {0x3955}), operandOf<unsigned>(c, "n", {n})},
                 rules);
    };
    return at(300) - at(200);
  };
  CHECK(perHundredHalves("Half", {}) == 600);
  CHECK(perHundredHalves("Half", model) == 1400); // ldb16, sort4x16lo, f16v2add, __st16f, step, branch that counts
  // for four halves at a time: ld64, f16v4add, st64step, branch that counts
  CHECK(perHundredHalves("Fours", model) == 100);
  const VertexClass &wait = *set.find("Wait");
  const auto cycles = [&](unsigned n, const StandInModel &rules) {
    return run("Wait", {operandOf<unsigned>(wait, "n", {n})}, rules);
  };
  CHECK(cycles(200, model) - cycles(100, model) >= 100 * 36); // the bound is read each time, too
  CHECK(cycles(200, {}) - cycles(100, {}) < cycles(200, model) - cycles(100, model));
}

TEST_CASE("integer loops of every width agree") {
  const CodeletSet set = codeletsOf(R"(
    template <class T> class Mix : public Vertex { public: Input<Vector<T, VectorLayout::ONE_PTR>> a; InOut<Vector<T>> b; unsigned shift;
    bool compute() { for (unsigned i = 0; i != b.size(); ++i) { const T d = static_cast<T>(a[i] | 1); b[i] = static_cast<T>((b[i] * a[i]) / d + (b[i] % d) - (b[i] >> shift) + (a[i] < b[i])); } return true; } };
    template class Mix<int>; template class Mix<unsigned>; template class Mix<short>; template class Mix<unsigned char>;
    template class Mix<long long>; template class Mix<unsigned long long>;)");
  const auto run = [&](const char *name, auto zero) {
    const VertexClass *c = set.find(name);
    REQUIRE(c != nullptr);
    using T = decltype(zero);
    compareRuns(*c, {operandOf(*c, "a", integers<T>(50)), operandOf(*c, "b", integers<T>(50)),
                     operandOf<unsigned>(*c, "shift", {3})});
  };
  run("Mix<int>", 0);
  run("Mix<unsigned int>", 0u);
  run("Mix<short>", short(0));
  run("Mix<unsigned char>", static_cast<unsigned char>(0));
  run("Mix<long long>", 0ll);
  run("Mix<unsigned long long>", 0ull);
}

TEST_CASE("nested vectors, lists and vectors of scalars are laid out for both machines") {
  const CodeletSet set =
      codeletsOf(R"(class Nest : public Vertex { public: Vector<Input<Vector<float, VectorLayout::SPAN, 8>>> rows;
    Vector<Output<float>> sums; InOut<VectorList<int, VectorListLayout::COMPACT_DELTAN>> list; Vector<unsigned short> add; bool flag;
    bool compute() { for (unsigned r = 0; r != rows.size(); ++r) { float s = 0; for (float v : rows[r]) s += v; sums[r] = s; }
      for (unsigned i = 0; i != list.size(); ++i) for (int &x : list[i]) x += add[i] + flag; return true; } };)");
  const VertexClass &c = set.at(0);
  std::vector<Operand> operands;
  for (unsigned r = 0; r != 5; ++r) {
    operands.push_back(operandOf(c, "rows", floats(r * 3), r));
    operands.push_back(operandOf<float>(c, "sums", {0}, r));
  }
  for (unsigned r = 0; r != 3; ++r)
    operands.push_back(operandOf(c, "list", integers<int>(4 + r), r));
  operands.push_back(operandOf<unsigned short>(c, "add", {1, 20, 300}));
  operands.push_back(operandOf<std::uint8_t>(c, "flag", {1}));
  compareRuns(c, operands);
}

TEST_CASE("half rounds the same on both machines") {
  const CodeletSet set =
      codeletsOf(R"(class H : public Vertex { public: Input<Vector<half>> a; InOut<Vector<half>> b; half k;
    bool compute() { for (unsigned i = 0; i != a.size(); ++i) { half x = a[i]; x *= k; b[i] += x; } return true; } };)");
  const VertexClass &c = set.at(0);
  std::vector<std::uint16_t> a, b;
  for (int i = 0; i != 200; ++i) { // finite values of either sign
    a.push_back(static_cast<std::uint16_t>((generator() & 0x8000u) | (generator() % 0x7000u)));
    b.push_back(static_cast<std::uint16_t>((generator() & 0x8000u) | (generator() % 0x7000u)));
  }
  compareRuns(c, {operandOf(c, "a", a), operandOf(c, "b", b), operandOf<std::uint16_t>(c, "k", {0x3955})});
}

TEST_CASE("every worker of a MultiVertex runs its own share") {
  const CodeletSet set = codeletsOf(R"(class M : public MultiVertex { public: InOut<Vector<float>> v;
    bool compute(unsigned w) { for (unsigned i = w; i < v.size(); i += numWorkers()) v[i] = v[i] * 2 + w; return true; } };)");
  const VertexClass &c = set.at(0);
  for (unsigned worker = 0; worker != 6; ++worker)
    compareRuns(c, {operandOf(c, "v", floats(40))}, worker);
}

TEST_CASE("doubles, comparisons, constants in tables and calls through pointers agree") {
  const CodeletSet set = codeletsOf(R"(#include <algorithm>
    namespace { const float table[5] = {1.5f, -2, 3, 4.25f, 9}; float twice(float x) { return 2 * x; } float half_(float x) { return x / 2; }
      float (*const choices[2])(float) = {twice, half_}; }
    class D : public Vertex { public: InOut<Vector<float>> v; Input<unsigned> which;
    __attribute__((noinline)) bool compute() { double s = 0; for (float &x : v) { s += x; x = choices[(*which + (x > 0)) & 1](x) + table[&x - v.begin()]; }
      std::sort(v.begin(), v.end()); v[0] += static_cast<float>(s / 3.0); return true; } };)");
  const VertexClass &c = set.at(0);
  for (unsigned which = 0; which != 2; ++which)
    compareRuns(c, {operandOf(c, "v", floats(5)), operandOf<unsigned>(c, "which", {which})});
}

TEST_CASE("a codelet that runs away, or outside its memory, is stopped and told") {
  const CodeletSet set = codeletsOf(R"(
    class Loop : public Vertex { public: InOut<int> x; bool compute() { while (*x == 0) { asm volatile("" ::: "memory"); } return true; } };
    class Wild : public Vertex { public: InOut<Vector<int>> x; bool compute() { x[1u << 28] = 1; return true; } };
    extern "C" float helper_of_nobody(float); class Ok : public Vertex { public: Output<int> o; bool compute() { *o = 1; return true; } };)");
  const auto result = [&](const char *name, const char *field) {
    const VertexClass *c = set.find(name);
    std::vector<Operand> operands = {operandOf<int>(*c, field, {0})};
    return runStandIn(*c, {{0, 0, operands[0].bytes.data(), 1}}, {}, 0, 1000);
  };
  CHECK(result("Ok", "o").completed);
  CHECK_FALSE(result("Loop", "x").completed);
  CHECK(result("Loop", "x").problem == "stopped after 1000 instructions");
  CHECK_FALSE(result("Wild", "x").completed);
  CHECK(result("Wild", "x").problem.find("outside the writable memory") != std::string::npos);
}

TEST_CASE("the host's operands are left as they were") {
  const CodeletSet set = codeletsOf("class Z : public Vertex { public: InOut<Vector<int>> x; bool compute() { for (int "
                                    "&v : x) v = 0; return true; } };");
  std::vector<int> data = {1, 2, 3};
  const StandInResult result = runStandIn(set.at(0), {{0, 0, data.data(), 3}}, {}, 0, 10000);
  CHECK(result.completed);
  CHECK(data == std::vector<int>{1, 2, 3});
}

TEST_CASE("the reason of a failed compilation begins with the line of the first error") {
  ProcessResult compiler;
  compiler.exitCode = 1;
  compiler.errors =
      "In file included from a.cpp:3:\nIn file included from b.hpp:1:\nb.hpp:7:10: fatal error: no c.hpp\n  7 | "
      "#include <c.hpp>\n";
  CHECK(standInErrors(compiler).find("the stand-in: b.hpp:7:10: fatal error: no c.hpp") != std::string::npos);
  compiler.errors = "Killed\n";
  CHECK(standInErrors(compiler).find("the stand-in: Killed") != std::string::npos);
}

TEST_SUITE_END();
