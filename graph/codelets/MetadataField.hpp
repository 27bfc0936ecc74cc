// MetadataField: the field that follows an edge of quarter in VertexClass::fields. It points at the edge's metadata and
// is an input of one QuarterMetadata: sized, connected and moved like every other scalar edge.
#pragma once
#include <string>

namespace popscope {

/// Returns a name that is invalid in C++, so that no declared field has it.
inline std::string metadataFieldName(const std::string &field) { return field + ".metadata"; }

} // namespace popscope
