// half in codelets, on the host and on the stand-in.
#include "base/Half.hpp"
#include "tests/unit/codelets/Support.hpp"

#include <bit>
#include <cmath>
#include <doctest/doctest.h>
#include <random>

using namespace popscope;
using namespace popscope::test;

namespace {

using Bits = std::vector<std::uint16_t>;

/// Returns the nearest half of a value that a double represents exactly, ties to even. Searches, and shares no code
/// with the header.
std::uint16_t nearestHalf(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  std::uint16_t low = 0, high = 0x7c00; // patterns of positive halves are ordered as their values
  const auto valueOf = [](std::uint16_t bits) {
    const int exponent = bits >> 10, mantissa = bits & 1023;
    return exponent == 0 ? std::ldexp(mantissa, -24)
                         : std::ldexp(1024 + mantissa, exponent - 25); // 0x7c00 reads as 65536
  };
  while (high - low > 1) {
    const std::uint16_t middle = static_cast<std::uint16_t>((low + high) / 2);
    (valueOf(middle) <= magnitude ? low : high) = middle;
  }
  const double below = magnitude - valueOf(low), above = valueOf(high) - magnitude;
  return sign | (below < above || (below == above && low % 2 == 0) ? low : high);
}

Bits runBoth(const CodeletSet &set, const std::string &name, const Bits &a, const Bits &b) {
  const VertexClass *c = set.find(name);
  REQUIRE(c != nullptr);
  std::vector<Operand> operands = {operandOf(*c, "a", a), operandOf(*c, "b", b), operandOf(*c, "out", Bits(a.size()))};
  std::vector<std::vector<std::uint8_t>> after;
  const StandInResult simulated = runOnStandIn(*c, operands, after);
  REQUIRE_MESSAGE(simulated.problem.empty(), simulated.problem);
  CHECK(runOnHost(*c, operands));
  CHECK(valuesOf<std::uint16_t>(after[2]) == valuesOf<std::uint16_t>(operands[2].bytes));
  return valuesOf<std::uint16_t>(operands[2].bytes);
}

const char *kFields = "Input<Vector<half>> a; Input<Vector<half, VectorLayout::ONE_PTR>> b; Output<Vector<half, "
                      "VectorLayout::ONE_PTR>> out; ";

} // namespace

TEST_SUITE_BEGIN("graph.codelets");

TEST_CASE("each operation on halves rounds, also inside an expression") {
  const CodeletSet set = codeletsOf(
      std::string("class Mac : public Vertex { public: ") + kFields +
      "bool compute() { for (unsigned i = 0; i != a.size(); ++i) out[i] = a[i] * b[i] + a[i]; return true; } };\n"
      "class Div : public Vertex { public: " +
      kFields +
      "bool compute() { for (unsigned i = 0; i != a.size(); ++i) out[i] = a[i] / b[i] - b[i]; return true; } };");
  std::mt19937 bits(7);
  Bits a, b;
  while (a.size() != 500) { // finite, of both signs
    const auto x = static_cast<std::uint16_t>(bits() & 0xbfff), y = static_cast<std::uint16_t>(bits() & 0xbfff);
    if ((y & 0x7fff) != 0)
      a.push_back(x), b.push_back(y);
  }
  const Bits mac = runBoth(set, "Mac", a, b), div = runBoth(set, "Div", a, b);
  unsigned single = 0;
  for (std::size_t i = 0; i != a.size(); ++i) {
    const double x = halfToFloat(a[i]), y = halfToFloat(b[i]);
    INFO(x << ' ' << y);
    CHECK(mac[i] == nearestHalf(double(halfToFloat(nearestHalf(x * y))) + x));
    single += mac[i] != nearestHalf(x * y + x);
    // The quotient of two halves in double is far from a tie between halves unless it is exact.
    const double quotient = halfToFloat(nearestHalf(x / y));
    if (std::isfinite(quotient))
      CHECK(div[i] == nearestHalf(quotient - y));
  }
  CHECK(single > 20); // rounding only once would give other results
}

TEST_CASE(
    "codelets convert every half to float and back as the host does, by the processor's instructions or without") {
  const CodeletSet set = codeletsOf(R"(
    class Widen : public Vertex { public:
      Input<Vector<half>> a; Output<Vector<float, VectorLayout::ONE_PTR>> out; Output<Vector<half, VectorLayout::ONE_PTR>> back;
      bool compute() {
        for (unsigned i = 0; i != a.size(); ++i) { const float wide = a[i]; out[i] = wide; back[i] = half(wide); }
        return true;
      }
    };)");
  const VertexClass *c = set.find("Widen");
  REQUIRE(c != nullptr);
  Bits all(0x10000);
  for (unsigned bits = 0; bits != all.size(); ++bits)
    all[bits] = static_cast<std::uint16_t>(bits);
  std::vector<Operand> operands = {operandOf(*c, "a", all), operandOf(*c, "out", std::vector<float>(all.size())),
                                   operandOf(*c, "back", Bits(all.size()))};
  CHECK(runOnHost(*c, operands));
  const auto wide = valuesOf<std::uint32_t>(operands[1].bytes);
  const auto back = valuesOf<std::uint16_t>(operands[2].bytes);
  for (unsigned bits = 0; bits != all.size(); ++bits) {
    INFO(bits);
    REQUIRE(wide[bits] == std::bit_cast<std::uint32_t>(halfToFloat(all[bits])));
    if ((bits & 0x7fff) <= 0x7c00) // the compiler may keep a NaN: two conversions that cancel each other
      REQUIRE(back[bits] == all[bits]);
  }
}

