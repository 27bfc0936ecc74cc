#include "graph/codelets/standin/IssueSlots.hpp"
#include "graph/codelets/standin/Rv32.hpp"

#include <doctest/doctest.h>
#include <map>
#include <random>

using namespace popscope;

namespace {

// Encodings of "The RISC-V Instruction Set Manual, Volume I", chapter 24.
using Word = std::uint32_t;
constexpr unsigned kZero = 0, kA0 = 10, kA1 = 11, kA2 = 12, kA3 = 13, kA4 = 14;
Word typeI(unsigned opcode, unsigned funct3, unsigned rd, unsigned rs1, int imm) {
  return (static_cast<Word>(imm) << 20) | (rs1 << 15) | (funct3 << 12) | (rd << 7) | opcode;
}
Word typeR(unsigned opcode, unsigned funct7, unsigned funct3, unsigned rd, unsigned rs1, unsigned rs2) {
  return (funct7 << 25) | (rs2 << 20) | (rs1 << 15) | (funct3 << 12) | (rd << 7) | opcode;
}
Word typeS(unsigned opcode, unsigned funct3, unsigned rs1, unsigned rs2, int imm) {
  const Word v = static_cast<Word>(imm);
  return (((v >> 5) & 0x7fu) << 25) | (rs2 << 20) | (rs1 << 15) | (funct3 << 12) | ((v & 0x1fu) << 7) | opcode;
}
Word branch(unsigned funct3, unsigned rs1, unsigned rs2, int offset) {
  const Word v = static_cast<Word>(offset);
  return (((v >> 12) & 1u) << 31) | (((v >> 5) & 0x3fu) << 25) | (rs2 << 20) | (rs1 << 15) | (funct3 << 12) |
         (((v >> 1) & 0xfu) << 8) | (((v >> 11) & 1u) << 7) | 0x63u;
}
Word addi(unsigned rd, unsigned rs1, int imm) { return typeI(0x13, 0, rd, rs1, imm); }
Word add(unsigned rd, unsigned rs1, unsigned rs2) { return typeR(0x33, 0, 0, rd, rs1, rs2); }
Word lw(unsigned rd, unsigned rs1, int imm) { return typeI(0x03, 2, rd, rs1, imm); }
Word sw(unsigned rs2, unsigned rs1, int imm) { return typeS(0x23, 2, rs1, rs2, imm); }
Word flw(unsigned rd, unsigned rs1, int imm) { return typeI(0x07, 2, rd, rs1, imm); }
Word fsw(unsigned rs2, unsigned rs1, int imm) { return typeS(0x27, 2, rs1, rs2, imm); }
Word fadd(unsigned rd, unsigned rs1, unsigned rs2) { return typeR(0x53, 0x00, 0, rd, rs1, rs2); }
Word fmul(unsigned rd, unsigned rs1, unsigned rs2) { return typeR(0x53, 0x08, 0, rd, rs1, rs2); }
Word fdiv(unsigned rd, unsigned rs1, unsigned rs2) { return typeR(0x53, 0x0c, 0, rd, rs1, rs2); }
Word flh(unsigned rd, unsigned rs1, int imm) { return typeI(0x07, 1, rd, rs1, imm); }
Word fsh(unsigned rs2, unsigned rs1, int imm) { return typeS(0x27, 1, rs1, rs2, imm); }
Word faddh(unsigned rd, unsigned rs1, unsigned rs2) { return typeR(0x53, 0x02, 0, rd, rs1, rs2); }
Word fmulh(unsigned rd, unsigned rs1, unsigned rs2) { return typeR(0x53, 0x0a, 0, rd, rs1, rs2); }
Word widen(unsigned rd, unsigned rs1) { return typeR(0x53, 0x20, 0, rd, rs1, 2); }  // fcvt.s.h
Word narrow(unsigned rd, unsigned rs1) { return typeR(0x53, 0x22, 7, rd, rs1, 0); } // fcvt.h.s
Word bnez(unsigned rs1, int offset) { return branch(1, rs1, kZero, offset); }
constexpr Word kReturnWord = 0x00008067;
constexpr Word kData = 0x10800; // a multiple of 8

/// Runs the words with a0 = kData, a1 = kData + 64, a2 = 5, a3 = 4.
struct SlotRun {
  Rv32Memory memory;
  Rv32Outcome outcome;
  std::array<Word, 32> x{}, f{};
  std::int64_t beyond = 0;
  std::uint64_t waits = 0;

