// MetadataField: the field that follows each edge of quarters in VertexClass::fields. It points to the edge's metadata.
// The field is an input of one QuarterMetadata, which is sized, connected and moved like every other scalar edge.
#pragma once
#include <string>

namespace popscope {

/// Returns the name of this field. The name is invalid in C++, so no declared field can have it.
inline std::string metadataFieldName(const std::string &field) { return field + ".metadata"; }

} // namespace popscope
