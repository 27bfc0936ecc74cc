// FunctionBufferMappingType: the memory that holds the code of a buffered function.
#pragma once

namespace poplar {

enum class FunctionBufferMappingType { NONE, REMOTE, LOCAL };

} // namespace poplar