  SlotRun(std::vector<Word> words, const StandInModel &model, bool supervisor = false, std::uint32_t rptCountMax = 4095,
          bool observed = true) {
    words.push_back(kReturnWord);
    memory.base = 0x10000;
    memory.bytes.resize(0x1000);
    memory.writableFrom = kData;
    for (std::size_t i = 0; i != words.size(); ++i)
      memory.store(0x10000 + 4 * static_cast<Word>(i), words[i], 4);
    for (Word a = kData; a < kData + 256; a += 4)
      memory.store(a, 0x3f800000u + (a << 12), 4); // floats from 1 on
    const Rv32::Trap trap = [](Rv32 &, Word, std::uint64_t &, std::string &) { return false; };
    const std::function<std::uint64_t(const std::string &)> library = [](const std::string &name) {
      static const std::map<std::string, std::uint64_t> slots = {
          {"__divsi3", 60}, {"__umodsi3", 61}, {"__st16f", 8}, {"__st16", 9}, {"__st8", 12}};
      const auto at = slots.find(name);
      return at == slots.end() ? 0 : at->second;
    };
    IssueSlots issue({model, rptCountMax, 6, supervisor}, library);
    Rv32 machine(memory, trap, observed ? &issue : nullptr);
    machine.x[kA0] = kData;
    machine.x[kA1] = kData + 64;
    machine.x[kA2] = 5;
    machine.x[kA3] = 4;
    outcome = machine.call(0x10000, 0x11000, 100000);
    x = machine.x;
    f = machine.f;
    beyond = issue.beyond();
    waits = issue.waits();
  }
  [[nodiscard]] std::int64_t slots() const { return static_cast<std::int64_t>(outcome.instructions) + beyond; }
};

template <class Set> StandInModel modelWith(Set set) {
  StandInModel model;
  set(model);
  return model;
}
StandInModel joining() {
  return modelWith([](StandInModel &m) {
    m.postIncrement = m.indexedAddresses = m.countAndBranch = m.repeatLoops = m.vectors = m.bundles = true;
  });
}

} // namespace

TEST_SUITE_BEGIN("graph.codelets.standin.slots");

TEST_CASE("without rules each instruction is a slot") {
  CHECK(SlotRun({addi(kA0, kA0, 4), bnez(kA2, 4), fdiv(1, 2, 3)}, {}).slots() == 4);
}

TEST_CASE("a comparison of two registers is an instruction before the branch") {
  const StandInModel model = modelWith([](StandInModel &m) { m.compareThenBranch = true; });
  CHECK(SlotRun({branch(0, kA2, kA3, 4)}, model).beyond == 1);   // beq a2, a3: cmpeq, brnz
  CHECK(SlotRun({branch(4, kA2, kA3, 4)}, model).beyond == 1);   // blt: cmpslt, brnz
  CHECK(SlotRun({bnez(kA2, 4)}, model).beyond == 0);             // brnz
  CHECK(SlotRun({branch(4, kA2, kZero, 4)}, model).beyond == 0); // bltz: brneg
  CHECK(SlotRun({branch(5, kA2, kZero, 4)}, model).beyond == 0); // bgez: brpos
  CHECK(SlotRun({branch(4, kZero, kA2, 4)}, model).beyond == 1); // bgtz: cmpslt, brnz
}

TEST_CASE("what goes from one register file to the other is moved") {
  const StandInModel model = modelWith([](StandInModel &m) { m.registerMoves = true; });
  CHECK(SlotRun({typeR(0x53, 0x68, 0, 1, kA2, 1)}, model).beyond == 2);   // fcvt.s.wu: st32, ld32, f32fromui32
  CHECK(SlotRun({typeR(0x53, 0x60, 1, kA4, 1, 0)}, model).beyond == 2);   // fcvt.w.s: f32int, f32toi32, mov
  CHECK(SlotRun({typeR(0x53, 0x50, 1, kA4, 1, 2)}, model).beyond == 1);   // flt.s: f32cmplt, mov
  CHECK(SlotRun({typeR(0x53, 0x70, 0, kA4, 1, 0)}, model).beyond == 0);   // fmv.x.w: mov
  CHECK(SlotRun({typeR(0x53, 0x78, 0, 1, kA2, 0)}, model).beyond == 1);   // fmv.w.x: st32, ld32
  CHECK(SlotRun({typeR(0x53, 0x78, 0, 1, kZero, 0)}, model).beyond == 0); // a zero is at hand
}

