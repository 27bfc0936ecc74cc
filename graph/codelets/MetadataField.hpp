// MetadataField: names the additional field for the metadata of quarters. In VertexClass::fields, this field follows
// each edge field whose elements are quarters, and points to the metadata of the edge. The field is an input of one
// QuarterMetadata. Graph and lowering treat the field like every other scalar edge.
#pragma once
#include <string>

namespace popscope {

/// Returns the name of the metadata field that follows the edge field `field`. No declared field can have this name,
/// because the name is invalid in C++.
inline std::string metadataFieldName(const std::string &field) { return field + ".metadata"; }

} // namespace popscope
