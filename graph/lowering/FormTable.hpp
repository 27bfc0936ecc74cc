// FormTable: numbers the footprints and the forms of vertices, and the lists of operands of the forms. Equal rows get the
// same number, and equal lists get the same number.
#pragma once
#include "base/HashIndex.hpp"
#include "graph/steps/ExecuteTables.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace popscope {

[[nodiscard]] std::uint64_t hashFootprint(const VertexFootprint &f);
[[nodiscard]] std::uint64_t hashForm(const VertexForm &f);
using FootprintTable = UniqueRows<VertexFootprint, hashFootprint>; // the rows of StepProgram::footprints
using FormRows = UniqueRows<VertexForm, hashForm>;                 // the rows of StepProgram::forms

class FormTable {
public:
  /// Creates a table that adds rows to `forms` (StepProgram::forms) and `kinds` (StepProgram::operandKinds). Both must
  /// be empty and must outlive the table.
  FormTable(std::vector<VertexForm> &forms, std::vector<OperandKind> &kinds)
      : forms_(forms), kinds_(kinds), rows_(forms) {}
  /// Returns the row of the form with these operands. Adds a row if no row is equal. Ignores firstOperand and
  /// numOperands of `form`.
  std::uint32_t numberOf(VertexForm form, std::span<const OperandKind> operands);

private:
  struct List { // a list of operands, as a range of kinds_
    std::uint32_t first = 0, count = 0;
  };
  List listOf(std::span<const OperandKind> operands);
  [[nodiscard]] std::span<const OperandKind> operandsOf(const List &list) const {
    return std::span(kinds_).subspan(list.first, list.count);
  }

  const std::vector<VertexForm> &forms_;
  std::vector<OperandKind> &kinds_;
  FormRows rows_;
  std::vector<List> lists_;
  HashIndex listIndex_;
  std::uint32_t last_ = 0; // the form of the last request, kept because neighbouring vertices mostly have the same form
};

} // namespace popscope
