#include "graph/codelets/standin/Rv32.hpp"

#include <doctest/doctest.h>

using namespace popscope;

namespace {

/// Runs machine words with the given a0 and a1 (and fa0, fa1). The encodings follow the assembler's manual.
struct Run {
  Rv32Memory memory;
  Rv32::Trap trap = [](Rv32 &, std::uint32_t, std::uint64_t &, std::string &) { return false; };
  std::uint32_t a0 = 0, fa0 = 0;
  Rv32Outcome outcome;

  Run(const std::vector<std::uint32_t> &words, std::uint32_t x, std::uint32_t y) {
    memory.base = 0x10000;
    memory.bytes.resize(0x1000);
    memory.writableFrom = 0x10800;
    for (std::size_t i = 0; i != words.size(); ++i)
      memory.store(0x10000 + 4 * static_cast<std::uint32_t>(i), words[i], 4);
    Rv32 machine(memory, trap);
    machine.x[10] = machine.f[10] = x;
    machine.x[11] = machine.f[11] = y;
    outcome = machine.call(0x10000, 0x11000, 100);
    a0 = machine.x[10];
    fa0 = machine.f[10];
  }
};

constexpr std::uint32_t kReturn = 0x00008067; // ret
std::uint32_t intOp(unsigned funct7, unsigned funct3, std::uint32_t x, std::uint32_t y) {
  return Run({(funct7 << 25) | (11u << 20) | (10u << 15) | (funct3 << 12) | (10u << 7) | 0x33u, kReturn}, x, y).a0;
}
std::uint32_t floatOp(unsigned funct7, unsigned funct3, std::uint32_t x, std::uint32_t y) {
  return Run({(funct7 << 25) | (11u << 20) | (10u << 15) | (funct3 << 12) | (10u << 7) | 0x53u, kReturn}, x, y).fa0;
}

} // namespace

TEST_SUITE_BEGIN("graph.codelets.standin");

TEST_CASE("division by zero and its overflow give the manual's results") {
  CHECK(intOp(1, 4, 7, 0) == 0xffffffff);
  CHECK(intOp(1, 4, 0x80000000, 0xffffffff) == 0x80000000);
  CHECK(intOp(1, 6, 0x80000000, 0xffffffff) == 0);
  CHECK(intOp(1, 6, 7, 0) == 7);
  CHECK(intOp(1, 5, 7, 0) == 0xffffffff);
  CHECK(intOp(1, 7, 0xfffffff9, 10) == 9); // 4294967289 mod 10
}

TEST_CASE("high halves of products know their signs") {
  CHECK(intOp(1, 1, 0xffffffff, 0xffffffff) == 0);          // mulh: -1 * -1
  CHECK(intOp(1, 3, 0xffffffff, 0xffffffff) == 0xfffffffe); // mulhu
  CHECK(intOp(1, 2, 0xffffffff, 0xffffffff) == 0xffffffff); // mulhsu: -1 * 4294967295
}

TEST_CASE("minimum and maximum order zeros and prefer numbers over NaN") {
  CHECK(floatOp(0x14, 0, 0x80000000, 0x00000000) == 0x80000000);
  CHECK(floatOp(0x14, 1, 0x80000000, 0x00000000) == 0x00000000);
  CHECK(floatOp(0x14, 0, 0x7fc00001, 0x40000000) == 0x40000000);
  CHECK(floatOp(0x14, 1, 0x3f800000, 0x40000000) == 0x40000000);
  CHECK(floatOp(0x14, 0, 0x3f800000, 0x40000000) == 0x3f800000);
  CHECK(floatOp(0x14, 0, 0x7fc00001, 0x7fc00002) == 0x7fc00000);
}

