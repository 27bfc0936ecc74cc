// FunctionBufferMappingType: the memory in which a FunctionBuffer holds the code of its function.
#pragma once

namespace poplar {

enum class FunctionBufferMappingType { NONE, REMOTE, LOCAL };

} // namespace poplar