TEST_CASE("integers are divided by the library, floats in the slots that the machine names") {
  const StandInModel model = modelWith([](StandInModel &m) { m.divisionCalls = true, m.floatDivideSlots = 3; });
  CHECK(SlotRun({typeR(0x33, 1, 4, kA4, kA2, kA3)}, model).beyond == 60); // div
  CHECK(SlotRun({typeR(0x33, 1, 7, kA4, kA2, kA3)}, model).beyond == 61); // remu
  CHECK(SlotRun({typeR(0x33, 1, 0, kA4, kA2, kA3)}, model).beyond == 0);  // mul
  CHECK(SlotRun({fdiv(1, 2, 3)}, model).beyond == 2);
}

TEST_CASE("one half is put beside another, or goes through a float") {
  const StandInModel model = modelWith([](StandInModel &m) { m.halves = true; });
  CHECK(SlotRun({faddh(1, 2, 3)}, model).beyond == 1);                  // sort4x16lo, f16v2add
  CHECK(SlotRun({fmulh(1, 2, 3)}, model).beyond == 1);                  // sort4x16lo, f16v2mul
  CHECK(SlotRun({typeR(0x53, 0x16, 0, 1, 2, 3)}, model).beyond == 2);   // fmin.h
  CHECK(SlotRun({typeR(0x53, 0x0e, 0, 1, 2, 3)}, model).beyond == 3);   // fdiv.h: two f16tof32, f32div, f32tof16
  CHECK(SlotRun({typeR(0x53, 0x2e, 0, 1, 2, 0)}, model).beyond == 2);   // fsqrt.h
  CHECK(SlotRun({typeR(0x53, 0x52, 1, kA4, 1, 2)}, model).beyond == 2); // flt.h
  CHECK(SlotRun({typeR(0x53, 0x62, 1, kA4, 1, 0)}, model).beyond == 1); // fcvt.w.h
  CHECK(SlotRun({typeR(0x53, 0x6a, 0, 1, kA2, 0)}, model).beyond == 1); // fcvt.h.w
  CHECK(SlotRun({widen(1, 2), narrow(2, 1), fadd(1, 2, 3)}, model).beyond == 0);
  CHECK(SlotRun({flh(1, kA0, 2), typeR(0x53, 0x72, 0, kA4, 1, 0)}, model).beyond == 0); // ldb16; fmv.x.h: mov
  const StandInModel moving = modelWith([](StandInModel &m) { m.halves = m.registerMoves = true; });
  CHECK(SlotRun({typeR(0x53, 0x52, 1, kA4, 1, 2)}, moving).slots() == 1 + 4); // and the return
  CHECK(SlotRun({typeR(0x53, 0x62, 1, kA4, 1, 0)}, moving).slots() == 1 + 4); // f16tof32, f32int, f32toi32, mov
}

TEST_CASE("less than a word is stored by the library") {
  const StandInModel model = modelWith([](StandInModel &m) { m.subWordStores = true; });
  CHECK(SlotRun({fsh(1, kA0, 2)}, model).beyond == 8);
  CHECK(SlotRun({typeS(0x23, 1, kA0, kA2, 2)}, model).beyond == 9);  // sh
  CHECK(SlotRun({typeS(0x23, 0, kA0, kA2, 1)}, model).beyond == 12); // sb
  CHECK(SlotRun({sw(kA2, kA0, 0), fsw(1, kA0, 4)}, model).beyond == 0);
  CHECK(SlotRun({flh(1, kA0, 0), typeI(0x03, 1, kA4, kA0, 0), typeI(0x03, 0, kA4, kA0, 0)}, model).beyond ==
        0); // loads
}

