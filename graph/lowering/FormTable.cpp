#include "graph/lowering/FormTable.hpp"

#include <algorithm>
#include <bit>

namespace popscope {
namespace {

std::uint64_t hashOf(const VertexForm &f) {
  return mixHash(mixHash(f.firstOperand, f.numOperands), (std::uint64_t(f.footprint) << 32) | f.numState) +
         (f.fromEstimator ? 1 : 0) + (f.saysFlops ? 2 : 0);
}

std::uint64_t hashOf(std::span<const OperandKind> operands) {
  std::uint64_t hash = operands.size();
  for (const OperandKind &kind : operands)
    hash = mixHash(hash, std::bit_cast<std::uint64_t>(kind));
  return hash;
}

} // namespace

FormTable::FormTable(std::vector<VertexForm> &forms, std::vector<OperandKind> &kinds) : forms_(forms), kinds_(kinds) {
  for (std::uint32_t f = 0; f < forms.size(); ++f) {
    const List list{forms[f].firstOperand, forms[f].numOperands};
    const auto next = static_cast<std::uint32_t>(lists_.size());
    if (listIndex_.numberOf(hashOf(operandsOf(list)), next, [&](std::uint32_t known) {
          return lists_[known].first == list.first && lists_[known].count == list.count;
        }) == next)
      lists_.push_back(list);
    formIndex_.numberOf(hashOf(forms[f]), f, [](std::uint32_t) { return false; });
  }
}

FormTable::List FormTable::listOf(std::span<const OperandKind> operands) {
  const auto next = static_cast<std::uint32_t>(lists_.size());
  const std::uint32_t number = listIndex_.numberOf(hashOf(operands), next, [&](std::uint32_t known) {
    return std::ranges::equal(operandsOf(lists_[known]), operands);
  });
  if (number == next) {
    lists_.push_back({static_cast<std::uint32_t>(kinds_.size()), static_cast<std::uint32_t>(operands.size())});
    kinds_.insert(kinds_.end(), operands.begin(), operands.end());
  }
  return lists_[number];
}

std::uint32_t FormTable::numberOf(const VertexForm &form) {
  const auto next = static_cast<std::uint32_t>(forms_.size());
  const std::uint32_t number =
      formIndex_.numberOf(hashOf(form), next, [&](std::uint32_t known) { return forms_[known] == form; });
  if (number == next)
    forms_.push_back(form);
  return number;
}

std::uint32_t FormTable::numberOf(VertexForm form, std::span<const OperandKind> operands) {
  const List ofLast = last_ < forms_.size() ? List{forms_[last_].firstOperand, forms_[last_].numOperands} : List();
  const bool same = last_ < forms_.size() && std::ranges::equal(operandsOf(ofLast), operands);
  const List list = same ? ofLast : listOf(operands);
  form.firstOperand = list.first;
  form.numOperands = list.count;
  if (!same || forms_[last_] != form)
    last_ = numberOf(form);
  return last_;
}

std::uint32_t FormTable::withFootprint(std::uint32_t form, std::uint32_t footprint) {
  VertexForm other = forms_[form];
  other.footprint = footprint;
  return numberOf(other);
}

} // namespace popscope
