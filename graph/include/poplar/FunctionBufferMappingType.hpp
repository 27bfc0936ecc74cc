// FunctionBufferMappingType: where the code of a buffered function is kept.
#pragma once

namespace poplar {

enum class FunctionBufferMappingType { NONE, REMOTE, LOCAL };

} // namespace poplar
