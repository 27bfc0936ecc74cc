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
/// A variable that `prog` gives the format and the scale that `scale` (one INT) holds at that time. Its least 6 bits
/// count, as on the tile.
Tensor createVariableMetadataTensor(Graph &graph, QuarterMetadata::Format format, const Tensor &scale,
                                    program::Sequence &prog, const DebugContext &debugContext = {});
/// The same for a metadata tensor that exists: one QUARTER_METADATA, not a constant.
void setMetadataTensor(Graph &graph, QuarterMetadata::Format format, const Tensor &scale, const Tensor &metadataOut,
                       program::Sequence &prog, const DebugContext &debugContext = {});

} // namespace poplar
