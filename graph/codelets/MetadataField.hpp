// MetadataField: the field that follows each edge of quarters in VertexClass::fields. The field points to the edge's
// metadata. This field is an input of one QuarterMetadata; graph and lowering treat the field like every other scalar
// edge.
#pragma once
#include <string>

namespace popscope {

/// Returns the name of this field. No declared field can have this name, because the name is invalid in C++.
inline std::string metadataFieldName(const std::string &field) { return field + ".metadata"; }

} // namespace popscope