TEST_CASE("a supervisor waits a round for what the instruction before wrote") {
  const StandInModel model = modelWith([](StandInModel &m) { m.supervisorWaits = m.compareThenBranch = true; });
  CHECK(SlotRun({addi(kA2, kA2, 1), addi(kA2, kA2, 1)}, model, true).waits == 5);
  CHECK(SlotRun({addi(kA2, kA2, 1), addi(kA3, kA3, 1)}, model, true).waits == 0);
  CHECK(SlotRun({addi(kA2, kA2, 1), addi(kA3, kA3, 1), addi(kA2, kA2, 1)}, model, true).waits == 4);
  CHECK(SlotRun({lw(kA4, kA0, 0), addi(kA4, kA4, 1)}, model, true).waits == 0); // the load itself took the whole round
  CHECK(SlotRun({addi(kA2, kA2, 1), addi(kA2, kA2, 1)}, model, false).waits == 0);
  // The loop of a volatile counter: load, add, store, load, compare, branch take six rounds per iteration.
  const auto cycles = [&](int count) {
    const SlotRun run({addi(kA4, kZero, count), sw(kZero, kA0, 0), lw(kA2, kA0, 0), addi(kA2, kA2, 1), sw(kA2, kA0, 0),
                       lw(kA2, kA0, 0), branch(4, kA2, kA4, -16)},
                      model, true);
    return run.slots() + static_cast<std::int64_t>(5 * run.outcome.accesses + run.waits);
  };
  CHECK(cycles(20) - cycles(10) == 10 * 36);
}

TEST_CASE("a load or store adds to the register of its address") {
  const StandInModel model = modelWith([](StandInModel &m) { m.postIncrement = true; });
  CHECK(SlotRun({lw(kA4, kA0, 0), addi(kA0, kA0, 4)}, model).beyond == -1);
  CHECK(SlotRun({sw(kA4, kA0, 0), addi(kA0, kA0, -8)}, model).beyond == -1);
  // a load absorbs only one addition
  CHECK(SlotRun({lw(kA4, kA0, 0), addi(kA0, kA0, 4), addi(kA0, kA0, 4)}, model).beyond == -1);
  // an addition before the load does not count
  CHECK(SlotRun({addi(kA0, kA0, 4), lw(kA4, kA0, 0)}, model).beyond == 0);
  // an addition of another register
  CHECK(SlotRun({lw(kA4, kA0, 0), addi(kA0, kA1, 4)}, model).beyond == 0);
  // not a multiple of a word
  CHECK(SlotRun({lw(kA4, kA0, 0), addi(kA0, kA0, 6)}, model).beyond == 0);
  // further than one step reaches
  CHECK(SlotRun({lw(kA4, kA0, 0), addi(kA0, kA0, 1024)}, model).beyond == 0);
  CHECK(SlotRun({lw(kA4, kA0, 0), bnez(kA2, 4), addi(kA0, kA0, 4)}, model).beyond == 0); // another block
  // Steps are in units of the loaded type; an instruction that stores less than a word steps no address.
  CHECK(SlotRun({flh(1, kA0, 0), addi(kA0, kA0, 6)}, model).beyond == -1); // ldb16step
  CHECK(SlotRun({flh(1, kA0, 0), addi(kA0, kA0, 3)}, model).beyond == 0);
  CHECK(SlotRun({flh(1, kA0, 0), addi(kA0, kA0, 256)}, model).beyond == 0);             // 127 halves
  CHECK(SlotRun({typeI(0x03, 4, kA4, kA0, 0), addi(kA0, kA0, 1)}, model).beyond == -1); // lbu: ldz8step
  CHECK(SlotRun({fsh(1, kA0, 0), addi(kA0, kA0, 2)}, model).beyond == 0);
  CHECK(SlotRun({lw(kA4, kA0, 0), fsh(1, kA0, 0), addi(kA0, kA0, 4)}, model).beyond == 0);
}

TEST_CASE("a sum of two registers that is only an address is part of the access") {
  const StandInModel model = modelWith([](StandInModel &m) { m.indexedAddresses = true; });
  const Word index = addi(kA2, kZero, 8);
  CHECK(SlotRun({index, add(kA4, kA0, kA2), lw(kA3, kA4, 0)}, model).beyond == -1);
  CHECK(SlotRun({index, add(kA4, kA0, kA2), lw(kA3, kA4, 0), lw(5, kA4, 4)}, model).beyond == -1);
  CHECK(SlotRun({index, add(kA4, kA0, kA2), lw(kA3, kA4, 0), addi(5, kA4, 1)}, model).beyond ==
        0); // the sum must be computed after all
  CHECK(SlotRun({index, add(kA4, kA0, kA2), sw(kA4, kA4, 0)}, model).beyond == 0);
  // the address uses older values
  CHECK(SlotRun({index, add(kA4, kA0, kA2), addi(kA2, kA2, 4), lw(kA3, kA4, 0)}, model).beyond == 0);
}

