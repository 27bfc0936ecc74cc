// Creates tensors that contain the format and the scale of 8-bit floats. These tensors have type QUARTER_METADATA and
// shape {}, and are mapped to tile 0. Each function that takes the scale as a number throws poplar_error for a scale
// outside [-32, 31].
#pragma once
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Quarter.hpp>
#include <poplar/Tensor.hpp>

namespace poplar {

/// Creates a constant.
Tensor createConstantMetadataTensor(Graph &graph, const QuarterMetadata::Format &format, int scale,
                                    const DebugContext &debugContext = {});
/// Creates a variable that has the given format and scale when the program is loaded.
Tensor createVariableMetadataTensor(Graph &graph, const QuarterMetadata::Format &format, int scale,
                                    const DebugContext &debugContext = {});
/// Creates a variable, and appends to `prog` a program that sets the variable to the given format and scale.
Tensor createVariableMetadataTensor(Graph &graph, const QuarterMetadata::Format &format, int scale,
                                    program::Sequence &prog, const DebugContext &debugContext = {});
/// Creates a variable, and appends to `prog` a program that sets the variable to `format` and a scale. The scale is the
/// value that the tensor `scale` (one INT or SIGNED_CHAR) has at run time. Like a tile, the program uses only the 6
/// lowest bits of the scale.
Tensor createVariableMetadataTensor(Graph &graph, QuarterMetadata::Format format, const Tensor &scale,
                                    program::Sequence &prog, const DebugContext &debugContext = {});
/// Appends to `prog` a program that sets `metadataOut` to `format` and to the 6 lowest bits of the run-time value of
/// `scale` (one INT or SIGNED_CHAR). `metadataOut` must be one element of type QUARTER_METADATA, and not a constant.
/// Throws type_error for other types and other numbers of elements.
void setMetadataTensor(Graph &graph, QuarterMetadata::Format format, const Tensor &scale, const Tensor &metadataOut,
                       program::Sequence &prog, const DebugContext &debugContext = {});

} // namespace poplar
