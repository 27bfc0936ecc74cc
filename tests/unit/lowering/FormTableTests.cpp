#include "graph/lowering/FormTable.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <tuple>

using namespace popscope;

namespace {

OperandKind operand(std::uint32_t elements, std::uint32_t field, bool writes = false) {
  OperandKind kind;
  kind.elements = elements;
  kind.field = field;
  kind.writes = writes;
  kind.reads = !writes;
  return kind;
}

VertexForm form(std::uint32_t footprint, std::uint16_t numState = 0, bool fromEstimator = false) {
  VertexForm f;
  f.footprint = footprint;
  f.numState = numState;
  f.fromEstimator = fromEstimator;
  return f;
}

} // namespace

TEST_SUITE("lowering.forms") {
  TEST_CASE("forms that differ in anything have different numbers, and equal lists of operands are one") {
    std::vector<VertexForm> forms;
    std::vector<OperandKind> kinds;
    FormTable table(forms, kinds);
    const std::vector<OperandKind> two{operand(4, 0), operand(4, 1, true)}, one{operand(4, 0)},
        other{operand(4, 0), operand(4, 1)};
    const std::uint32_t first = table.numberOf(form(3), two);
    CHECK(table.numberOf(form(4), two) != first);
    CHECK(table.numberOf(form(3, 1), two) != first);
    CHECK(table.numberOf(form(3, 0, true), two) != first);
    CHECK(table.numberOf(form(3), one) != first);
    CHECK(table.numberOf(form(3), other) != first);
    CHECK(table.numberOf(form(3), {}) != first);
    CHECK(table.numberOf(form(3), two) == first);
    CHECK(forms.size() == 7);
    CHECK(kinds.size() == 5); // two, one, other
    // A second table over the same rows continues after the last row of the first.
    FormRows later(forms);
    VertexForm changed = forms[first];
    CHECK(later.numberOf(changed) == first);
    changed.footprint = 9;
    CHECK(later.numberOf(changed) == 7);
    CHECK(later.numberOf(changed) == 7);
    CHECK(forms.size() == 8);
  }

  TEST_CASE("thousands of random forms have the numbers that a map gives them") {
    std::mt19937_64 random(17);
    const auto below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(random() % n); };
    std::vector<VertexForm> forms;
    std::vector<OperandKind> kinds;
    FormTable table(forms, kinds);
    using Key = std::tuple<std::uint32_t, std::uint16_t, bool, std::vector<std::tuple<int, int, int, bool>>>;
    std::map<Key, std::uint32_t> known;
    for (int i = 0; i < 20000; ++i) {
      Key key{below(3), static_cast<std::uint16_t>(below(2)), below(2) == 1, {}};
      std::vector<OperandKind> operands(below(4));
      for (OperandKind &kind : operands) {
        kind = operand(below(9), below(3), below(2) == 1);
        kind.subIndex = below(2) << 21;
        std::get<3>(key).emplace_back(kind.elements, int(kind.field), int(kind.subIndex), bool(kind.writes));
      }
      const std::uint32_t number = table.numberOf(form(std::get<0>(key), std::get<1>(key), std::get<2>(key)), operands);
      const auto [place, isNew] = known.emplace(key, static_cast<std::uint32_t>(known.size()));
      REQUIRE(number == place->second);
      REQUIRE(forms.size() == known.size());
      const VertexForm &row = forms[number];
      REQUIRE(std::equal(operands.begin(), operands.end(), kinds.begin() + row.firstOperand,
                         kinds.begin() + row.firstOperand + row.numOperands));
    }
    CHECK(forms.size() > 10000);
  }
}
