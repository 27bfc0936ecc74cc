// ElectForwards: chooses copies to elide. Each must be legal to elide (ElideCopies states the rules), and none may keep
// a variable that another one removes. It is part of ElideCopies and internal to lowering.
#pragma once
#include "graph/lowering/CopyForwards.hpp"

namespace popscope {

/// Elects copies in one round. The copies point into `programs`, which must outlive the result.
[[nodiscard]] std::vector<Forward> electForwards(const GraphIr &graph, const std::vector<ProgramPtr> &programs,
                                                 Kept kept);

} // namespace popscope