TEST_CASE("a loop's counter and its branch are one instruction of a worker") {
  const StandInModel model = modelWith([](StandInModel &m) { m.countAndBranch = m.compareThenBranch = true; });
  const std::vector<Word> down = {fadd(1, 1, 2), addi(kA2, kA2, -1), bnez(kA2, -8)};
  CHECK(SlotRun(down, model).beyond == -5);                                  // five iterations
  CHECK(SlotRun(down, model, true).beyond == 0);                             // a supervisor has no such instruction
  const std::vector<Word> up = {addi(kA3, kA3, 1), branch(6, kA3, kA2, -4)}; // bltu: 4 up to 5
  CHECK(SlotRun(up, model).beyond == -1);
  const std::vector<Word> used = {addi(kA3, kA3, 1), add(kA4, kA4, kA3), branch(6, kA3, kA2, -8)};
  CHECK(SlotRun(used, model).beyond == 0); // the count itself is used; the comparison still costs nothing
  const std::vector<Word> bound = {addi(kA3, kA3, 1), lw(kA4, kA0, 0), branch(5, kA3, kA4, -8)};
  // the bound is read in the loop, so the count is unknown; the loop ends at once
  CHECK(SlotRun(bound, model).beyond == 1);
  CHECK(SlotRun({addi(kA2, kA2, -1), bnez(kA2, 8), addi(kA4, kZero, 1)}, model).beyond == 0); // forward
}

TEST_CASE("loops of a known count that fits are the hardware's") {
  const StandInModel model = modelWith([](StandInModel &m) { m.countAndBranch = m.repeatLoops = true; });
  const auto loop = [](Word count) {
    return std::vector<Word>{count, fadd(1, 1, 2), addi(kA4, kA4, -1), bnez(kA4, -8)};
  };
  const Word constant = addi(kA4, kZero, 10), unknown = lw(kA4, kA0, 0);
  CHECK(SlotRun(loop(constant), model).beyond == -19);           // ten counters, ten branches less the rpt
  CHECK(SlotRun(loop(constant), model, false, 9).beyond == -10); // the count does not fit
  CHECK(SlotRun(loop(constant), model, true).beyond == 0);
  CHECK(SlotRun({sw(kA2, kA0, 0), unknown, fadd(1, 1, 2), addi(kA4, kA4, -1), bnez(kA4, -8)}, model).beyond == -5);
}

TEST_CASE("two floats side by side are one load, one operation, one store") {
  const StandInModel model = modelWith([](StandInModel &m) { m.vectors = true; });
  const std::vector<Word> vector = {flw(1, kA0, 0), flw(2, kA0, 4), fmul(3, 1, 8),  fmul(4, 2, 8),
                                    fadd(3, 3, 9),  fadd(4, 4, 9),  fsw(3, kA1, 0), fsw(4, kA1, 4)};
  CHECK(SlotRun(vector, model).beyond == -4); // ld64, f32v2mul, f32v2add, st64
  CHECK(SlotRun(vector, model, true).beyond == 0);
  CHECK(SlotRun({flw(1, kA0, 0), flw(2, kA0, 4)}, model).beyond == 0); // two loads alone are no vector
  // not aligned to 8 bytes
  CHECK(SlotRun({flw(1, kA0, 4), flw(2, kA0, 8), fmul(3, 1, 8), fmul(4, 2, 8)}, model).beyond == 0);
  // the factors are adjacent, too
  CHECK(SlotRun({flw(1, kA0, 0), flw(2, kA0, 4), fmul(3, 1, 8), fmul(4, 2, 9)}, model).beyond == -2);
  CHECK(SlotRun({flw(1, kA0, 0), flw(2, kA0, 4), fmul(3, 1, 8), fadd(4, 2, 8)}, model).beyond ==
        0); // different operations
  CHECK(SlotRun({flw(1, kA0, 0), sw(kA2, kA1, 0), flw(2, kA0, 4), fmul(3, 1, 8), fmul(4, 2, 8)}, model).beyond == 0);
}