TEST_CASE("conversion to an integer saturates and rounds as told") {
  const auto toInt = [](std::uint32_t bits, unsigned mode, unsigned isUnsigned) {
    return Run({(0x60u << 25) | (isUnsigned << 20) | (10u << 15) | (mode << 12) | (10u << 7) | 0x53u, kReturn}, bits, 0)
        .a0;
  };
  CHECK(toInt(0x40200000, 0, 0) == 2);          // 2.5 to even
  CHECK(toInt(0x40200000, 3, 0) == 3);          // up
  CHECK(toInt(0xc0200000, 1, 0) == 0xfffffffe); // -2.5 towards zero
  CHECK(toInt(0x7fc00000, 1, 0) == 0x7fffffff); // NaN
  CHECK(toInt(0xbf800000, 1, 1) == 0);          // -1 as unsigned
  CHECK(toInt(0x4f800000, 1, 1) == 0xffffffff); // 2^32
}

TEST_CASE("halves are computed as the manual says") {
  const auto boxed = [](std::uint32_t half) { return 0xffff0000u | half; };
  const auto half = [&](unsigned funct7, unsigned funct3, std::uint32_t x, std::uint32_t y) {
    return floatOp(funct7, funct3, boxed(x), boxed(y));
  };
  CHECK(half(0x02, 7, 0x3c00, 0x4000) == boxed(0x4200));           // 1 + 2
  CHECK(half(0x02, 7, 0x6800, 0x3c00) == boxed(0x6800));           // 2048 + 1: a tie, to even
  CHECK(half(0x02, 7, 0x6800, 0x4200) == boxed(0x6802));           // 2048 + 3: a tie, to even
  CHECK(half(0x06, 7, 0x3c00, 0x3c00) == boxed(0x0000));           // 1 - 1
  CHECK(half(0x0a, 7, 0x7bff, 0x4000) == boxed(0x7c00));           // 65504 * 2
  CHECK(half(0x0a, 7, 0x0001, 0x3800) == boxed(0x0000));           // half of the smallest: a tie, to even
  CHECK(half(0x0e, 7, 0x3c00, 0x4200) == boxed(0x3555));           // 1 / 3
  CHECK(half(0x0e, 7, 0x0000, 0x0000) == boxed(0x7e00));           // 0 / 0
  CHECK(half(0x16, 0, 0x8000, 0x0000) == boxed(0x8000));           // min(-0, 0)
  CHECK(half(0x16, 1, 0x7e01, 0x4000) == boxed(0x4000));           // max(NaN, 2)
  CHECK(half(0x12, 0, 0x3c00, 0x8000) == boxed(0xbc00));           // fsgnj
  CHECK(half(0x12, 1, 0x3c00, 0x3c00) == boxed(0xbc00));           // fneg
  CHECK(half(0x12, 2, 0xbc00, 0xbc00) == boxed(0x3c00));           // fabs
  CHECK(floatOp(0x02, 7, 0x3c00, boxed(0x4000)) == boxed(0x7e00)); // not boxed: NaN
  const auto one = [](unsigned funct7, unsigned rs2, unsigned funct3, std::uint32_t x) {
    return Run({(funct7 << 25) | (rs2 << 20) | (10u << 15) | (funct3 << 12) | (10u << 7) | 0x53u, kReturn}, x, 0);
  };
  CHECK(one(0x2e, 0, 7, boxed(0x4000)).fa0 == boxed(0x3da8)); // sqrt(2)
  CHECK(one(0x20, 2, 0, boxed(0x3555)).fa0 == 0x3eaaa000);    // fcvt.s.h
  CHECK(one(0x22, 0, 7, 0x3eaaaaab).fa0 == boxed(0x3555));    // fcvt.h.s
  CHECK(one(0x22, 0, 7, 0x477ff000).fa0 == boxed(0x7c00));    // 65520: infinity
  CHECK(one(0x62, 0, 1, boxed(0xbe00)).a0 == 0xffffffff);     // -1.5 towards zero
  CHECK(one(0x62, 1, 1, boxed(0xbe00)).a0 == 0);              // ... without a sign
  CHECK(one(0x6a, 0, 7, 2049).fa0 == boxed(0x6800));          // 2049: a tie, to even
  CHECK(one(0x6a, 1, 7, 0xffffffff).fa0 == boxed(0x7c00));
  CHECK(one(0x6a, 0, 7, 0xffffffff).fa0 == boxed(0xbc00));
  CHECK(one(0x72, 0, 0, boxed(0xbc00)).a0 == 0xffffbc00);  // fmv.x.h: the sign goes up
  CHECK(one(0x72, 0, 1, boxed(0x0001)).a0 == 1u << 5);     // fclass.h: subnormal
  CHECK(one(0x7a, 0, 0, 0x12343c00).fa0 == boxed(0x3c00)); // fmv.h.x
  CHECK(Run({(0x52u << 25) | (11u << 20) | (10u << 15) | (1u << 12) | (10u << 7) | 0x53u, kReturn}, boxed(0x3c00),
            boxed(0x4000))
            .a0 == 1); // flt.h
  // fmadd.h fa0, fa0, fa1, fa1: 3 * 3 + 3
  CHECK(Run({(11u << 27) | (2u << 25) | (11u << 20) | (10u << 15) | (7u << 12) | (10u << 7) | 0x43u, kReturn},
            boxed(0x4200), boxed(0x4200))
            .fa0 == boxed(0x4a00));
  CHECK(one(0x23, 0, 0, 0).outcome.problem.find("unknown instruction") == 0); // a format that does not exist
  CHECK(one(0x20, 1, 0, 0).outcome.problem.find("unknown instruction") == 0); // from a double
}

