#include "graph/lowering/FormTable.hpp"

#include <algorithm>
#include <bit>

namespace popscope {

std::uint64_t hashFootprint(const VertexFootprint &f) {
  std::uint64_t hash = 0;
  for (const Bytes32 n : {f.instanceState, f.fieldData, f.vectorListDescriptor, f.copyDescriptor, f.internalState,
                          f.edgePointers, f.copyPointers, f.padding, f.descriptors})
    hash = mixHash(hash, n.count());
  return hash;
}

std::uint64_t hashForm(const VertexForm &f) {
  return mixHash(mixHash(f.firstOperand, f.numOperands), (std::uint64_t(f.footprint) << 32) | f.numState) +
         (f.fromEstimator ? 1 : 0) + (f.saysFlops ? 2 : 0);
}

FormTable::List FormTable::listOf(std::span<const OperandKind> operands) {
  const auto next = static_cast<std::uint32_t>(lists_.size());
  std::uint64_t hash = operands.size();
  for (const OperandKind &kind : operands)
    hash = mixHash(hash, std::bit_cast<std::uint64_t>(kind));
  const std::uint32_t number = listIndex_.numberOf(
      hash, next, [&](std::uint32_t known) { return std::ranges::equal(operandsOf(lists_[known]), operands); });
  if (number == next) {
    lists_.push_back({static_cast<std::uint32_t>(kinds_.size()), static_cast<std::uint32_t>(operands.size())});
    kinds_.insert(kinds_.end(), operands.begin(), operands.end());
  }
  return lists_[number];
}

std::uint32_t FormTable::numberOf(VertexForm form, std::span<const OperandKind> operands) {
  const List ofLast = last_ < forms_.size() ? List{forms_[last_].firstOperand, forms_[last_].numOperands} : List();
  const bool same = last_ < forms_.size() && std::ranges::equal(operandsOf(ofLast), operands);
  const List list = same ? ofLast : listOf(operands);
  form.firstOperand = list.first;
  form.numOperands = list.count;
  if (!same || forms_[last_] != form)
    last_ = rows_.numberOf(form);
  return last_;
}

} // namespace popscope