TEST_CASE("halves side by side are one load, one operation, one store") {
  const StandInModel model = modelWith([](StandInModel &m) { m.vectors = m.halves = m.subWordStores = true; });
  // Multiplies `lanes` halves from `at` on by f8 and adds f9, in the order of `lanes`. Returns the slots without the
  // return.
  const auto slots = [&](const std::vector<int> &lanes, int at, const StandInModel &m, int to) {
    std::vector<Word> words;
    unsigned r = 1;
    for (const int lane : lanes)
      words.push_back(flh(r++, kA0, at + 2 * lane));
    const unsigned end = r;
    for (r = 1; r != end; ++r)
      words.push_back(fmulh(r + 10, r, 8));
    for (r = 1; r != end; ++r)
      words.push_back(faddh(r + 10, r + 10, 9));
    r = 11;
    for (const int lane : lanes)
      words.push_back(fsh(r++, kA1, to + 2 * lane));
    return SlotRun(words, m).slots() - 1;
  };
  CHECK(slots({0, 1, 2, 3}, 0, model, 0) == 4);                 // ld64, f16v4mul, f16v4add, st64
  CHECK(slots({3, 2, 1, 0}, 8, model, 8) == 4);                 // the order in which compilers emit it
  CHECK(slots({0, 1}, 0, model, 0) == 4);                       // ld32, f16v2mul, f16v2add, st32
  CHECK(slots({0, 1}, 4, model, 4) == 4);                       // the other half of eight bytes
  CHECK(slots({0, 1}, 4, model, 0) == 4);                       // from there to the first
  CHECK(slots({0, 1}, 2, model, 2) == 2 + 4 + 4 + 2 * 9);       // in two words
  CHECK(slots({0}, 0, model, 0) == 1 + 2 + 2 + 9);              // one alone
  CHECK(slots({0, 1, 2}, 0, model, 0) == 4 + 1 + 2 + 2 + 9);    // two and one
  CHECK(slots({0, 1, 2, 3}, 4, model, 4) == 2 * 4);             // two and two
  CHECK(slots({0, 1, 2, 3}, 0, model, 2) == 1 + 1 + 1 + 4 * 9); // stored where no lane belongs
  StandInModel apart = model;
  apart.vectors = false;
  CHECK(slots({0, 1, 2, 3}, 0, apart, 0) == 4 * (1 + 2 + 2 + 9));
  CHECK(SlotRun({flh(1, kA0, 0), flh(2, kA0, 2)}, model).beyond == 0); // two loads alone form no vector
  // two kinds of operations form no vector, either
  CHECK(SlotRun({flh(1, kA0, 0), flh(2, kA0, 2), fmulh(3, 1, 8), faddh(4, 2, 8)}, model).beyond == 2);
}

TEST_CASE("two halves become two floats, and back, in one instruction each") {
  const StandInModel model = modelWith([](StandInModel &m) { m.vectors = m.halves = m.subWordStores = true; });
  const std::vector<Word> two = {flh(1, kA0, 0), flh(2, kA0, 2), widen(3, 1),  widen(4, 2),    fmul(3, 3, 8),
                                 fmul(4, 4, 8),  narrow(5, 3),   narrow(6, 4), fsh(5, kA1, 4), fsh(6, kA1, 6)};
  CHECK(SlotRun(two, model).slots() - 1 == 5); // ld32, f16v2tof32, f32v2mul, f32v2tof16, st32
  // Four halves are two such pairs with one load.
  const std::vector<Word> four = {flh(1, kA0, 0), flh(2, kA0, 2), flh(3, kA0, 4), flh(4, kA0, 6),
                                  widen(1, 1),    widen(2, 2),    widen(3, 3),    widen(4, 4),
                                  fmul(1, 1, 8),  fmul(2, 2, 8),  fmul(3, 3, 8),  fmul(4, 4, 8)};
  CHECK(SlotRun(four, model).slots() - 1 == 1 + 2 + 2);
}

