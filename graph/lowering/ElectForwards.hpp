// ElectForwards: chooses copies of a program that are legal to elide (ElideCopies states the rules) and of which none
// keeps a variable that another removes. It is part of ElideCopies and internal to lowering.
#pragma once
#include "graph/lowering/CopyForwards.hpp"

namespace popscope {

/// Elects copies in one round. The copies point into `programs`, which must outlive the result.
[[nodiscard]] std::vector<Forward> electForwards(const GraphIr &graph, const std::vector<ProgramPtr> &programs,
                                                 Kept kept);

} // namespace popscope
