// The functions that the measurement of codelets executes on the host, against <cmath> in double precision: each name
// has its own function, its arguments in order, and the registers of the calling convention.
#include "graph/codelets/standin/LibraryCalls.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <utility>

using namespace popscope;

namespace {

/// Calls one function with arguments in registers.
struct Call {
  Rv32Memory memory;
  Rv32::Trap trap = [](Rv32 &, std::uint32_t, std::uint64_t &, std::string &) { return false; };
  Rv32 m{memory, trap};
  LibraryWork work;
  std::string problem;

  Call &floats(float a, float b = 0, float c = 0) {
    m.setFloat(10, a), m.setFloat(11, b), m.setFloat(12, c);
    return *this;
  }
  Call &pairs(std::uint64_t a, std::uint64_t b = 0) {
    for (unsigned i = 0; i < 2; ++i) {
      m.x[10 + i] = static_cast<std::uint32_t>(a >> (32 * i));
      m.x[12 + i] = static_cast<std::uint32_t>(b >> (32 * i));
    }
    return *this;
  }
  Call &doubles(double a, double b = 0) {
    return pairs(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b));
  }
  Call &run(const std::string &name) {
    REQUIRE_MESSAGE(callLibrary(name, m, work, problem) == LibraryCallStatus::Done, name);
    return *this;
  }
  [[nodiscard]] float asFloat() const { return m.floatOf(10); }
  [[nodiscard]] std::int32_t asInt() const { return static_cast<std::int32_t>(m.x[10]); }
  [[nodiscard]] std::uint64_t asPair() const { return m.x[10] | std::uint64_t(m.x[11]) << 32; }
  [[nodiscard]] double asDouble() const { return std::bit_cast<double>(asPair()); }
};

struct One {
  const char *name;
  double (*reference)(double);
};
struct Two {
  const char *name;
  double (*reference)(double, double);
};

} // namespace

