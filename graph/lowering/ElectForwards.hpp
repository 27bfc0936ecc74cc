// ElectForwards: chooses copies to elide. Each chosen copy must be legal to elide (ElideCopies states the rules). No
// chosen copy may keep a variable that another chosen copy removes. This header is part of ElideCopies and internal to
// lowering.
#pragma once
#include "graph/lowering/CopyForwards.hpp"

namespace popscope {

/// Chooses copies whose variables on the side other than `kept` can be removed. ElideCopies removes these copies, and
/// calls electForwards again until the result is empty. The result points into `programs` and into the function bodies
/// of `graph`, which must outlive the result.
[[nodiscard]] std::vector<Forward> electForwards(const GraphIr &graph, const std::vector<ProgramPtr> &programs,
                                                 Kept kept);

} // namespace popscope