TEST_CASE("half mixes with float in a conditional, with edges, functions and integers as on a tile") {
  const CodeletSet set = codeletsOf(R"(
    #include <algorithm>
    #include <cmath>
    template <class A, class B> struct Same { static const bool value = false; };
    template <class A> struct Same<A, A> { static const bool value = true; };
    class Mixed : public Vertex { public:
      Input<half> a; Input<float> f; InOut<half> b; Output<Vector<float>> out; float k;
      bool compute() {
        half h = a;
        static_assert(Same<decltype(true ? h : 1.0f), float>::value, "");
        static_assert(Same<decltype(h + h), half>::value && Same<decltype(h * 2), half>::value, "");
        static_assert(Same<decltype(h * 2.0f), float>::value && Same<decltype(h * 2.0), double>::value, "");
        static_assert(Same<decltype(a * h), half>::value && Same<decltype(a * f), float>::value, "");
        unsigned i = 0;
        out[i++] = k > 0 ? h : k;            // half or float
        out[i++] = k > 0 ? a : 1.0f;
        out[i++] = a * 1000 + h;             // 2001 is no half: 2000 or 2002
        out[i++] = a * f;
        out[i++] = std::max(h, half(1));
        out[i++] = std::sqrt(h * h) + fabs(-a) + std::exp(half(0));
        h += a; h *= 2; h -= f; h = h / 2;
        out[i++] = h;
        b += a; b *= 2.0f;
        out[i++] = b > a && a < 3 && a == 2 && -a < 0 && f != a;
        out[i++] = std::numeric_limits<half>::max();
        out[i++] = 1.5_h;
        half table[2] = {half(1), half(2)}; union { half h; unsigned short u; } pun; pun.h = table[1];
        out[i++] = pun.u;
        out[i++] = half(1.0 + 1.0 / 2048 + 1e-12); // one rounding: up, though a float in between would be a tie
        return true; } };)");
  const VertexClass &c = set.at(0);
  std::vector<Operand> operands = {operandOf<std::uint16_t>(c, "a", {0x4000}), operandOf<float>(c, "f", {0.25f}),
                                   operandOf<std::uint16_t>(c, "b", {0x3c00}),
                                   operandOf(c, "out", std::vector<float>(12)), operandOf<float>(c, "k", {4.0f})};
  std::vector<std::vector<std::uint8_t>> after;
  const StandInResult simulated = runOnStandIn(c, operands, after);
  REQUIRE_MESSAGE(simulated.problem.empty(), simulated.problem);
  runOnHost(c, operands);
  const std::vector<float> expected = {2, 2, 2002, 0.5f, 2, 5, 3.875f, 1, 65504, 1.5f, 0x4000, 1.0009765625f};
  CHECK(valuesOf<float>(operands[3].bytes) == expected);
  CHECK(valuesOf<float>(after[3]) == expected);
  CHECK(valuesOf<std::uint16_t>(operands[2].bytes)[0] == 0x4600); // (1 + 2) * 2
}

TEST_CASE("vectors of the tile's types compute element by element") {
  const CodeletSet set = codeletsOf(R"(
    #include <ipudef.h>
    #include <ipu_vector_math>
    #include <ipu_memory_intrinsics>
    #include <ipu_builtins.h>
    class Vectors : public Vertex { public:
      Input<Vector<float, VectorLayout::ONE_PTR, 8>> in; Output<Vector<float>> out;
      bool compute() {
        static_assert(sizeof(half4) == 8 && sizeof(float2) == 8 && sizeof(uchar4) == 4 && sizeof(long2) == 8, "");
        const float2 *from = reinterpret_cast<const float2 *>(&in[0]);
        float2 *to = reinterpret_cast<float2 *>(&out[0]);
        const float2 x = ipu::load_postinc(&from, 1), y = ipu::load_postinc(&from, 1);
        ipu::store_postinc(&to, x * y + x, 1);
        ipu::store_postinc(&to, ipu::fmax(ipu::fabs(x), ipu::sqrt(y)), 1);
        half4 h = {half(1), half(2), half(3), half(4)};
        h = ipu::fma(h, h, h) * h;
        out[4] = h[3];
        out[5] = ipu::rsqrt(in[2]) + __builtin_ipu_exp2(3.0f);
        out[6] = ipu::clamp(7.0f, float2{1.0f, 5.0f});
        rptsize_t n = 1; ushort4 u = {1, 2, 3, 4}; u += u; out[7] = u[3] + n;
        return true; } };)");
  const VertexClass &c = set.at(0);
  std::vector<Operand> operands = {operandOf<float>(c, "in", {1, -2, 4, 9}),
                                   operandOf(c, "out", std::vector<float>(8))};
  std::vector<std::vector<std::uint8_t>> after;
  const StandInResult simulated = runOnStandIn(c, operands, after);
  REQUIRE_MESSAGE(simulated.problem.empty(), simulated.problem);
  runOnHost(c, operands);
  CHECK(valuesOf<float>(operands[1].bytes) == std::vector<float>{5, -20, 2, 3, 80, 8.5f, 5, 9});
  CHECK(after[1] == operands[1].bytes);
}

TEST_CASE("a source may define the constants of a tile itself") {
  const CodeletSet set =
      codeletsOf("#define CTXT_WORKERS (6)\n#define TMEM_ELEMSIZE (0x4000)\n#include <arch/gc_tile_defines.h>\n"
                 "class C : public MultiVertex { public: Output<Vector<unsigned>> o; void compute(unsigned w) { o[w] = "
                 "CTXT_WORKERS + "
                 "TMEM_REGION0_BASE_ADDR; } };",
                 "-Werror -Wall", "ipu2");
  std::vector<Operand> operands = {operandOf(set.at(0), "o", std::vector<unsigned>(6))};
  runOnHost(set.at(0), operands, 5);
  CHECK(valuesOf<unsigned>(operands[0].bytes)[5] == 6 + 0x4c000);
}

TEST_SUITE_END();
