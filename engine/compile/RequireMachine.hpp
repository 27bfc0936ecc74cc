// RequireMachine: compares the machine of a compiled program with the machine of a device.
#pragma once
#include "engine/compile/Compile.hpp"

#include <poplar/Target.hpp>

namespace popscope {

/// Throws poplar_error unless the device has the machine for which the program was compiled. The message names the
/// differences between the two machines. If Popscope knows how to get a device that can run the program, the message
/// also states how.
void requireSameMachine(const CompiledProgram &compiled, const poplar::Target &device);

} // namespace popscope