TEST_CASE("neighbours of both pipelines that do not depend on each other issue together") {
  const StandInModel model = modelWith([](StandInModel &m) { m.bundles = true; });
  CHECK(SlotRun({flw(1, kA0, 0), fadd(2, 3, 4)}, model).beyond == -1);
  CHECK(SlotRun({fadd(2, 3, 4), flw(1, kA0, 0)}, model).beyond == -1);
  CHECK(SlotRun({flw(1, kA0, 0), fadd(2, 1, 4)}, model).beyond == 0);                 // reads what is loaded
  CHECK(SlotRun({fadd(2, 3, 4), fsw(2, kA0, 0)}, model).beyond == 0);                 // stores what is added
  CHECK(SlotRun({flw(1, kA0, 0), fadd(1, 3, 4)}, model).beyond == 0);                 // the same register
  CHECK(SlotRun({flw(1, kA0, 0), fadd(2, 3, 4), fadd(5, 6, 7)}, model).beyond == -1); // two, not three
  CHECK(SlotRun({fadd(2, 3, 4), bnez(kA2, 4)}, model).beyond == -1);                  // a branch may be the second
  CHECK(SlotRun({flw(1, kA0, 0), fadd(2, 3, 4)}, model, true).beyond == 0);
}

TEST_CASE("rules change neither values nor the number of instructions, and joining never costs") {
  for (unsigned seed = 0; seed != 300; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    // A loop over loads, stores, sums and floating-point operations; registers t0 to t2, ft0 to ft5.
    std::vector<Word> words = {addi(kA2, kZero, static_cast<int>(1 + below(6)))};
    const std::size_t size = 3 + below(12);
    for (std::size_t i = 0; i != size; ++i) {
      const unsigned base = below(2) == 0 ? kA0 : kA1, f0 = below(6), f1 = below(6), f2 = below(6), t = 5 + below(3);
      const int at = 4 * static_cast<int>(below(8));
      switch (below(15)) {
      case 9:
      case 10: words.push_back(flh(f0, base, 2 * static_cast<int>(below(8)))); break;
      case 11: words.push_back(fsh(f0, base, 2 * static_cast<int>(below(8)))); break;
      case 12: words.push_back(faddh(f0, f1, f2)); break;
      case 13: words.push_back(widen(f0, f1)); break;
      case 14: words.push_back(narrow(f0, f1)); break;
      case 0:
      case 1: words.push_back(flw(f0, base, at)); break;
      case 2: words.push_back(fsw(f0, base, at)); break;
      case 3: words.push_back(fadd(f0, f1, f2)); break;
      case 4: words.push_back(fmul(f0, f1, f2)); break;
      case 5: words.push_back(addi(base, base, 4)); break;
      case 6: words.push_back(lw(t, base, at)); break;
      case 7:
        words.push_back(add(kA4, base, kA3));
        if (below(2) == 0)
          words.push_back(addi(kA4, kA4, 0)); // uses the sum by itself
        words.push_back(flw(f0, kA4, at));
        break;
      default: words.push_back(addi(t, t, 1)); break;
      }
    }
    words.push_back(addi(kA2, kA2, -1));
    words.push_back(bnez(kA2, -4 * static_cast<int>(words.size() - 1)));
    const SlotRun plain(words, {}, false, 4095, false), all(words, joining());
    REQUIRE(plain.outcome.completed);
    CHECK(all.outcome.completed);
    CHECK(all.outcome.instructions == plain.outcome.instructions);
    CHECK((all.x == plain.x));
    CHECK((all.f == plain.f));
    CHECK((all.memory.bytes == plain.memory.bytes));
    CHECK(all.beyond <= 0);
    // the slots do not disappear, either
    CHECK(all.slots() * 8 >= static_cast<std::int64_t>(plain.outcome.instructions));
    for (unsigned rule = 0; rule != 5; ++rule) {
      CAPTURE(rule);
      const StandInModel one = modelWith([&](StandInModel &m) {
        m.postIncrement = rule == 0, m.indexedAddresses = rule == 1, m.countAndBranch = rule == 2;
        m.vectors = rule == 3, m.bundles = rule == 4;
      });
      CHECK(SlotRun(words, one).beyond <= 0);
    }
    // Joined lanes take at most as many slots as separate lanes, and a vector of four takes at least one slot.
    StandInModel lanes = modelWith([](StandInModel &m) { m.halves = m.subWordStores = true; });
    const std::int64_t apart = SlotRun(words, lanes).slots();
    lanes.vectors = true;
    const std::int64_t joined = SlotRun(words, lanes).slots();
    CHECK(joined <= apart);
    CHECK(joined * 4 >= static_cast<std::int64_t>(plain.outcome.instructions));
  }
}

TEST_SUITE_END();
