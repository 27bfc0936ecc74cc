// Tensors that hold the format and scale of 8-bit floats: QUARTER_METADATA of shape {}, on tile 0.
#pragma once
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Quarter.hpp>
#include <poplar/Tensor.hpp>

namespace poplar {

/// A constant. Throws poplar_error for a scale out of range.
Tensor createConstantMetadataTensor(Graph &graph, const QuarterMetadata::Format &format, int scale,
                                    const DebugContext &debugContext = {});
/// A variable that has the value when the program is loaded.
Tensor createVariableMetadataTensor(Graph &graph, const QuarterMetadata::Format &format, int scale,
                                    const DebugContext &debugContext = {});
/// A variable that `prog` gives the value.
Tensor createVariableMetadataTensor(Graph &graph, const QuarterMetadata::Format &format, int scale,
                                    program::Sequence &prog, const DebugContext &debugContext = {});

} // namespace poplar