TEST_CASE("a half is loaded and stored in two bytes") {
  // fsh fa1, 2(a0); flh fa0, 2(a0)
  const Run run({(11u << 20) | (10u << 15) | (1u << 12) | (2u << 7) | 0x27u,
                 (2u << 20) | (10u << 15) | (1u << 12) | (10u << 7) | 0x07u, kReturn},
                0x10800, 0xffff3c00);
  CHECK(run.outcome.completed);
  CHECK(run.fa0 == 0xffff3c00);
  CHECK(run.memory.load(0x10800, 4) == 0x3c000000);
  CHECK_FALSE(Run({(10u << 15) | (0u << 12) | (10u << 7) | 0x07u, kReturn}, 0x10800, 0).outcome.completed); // one byte
}

TEST_CASE("reads and writes outside, writes to code and unknown words end the run") {
  CHECK(Run({0x00052503, kReturn}, 0x10800, 0).outcome.completed); // lw a0, 0(a0)
  CHECK_FALSE(Run({0x00052503, kReturn}, 0x11ffd, 0).outcome.completed);
  CHECK_FALSE(Run({0x00052503, kReturn}, 0xfffffffe, 0).outcome.completed);
  CHECK(Run({0x00b52023, kReturn}, 0x10800, 5).outcome.completed); // sw a1, 0(a0)
  CHECK_FALSE(Run({0x00b52023, kReturn}, 0x10000, 5).outcome.completed);
  CHECK(Run({0xffffffff}, 0, 0).outcome.problem.find("unknown instruction 0xffffffff") == 0);
  CHECK(Run({0x0000006f}, 0, 0).outcome.problem == "stopped after 100 instructions"); // j .
}

TEST_CASE("instructions are counted one by one") {
  CHECK(Run({0x00150513, 0x00150513, kReturn}, 1, 0).outcome.instructions == 3);
}

TEST_CASE("instructions that touch memory or may jump are counted apart") {
  CHECK(Run({0x00150513, 0x00150513, kReturn}, 1, 0).outcome.accesses == 1);       // two additions, the return
  CHECK(Run({0x00052503, 0x00b52023, kReturn}, 0x10800, 5).outcome.accesses == 2); // lw, then sw outside
  CHECK(Run({0x00b52023, 0x00052503, kReturn}, 0x10800, 5).outcome.accesses == 3); // sw, lw, return
  CHECK(Run({0x00050463, 0x00150513, kReturn}, 0, 0).outcome.accesses == 2);       // a branch that is taken
  CHECK(Run({0x00050463, 0x00150513, kReturn}, 1, 0).outcome.accesses == 2);       // and one that is not
}

TEST_SUITE_END();
