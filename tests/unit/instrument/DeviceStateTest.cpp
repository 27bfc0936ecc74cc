// Tile memory whose halves are floats: which values are kept, which are rounded, and operands in another form than
// their home.
#include "TestClasses.hpp"

#include "base/Half.hpp"
#include "instrument/machine/VertexObjects.hpp"

#include <doctest/doctest.h>

#include <cstring>

using namespace popscope;
using namespace popscope::test;

namespace {

using Halves = std::vector<std::uint16_t>;

/// A variable of halves and one of 16-bit integers, four elements each, on two tiles.
struct Memory {
  Memory() : b(2) {
    halves = b.var<std::uint16_t>("halves", ElementType::Half, 0, {0, 0, 0, 0});
    more = b.var<std::uint16_t>("more", ElementType::Half, 1, {0, 0, 0, 0});
    integers = b.var<std::uint16_t>("integers", ElementType::UnsignedShort, 1, {0, 0, 0, 0});
    b.finishRoot();
  }
  ProgramBuilder b;
  HomeId halves, more, integers;
};

Bytes bytesOf(std::uint64_t n) { return Bytes(2 * n); }
float *floatsAt(const DeviceState &state, HomeId home, std::uint64_t element = 0) {
  return reinterpret_cast<float *>(state.at(home, bytesOf(element)));
}

constexpr float kThird = 1.0f / 3.0f;

} // namespace

TEST_SUITE("instrument.device state") {

  TEST_CASE("halves that are floats keep all bits among themselves and are rounded for everyone else") {
    Memory m;
    const DeviceState state(m.b.program, 0, true);
    CHECK(state.holdsFloats(m.halves));
    CHECK_FALSE(state.holdsFloats(m.integers));
    CHECK(state.at(m.halves, bytesOf(3)) - state.at(m.halves) == 12);
    CHECK(state.at(m.integers, bytesOf(3)) - state.at(m.integers) == 6);
    *floatsAt(state, m.halves, 1) = kThird;
    state.copy(m.more, bytesOf(2), m.halves, bytesOf(1), bytesOf(1));
    CHECK(*floatsAt(state, m.more, 2) == kThird);
    CHECK(*floatsAt(state, m.more, 1) == 0.0f);
    CHECK(*floatsAt(state, m.more, 3) == 0.0f);
    Halves bits(4, 0xaaaa);
    state.read({m.more, bytesOf(1), bytesOf(3)}, bits.data());
    CHECK(bits == Halves{0, floatToHalf(kThird), 0, 0xaaaa});
    state.copy(m.integers, Bytes(), m.more, Bytes(), bytesOf(4));
    state.read({m.integers, Bytes(), bytesOf(4)}, bits.data());
    CHECK(bits == Halves{0, 0, floatToHalf(kThird), 0});
    state.copy(m.halves, Bytes(), m.integers, bytesOf(1), bytesOf(2));
    CHECK(*floatsAt(state, m.halves, 1) == halfToFloat(floatToHalf(kThird)));
    bits = {floatToHalf(1), floatToHalf(-2), floatToHalf(0.5f), floatToHalf(1000)};
    state.write({m.halves, Bytes(), bytesOf(4)}, bits.data());
    CHECK(std::vector<float>(floatsAt(state, m.halves), floatsAt(state, m.halves) + 4) ==
          std::vector<float>{1, -2, 0.5f, 1000});
  }

  TEST_CASE("what is taken from one home is put into another as it is, or with the bits of halves") {
    Memory m;
    const DeviceState one(m.b.program, 0, true), two(m.b.program, 1, true);
    *floatsAt(one, m.halves, 2) = kThird;
    std::vector<std::uint8_t> values;
    one.take({m.halves, bytesOf(1), bytesOf(2)}, values);
    CHECK(values.size() == 8);
    CHECK(two.put({m.more, Bytes(), bytesOf(2)}, values.data(), one.holdsFloats(m.halves)) == 8);
    CHECK(*floatsAt(two, m.more, 1) == kThird);
    CHECK(two.put({m.integers, Bytes(), bytesOf(2)}, values.data(), one.holdsFloats(m.halves)) == 8);
    Halves bits(4);
    two.read({m.integers, Bytes(), bytesOf(4)}, bits.data());
    CHECK(bits == Halves{0, floatToHalf(kThird), 0, 0});
  }

  TEST_CASE("an operand in another form is a copy: loaded whole, stored where the vertex changed it") {
    float home[] = {kThird, 2.0f, kThird};
    Halves copy(3);
    const ConvertedOperand bits{home, copy.data(), 3, true, true};
    bits.load();
    CHECK(copy == Halves{floatToHalf(kThird), floatToHalf(2), floatToHalf(kThird)});
    copy[1] = floatToHalf(-7);
    bits.store();
    CHECK(home[0] == kThird);
    CHECK(home[1] == -7.0f);
    CHECK(home[2] == kThird);
    Halves halves = {floatToHalf(3), floatToHalf(4)};
    float values[2];
    const ConvertedOperand floats{halves.data(), values, 2, false, true};
    floats.load();
    CHECK(values[1] == 4.0f);
    values[1] = kThird;
    floats.store();
    CHECK(halves == Halves{floatToHalf(3), floatToHalf(kThird)});
    ConvertedOperand input = bits;
    input.writes = false;
    copy[0] = 0;
    input.store();
    CHECK(home[0] == kThird);
  }
}
