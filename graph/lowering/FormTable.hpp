// FormTable: numbers the forms of vertices and their lists of operands. Equal forms get the same number, and equal
// lists get the same number.
#pragma once
#include "base/HashIndex.hpp"
#include "graph/steps/ExecuteTables.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace popscope {

class FormTable {
public:
  /// Creates a table that adds rows to `forms` (StepProgram::forms) and `kinds` (StepProgram::operandKinds). Both
  /// vectors must outlive the table.
  FormTable(std::vector<VertexForm> &forms, std::vector<OperandKind> &kinds);
  /// Returns the row of the form with these operands. Adds a row if no row is equal. Ignores firstOperand and
  /// numOperands of `form`.
  std::uint32_t numberOf(VertexForm form, std::span<const OperandKind> operands);
  /// Returns the row of the form that has the footprint `footprint`, and otherwise equals the form in row `form`. If
  /// the table has no such form, adds a row.
  std::uint32_t withFootprint(std::uint32_t form, std::uint32_t footprint);

private:
  struct List { // a list of operands: the range of its kinds in kinds_
    std::uint32_t first = 0, count = 0;
  };
  List listOf(std::span<const OperandKind> operands);
  std::uint32_t numberOf(const VertexForm &form);
  [[nodiscard]] std::span<const OperandKind> operandsOf(const List &list) const {
    return std::span(kinds_).subspan(list.first, list.count);
  }

  std::vector<VertexForm> &forms_;
  std::vector<OperandKind> &kinds_;
  std::vector<List> lists_;
  HashIndex formIndex_, listIndex_;
  std::uint32_t last_ = 0; // the form of the last request, kept because neighbouring vertices mostly have the same form
};

} // namespace popscope