TEST_SUITE("graph.codelets.standin.library") {
  TEST_CASE("functions of one number") {
    const One all[] = {{"exp", std::exp},     {"log", std::log},     {"log2", std::log2}, {"sqrt", std::sqrt},
                       {"sin", std::sin},     {"cos", std::cos},     {"tan", std::tan},   {"tanh", std::tanh},
                       {"atan", std::atan},   {"floor", std::floor}, {"ceil", std::ceil}, {"fabs", std::fabs},
                       {"trunc", std::trunc}, {"round", std::round}};
    const One floatsOnly[] = {
        {"exp2", std::exp2},          {"expm1", std::expm1}, {"log10", std::log10}, {"log1p", std::log1p},
        {"cbrt", std::cbrt},          {"asin", std::asin},   {"acos", std::acos},   {"sinh", std::sinh},
        {"cosh", std::cosh},          {"erf", std::erf},     {"erfc", std::erfc},   {"rint", std::rint},
        {"nearbyint", std::nearbyint}};
    const auto checkFloat = [](const One &f, float x) {
      const double expected = f.reference(x);
      const std::string name = std::string(f.name) + "f";
      const float value = Call().floats(x).run(name).asFloat();
      CHECK_MESSAGE(std::abs(value - expected) <= 1e-6 * std::max(1.0, std::abs(expected)), name, " of ", x);
    };
    for (const float x : {0.3F, 0.75F, 1.0F, 0.5F}) { // all are defined there
      for (const One &f : all) {
        checkFloat(f, x);
        CHECK_MESSAGE(Call().doubles(x).run(f.name).asDouble() == f.reference(x), f.name, " of ", x);
      }
      for (const One &f : floatsOnly)
        checkFloat(f, x);
    }
    for (const float x : {-2.5F, 2.5F, -1.75F}) // roundings differ here
      for (const char *name : {"floor", "ceil", "trunc", "round", "fabs"})
        for (const One &f : all)
          if (f.name == std::string(name)) {
            CHECK(Call().floats(x).run(std::string(name) + "f").asFloat() == f.reference(x));
            CHECK(Call().doubles(x).run(name).asDouble() == f.reference(x));
          }
    CHECK(Call().floats(2.5F).run("rintf").asFloat() == 2);
    CHECK(Call().floats(3.5F).run("nearbyintf").asFloat() == 4);
    CHECK(std::isnan(Call().floats(-1).run("sqrtf").asFloat()));
  }

  TEST_CASE("functions of two and three numbers take them in order") {
    const Two all[] = {{"pow", std::pow},   {"fmod", std::fmod},   {"fmin", std::fmin},
                       {"fmax", std::fmax}, {"atan2", std::atan2}, {"hypot", std::hypot}};
    for (const Two &f : all) {
      const double expected = f.reference(2.5, 1.25 + 0.5);
      CHECK_MESSAGE(Call().doubles(2.5, 1.75).run(f.name).asDouble() == expected, f.name);
      const float value = Call().floats(2.5F, 1.75F).run(std::string(f.name) + "f").asFloat();
      CHECK_MESSAGE(std::abs(value - expected) <= 1e-6 * expected, f.name, "f");
    }
    CHECK(Call().floats(7, 4).run("remainderf").asFloat() == -1); // the nearest multiple of 4 is 8
    CHECK(Call().floats(3, -2).run("copysignf").asFloat() == -3);
    CHECK(Call().floats(3, 5, 7).run("fmaf").asFloat() == 22);
    for (const char *name : {"ldexpf", "scalbnf"}) {
      Call call;
      call.floats(3).m.x[10] = static_cast<std::uint32_t>(-2);
      CHECK(call.run(name).asFloat() == 0.75F);
    }
  }

  TEST_CASE("doubles: arithmetic, and comparisons whose sign is the answer, also of NaN") {
    CHECK(Call().doubles(7, 2).run("__adddf3").asDouble() == 9);
    CHECK(Call().doubles(7, 2).run("__subdf3").asDouble() == 5);
    CHECK(Call().doubles(7, 2).run("__muldf3").asDouble() == 14);
    CHECK(Call().doubles(7, 2).run("__divdf3").asDouble() == 3.5);
    CHECK(Call().doubles(7).run("__negdf2").asDouble() == -7);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::pair<double, double> trials[] = {{1, 2}, {2, 1}, {2, 2}, {nan, 1}, {1, nan}, {nan, nan}, {0.0, -0.0}};
    for (const auto &trial : trials) {
      const double a = trial.first, b = trial.second;
      const auto result = [&](const char *name) { return Call().doubles(a, b).run(name).asInt(); };
      CAPTURE(a);
      CAPTURE(b);
      CHECK((result("__eqdf2") == 0) == (a == b));
      CHECK((result("__nedf2") != 0) == (a != b));
      CHECK((result("__ltdf2") < 0) == (a < b));
      CHECK((result("__ledf2") <= 0) == (a <= b));
      CHECK((result("__gtdf2") > 0) == (a > b));
      CHECK((result("__gedf2") >= 0) == (a >= b));
      CHECK((result("__unorddf2") != 0) == (a != a || b != b));
    }
  }

  TEST_CASE("conversions keep what fits, saturate what does not, and make 0 of NaN") {
    CHECK(Call().floats(1.5F).run("__extendsfdf2").asDouble() == 1.5);
    CHECK(Call().doubles(0.1).run("__truncdfsf2").asFloat() == 0.1F);
    CHECK(Call().doubles(-2.9).run("__fixdfsi").asInt() == -2);
    CHECK(Call().doubles(3e9).run("__fixdfsi").asInt() == std::numeric_limits<std::int32_t>::max());
    CHECK(Call().doubles(-3e9).run("__fixdfsi").asInt() == std::numeric_limits<std::int32_t>::min());
    CHECK(Call().doubles(std::nan("")).run("__fixdfsi").asInt() == 0);
    CHECK(Call().doubles(3e9).run("__fixunsdfsi").m.x[10] == 3000000000U);
    CHECK(Call().doubles(-1).run("__fixunsdfsi").m.x[10] == 0);
    CHECK(Call().pairs(static_cast<std::uint32_t>(-5)).run("__floatsidf").asDouble() == -5);
    CHECK(Call().pairs(4000000000U).run("__floatunsidf").asDouble() == 4e9);
    const std::int64_t large = -(std::int64_t(1) << 40) - 3;
    const auto wide = static_cast<std::uint64_t>(large);
    CHECK(Call().pairs(wide).run("__floatdidf").asDouble() == static_cast<double>(large));
    CHECK(Call().pairs(wide).run("__floatundidf").asDouble() == static_cast<double>(wide));
    CHECK(Call().pairs(wide).run("__floatdisf").asFloat() == static_cast<float>(large));
    CHECK(Call().pairs(wide).run("__floatundisf").asFloat() == static_cast<float>(wide));
    CHECK(Call().doubles(-1e12).run("__fixdfdi").asPair() == static_cast<std::uint64_t>(-1000000000000));
    CHECK(Call().doubles(1e30).run("__fixdfdi").asPair() == 0x7fffffffffffffffU);
    CHECK(Call().doubles(1e19).run("__fixunsdfdi").asPair() == 10000000000000000000U);
    CHECK(Call().doubles(1e30).run("__fixunsdfdi").asPair() == ~std::uint64_t(0));
    CHECK(Call().floats(-8.0F).run("__fixsfdi").asPair() == static_cast<std::uint64_t>(-8));
    CHECK(Call().floats(-8.0F).run("__fixunssfdi").asPair() == 0);
  }

  TEST_CASE("64-bit integers: products, quotients, remainders and shifts, with their signs") {
    const auto call = [](const char *name, std::int64_t a, std::int64_t b) {
      return static_cast<std::int64_t>(
          Call().pairs(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)).run(name).asPair());
    };
    const std::int64_t a = -(std::int64_t(7) << 33) - 5, b = (std::int64_t(3) << 32) + 1;
    CHECK(call("__muldi3", a, 1001) == a * 1001);
    CHECK(call("__divdi3", a, b) == a / b);
    CHECK(call("__moddi3", a, b) == a % b);
    CHECK(call("__divdi3", a, -1) == -a);
    CHECK(call("__divdi3", std::numeric_limits<std::int64_t>::min(), -1) == std::numeric_limits<std::int64_t>::min());
    CHECK(call("__moddi3", a, -1) == 0);
    CHECK(static_cast<std::uint64_t>(call("__udivdi3", a, b)) == static_cast<std::uint64_t>(a) / std::uint64_t(b));
    CHECK(static_cast<std::uint64_t>(call("__umoddi3", a, b)) == static_cast<std::uint64_t>(a) % std::uint64_t(b));
    CHECK(call("__ashldi3", b, 5) == b * 32);
    CHECK(call("__ashrdi3", a, 7) == (a >> 7));
    CHECK(static_cast<std::uint64_t>(call("__lshrdi3", a, 7)) == static_cast<std::uint64_t>(a) >> 7);
  }

  TEST_CASE("operations are counted: one of arithmetic, two of a fused one, none of a rounding or a comparison") {
    for (const char *name : {"expf", "powf", "sqrt", "__adddf3", "__divdf3"})
      CHECK_MESSAGE(Call().run(name).work.flops == 1, name);
    CHECK(Call().run("fmaf").work.flops == 2);
    for (const char *name : {"floorf", "copysignf", "fabs", "__ltdf2", "__negdf2", "__floatsidf", "__muldi3", "puts"})
      CHECK_MESSAGE(Call().run(name).work.flops == 0, name);
  }

  TEST_CASE("memory functions move bytes inside the memory alone, and count words") {
    Call call;
    call.memory.base = 0x1000;
    call.memory.writableFrom = 0x1010;
    for (unsigned i = 0; i < 32; ++i)
      call.memory.bytes.push_back(static_cast<std::uint8_t>(i));
    const auto status = [&](const char *name, std::uint32_t to, std::uint32_t from, std::uint32_t count) {
      call.m.x[10] = to, call.m.x[11] = from, call.m.x[12] = count;
      return callLibrary(name, call.m, call.work, call.problem);
    };
    CHECK(status("memcpy", 0x1010, 0x1000, 5) == LibraryCallStatus::Done);
    CHECK(call.work.words == 2);
    CHECK(call.memory.bytes[0x14] == 4);
    CHECK(call.memory.bytes[0x15] == 0x15);
    CHECK(status("memmove", 0x1011, 0x1010, 4) == LibraryCallStatus::Done);
    CHECK(call.memory.bytes[0x14] == 3); // the ranges overlap
    CHECK(status("memset", 0x101e, 0x1ff, 2) == LibraryCallStatus::Done);
    CHECK(call.memory.bytes[0x1f] == 0xff);
    CHECK(call.m.x[10] == 0x101e); // the result is the target
    CHECK(status("memset", 0x101e, 0, 3) == LibraryCallStatus::Failed);
    CHECK(call.problem == "memset of 3 bytes reaches outside the memory");
    CHECK(status("memcpy", 0x100f, 0x1000, 2) == LibraryCallStatus::Failed); // read-only
    CHECK(status("memcpy", 0x1010, 0xfff, 2) == LibraryCallStatus::Failed);
    CHECK(status("memcpy", 0, 0, 0) == LibraryCallStatus::Done);
    CHECK(status("abort", 0, 0, 0) == LibraryCallStatus::Failed);
    CHECK(call.problem == "the codelet called abort");
    CHECK(status("fopen", 0, 0, 0) == LibraryCallStatus::Unknown);
  }
}
